/**
 * Invisible characters, which make two texts look the same or one text read as another: control characters, line and
 * paragraph separators, zero-width ones, marks that change the direction of writing, fillers, variation selectors and
 * joiners, halves of pairs.
 */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** True for a text in which every character can be seen, or is a space. */
export function isVisible(text: string): boolean {
  return !INVISIBLE.test(text);
}

/** The same of a text that may have several lines. */
export function isVisibleInLines(text: string): boolean {
  return isVisible(text.replaceAll(/[\t\n\r]/g, ' '));
}

/** One form for texts that read alike: composed characters, and plain spaces for those of other widths. */
export function oneForm(text: string): string {
  return text.normalize('NFC').replaceAll(/\p{Zs}/gu, ' ');
}

/** For a schema: a name that appears in mails to others, where it must not pass for a link. */
export const NAME_WITHOUT_LINK = '^(?!.*(://|[wW]{3}\\.))[^<>]*\\S[^<>]*$';

const ALL_INVISIBLE = new RegExp(INVISIBLE.source, 'gu');
/** These separate words, so a space replaces them. */
const LINE_ENDS = /[\t\n\v\f\r\u0085\u2028\u2029]+/g;

/** The text without its invisible characters; a line end or tab becomes a space. */
export function withoutInvisible(text: string): string {
  return isVisible(text) ? text : text.replaceAll(LINE_ENDS, ' ').replaceAll(ALL_INVISIBLE, '');
}

/** The first characters of a text, and never half of one: no JSON that a database reads has a half. */
export function firstCharacters(text: string, most: number): string {
  // A character has two units at most: the rest is not read.
  return [...text.slice(0, 2 * most)].slice(0, most).join('');
}

/** A name or sentence from another system: it cannot be refused, so invisible characters are removed. */
export function cleanedText(text: string): string {
  return oneForm(withoutInvisible(text)).trim();
}

/**
 * What programs on Windows write before a text, to say that it is in UTF-8: nobody sees it. Without it, spreadsheets read a
 * text file in the encoding of their country.
 */
export const BYTE_ORDER_MARK = '\ufeff';

/** As `1 PIN`, `2 PINs` and `0 PINs`. */
export function manyOf(count: number | bigint, one: string, more = `${one}s`): string {
  return `${count} ${BigInt(count) === 1n ? one : more}`;
}
