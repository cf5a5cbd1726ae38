import { toNumber, toNumberIfExact } from '../money/index.ts';
import type { Database, Queries } from '../platform/db/database.ts';
import type { Tenant } from '../platform/tenant.ts';
import { batchReferenceOf } from '../transactions/index.ts';
import { listRetries, type RetryRow } from './copy-queries.ts';
import { countOutcomes, ITEM_OUTCOMES, type ItemOutcome, type OutcomeRow } from './item-queries.ts';
import type { BatchRecord } from './queries.ts';
import { MANY_ITEMS, requireBatch } from './read-batches.ts';

/** Money of some payouts in kobo. */
interface Sum {
  amountMinor: bigint;
  chargesMinor: bigint;
}

const NOTHING: Sum = { amountMinor: 0n, chargesMinor: 0n };

function outcomeView(batch: BatchRecord, rows: readonly OutcomeRow[], retries: readonly RetryRow[]) {
  const of = (outcome: ItemOutcome) => rows.find((row) => row.outcome === outcome);
  const paid = sumOf(of('PAID'));
  // A returned payout brings its charges back too.
  const returned = sumOf(of('RETURNED'));
  return {
    batchReference: batchReferenceOf(batch.id),
    status: batch.status,
    outcomes: ITEM_OUTCOMES.map((outcome) => ({
      outcome,
      count: of(outcome)?.items ?? 0,
      amount: toNumberIfExact(of(outcome)?.amount_minor ?? 0n),
    })),
    wallet: {
      left: sumView(plus(paid, returned)),
      returned: sumView(returned),
      net: sumView(paid),
      held: sumView(heldNow(batch, rows)),
    },
    retryLists: retries
      .filter(({ status }) => status !== 'CANCELLED' && status !== 'EXPIRED')
      .map(({ id, status, items }) => ({ batchReference: batchReferenceOf(id), status, itemCount: items })),
  };
}

const sumOf = (row: OutcomeRow | undefined): Sum =>
  row === undefined ? NOTHING : { amountMinor: row.amount_minor, chargesMinor: row.charges_minor };

const plus = (one: Sum, other: Sum): Sum => ({
  amountMinor: one.amountMinor + other.amountMinor,
  chargesMinor: one.chargesMinor + other.chargesMinor,
});

/** What was held, less what has ended: items that are not payouts yet are held with their chunk. */
function heldNow(batch: BatchRecord, rows: readonly OutcomeRow[]): Sum {
  if (batch.dispatched_at === null) return NOTHING;
  const held = {
    amountMinor: batch.amount_minor ?? 0n,
    chargesMinor: (batch.fee_minor ?? 0n) + (batch.vat_minor ?? 0n) + (batch.stamp_duty_minor ?? 0n),
  };
  const ended = rows.filter(({ outcome }) => outcome !== 'LEFT_OUT' && outcome !== 'IN_PROGRESS').map(sumOf);
  return ended.reduce(
    (rest, sum) => plus(rest, { amountMinor: -sum.amountMinor, chargesMinor: -sum.chargesMinor }),
    held,
  );
}

const sumView = ({ amountMinor, chargesMinor }: Sum) => ({
  amount: toNumber(amountMinor),
  charges: toNumber(chargesMinor),
  total: toNumber(amountMinor + chargesMinor),
});

/**
 * What a dispatched batch has done, read at one moment, also while it goes on: how many of its items were paid, failed,
 * were returned, are on their way or were left out, and what really left the wallet. Before the dispatch all is zero.
 * @throws AppError `BATCH_NOT_FOUND`
 */
export async function readOutcome(database: Database, tenant: Tenant, batchReference: string) {
  const { item_count } = await requireBatch(database, tenant, batchReference);
  const read = async (queries: Queries) => {
    const batch = await requireBatch(queries, tenant, batchReference);
    const key = [batch.merchant_id, batch.mode, batch.id];
    if (batch.dispatched_at === null) return { batch, rows: [], retries: [] };
    return { batch, rows: await queries.query(countOutcomes, key), retries: await queries.query(listRetries, key) };
  };
  const { batch, rows, retries } = await database.snapshot(read, { aside: item_count > MANY_ITEMS });
  return outcomeView(batch, rows, retries);
}
