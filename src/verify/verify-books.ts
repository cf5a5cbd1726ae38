import type { Database, Queries } from '../platform/db/database.ts';
import { CHECKS, type Check } from './checks.ts';
import { countRows, joinByHash, readOneSnapshot, type SizeRow, takeMemory, takeTime } from './queries.ts';

export interface CheckResult {
  name: string;
  sentence: string;
  ok: boolean;
  /** How many there are; `examples` names at most 20 of them. Amounts in minor units. */
  violations: number;
  examples: { merchantId: string; mode: string; detail: string }[];
}

export interface VerifyReport {
  ok: boolean;
  /** How much was looked at. */
  sizes: SizeRow;
  checks: CheckResult[];
}

export const CHECKS_OF_BOOKS = CHECKS.length;

/**
 * Proves the books: every check over every merchant, as of one moment. Runs beside live traffic: it takes no lock that
 * anyone waits for and cannot write. While it runs, PostgreSQL keeps old row versions, so it is no job for every minute.
 * @param onCheck told of each check as it ends.
 */
export function verifyBooks(
  database: Database,
  onCheck: (check: CheckResult) => void = () => undefined,
): Promise<VerifyReport> {
  return database.transaction(async (tx) => {
    for (const setting of [readOneSnapshot, joinByHash, takeMemory, takeTime]) await tx.query(setting);
    const [sizes] = await tx.query(countRows);
    if (sizes === undefined) throw new Error('counting gave no row');
    const checks: CheckResult[] = [];
    for (const check of CHECKS) {
      const result = await run(tx, check);
      checks.push(result);
      onCheck(result);
    }
    return { ok: checks.every(({ ok }) => ok), sizes, checks };
  });
}

async function run(queries: Queries, { name, sentence, find }: Check): Promise<CheckResult> {
  const rows = await queries.query(find);
  return {
    name,
    sentence,
    ok: rows.length === 0,
    violations: Number(rows[0]?.violations ?? 0n),
    examples: rows.map((row) => ({ merchantId: row.merchant_id, mode: row.mode, detail: row.detail })),
  };
}
