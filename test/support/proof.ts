import type { Database } from '../../src/platform/db/database.ts';
import { type CheckResult, verifyBooks } from '../../src/verify/index.ts';

/** What the proof of the books finds wrong. */
export async function brokenChecks(database: Database): Promise<CheckResult[]> {
  const { checks } = await verifyBooks(database);
  return checks.filter(({ ok }) => !ok);
}
