import { withoutInvisible } from '../platform/text.ts';

/** Longer than any name that a bank gives; what is cut says so. */
const MOST_CHARACTERS = 300;

/**
 * A text as a page can show it: one line, composed, without what nobody sees, and with the number of each character that
 * the page has no letter for, such as `[U+4E2D]`. So nothing is left out silently, and nothing is drawn as another letter.
 * Scripts that are written from right to left come as numbers, in the order in which they are kept.
 */
export function printable(text: string, hasLetter: (codePoint: number) => boolean): string {
  const characters = Array.from(
    withoutInvisible(text)
      .normalize('NFC')
      .replaceAll(/\p{Zs}/gu, ' ')
      .trim(),
  );
  const shown = characters.slice(0, MOST_CHARACTERS).map((character) => {
    const codePoint = character.codePointAt(0) ?? 0;
    return hasLetter(codePoint) ? character : `[U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}]`;
  });
  return characters.length > MOST_CHARACTERS ? `${shown.join('')}… (cut)` : shown.join('');
}
