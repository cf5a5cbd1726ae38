import {
  type ApprovalRow,
  type ApprovalSubject,
  alarmAltered,
  approvalDigestMismatch,
  approvalMovedOn,
  type Content,
  type EndedHow,
  type Held,
  requestApproval,
  type ShownLine,
  shownLine,
  voidApproval,
} from '../approvals/index.ts';
import { joinParts, type MovementParts } from '../ledger/index.ts';
import { DEFAULT_CURRENCY, formatMoney } from '../money/index.ts';
import { type Write, write } from '../platform/db/statement.ts';
import { tenantOf } from '../platform/tenant.ts';
import { batchReferenceOf } from '../transactions/index.ts';
import { type BatchMovement, changeBatch, touched, verdictOf } from './batch-change.ts';
import { repeatsStand } from './check-repeats.ts';
import type { BatchDeps } from './deps.ts';
import { dispatchParts, type ReadyBatch, readyBatch, staysCertain } from './dispatch-parts.ts';
import { batchRepeatsMore } from './errors.ts';
import type { BatchPlan } from './plan-batch.ts';
import type { Duplicates } from './problems.ts';
import { type BatchRecord, findBatch, updateBatchesApproval } from './queries.ts';

/** What the last approval dispatches: this version of the batch, at these costs. */
interface BatchPayload {
  version: number;
  /** The digest of the batch, as `GET /payout/bulk/{batchReference}` shows it. */
  digest: string;
  skipInvalid: boolean;
  allowDuplicate: boolean;
  /** Fingerprint of the items, without their costs. Approvals of older releases have neither it nor `content`. */
  items?: string;
  /** What else of the batch becomes part of its payouts. */
  content?: Content;
  /** Items that were shown as duplicates; approvals of older releases do not have it. */
  duplicates?: number;
}

export interface DispatchTerms {
  skipInvalid: boolean;
  allowDuplicate: boolean;
}

/** Requests the approval of a dispatch. Nothing is held: the last approval is the dispatch, with all its checks. */
export function requestBatchApproval(
  held: Held,
  batch: BatchRecord,
  ready: ReadyBatch,
  terms: DispatchTerms,
  at: Date,
): BatchMovement & MovementParts {
  const { plan, shown } = ready;
  const bound = { digest: shown, items: ready.items, content: contentOfBatch(batch) };
  const payload: BatchPayload = { version: batch.version + 1, ...bound, ...terms, duplicates: ready.repeats.items };
  const { approval, parts } = requestApproval(held, {
    subjectId: batch.id,
    title: titleOf(plan),
    amountMinor: plan.amountMinor,
    chargesMinor: plan.feeMinor + plan.vatMinor + plan.stampDutyMinor,
    shown: shownOf(batch, ready),
    payload,
    at,
  });
  const waiting = { ...batch, approval_id: approval.id };
  const { movement } = changeBatch(waiting, {
    at,
    to: 'PENDING_APPROVAL',
    fields: { due_at: null },
    event: 'batch.pending_approval',
  });
  const named = approvalWrite(batch, { approvalId: approval.id, rulesVersion: approval.rules_version });
  return {
    ...movement,
    ...joinParts(movement, parts, {
      checks: [repeatsStand(batch, ready.repeats), ...staysCertain(batch)],
      writes: [named],
    }),
  };
}

/** It is part of the digest, which is made of the title that was stored: that of an older release stays as it was. */
function titleOf({ items, amountMinor }: BatchPlan): string {
  const amount = formatMoney(amountMinor, DEFAULT_CURRENCY);
  return items === 1 ? `One payout, ${amount}` : `${items} payouts, ${amount} in all`;
}

const contentOfBatch = ({ purpose, scenario }: BatchRecord): Content => ({ purpose, scenario });

function shownOf(batch: BatchRecord, { plan, shown, repeats }: ReadyBatch): ShownLine[] {
  const money = (minor: bigint) => formatMoney(minor, DEFAULT_CURRENCY);
  const chargesMinor = plan.feeMinor + plan.vatMinor + plan.stampDutyMinor;
  const left = batch.item_count - plan.items;
  // Only of items that can be paid: the bank was not asked about the others. The names themselves are in the digest.
  const differing = batch.low_match_items;
  return [
    shownLine('batchReference', batchReferenceOf(batch.id), { subjectType: 'BATCH', subjectId: batch.id }),
    ...(batch.file_name === null ? [] : [shownLine('fileName', batch.file_name)]),
    shownLine('payouts', String(plan.items)),
    ...(left === 0 ? [] : [shownLine('itemsLeftOut', String(left))]),
    ...(differing === 0 ? [] : [shownLine('namesDiffer', `${differing} of ${plan.items}`)]),
    shownLine('amount', money(plan.amountMinor)),
    shownLine('fee', money(plan.feeMinor)),
    shownLine('vat', money(plan.vatMinor)),
    shownLine('stampDuty', money(plan.stampDutyMinor)),
    shownLine('total', money(plan.amountMinor + chargesMinor)),
    shownLine('largestPayout', money(plan.maxAmountMinor)),
    shownLine('purpose', batch.purpose),
    ...(repeats.items === 0 ? [] : [shownLine('duplicates', meantText(repeats))]),
    shownLine('itemsDigest', shown),
  ];
}

