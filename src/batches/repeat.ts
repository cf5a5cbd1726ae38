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
