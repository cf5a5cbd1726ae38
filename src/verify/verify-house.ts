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
export const CHECKS_IN_ALL = CHECKS_OF_BOOKS + 1;

/**
 * Proves the books, and that the audit log is whole: its seals need the key that is not in the database.
 * @param onCheck told of each check as it ends, for whoever waits.
 */
export async function verifyHouse(
  { database, secrets }: VerifyDeps,
  onCheck: (check: CheckResult) => void = () => undefined,
): Promise<VerifyReport> {
  const report = await verifyBooks(database, onCheck);
  const log = await database.transaction(async (tx) => {
    for (const setting of [readOneSnapshot, takeTime]) await tx.query(setting);
    return verifyAuditLog(tx, secrets);
  });
  onCheck(log);
  const checks = [...report.checks, log];
  return { ok: checks.every(({ ok }) => ok), sizes: report.sizes, checks };
}

async function verifyAuditLog(queries: Queries, secrets: Pick<Secrets, 'hmac'>): Promise<CheckResult> {
  const examples: CheckResult['examples'] = [];
  let violations = 0;
  for await (const { merchantId, detail } of checkAuditLog(queries, secrets)) {
    violations += 1;
    if (examples.length < MAX_EXAMPLES) examples.push({ merchantId, mode: '', detail });
  }
  const sentence = 'The audit log is whole: every entry is what was sealed, and none was taken out.';
  return { name: 'audit-log-is-whole', sentence, ok: violations === 0, violations, examples };
}
