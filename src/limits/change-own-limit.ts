import { isDeepStrictEqual } from 'node:util';
import {
  type ApprovalRow,
  type ApprovalSubject,
  approvalDigestMismatch,
  type ClearanceDeps,
  type Cleared,
  changeWaits,
  FOR_EVER_MS,
  type Held,
  type Maker,
  requestApproval,
  requireCleared,
  shownLine,
  withClearance,
} from '../approvals/index.ts';
import type { CommitResult, IdempotencyKey, Ledger, MovementParts } from '../ledger/index.ts';
import { ownersNoticeWrites } from '../mail/index.ts';
import { DEFAULT_CURRENCY, formatMoney } from '../money/index.ts';
import { success } from '../platform/answer.ts';
import { write } from '../platform/db/statement.ts';
import { newId } from '../platform/ids.ts';
import { type Tenant, tenantOf } from '../platform/tenant.ts';
import { type LimitDeps, readBothLimits } from './check-limits.ts';
import type { PayoutLimit } from './payout-limit.ts';
import { findLastOwnLimits, insertPayoutLimits } from './queries.ts';
import { type LimitChangeDeps, limitNotice } from './set-limits.ts';
import { partView } from './views.ts';

export type OwnLimit = Pick<PayoutLimit, 'perPayoutMinor' | 'perDayMinor'>;

/** One change of a merchant's own limits waits at a time. */
const LIMIT_WAIT = { scope: 'APPROVAL_WAITS', value: 'LIMIT' } as const;

/** As an approval stores them: kobo as text, because JSON numbers are not exact; null is no limit. */
export interface LimitText {
  perPayout: string | null;
  perDay: string | null;
}

function limitText({ perPayoutMinor, perDayMinor }: OwnLimit): LimitText {
  const text = (minor: bigint | null) => (minor === null ? null : String(minor));
  return { perPayout: text(perPayoutMinor), perDay: text(perDayMinor) };
}

/**
 * Now, or a millisecond after the limits that were set before, where the clock of the process that set them is ahead:
 * the last ones are in force.
 */
async function beginningOf({ database }: LimitChangeDeps, { merchantId, mode }: Tenant, at: Date): Promise<Date> {
  const [last] = await database.query(findLastOwnLimits, [merchantId, mode]);
  return last === undefined || last.effectiveFrom < at ? at : new Date(last.effectiveFrom.getTime() + 1);
}

/** A dated row from now on, for a movement that needs no further approval; the owners are notified by mail. */
async function ownLimitParts(
  deps: LimitChangeDeps,
  tenant: Tenant,
  id: string,
  limit: OwnLimit,
  cleared: Cleared,
  { at, source, by }: { at: Date; source: string; by: string },
): Promise<MovementParts> {
  requireCleared(cleared);
  const { merchantId, mode } = tenant;
  const notice = limitNotice({ mode, owner: 'MERCHANT', by, at, from: at, limit });
  const mails = await ownersNoticeWrites({ ...deps, queries: deps.database }, merchantId, notice);
  const effectiveFrom = await beginningOf(deps, tenant, at);
  return {
    writes: [
      write(insertPayoutLimits, {
        id,
        owner: 'MERCHANT',
        merchant_id: merchantId,
        mode,
        per_payout_minor: limit.perPayoutMinor,
        per_day_minor: limit.perDayMinor,
        duplicate_window_seconds: 0,
        effective_from: effectiveFrom.toISOString(),
        effective_to: null,
        source,
      }),
      ...mails,
    ],
    events: [
      {
        id: newId(),
        type: 'limit.changed',
        subjectId: id,
        data: JSON.stringify({ own: partView(limit) }),
      },
    ],
  };
}

export type ChangeOwnLimitDeps = LimitChangeDeps & LimitDeps & ClearanceDeps & { ledger: Ledger };

export interface ChangeOwnLimitInput {
  tenant: Tenant;
  maker: Maker;
  limit: OwnLimit;
  idempotency: IdempotencyKey | undefined;
}

/**
 * Changes a merchant's own limits, beside the operator's: the stricter one counts. They are in force from the commit
 * on, in other processes within a minute. Where approvals are on, the change waits for one.
 * @throws AppError 409 `APPROVAL_WAITS` while another change waits.
 */
