import { type LockedCheck, lockedCheck, readEventSequence } from '../ledger/index.ts';
import { DEFAULT_CURRENCY, formatMoney } from '../money/index.ts';
import { BATCHES, KEYS, type PayoutDeps, readWindows, WAITING } from '../payouts/index.ts';
import { createLruMap } from '../platform/cache.ts';
import { lagosDay } from '../platform/clock.ts';
import type { Queries } from '../platform/db/database.ts';
import { arrayOf, columnArrays } from '../platform/db/statement.ts';
import { tenantOf } from '../platform/tenant.ts';
import { batchChanged, batchDuplicate, repeatsChanged } from './errors.ts';
import { findLastPosition } from './item-queries.ts';
import { type Duplicates, itemProblems, repeatOf, repeatProblem, repeatText } from './problems.ts';
import type { BatchRecord, ItemRow } from './queries.ts';
import {
  findFirstRepeat,
  findItemRepeat,
  findRepeatsSince,
  type ItemRepeat,
  listItemRepeats,
  listOtherBatches,
  listTakenScopes,
  lockBatchVersion,
  type OtherBatch,
  type PlacedRepeat,
  type RepeatedRow,
  updateBatchDuplicates,
  updateItemsRepeats,
} from './repeat-queries.ts';
import { NO_ROWS, type RepeatedRows, readRepeatedRows } from './repeated-rows.ts';

export interface Terms {
  /** Pays duplicates too, as many as were shown. */
  allowDuplicate: boolean;
  /** How many were shown; undefined: as many as were last reported to any client. */
  duplicates?: number | undefined;
  /** The refusal, where it is another than a dispatch gives. */
  refuse?: typeof batchDuplicate;
}

/**
 * Requires that no more items are duplicates than were shown and are intended.
 * @throws AppError 409 `BATCH_DUPLICATE` otherwise.
 */
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
  const warning = repeat ? itemProblems.sentenceOf(repeatProblem(repeat)) : '';
  const amount = formatMoney(amountMinor, DEFAULT_CURRENCY);
  throw refuse(items, amount, { position: first?.position ?? 0, warning });
}

/** Items read with one query and written under one lock of their batch: some hundredths of a second. */
const PAGE_ITEMS = 2_000;
/** Earlier lists that are still to be dispatched: where there are more, the oldest are not compared. */
const MAX_WAITING_BATCHES = 50;

export interface Repeats extends Duplicates {
  /** How many of these were not reported before this check. */
  added: number;
  /** Keys that were noted after this event may be missing from the comparison. */
  sequence: bigint;
}

/** Other batches that count, and a text that changes whenever they do. */
export async function readOthers({ database }: PayoutDeps, batch: BatchRecord) {
  const key = [batch.merchant_id, batch.mode, batch.id];
  const others = await database.query(listOtherBatches, [...key, MAX_WAITING_BATCHES]);
  return { others, signature: JSON.stringify(others) };
}

/**
 * Compares every valid item with payouts that were made or wait, with items of other batches and with the rows before
 * it, and writes beside each item what it repeats. Readers of the batch see that; a repeat that is found later is
 * `added`.
 * @throws AppError 409 `BATCH_CHANGED` when the batch is another by now.
 */
export async function checkRepeats(
  deps: PayoutDeps,
  batch: BatchRecord,
  others: readonly OtherBatch[],
): Promise<Repeats> {
  const { database } = deps;
  const key = [batch.merchant_id, batch.mode, batch.id];
  // Read first: a key that is noted from here on may be seen twice, but cannot be missed.
  const sequence = await readEventSequence(database, tenantOf(batch));
  const [look, [last]] = await Promise.all([openLook(deps, batch, others), database.query(findLastPosition, key)]);
  const lastPosition = last?.position ?? 0;
  const rows = look.isOff ? NO_ROWS : await readRepeatedRows(database, batch, look.smaller, lastPosition);
  const total: Repeats = { items: 0, amountMinor: 0n, added: 0, sequence };
  const inFull = withRows(rows);
  for (let from = 1; from <= lastPosition; from += PAGE_ITEMS) {
    const marks = arrayOf('integer', rows.marksOf(from, Math.min(from + PAGE_ITEMS, lastPosition + 1)));
    const page = await database.query(listItemRepeats, [...look.values(look.larger), from, from + PAGE_ITEMS, marks]);
    await keepFound(deps, batch, page.map(inFull), total);
  }
  await database.query(updateBatchDuplicates, [...key, batch.version, total.items, total.amountMinor]);
  return total;
}

/**
 * Adds what items repeat of rows in lists, for items in the order of their positions. Of several items with one payment
 * only the first was looked up elsewhere: the others repeat what it repeats, or else it.
 */
function withRows(rows: RepeatedRows): (item: PlacedRepeat) => ItemRepeat {
  const elsewhere = new Map<number, ItemRepeat>();
  return (item) => {
    const first = rows.firstOf(item.position) ?? item.position;
    const row = rows.otherOf(first);
    if (first === item.position) {
      if (item.kind !== null && rows.firstOf(first) !== undefined) elsewhere.set(first, item);
      return preferred(item, row);
    }
    const before = { kind: 'ROW', subject_id: null, batch_id: null, place: first, at: null } as const;
    const { id, amount_minor, stored } = item;
    return preferred({ ...(elsewhere.get(first) ?? before), id, amount_minor, stored }, row);
  };
}

