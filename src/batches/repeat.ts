import { lagosTimeText } from '../payouts/index.ts';
import { batchReferenceOf } from '../transactions/index.ts';
import type { ItemRow } from './queries.ts';
import type { ItemRepeat, RepeatKind } from './repeat-queries.ts';

/** How many items of a batch repeat something, and what they come to in minor units. */
export interface Duplicates {
  items: number;
  amountMinor: bigint;
}

/** What an item repeats, as it is kept with it. */
export interface Repeat {
  kind: RepeatKind;
  transactionId: string | null;
  batchReference: string | null;
  /** Of that batch, or of the item's own. */
  row: number | null;
  at: string | null;
}

/** JSON of a `Repeat`; null for an item that repeats nothing. */
export function repeatText({ kind, subject_id, batch_id, place, at }: Omit<ItemRepeat, 'stored'>): string | null {
  if (kind === null) return null;
  const repeat: Repeat = {
    kind,
    transactionId: subject_id,
    batchReference: batch_id === null ? null : batchReferenceOf(batch_id),
    row: place,
    at: at === null ? null : at.toISOString(),
  };
  return JSON.stringify(repeat);
}

export function repeatOf({ repeats }: Pick<ItemRow, 'repeats'>): Repeat | null {
  return repeats === null ? null : (JSON.parse(repeats) as Repeat);
}

/** The warning of an item, for a clerk. */
export function repeatWarning({ kind, transactionId, batchReference, row, at }: Repeat): string {
  const time = at === null ? '' : lagosTimeText(new Date(at));
  switch (kind) {
    case 'PAYOUT':
      return `Repeats transaction ${transactionId}: the same amount was paid to this account on ${time}.`;
    case 'SCHEDULE':
      return `Repeats transaction ${transactionId}: the same amount is scheduled for this account, ${time}.`;
    case 'WAITING_PAYOUT':
      return `Repeats transaction ${transactionId}: the same amount to this account waits for approval since ${time}.`;
    case 'BATCH':
      return `Repeats row ${row} of bulk payout ${batchReference}, dispatched on ${time}.`;
    case 'WAITING_BATCH':
      return `Repeats row ${row} of bulk payout ${batchReference}, uploaded on ${time}, which waits to be dispatched.`;
    case 'ROW':
      return `Repeats row ${row}: the same bank, account and amount.`;
  }
}

/** All that is to be said of an item that does not stop its payment: what was seen in the file, and what it repeats. */
export function warningsOf(item: Pick<ItemRow, 'warnings' | 'repeats'>): string[] {
  const repeat = repeatOf(item);
  return [...(JSON.parse(item.warnings ?? '[]') as string[]), ...(repeat === null ? [] : [repeatWarning(repeat)])];
}
