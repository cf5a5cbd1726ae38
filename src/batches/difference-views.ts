import { toNumberIfExact } from '../money/index.ts';
import { createLruMap } from '../platform/cache.ts';
import type { Database, Queries } from '../platform/db/database.ts';
import type { ListRequest } from '../platform/lists/list.ts';
import { listView, readList } from '../platform/lists/read-list.ts';
import type { Tenant } from '../platform/tenant.ts';
import { batchReferenceOf } from '../transactions/index.ts';
import {
  type ChosenBy,
  type Compared,
  countDifferences,
  DIFFERENCES,
  type Difference,
  type DifferenceCount,
  type DifferenceRow,
  differenceList,
  findBatchLike,
} from './difference-queries.ts';
import { nothingToCompare } from './errors.ts';
import { type BatchRecord, findBatch } from './queries.ts';
import { MANY_ITEMS, requireBatch } from './read-batches.ts';

const sum = (counts: readonly DifferenceCount[], of: 'rows_before' | 'rows_now'): number =>
  counts.reduce((total, count) => total + count[of], 0);
const sumMinor = (counts: readonly DifferenceCount[], of: 'before_minor' | 'now_minor'): bigint =>
  counts.reduce((total, count) => total + count[of], 0n);

function differenceView(
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
    before: { rows: sum(counts, 'rows_before'), amount: toNumberIfExact(sumMinor(counts, 'before_minor')) },
    now: { rows: sum(counts, 'rows_now'), amount: toNumberIfExact(sumMinor(counts, 'now_minor')) },
    kinds: DIFFERENCES.map((kind) => {
      const count = counts.find((one) => one.kind === kind);
      return {
        kind,
        count: count?.accounts ?? 0,
        amountBefore: toNumberIfExact(count?.before_minor ?? 0n),
        amountNow: toNumberIfExact(count?.now_minor ?? 0n),
      };
    }),
  };
}

function differenceItemView(row: DifferenceRow) {
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
    amount: toNumberIfExact(amountMinor),
    bankCode: side.bank_code,
    bankName: side.bank_name ?? '',
    accountNumber: side.account_number,
    accountName: side.account_name ?? '',
    givenName: side.given_name,
  };
}

interface Chosen extends Compared {
  batch: BatchRecord;
  earlier: BatchRecord;
  by: ChosenBy;
}

/** Cached comparisons. What differs between two versions never changes. */
const MAX_REMEMBERED = 1_000;

/** Counts of what differs, made once for two versions. */
export type BatchDifferences = ReturnType<typeof createBatchDifferences>;

export function createBatchDifferences() {
  const remembered = createLruMap<Promise<DifferenceCount[]>>(MAX_REMEMBERED);
  return (queries: Queries, { batch, earlier }: Chosen): Promise<DifferenceCount[]> => {
    const { merchant_id, mode, id } = batch;
    const key = [batch, earlier]
      .map((one) => `${one.id}/${one.version}/${one.valid_items}/${one.invalid_items}`)
      .join();
    const known = remembered.get(key);
    if (known !== undefined) return known;
    const counted = queries.query(countDifferences, [merchant_id, mode, id, earlier.id]);
    remembered.set(key, counted);
    counted.catch(() => remembered.delete(key));
    return counted;
  };
}

export interface DifferenceDeps {
  database: Database;
  differences: BatchDifferences;
}

export interface DifferenceInput {
  tenant: Tenant;
  batchReference: string;
  /**
   * Reference of the earlier batch; left out, the one that this batch repeats, or else the last paid one that is like
   * it.
   */
  to: string | undefined;
}

/**
 * What differs between an earlier bulk payout and this one, read at one moment: who is new and who is gone, which
 * amounts and which accounts have changed, how many of each and what they add up to. Of a batch that is not dispatched
 * all rows count, of any other those that were dispatched.
 * @returns without an earlier batch where there is none like it
 * @throws AppError `BATCH_NOT_FOUND`, for either batch
 */
export async function readDifference(deps: DifferenceDeps, input: DifferenceInput) {
  return inSnapshot(deps, input, async (queries, batch, chosen) =>
    differenceView(batch, chosen, chosen === undefined ? [] : await deps.differences(queries, chosen)),
  );
}

/**
 * The accounts of the comparison, the most alarming kinds first.
 * @throws AppError `BATCH_NOT_FOUND`, `BATCH_NOTHING_TO_COMPARE`; 400 `CURSOR_MISMATCH`, `CURSOR_INVALID`
 */
export async function readDifferences(
  deps: DifferenceDeps,
  { kind, ...input }: DifferenceInput & { kind: Difference | undefined },
  request: ListRequest,
) {
  return inSnapshot(deps, input, async (queries, _batch, chosen) => {
    if (chosen === undefined) throw nothingToCompare();
    // A page by cursor has no counts.
    const counts = 'page' in request ? await deps.differences(queries, chosen) : undefined;
    const accounts = counts
      ?.filter((one) => kind === undefined || one.kind === kind)
      .reduce((total, one) => total + one.accounts, 0);
    return listView(await readList(queries, differenceList(chosen, kind, accounts), request), differenceItemView);
  });
}

/** A comparison of many items takes a second, and waits for the connections of such reads. */
async function inSnapshot<T>(
  { database }: DifferenceDeps,
  { tenant, batchReference, to }: DifferenceInput,
  read: (queries: Queries, batch: BatchRecord, chosen: Chosen | undefined) => Promise<T>,
): Promise<T> {
  const known = await requireBatch(database, tenant, batchReference);
  const other = await chooseEarlier(database, tenant, known, to);
  const rows = known.item_count + (other?.earlier.item_count ?? 0);
  return database.snapshot(
    async (queries) => {
      const batch = await requireBatch(queries, tenant, batchReference);
      return read(queries, batch, await chooseEarlier(queries, tenant, batch, to));
    },
    { aside: rows > MANY_ITEMS },
  );
}

async function chooseEarlier(
  queries: Queries,
  tenant: Tenant,
  batch: BatchRecord,
  to: string | undefined,
): Promise<Chosen | undefined> {
  if (to !== undefined) return { batch, earlier: await requireBatch(queries, tenant, to), by: 'GIVEN' };
  const key = [batch.merchant_id, batch.mode];
  // A retry list has only a part of its batch: all others would be reported as gone.
  if (batch.origin_batch_id !== null) return undefined;
  const by: ChosenBy = batch.repeated_batch_id === null ? 'LIKE' : 'REPEATED';
  const [like] = by === 'LIKE' ? await queries.query(findBatchLike, [...key, batch.id]) : [];
  const id = batch.repeated_batch_id ?? like?.id;
  const [earlier] = id === undefined ? [] : await queries.query(findBatch, [...key, id]);
  return earlier === undefined ? undefined : { batch, earlier, by };
}
