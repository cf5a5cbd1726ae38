import { type FeeRule, quotePayout } from '../fees/index.ts';
import { DEFAULT_CURRENCY } from '../money/index.ts';
import type { HeldAmounts } from '../payouts/index.ts';
import { createLruMap } from '../platform/cache.ts';
import type { Clock } from '../platform/clock.ts';
import type { Queries } from '../platform/db/database.ts';
import { type ChunkAmount, listChunkAmounts } from './dispatch-queries.ts';
import { type BatchRecord, findBatch } from './queries.ts';

/**
 * Items of one chunk. The books of a merchant are locked while a chunk is expanded, and its single payouts wait that
 * long: about a tenth of a second.
 */
export const CHUNK_ITEMS = 500;
/** Items priced with one query: several chunks, and few enough to have each amount in memory. */
const PAGE_ITEMS = 20 * CHUNK_ITEMS;
/** Cached plans; one of 100,000 items takes some 30 KB. */
const MAX_PLANS = 100;
/**
 * While its items are being validated, the price of a batch changes all the time. A plan is then kept for this many
 * times as long as it took to make, so that polling clients take a twentieth of a database's time at most.
 */
const VALIDATING_AGE = 20;

export interface ChunkPlan extends HeldAmounts {
  firstPosition: number;
  lastPosition: number;
  items: number;
}

/** How the items that can be paid would be paid: in chunks, with the cost of each. */
export interface BatchPlan extends HeldAmounts {
  items: number;
  /** The largest amount of one item. */
  maxAmountMinor: bigint;
  chunks: readonly ChunkPlan[];
  /** Ids of the rules that the charges come from, in order. */
  rules: readonly string[];
}

/** A plan, and the batch's row of the same moment. */
export interface PlannedBatch {
  plan: BatchPlan;
  batch: BatchRecord;
}

/**
 * `queries` is a snapshot, so that the plan is of one moment. The rules are read before it, since that may take a
 * connection. `items` is the fingerprint of the items, where they do not change.
 */
export type BatchPlans = (
  queries: Queries,
  batch: BatchRecord,
  prices: { rules: readonly FeeRule[]; at: Date },
  items?: string,
) => Promise<PlannedBatch>;

interface Remembered {
  planned: Promise<PlannedBatch>;
  rules: readonly FeeRule[];
  at: Date;
  /** By the clock of the process, while the batch is being validated; without limit afterwards. */
  until: number;
}

/** Plans batches, and caches a plan for as long as the batch and the prices are the same. */
export function createBatchPlans(clock: Clock): BatchPlans {
  const remembered = createLruMap<Remembered>(MAX_PLANS);
  return async (queries, batch, { rules, at }, items = '') => {
    const key = `${batch.id}/${batch.version}/${batch.status}/${items}`;
    const known = remembered.get(key);
    const isRecent = known !== undefined && clock.elapsedMs() < known.until;
    if (isRecent && known.rules === rules && !changesBetween(rules, known.at, at)) return known.planned;
    const began = clock.elapsedMs();
    const made: Remembered = { planned: planBatch(queries, batch, rules, at), rules, at, until: Infinity };
    remembered.set(key, made);
    try {
      const planned = await made.planned;
      // The items are those of another version by now: a reader with the row of this version must not get this plan.
      if (planned.batch.version !== batch.version) remembered.delete(key);
      if (batch.status === 'VALIDATING') made.until = clock.elapsedMs() + VALIDATING_AGE * (clock.elapsedMs() - began);
      return planned;
    } catch (error) {
      remembered.delete(key);
      throw error;
    }
  };
}

function changesBetween(rules: readonly FeeRule[], from: Date, to: Date): boolean {
  const within = (moment: Date | null) => moment !== null && from < moment && moment <= to;
  return to < from || rules.some((rule) => within(rule.effectiveFrom) || within(rule.effectiveTo));
}

async function planBatch(
  queries: Queries,
  batch: BatchRecord,
  rules: readonly FeeRule[],
  at: Date,
): Promise<PlannedBatch> {
  const key = [batch.merchant_id, batch.mode, batch.id];
  const [current = batch] = await queries.query(findBatch, key);
  const price = pricing(rules, batch, at);
  const chunks: ChunkPlan[] = [];
  let maxAmountMinor = 0n;
  for (let after = 0; ; ) {
    const amounts = await queries.query(listChunkAmounts, [...key, after, PAGE_ITEMS, CHUNK_ITEMS]);
    const page = chunksOf(amounts, price.priceOf);
    for (const { amount_minor } of amounts) if (amount_minor > maxAmountMinor) maxAmountMinor = amount_minor;
    chunks.push(...page);
    after = page.at(-1)?.lastPosition ?? after;
    if (page.reduce((sum, chunk) => sum + chunk.items, 0) < PAGE_ITEMS) break;
  }
  const total: ChunkPlan = { ...NOTHING };
  for (const chunk of chunks) add(total, chunk, 1);
  const { amountMinor, feeMinor, vatMinor, stampDutyMinor, items } = total;
  const sums = { amountMinor, feeMinor, vatMinor, stampDutyMinor, items };
  return { batch: current, plan: { ...sums, maxAmountMinor, chunks, rules: [...price.rules].sort() } };
}

const NOTHING: ChunkPlan = {
  firstPosition: 0,
  lastPosition: 0,
  items: 0,
  amountMinor: 0n,
  feeMinor: 0n,
  vatMinor: 0n,
  stampDutyMinor: 0n,
};

function add(sum: ChunkPlan, part: HeldAmounts & { items: number }, times: number): void {
  const n = BigInt(times);
  sum.items += part.items * times;
  sum.amountMinor += part.amountMinor * n;
  sum.feeMinor += part.feeMinor * n;
  sum.vatMinor += part.vatMinor * n;
  sum.stampDutyMinor += part.stampDutyMinor * n;
}

function chunksOf(amounts: readonly ChunkAmount[], priceOf: (amountMinor: bigint) => HeldAmounts): ChunkPlan[] {
  const chunks = new Map<number, ChunkPlan>();
  for (const row of amounts) {
    const chunk = chunks.get(row.chunk) ?? { ...NOTHING, firstPosition: row.first_position };
    chunks.set(row.chunk, chunk);
    chunk.firstPosition = Math.min(chunk.firstPosition, row.first_position);
    chunk.lastPosition = Math.max(chunk.lastPosition, row.last_position);
    add(chunk, { ...priceOf(row.amount_minor), items: 1 }, row.items);
  }
  return [...chunks.values()];
}

/** Each amount is priced once in a page: payrolls have the same amounts many times. */
function pricing(rules: readonly FeeRule[], { purpose }: BatchRecord, at: Date) {
  const used = new Set<string>();
  const prices = new Map<bigint, HeldAmounts>();
  const priceOf = (amountMinor: bigint): HeldAmounts => {
    const known = prices.get(amountMinor);
    if (known !== undefined) return known;
    const quote = quotePayout(rules, { amountMinor, currency: DEFAULT_CURRENCY, purpose, at });
    for (const id of quote.rules) used.add(id);
    if (prices.size >= PAGE_ITEMS) prices.clear();
    prices.set(amountMinor, quote);
    return quote;
  };
  return { rules: used, priceOf };
}
