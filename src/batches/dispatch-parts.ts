import { type Cleared, requireCleared } from '../approvals/index.ts';
import { joinParts, type LockedCheck, lockedCheck, type MovementParts, type TransferDraft } from '../ledger/index.ts';
import { checkPayoutLimit, dayLimitUsage } from '../limits/index.ts';
import { makeHolds, type PayoutRecord, requireRail } from '../payouts/index.ts';
import { createLruMap } from '../platform/cache.ts';
import type { Database } from '../platform/db/database.ts';
import { columnArrays, type Write, write } from '../platform/db/statement.ts';
import { newId } from '../platform/ids.ts';
import { tenantOf } from '../platform/tenant.ts';
import type { TenantAccounts } from '../wallets/index.ts';
import { changeBatch } from './batch-change.ts';
import { type Repeats, repeatsStand, requireMeant, type Terms } from './check-repeats.ts';
import { findUncertainItems, findUncertainOrigins } from './copy-queries.ts';
import type { BatchDeps } from './deps.ts';
import {
  alarmItemsAltered,
  digestItemsNow,
  digestOfChunks,
  knownDigest,
  type Refusals,
  rememberDigest,
  shownDigest,
} from './digest-batch.ts';
import { insertChunks, updateBatchesDispatched } from './dispatch-queries.ts';
import { batchChanged, batchEmpty, batchHasInvalidItems, batchOutcomeUncertain } from './errors.ts';
import type { BatchPlan, ChunkPlan } from './plan-batch.ts';
import { type BatchRecord, findBatch, updateBatchesApproval } from './queries.ts';

/** A batch whose payouts have all ended is concluded at once; should that be lost, a worker looks after this time. */
const RECHECK_MS = 60_000;

/** A batch that can be dispatched, with its costs and duplicates at this moment. */
export interface ReadyBatch {
  plan: BatchPlan;
  /** The digest that a client is shown. */
  shown: string;
  /** Fingerprint of the items, without their costs. */
  items: string;
  /** For each chunk of the plan, the digest of its items. */
  chunkDigests: readonly string[];
  repeats: Repeats;
}

export interface Readiness extends Terms {
  skipInvalid: boolean;
  /** Called with the digest; throws where the client saw another. */
  asShown?: (digest: string) => void;
  /** Those of an approval; a dispatch has its own. */
  refusals?: Refusals;
}

/**
 * What a dispatch requires of a batch before its money: items that can be paid, within the limit of one payout, without
 * duplicates that are not intended, and a rail.
 * @throws AppError 409 `BATCH_CHANGED`, `BATCH_ITEMS_ALTERED`, `BATCH_OUTCOME_UNCERTAIN`, `BATCH_DUPLICATE`; 422 `BATCH_HAS_INVALID_ITEMS`,
 *   `BATCH_EMPTY`, `PAYOUT_LIMIT_EXCEEDED`; 503 `RAIL_NOT_CONFIGURED`.
 */
export async function readyBatch(deps: BatchDeps, batch: BatchRecord, terms: Readiness, at: Date): Promise<ReadyBatch> {
  const tenant = tenantOf(batch);
  const own = { changed: batchChanged, altered: () => alarmItemsAltered(deps, batch) };
  const prices = { rules: await deps.fees.listRules(), at };
  const { items, plan, chunkDigests } = await deps.database.snapshot(async (queries) => {
    const digest = await digestItemsNow(queries, batch, terms.refusals ?? own);
    const planned = await deps.plans(queries, batch, prices, digest);
    const ofChunks = await digestOfChunks(queries, batch, planned.plan.chunks);
    return { items: digest, plan: planned.plan, chunkDigests: ofChunks };
  });
  const shown = shownDigest(batch, plan, items);
  terms.asShown?.(shown);
  if (batch.invalid_items > 0 && !terms.skipInvalid) throw batchHasInvalidItems(batch.invalid_items);
  if (plan.items === 0) throw batchEmpty();
  await Promise.all([checkPayoutLimit(deps, tenant, plan.maxAmountMinor), requireRail(deps.rails, tenant)]);
  await requireCertain(deps, batch);
  const repeats = await deps.repeats(batch);
  await requireMeant(deps.database, batch, repeats, terms);
  // A batch always shows the digest that it was dispatched with, also where it was not computed before, or was computed
  // while altered.
  if (knownDigest(batch) !== items) await rememberDigest(deps.database, batch, items);
  return { plan, shown, items, chunkDigests, repeats };
}

/**
 * A retry list may wait for days: a report of its rail that comes meanwhile counts.
 * @throws AppError 409 `BATCH_OUTCOME_UNCERTAIN` where a payout that it pays again is before the operator.
 */
async function requireCertain({ database }: BatchDeps, batch: BatchRecord): Promise<void> {
  if (batch.origin_batch_id === null) return;
  const found = await database.query(findUncertainItems, columnArrays(findUncertainItems, [uncertainQuestion(batch)]));
  const refusal = uncertainRefusal(found as { position: number }[]);
  if (refusal !== undefined) throw refusal;
}

/**
 * The same check for the movement that dispatches it, or requests its approval: a rail may report between the read and
 * the commit.
 */
