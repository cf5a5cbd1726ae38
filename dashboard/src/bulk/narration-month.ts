const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
].concat('November', 'December');
const SHORT = 3;
const NAMED = new RegExp(
  `\\b(${MONTHS.join('|')}|${MONTHS.map((month) => month.slice(0, SHORT)).join('|')}|Sept)\\b`,
  'i',
);
const YEAR = /\b20\d{2}\b/;
const IN_LAGOS = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'Africa/Lagos' });

/** A narration for another time: the month that it names becomes that of `at` in Lagos, written alike, and its year too. */
export function narrationAt(narration: string, at: Date): string {
  const found = NAMED.exec(narration)?.[1];
  if (found === undefined) return narration;
  const parts = IN_LAGOS.formatToParts(at);
  const part = (type: 'month' | 'year') => parts.find((one) => one.type === type)?.value ?? '';
  // May is as long as a short one.
  const month = found.length === SHORT && found.toLowerCase() !== 'may' ? part('month').slice(0, SHORT) : part('month');
  return narration.replace(NAMED, inCaseOf(found, month)).replace(YEAR, part('year'));
}

const OF_SALARIES = /pay ?roll|salar|wages|net pay|gross pay/i;

/**
 * What the narration of a file of salaries could be, `November salary`: by the first of the texts that names a month. Undefined
 * where nothing says that it is about salaries, or of which month.
 */
export function salaryNarration(texts: readonly string[]): string | undefined {
  const words = texts.map((text) => text.replaceAll(/[^a-z]+/gi, ' '));
  if (!words.some((text) => OF_SALARIES.test(text))) return undefined;
  const named = words.map((text) => NAMED.exec(text)?.[1]).find((name) => name !== undefined);
  const month = MONTHS.find((name) => name.slice(0, SHORT).toLowerCase() === named?.slice(0, SHORT).toLowerCase());
  return month === undefined ? undefined : `${month} salary`;
}

function inCaseOf(example: string, word: string): string {
  if (example === example.toUpperCase()) return word.toUpperCase();
  return example === example.toLowerCase() ? word.toLowerCase() : word;
}
