import { toNumber } from '../money/index.ts';
import { batchReferenceOf } from '../transactions/index.ts';
import { type ChosenBy, DIFFERENCES, type DifferenceCount, type DifferenceRow } from './difference-queries.ts';
import type { BatchRecord } from './queries.ts';

const sum = (counts: readonly DifferenceCount[], of: 'rows_before' | 'rows_now'): number =>
  counts.reduce((total, count) => total + count[of], 0);
const sumMinor = (counts: readonly DifferenceCount[], of: 'before_minor' | 'now_minor'): bigint =>
  counts.reduce((total, count) => total + count[of], 0n);

export function differenceView(
  batch: BatchRecord,
  chosen: { earlier: BatchRecord; by: ChosenBy } | undefined,
  counts: readonly DifferenceCount[],
) {
  return {
    batchReference: batchReferenceOf(batch.id),
    version: batch.version,
    earlier:
      chosen === undefined
        ? null
        : {
            batchReference: batchReferenceOf(chosen.earlier.id),
            fileName: chosen.earlier.file_name,
            dispatchedAt: chosen.earlier.dispatched_at?.toISOString() ?? null,
            chosenBy: chosen.by,
          },
    before: { rows: sum(counts, 'rows_before'), amount: toNumber(sumMinor(counts, 'before_minor')) },
    now: { rows: sum(counts, 'rows_now'), amount: toNumber(sumMinor(counts, 'now_minor')) },
    kinds: DIFFERENCES.map((kind) => {
      const count = counts.find((one) => one.kind === kind);
      return {
        kind,
        count: count?.accounts ?? 0,
        amountBefore: toNumber(count?.before_minor ?? 0n),
        amountNow: toNumber(count?.now_minor ?? 0n),
      };
    }),
  };
}

export function differenceItemView(row: DifferenceRow) {
  return {
    kind: row.kind,
    before: row.before === null ? null : sideView(row.before, row.rows_before, row.before_minor),
    now: row.now === null ? null : sideView(row.now, row.rows_now, row.now_minor),
  };
}

function sideView(side: NonNullable<DifferenceRow['now']>, rows: number, amountMinor: bigint) {
  return {
    itemId: side.id,
    position: side.position,
    rows,
    amount: toNumber(amountMinor),
    bankCode: side.bank_code,
    bankName: side.bank_name ?? '',
    accountNumber: side.account_number,
    accountName: side.account_name ?? '',
    givenName: side.given_name,
  };
}