export async function changeOwnLimit(deps: ChangeOwnLimitDeps, input: ChangeOwnLimitInput): Promise<CommitResult> {
  const { tenant, maker, limit, idempotency } = input;
  const result = await withClearance(deps, { tenant, kind: 'LIMIT', amountMinor: null, maker }, async (clearance) => {
    const at = deps.clock.now();
    const base = { tenant, id: newId(), occurredAt: at.toISOString(), idempotency };
    if (clearance.kind === 'CLEARED') {
      const by = maker.name ?? 'Somebody of your business';
      const made = { at, source: sourceOf(maker), by };
      const parts = await ownLimitParts(deps, tenant, base.id, limit, clearance, made);
      const answer = success('Your limits are in force', { own: partView(limit), approvalId: null });
      return deps.ledger.commit({ ...base, ...parts, reservations: clearance.reservations, answer });
    }
    const { own } = await readBothLimits({ queries: deps.database, clock: deps.clock }, tenant);
    const { approvalId, parts } = holdLimit(clearance, base.id, { before: own, after: limit }, at);
    const answer = success('The change waits for approval', { own: partView(own), approvalId });
    return deps.ledger.commit({ ...base, ...parts, answer });
  });
  deps.payoutLimits.forget(tenant);
  return result;
}

const sourceOf = ({ name, personId }: Maker) => `Set by ${name ?? personId ?? 'the merchant'} in the dashboard`;

function holdLimit(
  held: Held,
  subjectId: string,
  { before, after }: { before: OwnLimit; after: OwnLimit },
  at: Date,
): { approvalId: string; parts: MovementParts } {
  const { perPayoutMinor, perDayMinor } = after;
  const { approval, parts } = requestApproval(held, {
    subjectId,
    title: 'Change your own limits',
    amountMinor: null,
    chargesMinor: null,
    shown: [
      shownLine('perPayout', `${moneyOrNone(before.perPayoutMinor)} → ${moneyOrNone(perPayoutMinor)}`),
      shownLine('perDay', `${moneyOrNone(before.perDayMinor)} → ${moneyOrNone(perDayMinor)}`),
    ],
    payload: { ...limitText(after), instead: limitText(before) },
    at,
  });
  const waits = {
    ...LIMIT_WAIT,
    subjectId: approval.id,
    withinMs: FOR_EVER_MS,
    refusal: () => changeWaits('your limits'),
  };
  return { approvalId: approval.id, parts: { ...parts, reservations: [...(parts.reservations ?? []), waits] } };
}

const moneyOrNone = (minor: bigint | null) => (minor === null ? 'no limit' : formatMoney(minor, DEFAULT_CURRENCY));

interface LimitPayload extends LimitText {
  /** The limits that it was shown to replace. */
  instead?: LimitText;
}

/** A change of the merchant's own limits that waits for approval. */
export function limitSubject(deps: LimitChangeDeps & LimitDeps): ApprovalSubject {
  return {
    async approved(approval, cleared, at) {
      const { perPayout, perDay, instead } = JSON.parse(approval.payload) as LimitPayload;
      const limit = { perPayoutMinor: minorOrNull(perPayout), perDayMinor: minorOrNull(perDay) };
      const tenant = tenantOf(approval);
      // They can change beside it only while approvals are off.
      const { own } = await readBothLimits({ queries: deps.database, clock: deps.clock }, tenant);
      if (instead !== undefined && !isDeepStrictEqual(limitText(own), instead)) throw approvalDigestMismatch();
      const source = `Asked for by ${approval.made_by_name}, approval ${approval.id}`;
      const made = { at, source, by: approval.made_by_name };
      const parts = await ownLimitParts(deps, tenant, approval.subject_id, limit, cleared, made);
      return { ...parts, releases: noLongerWaits(approval) };
    },
    ended: async (approval) => ({ releases: noLongerWaits(approval) }),
    committed: async (approval) => deps.payoutLimits.forget(tenantOf(approval)),
  };
}

const minorOrNull = (text: string | null) => (text === null ? null : BigInt(text));
const noLongerWaits = ({ id }: ApprovalRow) => [{ ...LIMIT_WAIT, subjectId: id }];
