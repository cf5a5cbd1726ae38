import { unavailable } from '../../platform/errors.ts';
import type { NoticeRequest, RailCaller, RailNotice } from '../../rails/index.ts';
import type { PayoutDeps } from '../deps.ts';
import { findPayout, type PayoutRecord } from '../queries.ts';
import { payoutIdOf } from '../rails.ts';
import { applyOutcome } from './apply-outcome.ts';
import { putBeforeOperator } from './operator-queue.ts';
import { keepEvidence } from './outcome-source.ts';
import { findRailReference } from './queries.ts';

/**
 * `OPEN`: it says nothing conclusive. `UNKNOWN_REFERENCE`: we never sent such a transfer by that rail. `REFUSED`: it is
 * not believed; kept with the reason.
 */
export type NoticeTaken = 'APPLIED' | 'ALREADY_APPLIED' | 'OPEN' | 'UNKNOWN_REFERENCE' | 'REFUSED';

/**
 * Verifies what came to a rail's address and takes every notice in it.
 * @throws AppError `RAIL_NOTICE_SIGNATURE_INVALID`, `RAIL_NOTICE_MALFORMED`; `SERVICE_UNAVAILABLE` when not all of it
 *   could be kept, so that the rail tells it again: taking a notice twice changes nothing.
 */
export async function takeNotices(deps: PayoutDeps, rail: RailCaller, request: NoticeRequest): Promise<NoticeTaken[]> {
  const notices = await rail.verifyNotice(request);
  const taken: NoticeTaken[] = [];
  const failures: unknown[] = [];
  for (const notice of notices) {
    try {
      taken.push(await takeNotice(deps, rail.name, notice));
    } catch (error) {
      deps.logger.error({ err: error, rail: rail.name, noticeId: notice.noticeId }, 'a notice could not be taken');
      failures.push(error);
    }
  }
  if (failures.length > 0) throw unavailable('Not every notice could be kept. Please send them again.', failures[0]);
  return taken;
}

/** Applies one verified notice of a rail to the payout that it is about. Copies, and any order of them, change nothing. */
export async function takeNotice(deps: PayoutDeps, railName: string, notice: RailNotice): Promise<NoticeTaken> {
  const payout = await findNoticed(deps, railName, notice);
  if (payout === undefined) {
    const { noticeId, railReference } = notice;
    deps.logger.warn({ rail: railName, noticeId, railReference }, 'a notice is about a transfer that we do not know');
    return 'UNKNOWN_REFERENCE';
  }
  const refusal = refusalOf(payout, railName);
  if (refusal === undefined) return applyOutcome(deps, payout, notice.answer, { kind: 'NOTICE' });
  await refuse(deps, payout, railName, notice, refusal);
  return 'REFUSED';
}

async function findNoticed(
  deps: PayoutDeps,
  rail: string,
  { railReference, tenant }: RailNotice,
): Promise<PayoutRecord | undefined> {
  if (tenant !== null) {
    const id = payoutIdOf(railReference);
    if (id === undefined) return undefined;
    const [payout] = await deps.database.query(findPayout, [tenant.merchantId, tenant.mode, id]);
    return payout;
  }
  const [found] = await deps.database.query(findRailReference, [rail, railReference]);
  if (found === undefined) return undefined;
  const [payout] = await deps.database.query(findPayout, [found.merchant_id, found.mode, found.payout_id]);
  return payout;
}

interface Refusal {
  reason: string;
  note: string;
}

/** What no answer may end, whatever it reports. */
function refusalOf(payout: PayoutRecord, railName: string): Refusal | undefined {
  if (payout.amount_hold_id === null) {
    return { reason: 'NOTICE_NOT_SENT', note: 'A notice about a payout that has not been sent yet' };
  }
  if (payout.rail !== railName) {
    return { reason: 'NOTICE_OTHER_RAIL', note: `A notice of ${railName}, while ${payout.rail} has the payout` };
  }
  return undefined;
}

/** Kept and logged, never applied. That a rail which lost the payout says it paid is for people to look into. */
async function refuse(
  deps: PayoutDeps,
  payout: PayoutRecord,
  rail: string,
  notice: RailNotice,
  { reason, note }: Refusal,
): Promise<void> {
  const { noticeId, answer } = notice;
  const word = { rail, answer: { ...answer, reason }, source: { kind: 'NOTICE', note } as const };
  const contradicts = reason === 'NOTICE_OTHER_RAIL' && answer.outcome === 'succeeded';
  // First, so that a contradiction that is kept is one that people look into.
  if (contradicts) await putBeforeOperator(deps, payout, 'RAIL_CONTRADICTS');
  await keepEvidence(deps.database, payout, word, deps.clock.now());
  const about = { rail, noticeId, payoutId: payout.id, reason, outcome: answer.outcome };
  if (contradicts) deps.logger.error(about, 'a rail that lost a payout to another says that it paid');
  else deps.logger.warn(about, 'a notice was not believed');
}
