import { joinParts } from '../ledger/index.ts';
import { checkPayoutLimit, dayLimitUsage } from '../limits/index.ts';
import {
  dedupeApproved,
  isAsApproved,
  makeHolds,
  PAYOUTS,
  type PayoutDeps,
  type PayoutRecord,
  payoutEvent,
  payoutMovedOn,
  REPEATED,
  readWindows,
  releaseGuards,
  resolveHolds,
  updatePayoutsConcluded,
  updatePayoutsHeld,
} from '../payouts/index.ts';
import { success } from '../platform/answer.ts';
import { write } from '../platform/db/statement.ts';
import { AppError } from '../platform/errors.ts';
import { tenantOf } from '../platform/tenant.ts';
import { transactionStates, updateTransactionCharges } from '../transactions/index.ts';
import { ALTERED_MS, releasePayout } from './lease-keeper.ts';
import type { LeasedPayout } from './lease-payouts.ts';

/** Errors for which a due schedule fails for good: what was to be paid now is not paid later. */
const FAILS_FOR: ReadonlySet<string> = new Set([
  'INSUFFICIENT_FUNDS',
  'PAYOUT_LIMIT_EXCEEDED',
  'DAILY_LIMIT_EXCEEDED',
  REPEATED,
]);

/**
 * Fires a schedule whose time has come: prices it by today's rules, counts it against today's limit, holds the money
 * and queues it, in one movement. Without the money, past a limit, or while its merchant is suspended, it fails for
 * good with that reason. A schedule that was cancelled meanwhile stays cancelled; one that was altered since its
 * approval stays as it is, and people look into it. An item of a batch that was paid otherwise fails here too. Any
 * other error is thrown, and the worker makes the schedule due again soon.
 */
export async function fireSchedule(deps: PayoutDeps, leased: LeasedPayout): Promise<void> {
  const { payout } = leased;
  const isRepeated = payout.status === 'QUEUED' && payout.reason === REPEATED;
  if (payout.status !== 'SCHEDULED' && !isRepeated) return;
  if (!isRepeated && !(await isAsApproved(deps, payout))) {
    await releasePayout(deps, leased, { step: 'FIRE', delayMs: ALTERED_MS });
    return;
  }
  try {
    if (isRepeated) await fail(deps, payout, REPEATED);
    else if (await deps.isSuspended(payout.merchant_id)) await fail(deps, payout, 'MERCHANT_SUSPENDED');
    else await queueOrFail(deps, payout);
    deps.wake(PAYOUTS);
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
  const at = deps.clock.now();
  const { amount_minor: amountMinor, currency, purpose } = scheduled;
  await checkPayoutLimit(deps, tenant, amountMinor);
  const [accounts, quote, day, windows] = await Promise.all([
    deps.wallets.requireTenantAccounts(tenant),
    deps.fees.quotePayout({ amountMinor, currency, purpose, at }),
    dayLimitUsage(deps, tenant, amountMinor, at),
    readWindows(deps, tenant),
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
    updated_at: at,
    due_at: at,
  };
  await deps.ledger.commit({
    tenant,
    id: scheduled.id,
    occurredAt: at.toISOString(),
    ...joinParts(dedupeApproved(scheduled, paidAt(scheduled, at), windows), {
      transitions: [transition(scheduled, 'QUEUED', null)],
      limitUsages: day.limitUsages,
      transfers,
      writes: [write(updateTransactionCharges, fired), write(updatePayoutsHeld, fired)],
      events: [payoutEvent('payout.queued', fired)],
    }),
    answer: success('Success'),
  });
}

/** Its own time, or now where the worker is late. A sandbox, whose time is moved forward, fires it early. */
function paidAt({ scheduled_for }: PayoutRecord, now: Date): Date {
  const meantFor = scheduled_for ?? now;
  return meantFor > now ? meantFor : now;
}

async function fail(deps: PayoutDeps, payout: PayoutRecord, reason: string): Promise<void> {
  const { merchant_id, mode, id } = payout;
  const at = deps.clock.now();
  const failed: PayoutRecord = { ...payout, status: 'FAILED', reason, updated_at: at };
  await deps.ledger.commit({
    tenant: tenantOf(payout),
    id,
    occurredAt: at.toISOString(),
    ...joinParts(releaseGuards(payout), {
      transitions: [transition(payout, 'FAILED', reason)],
      transfers: payout.amount_hold_id === null ? [] : resolveHolds('VOID', payout),
      writes: [
        write(updatePayoutsConcluded, { merchant_id, mode, id, session_id: null, rail_code: null }),
        ...deps.payoutEnd.writes(payout, 'FAILED', at),
      ],
      events: [payoutEvent('payout.failed', failed)],
    }),
    answer: success('Success'),
  });
  await deps.payoutEnd.committed(deps, payout);
}

function transition({ id, status }: PayoutRecord, to: 'QUEUED' | 'FAILED', reason: string | null) {
  return { machine: transactionStates, id, from: [status], to, reason, refusal: payoutMovedOn };
}
