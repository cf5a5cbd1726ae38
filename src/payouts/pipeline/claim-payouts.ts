import { newId } from '../../platform/ids.ts';
import type { Tenant } from '../../platform/tenant.ts';
import type { PayoutDeps } from '../deps.ts';
import { type AttemptRow, insertAttempts, type PayoutRecord, type PayoutStep } from '../queries.ts';
import {
  insertRailReferences,
  lockDuePayouts,
  type PayoutClaim,
  readInIndexOrder,
  updatePayoutsClaimed,
  updatePayoutsPutOff,
} from './queries.ts';
import { isSuspended } from './suspended.ts';

/** How long a worker has a batch before another may take it over. */
export const LEASE_MS = 120_000;
/**
 * How long a claim on a payout stands when it is not renewed. A living worker renews it every few seconds, however long
 * the rail takes, so it is short: it is what a payout waits when its worker is killed.
 */
export const CLAIM_MS = 30_000;
/** Until what a suspended merchant may not send is looked at again. */
export const SUSPENDED_MS = 5 * 60_000;

/** A payout in this worker's hands until `leaseEndsAt`, with the step to take. */
export interface ClaimedPayout {
  payout: PayoutRecord;
  step: PayoutStep;
  claimId: string;
  /** Moves on while the claim is renewed. */
  leaseEndsAt: Date;
  /** Of this call; a fire calls nobody. */
  attemptId: string | null;
  /** As they were: what they are again where nothing was sent. */
  before: Pick<PayoutRecord, 'first_sent_at' | 'sent_at'>;
  /** The rail may have been asked to send from here on. */
  asked: boolean;
}

/**
 * Takes up to `limit` due payouts of one tenant, and commits that it did before anybody is called: a payout that is
 * about to be sent is one to ask about from here on, whatever becomes of this worker. Of a suspended merchant nothing is
 * sent: that is put off, while what was sent before is asked about and concluded.
 */
export async function claimPayouts(deps: PayoutDeps, tenant: Tenant, limit: number): Promise<ClaimedPayout[]> {
  const now = deps.clock.now();
  const claimId = newId();
  const suspended = await isSuspended(deps, tenant.merchantId);
  return deps.database.transaction(async (tx) => {
    const [, found] = await Promise.all([
      tx.query(readInIndexOrder),
      tx.query(lockDuePayouts, [tenant.merchantId, tenant.mode, now, limit]),
    ]);
    const mustWait = (payout: PayoutRecord) => suspended && stepOf(payout) === 'SEND';
    const due = found.filter((payout) => !mustWait(payout));
    const putOff = found.filter(mustWait).map((payout) => putOffFrom(payout, now));
    const claimed = due.map((payout) => claim(payout, claimId, now));
    const references = await referencesOf(deps, due);
    await Promise.all([
      tx.run(updatePayoutsPutOff as never, putOff as never),
      tx.run(updatePayoutsClaimed as never, claimed.map((one) => one.row) as never),
      tx.run(insertAttempts as never, claimed.flatMap((one) => one.attempt ?? []) as never),
      tx.run(insertRailReferences as never, references as never),
    ]);
    return claimed.map((one) => one.claimed);
  });
}

function putOffFrom({ merchant_id, mode, id }: PayoutRecord, now: Date) {
  return { merchant_id, mode, id, due_at: new Date(now.getTime() + SUSPENDED_MS).toISOString() };
}

function claim(payout: PayoutRecord, claimId: string, now: Date) {
  const step = stepOf(payout);
  const leaseEndsAt = new Date(now.getTime() + CLAIM_MS);
  const scope = { merchant_id: payout.merchant_id, mode: payout.mode };
  const firstSentAt = payout.first_sent_at ?? (step === 'SEND' ? now : null);
  // As late as it may begin: where this worker dies, that is what an answer of "not found" is measured from.
  const sentAt = step === 'SEND' ? leaseEndsAt : payout.sent_at;
  const row: PayoutClaim = {
    ...scope,
    id: payout.id,
    claim_id: claimId,
    due_at: leaseEndsAt.toISOString(),
    next_step: step === 'SEND' ? 'QUERY' : step,
    attempts: payout.attempts + (step === 'FIRE' ? 0 : 1),
    first_sent_at: isoOrNull(firstSentAt),
    sent_at: isoOrNull(sentAt),
  };
  const attempt: AttemptRow | undefined =
    step === 'FIRE'
      ? undefined
      : {
          ...scope,
          payout_id: payout.id,
          id: newId(),
          rail: payout.rail,
          kind: step,
          started_at: now.toISOString(),
          ...UNANSWERED,
        };
  const { first_sent_at, sent_at, due_at, next_step, attempts } = row;
  const claimed: ClaimedPayout = {
    payout: { ...payout, first_sent_at, sent_at, due_at, next_step, attempts },
    step,
    claimId,
    leaseEndsAt,
    attemptId: attempt?.id ?? null,
    before: { first_sent_at: payout.first_sent_at, sent_at: payout.sent_at },
    asked: false,
  };
  return { row, attempt, claimed };
}

/** Not where a rail answered with another transfer: that one may be this, under a wrong name. */
export function maySendAgain(payout: PayoutRecord): boolean {
  return payout.operator_reason !== 'RAIL_ANSWER_MISMATCH';
}

/**
 * A payout that is still queued was never sent, whoever had it: it becomes `PROCESSING` before the rail hears of it, and
 * of two workers only one can take that step.
 */
function stepOf(payout: PayoutRecord): PayoutStep {
  if (payout.status === 'PROCESSING' && !maySendAgain(payout)) return 'QUERY';
  return payout.next_step === 'QUERY' && payout.status === 'QUEUED' ? 'SEND' : payout.next_step;
}

/** For rails whose notices do not say whose transfer they are about. */
async function referencesOf(deps: PayoutDeps, due: readonly PayoutRecord[]) {
  const wanted = await Promise.all(
    due.map(async (payout) => {
      if (stepOf(payout) !== 'SEND') return undefined;
      const rail = await deps.rails.findRail(payout.mode, payout.rail);
      return rail?.echoesTenant === true ? undefined : payout;
    }),
  );
  return wanted
    .filter((payout) => payout !== undefined)
    .map(({ rail, rail_reference, merchant_id, mode, id: payout_id }) => ({
      rail,
      rail_reference,
      merchant_id,
      mode,
      payout_id,
    }));
}

export function isoOrNull(time: string | Date | null): string | null {
  return time === null ? null : new Date(time).toISOString();
}

export const UNANSWERED = {
  ended_at: null,
  outcome: null,
  code: null,
  reason: null,
  message: null,
  session_id: null,
  reported: null,
};