/** What an item will repeat once it is changed, as `ItemRow.repeats` has it. */
export async function repeatOfItem(
  deps: PayoutDeps,
  batch: BatchRecord,
  item: Pick<ItemRow, 'id' | 'position' | 'amount_minor' | 'account_number' | 'bank_code' | 'directory_bank_code'>,
): Promise<string | null> {
  const { others } = await readOthers(deps, batch);
  const { values } = await openLook(deps, batch, []);
  const bankCode = item.directory_bank_code ?? item.bank_code;
  const facts = [item.id, item.position, item.amount_minor, item.account_number, bankCode];
  const [found] = await deps.database.query(findItemRepeat, [...values(others.map(({ id }) => id)), ...facts]);
  return found === undefined ? null : repeatText(found);
}

/**
 * The first parameters of every query. Of two batches the rows of the smaller are looked up in the larger, so that a
 * list of 100,000 rows beside a hundred small ones costs no more than the small ones' rows.
 */
async function openLook(deps: PayoutDeps, batch: BatchRecord, others: readonly OtherBatch[]) {
  const { merchant_id, mode, id } = batch;
  const now = deps.clock.now();
  const { windowMs, listsMs } = await readWindows(deps, tenantOf(batch));
  const since = new Date(now.getTime() - windowMs);
  const scopes = await deps.database.query(listTakenScopes, [merchant_id, mode, [WAITING, lagosDay(now)], since]);
  const small = (other: OtherBatch) => other.item_count <= batch.item_count;
  const ids = (some: readonly OtherBatch[]) => some.map((other) => other.id);
  return {
    larger: ids(others.filter((other) => !small(other))),
    smaller: others.filter(small),
    isOff: windowMs === 0,
    values: (lookedUp: readonly string[]) => [
      ...[merchant_id, mode, id, now, windowMs, listsMs, lookedUp],
      scopes.map(({ scope }) => scope),
    ],
  };
}

/**
 * A payout that was made or is on its way is reported before a row that waits, and that before a row of the same list.
 */
function preferred(item: ItemRepeat, row: RepeatedRow | undefined): ItemRepeat {
  if (row === undefined || (item.kind !== null && item.kind !== 'ROW' && item.kind !== 'WAITING_BATCH')) return item;
  return { ...item, ...row };
}

/**
 * Counts the duplicates and writes where they differ from the stored ones, if the batch is still the version that was
 * read.
 */
async function keepFound(
  { database }: PayoutDeps,
  batch: BatchRecord,
  found: readonly ItemRepeat[],
  total: Repeats,
): Promise<void> {
  const { merchant_id, mode } = batch;
  const changed: { merchant_id: string; mode: typeof mode; id: string; repeats: string | null }[] = [];
  for (const item of found) {
    const repeats = repeatText(item);
    if (repeats !== null) {
      total.items += 1;
      total.amountMinor += item.amount_minor;
      if (item.stored === null) total.added += 1;
    }
    if (repeats !== item.stored) changed.push({ merchant_id, mode, id: item.id, repeats });
  }
  if (changed.length === 0) return;
  await database.transaction(async (tx) => {
    const locked = await tx.query(lockBatchVersion, [merchant_id, mode, batch.id, batch.version]);
    if (locked.length === 0) throw batchChanged();
    await tx.run(updateItemsRepeats, changed);
  });
}

/** Batches whose last check is cached. */
const MAX_REMEMBERED = 1_000;
/** Windows pass and payouts fail: for so long a check may still count what is no longer a duplicate. */
const MAX_AGE_MS = 15_000;

export type BatchRepeats = ReturnType<typeof createBatchRepeats>;

/** Reads what the items of batches repeat, and checks again only where that may have changed. */
export function createBatchRepeats(deps: PayoutDeps) {
  const remembered = createLruMap<{ checked: Promise<Repeats>; signature: string; at: number }>(MAX_REMEMBERED);
  return async (batch: BatchRecord): Promise<Repeats> => {
    const key = `${batch.id}/${batch.version}`;
    const { others, signature } = await readOthers(deps, batch);
    const known = remembered.get(key);
    const now = deps.clock.elapsedMs();
    if (known?.signature === signature && now - known.at < MAX_AGE_MS) {
      const repeats = await known.checked;
      if (!(await isOutdated(deps, batch, repeats))) return { ...repeats, added: 0 };
    }
    const checked = checkRepeats(deps, batch, others);
    remembered.set(key, { checked, signature, at: now });
    checked.catch(() => remembered.delete(key));
    return checked;
  };
}

async function isOutdated({ database }: PayoutDeps, batch: BatchRecord, repeats: Repeats): Promise<boolean> {
  const values = columnArrays(findRepeatsSince, [questionOf(batch, repeats)]);
  return (await database.query(findRepeatsSince, values)).length > 0;
}

/**
 * For the movement that dispatches a batch, or requests its approval: at its commit the items repeat no more than was
 * found.
 */
export function repeatsStand(batch: BatchRecord, repeats: Repeats): LockedCheck {
  return lockedCheck({
    question: findRepeatsSince,
    rows: [questionOf(batch, repeats)],
    about: [KEYS, BATCHES],
    refusal: (found) => (found.length === 0 ? undefined : repeatsChanged()),
  });
}

function questionOf({ merchant_id, mode, id }: BatchRecord, { sequence }: Repeats) {
  return { merchant_id, mode, batch_id: id, since: sequence };
}
