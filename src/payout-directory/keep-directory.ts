import { type EventReader, followEvents, readFollowedTo } from '../ledger/index.ts';
import { payoutEvents } from '../payouts/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Queries } from '../platform/db/database.ts';
import { arrayLiteral } from '../platform/db/statement.ts';
import type { Mode } from '../platform/tenant.ts';
import { addToRailTotals, upsertDirectoryEntries } from './queries.ts';

const NAME = 'payout-directory';
/** By these a rail has ended a payout, or taken its end back. */
const ENDS = ['payout.succeeded', 'payout.failed', 'payout.reversed'];

const reader: EventReader = {
  name: NAME,
  types: Object.keys(payoutEvents),
  async take(tx, { merchantId, mode }, events) {
    const ids = [...new Set(events.map(({ subject_id }) => subject_id))];
    await tx.query(upsertDirectoryEntries, [merchantId, mode, arrayLiteral('uuid', ids)]);
    const ends = events.filter(({ type }) => ENDS.includes(type));
    if (ends.length === 0) return;
    await tx.query(addToRailTotals, [
      merchantId,
      mode,
      arrayLiteral(
        'uuid',
        ends.map(({ subject_id }) => subject_id),
      ),
      arrayLiteral(
        'text',
        ends.map(({ type }) => type),
      ),
      arrayLiteral(
        'timestamptz',
        ends.map(({ created_at }) => created_at),
      ),
    ]);
  },
};

/**
 * Writes down what happened to payouts since the last time: where each is found, and what each rail ended. A worker does it,
 * behind the books; of every event once.
 * @returns how many events were taken
 */
export function keepPayoutDirectory(deps: { database: Database; clock: Clock }, mode: Mode): Promise<number> {
  return followEvents(deps, mode, reader);
}

/** When the first event was that the directory does not know yet; null where it knows all. */
export const readDirectoryLag = (queries: Queries): Promise<Date | null> => readFollowedTo(queries, NAME);
