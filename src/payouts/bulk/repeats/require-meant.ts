import { DEFAULT_CURRENCY, formatMoney } from '../../../money/index.ts';
import type { Queries } from '../../../platform/db/database.ts';
import { batchDuplicate } from '../errors.ts';
import type { BatchRecord } from '../queries.ts';
import type { Repeats } from './check-repeats.ts';
import { findFirstRepeat } from './queries.ts';
import { repeatOf, repeatWarning } from './repeat.ts';

export interface Terms {
  /** Pay what repeats something too, as many items as were shown. */
  allowDuplicate: boolean;
  /** How many that were; undefined: as many as were told last, to whomever. */
  duplicates?: number | undefined;
  /** The refusal, where it is another than a dispatch gives. */
  refuse?: typeof batchDuplicate;
}

/** @throws AppError 409 `BATCH_DUPLICATE` where more items repeat something than was shown and is meant. */
export async function requireMeant(
  queries: Queries,
  batch: BatchRecord,
  { items, amountMinor, added }: Repeats,
  { allowDuplicate, duplicates, refuse = batchDuplicate }: Terms,
): Promise<void> {
  const isMeant = allowDuplicate && (duplicates === undefined ? added === 0 : items <= duplicates);
  if (items === 0 || isMeant) return;
  const [first] = await queries.query(findFirstRepeat, [batch.merchant_id, batch.mode, batch.id]);
  const repeat = first && repeatOf(first);
  const warning = repeat ? repeatWarning(repeat) : '';
  const amount = formatMoney(amountMinor, DEFAULT_CURRENCY);
  throw refuse(items, amount, { position: first?.position ?? 0, warning });
}
