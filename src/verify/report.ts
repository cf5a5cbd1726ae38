import type { SizeRow } from './queries.ts';

/** The result of one check. */
export interface CheckResult {
  name: string;
  sentence: string;
  /** The check was made, and found nothing. */
  ok: boolean;
  /**
   * Nothing was found wrong, and not all was looked at, as it reads archived events and their files are missing: this says nothing
   * about the books. Where files were abandoned, `archive-files-are-there` names them, and the checks say nothing of their merchants alone.
   */
  isUnproven: boolean;
  /** How many there are; `examples` names at most 20 of them. Amounts in minor units. */
  violations: number;
  examples: { merchantId: string; mode: string; detail: string }[];
}

export interface VerifyReport {
  ok: boolean;
  /** The size of the books that were read. */
  sizes: SizeRow;
  /** How long the proof took: its results are this old. */
  seconds: number;
  checks: CheckResult[];
}

const GREEN = '\u001b[32m';
const RED = '\u001b[31m';
const PLAIN = '\u001b[0m';

/** For the terminal: a line for each check, its violations below it, and the verdict last. Ends with a line break. */
export function formatReport(report: VerifyReport, options: { color: boolean } = { color: false }): string {
  const paint = (color: string, text: string) => (options.color ? `${color}${text}${PLAIN}` : text);
  const lines = report.checks.flatMap((check) => [
    `${check.ok ? paint(GREEN, 'ok    ') : paint(RED, check.isUnproven ? '?     ' : 'BROKEN')}  ${check.sentence}`,
    ...violationsOf(check),
  ]);
  const { books, accounts, transfers, transactions, read_at, is_replica } = report.sizes;
  const where = is_replica ? 'the replica' : 'the primary';
  const moment = `As of ${read_at.toISOString()}, ${report.seconds.toFixed(1)} s ago, read at ${where}.`;
  const sizes = [
    some(books, 'book'),
    some(accounts, 'account'),
    some(transfers, 'transfer'),
    some(transactions, 'transaction'),
  ].join(', ');
  const verdict = report.ok ? paint(GREEN, 'The books are right.') : paint(RED, whyNot(report.checks));
  return `${[...lines, '', moment, `${verdict} ${sizes}.`].join('\n')}\n`;
}

/** Broken checks come first: a check that could not be made says nothing about the books. */
function whyNot(checks: readonly CheckResult[]): string {
  const unproven = checks.filter(({ isUnproven }) => isUnproven).length;
  const broken = brokenOf(checks).length;
  const wrong = `${whatIsWrong(checks)} ${broken} of ${checks.length} checks ${broken === 1 ? 'is' : 'are'} broken.`;
  const unseen = `${unproven} of ${checks.length} checks, marked with ?, could not be made${whatIsUnseen(checks)}`;
  if (unproven === 0) return wrong;
  return broken === 0 ? `Not all is proven, and nothing was found wrong: ${unseen}` : `${wrong} ${unseen}`;
}

/** Files that were abandoned are no mistake of who asks. */
function whatIsUnseen(checks: readonly CheckResult[]): string {
  const files = checks.find(({ name, isUnproven }) => name === FILES && isUnproven);
  return files === undefined || files.violations === 0
    ? ': they need every file of the archive (--archive DIR).'
    : ` of whom ${FILES} names: ${some(files.violations, 'file')} of theirs ${files.violations === 1 ? 'is' : 'are'} abandoned.`;
}

const brokenOf = (checks: readonly CheckResult[]) => checks.filter(({ ok, isUnproven }) => !ok && !isUnproven);

/**
 * Whether more is broken than totals behind the books, seals of the audit log that are late, and files of archived events that
 * are brought back from a copy: nobody stops the service at night for those.
 */
export const areBooksWrong = (checks: readonly CheckResult[]): boolean =>
  brokenOf(checks).some(({ name }) => name !== SEALS && name !== FILES && !BEHIND_THE_BOOKS.has(name));

function whatIsWrong(checks: readonly CheckResult[]): string {
  if (areBooksWrong(checks)) return 'The books are wrong:';
  const broken = brokenOf(checks).map(({ name }) => name);
  const behind = broken.filter((name) => BEHIND_THE_BOOKS.has(name));
  const parts = [
    ...(behind.length > 0 ? ['what is kept behind them is wrong (npm run admin -- rebuild-totals makes it anew)'] : []),
    ...(broken.includes(FILES)
      ? ['files of archived events are missing, or not what was written (bring them back from a copy)']
      : []),
    ...(broken.includes(SEALS) ? ['the audit log is not sealed (does npm run work run?)'] : []),
  ];
  const books = checks.some(({ isUnproven }) => isUnproven)
    ? 'Nothing wrong was found in the books'
    : 'The books are right';
  return `${books}, but ${parts.join(', and ')}:`;
}

/** What jobs make from the books. */
const BEHIND_THE_BOOKS: ReadonlySet<string> = new Set([
  'daily-totals-are-their-transfers',
  'merchant-totals-are-those-of-its-wallets',
  'totals-are-not-ahead-of-their-books',
  'statement-totals-are-their-transfers',
  'statement-totals-go-as-far-as-the-days',
  'payout-directory-has-the-payouts',
  'rail-totals-are-their-events',
  'event-readers-are-not-ahead-of-the-books',
]);
const SEALS = 'audit-entries-are-sealed';
const FILES = 'archive-files-are-there';

function violationsOf({ name, ok, isUnproven, violations, examples }: CheckResult): string[] {
  if (ok || violations === 0) return [];
  const others = violations - examples.length;
  return [
    `        ${name}: ${counted(violations)} in all${isUnproven ? ', abandoned' : ', amounts in minor units'}:`,
    ...examples.map(
      ({ merchantId, mode, detail }) =>
        `        ${merchantId === '' ? '' : `merchant ${merchantId} ${mode}: `}${detail}`,
    ),
    ...(others > 0 ? [`        and ${counted(others)} more`] : []),
  ];
}

const some = (count: number | bigint, one: string): string =>
  `${counted(count)} ${one}${BigInt(count) === 1n ? '' : 's'}`;

function counted(count: number | bigint): string {
  return count.toLocaleString('en-GB');
}
