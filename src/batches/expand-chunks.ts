import { type Cleared, clearedByDispatch } from '../approvals/index.ts';
import { type FeeRule, type Quote, quotePayout } from '../fees/index.ts';
import { joinParts, type Movement, type ResolutionDraft, type TransferDraft } from '../ledger/index.ts';
import { DEFAULT_CURRENCY } from '../money/index.ts';
import {
  BEFORE_ALL_EVENTS,
  CHUNKS,
  dedupeItems,
  makeHolds,
  type NewLease,
  type NewPayoutLeases,
  newPayout,
  newPayoutParts,
  type PayoutDeps,
  type PayoutRecord,
  queuedPayout,
  REPEATED,
  type Reservation,
  readWindows,
  requireChosenRail,
  type Windows,
} from '../payouts/index.ts';
import { success } from '../platform/answer.ts';
import { type Write, write } from '../platform/db/statement.ts';
import { AppError } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import { createTenantTurns } from '../platform/jobs/take-turns.ts';
import type { WorkSource } from '../platform/jobs/worker.ts';
import { type Tenant, tenantOf } from '../platform/tenant.ts';
import type { TenantAccounts } from '../wallets/index.ts';
import { findUncertainOrigins } from './copy-queries.ts';
import { alarmItemsAltered, digestOfChunks } from './digest-batch.ts';
import {
  type ChunkItem,
  type ChunkRow,
  DUE_CHUNKS,
  findDispatchedBatch,
  listChunkItems,
  listDueChunks,
  updateChunkDue,
  updateChunksExpanded,
} from './dispatch-queries.ts';
import { chunkExpanded, chunkRepeats } from './errors.ts';
import { CHUNK_ITEMS } from './plan-batch.ts';
import type { BatchRecord } from './queries.ts';

/**
 * Payouts of one merchant that may wait to be sent before another chunk is expanded: what all workers send in about a
 * second. More would only delay other payouts that the merchant makes meanwhile.
 */
const WAITING_AHEAD = 2_000;
/** How long a worker has a chunk. Expanding takes a tenth of a second, so only a dead worker's lease runs out. */
const LEASE_MS = 60_000;
/** Chunks that this worker expands at once, of different merchants. */
const AT_ONCE = { LIVE: 2, SANDBOX: 2 };
const DELAYS = { firstMs: 2_000, maxMs: 5 * 60_000 };

/** A leased chunk, as its worker wrote it last: its `due_at` is the lease. */
interface ChunkLease {
  chunk: ChunkRow;
}

/**
 * The source of due chunks of dispatched batches, one of each merchant at a time, merchants by turns: each becomes the
 * payouts of its items. A chunk that another worker has is skipped, and one that cannot be expanded does not delay the
 * others. Where this worker has capacity for them, its payouts are leased as they are made.
 */
export function dueChunks(deps: PayoutDeps, newLeases?: NewPayoutLeases): WorkSource {
  const failures = deps.jobs.failuresOf(CHUNKS, DELAYS);
  let taken = 0;

  async function take(lease: ChunkLease): Promise<void> {
    const reserved = await reserve(lease.chunk);
    if (reserved === 'LATER') return;
    try {
      const leaseEndsAt = new Date(deps.clock.now().getTime() + LEASE_MS);
      const leased = await moveChunk(deps, lease.chunk, leaseEndsAt, null);
      if (leased === undefined) return;
      taken += 1;
      lease.chunk = leased;
      await expandChunk(deps, leased, reserved);
    } finally {
      reserved?.release();
    }
    deps.wake();
  }

  /** Undefined where the payouts of the chunk wait for a lease, as those of a chunk that failed do. */
  async function reserve(chunk: ChunkRow): Promise<Reservation | 'LATER' | undefined> {
    if (newLeases === undefined || failures.hasFailed(chunk.id)) return undefined;
    const reserved = await newLeases.reserve(tenantOf(chunk), chunk.item_count);
    return reserved === 'QUEUE' ? undefined : reserved;
  }

  const turns = createTenantTurns<ChunkLease>({
    failures,
    slots: AT_ONCE,
    tenantOf: ({ chunk }) => tenantOf(chunk),
    keyOf: ({ chunk }) => chunk.id,
    take,
    aboutOf: ({ chunk }) => ({
      message: 'a chunk could not be expanded',
      ...tenantOf(chunk),
      batchId: chunk.batch_id,
      chunk: chunk.chunk,
    }),
    putOff({ chunk }, delayMs) {
      const now = deps.clock.now();
      return moveChunk(deps, chunk, new Date(now.getTime() + delayMs), now);
    },
  });
  return {
    name: CHUNKS,
    queues: [DUE_CHUNKS],
    async look() {
      const due = await deps.database.query(listDueChunks, [deps.clock.now(), WAITING_AHEAD, CHUNK_ITEMS]);
      turns.offer(due.map((chunk) => ({ chunk })));
    },
    taken: () => taken,
    settle: turns.settle,
    close: turns.close,
  };
}

