import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import { type SettledMissing, updateMissingSettled } from './line-queries.ts';

/** Says of lines that lacked a payment that it turned up, where and by whom. One that is resolved meanwhile stays as it is. */
export async function resolveMissing(
  { database, clock }: { database: Database; clock: Clock },
  settled: readonly SettledMissing[],
  { note, by }: { note: string; by: string },
): Promise<void> {
  if (settled.length === 0) return;
  const settlements = settled.map(({ settlement_id }) => settlement_id);
  const lines = settled.map(({ id }) => id);
  await database.query(updateMissingSettled, [settlements, note, by, clock.now(), lines]);
}
