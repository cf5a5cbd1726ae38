/**
 * Characters that nobody sees, and that make two texts look the same or one text read as another: control characters,
 * line and paragraph separators, zero-width ones, marks that turn the direction of writing, fillers, halves of pairs.
 */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\u115f\u1160\u2800\u3164\uffa0]/u;

/** True for a text in which every character can be seen, or is a space. */
export function isVisible(text: string): boolean {
  return !INVISIBLE.test(text);
}

/** For a schema: a name as it stands in mails to others, where it must not pass for a link. */
export const NAME_WITHOUT_LINK = '^(?!.*(://|[wW]{3}\\.))[^<>]*\\S[^<>]*$';

const ALL_INVISIBLE = new RegExp(INVISIBLE.source, 'gu');
/** These separate words, so a space stands in their place. */
const LINE_ENDS = /[\t\n\v\f\r\u0085\u2028\u2029]+/g;

/** The text without its invisible characters; a line end or tab becomes a space. */
export function withoutInvisible(text: string): string {
  return isVisible(text) ? text : text.replaceAll(LINE_ENDS, ' ').replaceAll(ALL_INVISIBLE, '');
}
