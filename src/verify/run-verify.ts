import { type CheckResult, type VerifyDeps, type VerifyReport, verifyAll } from './prove.ts';

const GREEN = '\u001b[32m';
const RED = '\u001b[31m';
const PLAIN = '\u001b[0m';

/** For the terminal: a line for each check, its violations below it, and the verdict last. Ends with a line break. */
export function formatReport(report: VerifyReport, options: { color: boolean } = { color: false }): string {
  const paint = (color: string, text: string) => (options.color ? `${color}${text}${PLAIN}` : text);
  const lines = report.checks.flatMap((check) => [
    `${check.ok ? paint(GREEN, 'ok    ') : paint(RED, 'BROKEN')}  ${check.sentence}`,
    ...examplesOf(check),
  ]);
  const { books, accounts, transfers, transactions } = report.sizes;
  const looked = `${counted(books)} books, ${counted(accounts)} accounts, ${counted(transfers)} transfers, ${counted(transactions)} transactions`;
  const broken = report.checks.filter(({ ok }) => !ok).length;
  const verdict = report.ok
    ? paint(GREEN, 'The books are right.')
    : paint(RED, `The books are wrong: ${broken} of ${report.checks.length} checks are broken.`);
  return `${[...lines, '', `${verdict} ${looked}.`].join('\n')}\n`;
}

function examplesOf({ name, ok, violations, examples }: CheckResult): string[] {
  if (ok) return [];
  const more = violations - examples.length;
  return [
    `        ${name}: ${counted(violations)} in all, amounts in minor units:`,
    ...examples.map(
      ({ merchantId, mode, detail }) =>
        `        ${merchantId === '' ? '' : `merchant ${merchantId} ${mode}: `}${detail}`,
    ),
    ...(more > 0 ? [`        and ${counted(more)} more`] : []),
  ];
}

function counted(count: number | bigint): string {
  return count.toLocaleString('en-GB');
}

/** Where the report is written: `process.stdout`, or whatever collects text. */
export interface ReportOutput {
  write(text: string): unknown;
  readonly isTTY?: boolean;
}

/** Proves the books and the audit log, and writes the report. Resolves to the exit code: 0 when they are right, 1 when they are not. */
export async function runVerify(deps: VerifyDeps, out: ReportOutput): Promise<number> {
  const report = await verifyAll(deps);
  out.write(formatReport(report, { color: out.isTTY === true && process.env['NO_COLOR'] === undefined }));
  return report.ok ? 0 : 1;
}
