import { checkApprovals } from '../approvals/index.ts';
import { checkAuditLog } from '../audit/index.ts';
import type { Database, Queries } from '../platform/db/database.ts';
import type { Secrets } from '../platform/secrets.ts';
import { MAX_EXAMPLES, readOneSnapshot, takeTime } from './queries.ts';
import { CHECKS_OF_BOOKS, type CheckResult, type VerifyReport, verifyBooks } from './verify-books.ts';

export interface VerifyDeps {
  database: Database;
  secrets: Pick<Secrets, 'hmac'>;
}

/** How many checks `verifyHouse` makes. */
export const CHECKS_IN_ALL = CHECKS_OF_BOOKS + 2;

/**
 * Proves the books, and what no statement can: that approvals have the digests that were shown, and that the audit log
 * is whole, whose seals need the key that is not in the database.
 * @param onCheck told of each check as it ends, for whoever waits.
 */
export async function verifyHouse(
  { database, secrets }: VerifyDeps,
  onCheck: (check: CheckResult) => void = () => undefined,
): Promise<VerifyReport> {
  const report = await verifyBooks(database, onCheck);
  const approvals = await inOneSnapshot(database, verifyApprovals);
  onCheck(approvals);
  const log = await inOneSnapshot(database, (queries) => verifyAuditLog(queries, secrets));
  onCheck(log);
  const checks = [...report.checks, approvals, log];
  return { ok: checks.every(({ ok }) => ok), sizes: report.sizes, checks };
}

function inOneSnapshot(database: Database, check: (queries: Queries) => Promise<CheckResult>): Promise<CheckResult> {
  return database.transaction(async (tx) => {
    for (const setting of [readOneSnapshot, takeTime]) await tx.query(setting);
    return check(tx);
  });
}

function verifyApprovals(queries: Queries): Promise<CheckResult> {
  const sentence = 'Every approval is what its digest says was shown: its text, its amounts, its effect and its maker.';
  return resultOf('approvals-are-what-was-shown', sentence, checkApprovals(queries));
}

async function verifyAuditLog(queries: Queries, secrets: Pick<Secrets, 'hmac'>): Promise<CheckResult> {
  const sentence = 'The audit log is whole: every entry is what was sealed, and none was taken out.';
  return resultOf('audit-log-is-whole', sentence, checkAuditLog(queries, secrets));
}

async function resultOf(
  name: string,
  sentence: string,
  faults: AsyncIterable<{ merchantId: string; mode?: string; detail: string }>,
): Promise<CheckResult> {
  const examples: CheckResult['examples'] = [];
  let violations = 0;
  for await (const { merchantId, mode = '', detail } of faults) {
    violations += 1;
    if (examples.length < MAX_EXAMPLES) examples.push({ merchantId, mode, detail });
  }
  return { name, sentence, ok: violations === 0, violations, examples };
}
