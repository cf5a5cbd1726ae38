import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import type { ListRequest } from '../platform/lists/list.ts';
import { type FoundList, readList } from '../platform/lists/read-list.ts';
import { type NotOpenFilter, type NotOpenRow, notOpenList } from './queries.ts';

/** A provider opens an account within seconds. What takes longer than this is not only slow. */
const LONG_MS = 10 * 60_000;

/**
 * Account numbers of wallets, whoever's they are, that a provider refused or has not opened for ten minutes; what was
 * asked for first comes first.
 * @throws AppError 400 `CURSOR_MISMATCH`, `CURSOR_INVALID`
 */
export function readNotOpen(
  { database, clock }: { database: Database; clock: Clock },
  filter: NotOpenFilter,
  request: ListRequest,
): Promise<FoundList<NotOpenRow>> {
  return readList(database, notOpenList(filter, new Date(clock.now().getTime() - LONG_MS)), request);
}
