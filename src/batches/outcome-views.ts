import { toNumber } from '../money/index.ts';
import { batchReferenceOf } from '../transactions/index.ts';
import { ITEM_OUTCOMES, type ItemOutcome } from './item-queries.ts';
import type { OutcomeRow } from './outcome-queries.ts';
import type { BatchRecord } from './queries.ts';

/** Money of some payouts in kobo. */
interface Sum {
  amountMinor: bigint;
  chargesMinor: bigint;
}

const NOTHING: Sum = { amountMinor: 0n, chargesMinor: 0n };

export function outcomeView(batch: BatchRecord, rows: readonly OutcomeRow[]) {
  const of = (outcome: ItemOutcome) => rows.find((row) => row.outcome === outcome);
  const paid = sumOf(of('PAID'));
  // A return brings the charges back too.
  const returned = sumOf(of('RETURNED'));
  return {
    batchReference: batchReferenceOf(batch.id),
    status: batch.status,
    outcomes: ITEM_OUTCOMES.map((outcome) => ({
      outcome,
      count: of(outcome)?.items ?? 0,
      amount: toNumber(of(outcome)?.amount_minor ?? 0n),
    })),
    wallet: {
      left: sumView(plus(paid, returned)),
      returned: sumView(returned),
      net: sumView(paid),
      held: sumView(heldNow(batch, rows)),
    },
  };
}

const sumOf = (row: OutcomeRow | undefined): Sum =>
  row === undefined ? NOTHING : { amountMinor: row.amount_minor, chargesMinor: row.charges_minor };

const plus = (one: Sum, other: Sum): Sum => ({
  amountMinor: one.amountMinor + other.amountMinor,
  chargesMinor: one.chargesMinor + other.chargesMinor,
});

/** What was held, without what has ended: items that are no payouts yet are held with their chunk. */
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