export function staysCertain(batch: BatchRecord): readonly LockedCheck[] {
  if (batch.origin_batch_id === null) return [];
  const rows = [uncertainQuestion(batch)];
  return [lockedCheck({ question: findUncertainItems, rows, about: [], refusal: uncertainRefusal })];
}

const uncertainQuestion = ({ merchant_id, mode, id: batch_id }: BatchRecord) => ({ merchant_id, mode, batch_id });

const uncertainRefusal = ([first]: readonly { position: number }[]) => first && batchOutcomeUncertain(first.position);

export interface Dispatch extends Pick<Terms, 'allowDuplicate'> {
  /** Proof that no approval is missing. */
  cleared: Cleared;
  at: Date;
}

/**
 * The dispatch as parts of a movement: the batch, the day's limit, the check that its items repeat no more than was
 * said, and at most four holds for each chunk of items. Its maker's command commits them, or the last approval.
 */
export async function dispatchParts(
  deps: BatchDeps,
  batch: BatchRecord,
  { plan, shown, chunkDigests, repeats }: ReadyBatch,
  { allowDuplicate, cleared, at }: Dispatch,
): Promise<Required<MovementParts>> {
  const tenant = tenantOf(batch);
  const [accounts, { countedOn, limitUsages }] = await Promise.all([
    deps.wallets.requireTenantAccounts(tenant),
    dayLimitUsage(deps, tenant, plan.amountMinor, at),
  ]);
  const { merchant_id, mode, id } = batch;
  const { approvalId: approval_id, rulesVersion: rules_version } = requireCleared(cleared);
  const { movement } = changeBatch(
    { ...batch, approval_id },
    {
      at,
      to: 'DISPATCHING',
      fields: { dispatched_at: at, due_at: new Date(at.getTime() + RECHECK_MS) },
      event: 'batch.dispatched',
    },
  );
  const { transfers, writes } = holdChunks(batch, { plan, chunkDigests }, accounts, at);
  return joinParts(movement, {
    reservations: cleared.reservations,
    checks: [repeatsStand(batch, repeats), ...staysCertain(batch)],
    limitUsages,
    transfers,
    writes: [
      write(updateBatchesDispatched, {
        ...dispatched(batch, plan, shown, countedOn),
        allow_duplicate: allowDuplicate,
      }),
      write(updateBatchesApproval, { merchant_id, mode, id, approval_id, rules_version }),
      ...writes,
    ],
  });
}

function dispatched({ merchant_id, mode, id }: BatchRecord, plan: BatchPlan, digest: string, countedOn: string) {
  return {
    merchant_id,
    mode,
    id,
    open_items: plan.items,
    amount_minor: plan.amountMinor,
    fee_minor: plan.feeMinor,
    vat_minor: plan.vatMinor,
    stamp_duty_minor: plan.stampDutyMinor,
    dispatched_digest: digest,
    counted_on: countedOn,
  };
}

/** Each chunk is a transaction of its own in the books, until it is expanded. */
function holdChunks(
  batch: BatchRecord,
  { plan, chunkDigests }: Pick<ReadyBatch, 'plan' | 'chunkDigests'>,
  accounts: TenantAccounts,
  now: Date,
): { transfers: TransferDraft[]; writes: Write[] } {
  const { merchantId, mode } = tenantOf(batch);
  const transfers: TransferDraft[] = [];
  const writes = plan.chunks.map((chunk: ChunkPlan, at) => {
    const id = newId();
    const made = makeHolds(accounts, id, chunk);
    transfers.push(...made.transfers);
    return write(insertChunks, {
      merchant_id: merchantId,
      mode,
      batch_id: batch.id,
      chunk: at + 1,
      id,
      first_position: chunk.firstPosition,
      last_position: chunk.lastPosition,
      item_count: chunk.items,
      amount_minor: chunk.amountMinor,
      fee_minor: chunk.feeMinor,
      vat_minor: chunk.vatMinor,
      stamp_duty_minor: chunk.stampDutyMinor,
      ...made.holds,
      due_at: now,
      items_digest: chunkDigests[at] ?? null,
    });
  });
  return { transfers, writes };
}

/** Batches for which it is cached whether they are retry lists: that never changes. */
const MAX_REMEMBERED = 1_000;

/**
 * Whether a payout that is about to leave pays again one that a rail has since reported as paid, along the chain of
 * retry lists. A dispatched list may wait for hours, where a rail is down, its merchant suspended or a payee under
 * review.
 */
export function createIsPaidBefore({ database }: { database: Database }) {
  const areRetries = createLruMap<boolean>(MAX_REMEMBERED);
  return async ({ merchant_id, mode, id, batch_id }: PayoutRecord): Promise<boolean> => {
    if (batch_id === null) return false;
    let isRetry = areRetries.get(batch_id);
    if (isRetry === undefined) {
      const [batch] = await database.query(findBatch, [merchant_id, mode, batch_id]);
      isRetry = batch?.origin_batch_id != null;
      areRetries.set(batch_id, isRetry);
    }
    return isRetry && (await database.query(findUncertainOrigins, [merchant_id, mode, [id]])).length > 0;
  };
}
