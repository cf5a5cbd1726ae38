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
const NAMED = new RegExp(`\\b(${MONTHS.join('|')}|${MONTHS.map((month) => month.slice(0, SHORT)).join('|')})\\b`, 'i');
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

function inCaseOf(example: string, word: string): string {
  if (example === example.toUpperCase()) return word.toUpperCase();
  return example === example.toLowerCase() ? word.toLowerCase() : word;
}