const meantText = ({ items, amountMinor }: Duplicates): string =>
  `${items} of them, ${formatMoney(amountMinor, DEFAULT_CURRENCY)} in all, meant twice`;

/** A dispatch that waits for approval. It is dispatched exactly as it was shown, or not at all. */
export function batchSubject(deps: BatchDeps): ApprovalSubject {
  return {
    async approved(approval, cleared, at) {
      const batch = await requireWaiting(deps, approval);
      const { version, digest, items, content, ...terms } = JSON.parse(approval.payload) as BatchPayload;
      if (batch.version !== version) throw approvalDigestMismatch();
      if (content !== undefined) requireSameContent(deps, approval, content, contentOfBatch(batch));
      const altered = () => alarmAltered(deps, approval, ['items']);
      const refusals = { asked: items, changed: approvalMovedOn, altered };
      const ready = await readyBatch(deps, batch, { ...terms, refusals, refuse: batchRepeatsMore }, at);
      // Its items cannot have changed without the version; its charges can, where the fees change from one day to the
      // next.
      if (ready.shown !== digest) throw approvalDigestMismatch();
      return retryable(await dispatchParts(deps, batch, ready, { allowDuplicate: terms.allowDuplicate, cleared, at }));
    },
    ended: async (approval, how, at) => returnBatch(await requireWaiting(deps, approval), how, at),
    committed: async () => deps.wake(),
  };
}

/** @throws AppError 409 `APPROVAL_SUBJECT_ALTERED`, after an alarm */
function requireSameContent(deps: BatchDeps, approval: ApprovalRow, asked: Content, now: Content): void {
  const altered = Object.keys(asked).filter((name) => now[name] !== asked[name]);
  if (altered.length > 0) throw alarmAltered(deps, approval, altered);
}

async function requireWaiting(deps: BatchDeps, approval: ApprovalRow): Promise<BatchRecord> {
  const [batch] = await deps.database.query(findBatch, [approval.merchant_id, approval.mode, approval.subject_id]);
  if (batch === undefined) throw new Error(`approval ${approval.id} is of no batch`);
  if (batch.status !== 'PENDING_APPROVAL' || batch.approval_id !== approval.id) throw approvalMovedOn();
  return batch;
}

/** Not approved: the batch returns to its former state, and its maker may correct, dispatch or cancel it. */
function returnBatch(batch: BatchRecord, how: EndedHow, at: Date): MovementParts {
  const { to, reason } = verdictOf({ total: batch.item_count, invalid: batch.invalid_items });
  const { movement } = changeBatch(
    { ...batch, approval_id: null },
    {
      at,
      to,
      reason: to === 'READY' ? `APPROVAL_${how}` : reason,
      fields: touched(at),
      event: to === 'READY' ? 'batch.ready' : 'batch.needs_fix',
    },
  );
  return retryable(joinParts(movement, { writes: [approvalWrite(batch, undefined)] }));
}

/** A change of a batch that waits for approval voids the approval, in the same movement. */
export async function approvalVoided(
  deps: Pick<BatchDeps, 'database'>,
  batch: BatchRecord,
  reason: string,
  at: Date,
): Promise<MovementParts> {
  if (batch.status !== 'PENDING_APPROVAL') return {};
  const voided = await voidApproval(deps.database, tenantOf(batch), batch.approval_id, reason, at);
  return joinParts(voided, { writes: [approvalWrite(batch, undefined)] });
}

function approvalWrite(
  { merchant_id, mode, id }: BatchRecord,
  approval: { approvalId: string; rulesVersion: number } | undefined,
): Write {
  const { approvalId = null, rulesVersion = null } = approval ?? {};
  return write(updateBatchesApproval, { merchant_id, mode, id, approval_id: approvalId, rules_version: rulesVersion });
}

/** A decision about a batch that changes at that moment is repeated, and then gets the reason. */
function retryable(parts: MovementParts): MovementParts {
  return {
    ...parts,
    uniqueKeys: (parts.uniqueKeys ?? []).map((uniqueKey) => ({ ...uniqueKey, refusal: approvalMovedOn })),
    transitions: (parts.transitions ?? []).map((transition) => ({ ...transition, refusal: approvalMovedOn })),
  };
}