/**
 * Undefined when another worker has it, or it is expanded.
 * @param failedAt set where it is put off because it could not be expanded, so that it does not count as being
 *   expanded.
 */
async function moveChunk(
  deps: PayoutDeps,
  chunk: ChunkRow,
  to: Date,
  failedAt: Date | null,
): Promise<ChunkRow | undefined> {
  const key = [chunk.merchant_id, chunk.mode, chunk.batch_id, chunk.chunk];
  const moved = await deps.database.query(updateChunkDue, [...key, chunk.due_at, to, failedAt]);
  return moved.length === 1 ? { ...chunk, due_at: to } : undefined;
}

/**
 * Turns the holds of a chunk into the holds of its items, which add up to the same amount to the kobo, and makes their
 * payouts due. This is one movement: the money is never free in between, and a second worker with the same chunk is
 * refused. An item that was paid otherwise since the dispatch, though that should be impossible, fails alone; so does
 * one that a rail has since reported as paid.
 */
async function expandChunk(deps: PayoutDeps, chunk: ChunkRow, reserved: Reservation | undefined): Promise<void> {
  const tenant = tenantOf(chunk);
  const key = [chunk.merchant_id, chunk.mode, chunk.batch_id];
  const [[batch], cleared, items, accounts, rules, rail, windows] = await Promise.all([
    deps.database.query(findDispatchedBatch, key),
    clearedByDispatch(deps.database, tenant, chunk.batch_id),
    deps.database.query(listChunkItems, [...key, chunk.first_position, chunk.last_position]),
    deps.wallets.requireTenantAccounts(tenant),
    deps.fees.listRules(),
    requireChosenRail(deps.rails, tenant),
    readWindows(deps, tenant),
    requireDispatchedItems(deps, chunk),
  ]);
  if (batch === undefined || batch.dispatched_at === null) throw new Error(`batch ${chunk.batch_id} is not dispatched`);
  const at = deps.clock.now();
  const { purpose, scenario, counted_on, allow_duplicate, holding_since } = batch;
  const shared = {
    tenant,
    accounts,
    purpose,
    scenario,
    rail: rail.name,
    at,
    countedOn: counted_on,
    batchId: batch.id,
    allowDuplicate: allow_duplicate,
    cleared,
  };
  const priced = await priceItems(deps, { chunk, items, rules, purpose, at: batch.dispatched_at });
  // For a batch that was dispatched with duplicates, only keys that came after the dispatch were unknown.
  const since = (allow_duplicate ? holding_since : null) ?? BEFORE_ALL_EVENTS;
  const made = priced.map(({ item, quote, bankCode }) => payoutOf(shared, item, quote, bankCode));
  const repeated = new Set(await listPaidOtherwise(deps, batch, items));
  const leases = (await reserved?.lease(made.map(({ payout }) => payout))) ?? NO_LEASES;
  let failing: ReadonlySet<string>;
  for (;;) {
    failing = new Set(repeated);
    const refused = (id: string) => void repeated.add(id);
    try {
      await deps.ledger.commit(expansionOf(tenant, chunk, made, { at, windows, since, failing, refused, leases }));
      break;
    } catch (error) {
      // Another worker was faster: its payouts are these.
      if (error instanceof AppError && error.code === 'BATCH_CHUNK_EXPANDED') return;
      if (!(error instanceof AppError && error.code === 'BATCH_CHUNK_REPEATS')) throw error;
    }
  }
  reserved?.begin([...leases.values()].filter(({ payout }) => !failing.has(payout.id)));
  if (failing.size > 0) {
    deps.logger.error({ batchId: batch.id, items: [...failing] }, 'items of a dispatched batch were paid otherwise');
    deps.onAlarm?.({ alarm: 'BATCH_ITEMS_PAID_OTHERWISE', mode: tenant.mode });
  }
}

/** For a retry list: items that a rail has reported as paid since the dispatch, for an earlier attempt. */
async function listPaidOtherwise(
  { database }: PayoutDeps,
  batch: BatchRecord,
  items: readonly ChunkItem[],
): Promise<string[]> {
  if (batch.origin_batch_id === null) return [];
  const ids = items.map(({ id }) => id);
  const uncertain = await database.query(findUncertainOrigins, [batch.merchant_id, batch.mode, ids]);
  return uncertain.map(({ id }) => id);
}

/** @throws AppError `BATCH_ITEMS_ALTERED`, after an alarm, where its items are not what was dispatched. */
async function requireDispatchedItems(deps: PayoutDeps, chunk: ChunkRow): Promise<void> {
  if (chunk.items_digest === null) return;
  const { merchant_id, mode, batch_id: id, first_position: firstPosition, last_position: lastPosition } = chunk;
  const [digest] = await digestOfChunks(deps.database, { merchant_id, mode, id }, [{ firstPosition, lastPosition }]);
  if (digest !== chunk.items_digest) throw alarmItemsAltered(deps, { id, mode });
}

