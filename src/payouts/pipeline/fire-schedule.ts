import { success } from '../../platform/answer.ts';
import { write } from '../../platform/db/statement.ts';
import { AppError } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import { transactionStates, updateTransactionCharges } from '../../transactions/index.ts';
import { isAsApproved } from '../as-approved.ts';
import type { PayoutDeps } from '../deps.ts';
import { payoutMovedOn } from '../errors.ts';
import { checkPayoutLimit, dayAllowance, forgetMark, markOf, notedMark, releaseGuards } from '../guards.ts';
import { makeHolds } from '../holds.ts';
import { type PayoutRecord, updatePayoutsConcluded, updatePayoutsHeld } from '../queries.ts';
import { payoutView } from '../views.ts';
import { tenantOf } from './apply-outcome.ts';
import type { ClaimedPayout } from './claim-payouts.ts';
import { ALTERED_MS, giveBack } from './give-back.ts';
import { isSuspended } from './suspended.ts';

/** What a schedule that comes due meets for good: nobody pays later what was to be paid now. */
const FAILS_FOR: ReadonlySet<string> = new Set(['INSUFFICIENT_FUNDS', 'PAYOUT_LIMIT_EXCEEDED', 'DAILY_LIMIT_EXCEEDED']);

/**
 * A schedule whose time has come: prices it by today's rules, counts it against today's limit, holds the money and queues
 * it, in one movement. Without the money, past a limit, or while its merchant is suspended, it fails for good and says so.
 * Cancelled meanwhile, it stays cancelled; altered since it was approved, it stays as it is and people look into it.
 * Whatever else goes wrong is thrown, and the worker makes it due again soon.
 */
export async function fireSchedule(deps: PayoutDeps, claimed: ClaimedPayout): Promise<void> {
  const { payout } = claimed;
  if (payout.status !== 'SCHEDULED') return;
  if (!(await isAsApproved(deps, payout))) {
    await giveBack(deps, claimed, { step: 'FIRE', delayMs: ALTERED_MS });
    return;
  }
  try {
    if (await isSuspended(deps, payout.merchant_id)) await fail(deps, payout, 'MERCHANT_SUSPENDED');
    else await queueOrFail(deps, payout);
    deps.wake();
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'PAYOUT_MOVED_ON')) throw error;
  }
}

async function queueOrFail(deps: PayoutDeps, payout: PayoutRecord): Promise<void> {
  try {
    await queue(deps, payout);
  } catch (error) {
    if (!(error instanceof AppError && FAILS_FOR.has(error.code))) throw error;
    await fail(deps, payout, error.code);
  }
}

async function queue(deps: PayoutDeps, scheduled: PayoutRecord): Promise<void> {
  const tenant = tenantOf(scheduled);
  const now = deps.clock.now();
  const at = now.toISOString();
  const { amount_minor: amountMinor, currency, purpose } = scheduled;
  await checkPayoutLimit(deps, tenant, amountMinor);
  const [accounts, quote, day] = await Promise.all([
    deps.wallets.requireTenantAccounts(tenant),
    deps.fees.quotePayout({ amountMinor, currency, purpose, at: now }),
    dayAllowance(deps, tenant, amountMinor, now),
  ]);
  const { holds, transfers } = makeHolds(accounts, scheduled.id, quote);
  const fired = {
    ...scheduled,
    ...holds,
    status: 'QUEUED' as const,
    charges_minor: quote.chargesMinor,
    fee_minor: quote.feeMinor,
    vat_minor: quote.vatMinor,
    stamp_duty_minor: quote.stampDutyMinor,
    counted_on: day.countedOn,
    mark: markOf(scheduled),
    updated_at: at,
    due_at: at,
  };
  await deps.ledger.commit({
    tenant,
    id: scheduled.id,
    occurredAt: at,
    transitions: [transition(scheduled, 'QUEUED', null)],
    unmarks: forgetMark(scheduled),
    marks: [await notedMark(deps, tenant, fired)],
    allowances: day.allowances,
    transfers,
    writes: [write(updateTransactionCharges, fired), write(updatePayoutsHeld, fired)],
    events: [eventOf('payout.queued', fired)],
    answer: success('Success'),
  });
}

async function fail(deps: PayoutDeps, scheduled: PayoutRecord, reason: string): Promise<void> {
  const { merchant_id, mode, id } = scheduled;
  const at = deps.clock.now().toISOString();
  const failed: PayoutRecord = { ...scheduled, status: 'FAILED', reason, updated_at: at };
  await deps.ledger.commit({
    tenant: tenantOf(scheduled),
    id,
    occurredAt: at,
    ...releaseGuards(scheduled),
    transitions: [transition(scheduled, 'FAILED', reason)],
    writes: [write(updatePayoutsConcluded, { merchant_id, mode, id, session_id: null, rail_code: null })],
    events: [eventOf('payout.failed', failed)],
    answer: success('Success'),
  });
}

function transition({ id }: PayoutRecord, to: 'QUEUED' | 'FAILED', reason: string | null) {
  return { machine: transactionStates, id, from: ['SCHEDULED'], to, reason, otherwise: payoutMovedOn };
}

function eventOf(type: string, payout: PayoutRecord) {
  return { id: newId(), type, subjectId: payout.id, data: JSON.stringify(payoutView(payout)) };
}
