import {
  changeWaits,
  FOR_EVER_MS,
  type Held,
  type Maker,
  type MovementParts,
  requestApproval,
  withClearance,
} from '../../approvals/index.ts';
import type { CommitResult, IdempotencyKey, Ledger } from '../../ledger/index.ts';
import { DEFAULT_CURRENCY, formatMoney } from '../../money/index.ts';
import { success } from '../../platform/answer.ts';
import { newId } from '../../platform/ids.ts';
import type { Tenant } from '../../platform/tenant.ts';
import type { LimitChangeDeps } from './limit-notice.ts';
import { LIMIT_WAIT, limitText, type OwnLimit, ownLimitParts } from './own-limit.ts';
import { forgetLimits, readBothLimits } from './read-limits.ts';
import { partView } from './views.ts';

export interface ChangeOwnLimitInput {
  tenant: Tenant;
  maker: Maker;
  limit: OwnLimit;
  idempotency: IdempotencyKey | undefined;
}

/**
 * A merchant's own limits, beside the operator's: the stricter counts. From its commit on they are in force, in other
 * processes within a minute. Where approvals are on, the change waits for one.
 * @throws AppError 409 `APPROVAL_WAITS` while another change waits.
 */
export async function changeOwnLimit(
  deps: LimitChangeDeps & { ledger: Ledger },
  input: ChangeOwnLimitInput,
): Promise<CommitResult> {
  const { tenant, maker, limit, idempotency } = input;
  const result = await withClearance(deps, { tenant, kind: 'LIMIT', amountMinor: null, maker }, async (clearance) => {
    const at = deps.clock.now();
    const base = { tenant, id: newId(), occurredAt: at.toISOString(), idempotency };
    if (clearance.kind === 'CLEARED') {
      const by = maker.name ?? 'Somebody of your business';
      const made = { at, source: sourceOf(maker), by };
      const parts = await ownLimitParts(deps, tenant, base.id, limit, clearance, made);
      const answer = success('Your limits are in force', { own: partView(limit), approvalId: null });
      return deps.ledger.commit({ ...base, ...parts, marks: clearance.marks, answer });
    }
    const { own } = await readBothLimits({ queries: deps.database, clock: deps.clock }, tenant);
    const { approvalId, parts } = holdLimit(clearance, base.id, { before: own, after: limit }, at);
    const answer = success('The change waits for approval', { own: partView(own), approvalId });
    return deps.ledger.commit({ ...base, ...parts, answer });
  });
  forgetLimits(deps.database);
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
      { label: 'One payout', value: `${moneyOrNone(before.perPayoutMinor)} → ${moneyOrNone(perPayoutMinor)}` },
      { label: 'A day', value: `${moneyOrNone(before.perDayMinor)} → ${moneyOrNone(perDayMinor)}` },
    ],
    payload: { ...limitText(after), instead: limitText(before) },
    at,
  });
  const waits = {
    ...LIMIT_WAIT,
    subjectId: approval.id,
    withinMs: FOR_EVER_MS,
    seen: () => changeWaits('your limits'),
  };
  return { approvalId: approval.id, parts: { ...parts, marks: [...(parts.marks ?? []), waits] } };
}

const moneyOrNone = (minor: bigint | null) => (minor === null ? 'no limit' : formatMoney(minor, DEFAULT_CURRENCY));
