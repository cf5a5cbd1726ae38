import { formatReport } from './format-report.ts';
import { type VerifyDeps, verifyAll } from './prove.ts';

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
