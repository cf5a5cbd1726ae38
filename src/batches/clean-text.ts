import type { ProblemData } from '../platform/problem.ts';
import { isVisible, oneForm, withoutInvisible } from '../platform/text.ts';
import { itemProblem, type ListColumn } from './problems.ts';

/** `="0123"`: how a spreadsheet is made to keep digits as a text. */
const FORMULA_TEXT = /^=\s*"(.*)"$/s;
/** `'0123`: the same, typed by hand; and what protects a text that begins like a formula. */
const APOSTROPHE = /^'(?=[\d=+\-@\uff0b\uff0d\uff1d\uff20])/;

/**
 * A cell without what only spreadsheets need, and without characters that nobody sees: those are reported, because a text
 * may read differently without them.
 */
export function cleanText(given: string, column: ListColumn, warnings: ProblemData[]): string {
  const spaced = oneForm(given).trim();
  const quoted = FORMULA_TEXT.exec(spaced)?.[1]?.replaceAll('""', '"');
  const plain = (quoted ?? spaced.replace(APOSTROPHE, '')).trim();
  if (isVisible(plain)) return plain;
  const field = column === 'bankName' ? 'bankCode' : column;
  warnings.push(itemProblem('INVISIBLE_CHARACTERS_REMOVED', { column }, field));
  return withoutInvisible(plain).trim();
}