interface Pricing {
  chunk: ChunkRow;
  items: readonly ChunkItem[];
  rules: readonly FeeRule[];
  purpose: PayoutRecord['purpose'];
  /** When the batch was dispatched: its money is held by the prices of that moment. */
  at: Date;
}

/** @throws Error when the items do not add up to what is held for them: then nothing is expanded. */
async function priceItems(deps: PayoutDeps, { chunk, items, rules, purpose, at }: Pricing) {
  const sums = [0n, 0n, 0n, 0n];
  const priced: { item: ChunkItem; quote: Quote; bankCode: string }[] = [];
  for (const item of items) {
    const quote = quotePayout(rules, { amountMinor: item.amount_minor, currency: DEFAULT_CURRENCY, purpose, at });
    const parts = [quote.amountMinor, quote.feeMinor, quote.vatMinor, quote.stampDutyMinor];
    for (const [part, minor] of parts.entries()) sums[part] = (sums[part] as bigint) + minor;
    const bank = await deps.banks.findBank(item.bank_code);
    priced.push({ item, quote, bankCode: bank?.code ?? item.bank_code });
  }
  const held = [chunk.amount_minor, chunk.fee_minor, chunk.vat_minor, chunk.stamp_duty_minor];
  if (items.length !== chunk.item_count || held.some((minor, part) => minor !== sums[part])) {
    throw new Error(`chunk ${chunk.id} holds ${held.join(' + ')} for its items, which come to ${sums.join(' + ')}`);
  }
  return priced;
}

interface Shared {
  cleared: Cleared;
  tenant: Tenant;
  accounts: TenantAccounts;
  purpose: PayoutRecord['purpose'];
  scenario: string | null;
  rail: string;
  at: Date;
  countedOn: string | null;
  batchId: string;
  allowDuplicate: boolean;
}

interface ExpandedItem {
  payout: PayoutRecord;
  transfers: TransferDraft[];
}

function payoutOf(shared: Shared, item: ChunkItem, quote: Quote, bankCode: string): ExpandedItem {
  if (item.account_name === null || item.bank_name === null) throw new Error(`item ${item.id} is not valid`);
  const { holds, transfers } = makeHolds(shared.accounts, item.id, quote);
  const payout = newPayout({
    ...shared,
    id: item.id,
    quote,
    beneficiary: {
      bankCode,
      bankName: item.bank_name,
      accountNumber: item.account_number,
      accountName: item.account_name,
    },
    narration: item.narration,
    phoneNumber: item.phone_number,
    clientReference: null,
    metadata: null,
  });
  return { payout: queuedPayout({ ...payout, ...holds }, shared.cleared), transfers };
}

interface Expansion {
  at: Date;
  windows: Windows;
  since: bigint;
  /** Ids of items that are made to fail. */
  failing: ReadonlySet<string>;
  /**
   * Called with the id of each item that is found to repeat another, where the movement is refused for it. A movement may be
   * decided more than once, so that one that is committed may have been refused before.
   */
  refused(id: string): void;
  /** By payout, of those that are leased as they are made. */
  leases: ReadonlyMap<string, NewLease>;
}

const NO_LEASES: ReadonlyMap<string, NewLease> = new Map();

function expansionOf(
  tenant: Tenant,
  chunk: ChunkRow,
  made: readonly ExpandedItem[],
  { at, windows, since, failing, refused, leases }: Expansion,
): Movement {
  const { merchant_id, mode, batch_id } = chunk;
  const writes: Write[] = [write(updateChunksExpanded, { merchant_id, mode, batch_id, chunk: chunk.chunk })];
  const partsOf = ({ payout }: ExpandedItem) => {
    if (failing.has(payout.id))
      return newPayoutParts({ ...payout, reason: REPEATED, next_step: 'FIRE' }, 'payout.queued');
    return leases.get(payout.id)?.parts ?? newPayoutParts(payout, 'payout.queued');
  };
  const paid = made.map(({ payout }) => payout).filter(({ id }) => !failing.has(id));
  const refuse = (places: readonly number[]) => {
    for (const place of places) refused((paid[place - 1] as PayoutRecord).id);
    return chunkRepeats();
  };
  const parts = joinParts(
    dedupeItems(paid, at, windows, { since, refuse }),
    {
      uniqueKeys: [{ scope: 'BATCH_CHUNK', value: chunk.id, refusal: chunkExpanded }],
      transfers: [...voidHolds(chunk), ...made.flatMap(({ transfers }) => transfers)],
      writes,
    },
    ...made.map(partsOf),
  );
  return { tenant, id: chunk.id, occurredAt: at.toISOString(), ...parts, answer: success('Success') };
}

function voidHolds(chunk: ChunkRow): ResolutionDraft[] {
  return [chunk.amount_hold_id, chunk.fee_hold_id, chunk.vat_hold_id, chunk.stamp_duty_hold_id]
    .filter((id) => id !== null)
    .map((pendingId) => ({ kind: 'VOID', id: newId(), pendingId, pendingTransactionId: chunk.id }));
}
