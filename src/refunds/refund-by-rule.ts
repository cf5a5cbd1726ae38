import { clearedByRefundRule } from '../approvals/index.ts';
import {
  findInboundPayment,
  type InboundPaymentRow,
  isReversedByProvider,
  readTakenBack,
  takeBackUpTo,
} from '../collections/index.ts';
import { joinParts, type MovementParts } from '../ledger/index.ts';
import { dayLimitUsage, readLimit } from '../limits/index.ts';
import { wasPaidInTime, whatIsAway } from '../payment-sessions/index.ts';
import { prepareServicePayout, servicePayoutParts } from '../payouts/index.ts';
import { MINUTE_MS } from '../platform/clock.ts';
import { type Write, write } from '../platform/db/statement.ts';
import { AppError } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import { takeTurns } from '../platform/jobs/take-turns.ts';
import { jsonOf } from '../platform/json-text.ts';
import { type Mode, type Tenant, tenantOf } from '../platform/tenant.ts';
import type { RefundDeps } from './deps.ts';
import { paymentToRefundMovedOn, refundMadeByRule, refundRuleMovedOn } from './errors.ts';
import {
  type AskedRefund,
  holdOf,
  narrationOf,
  newRefund,
  refundByPayout,
  refundParts,
  requireSendable,
} from './new-refund.ts';
import { requirePayerAccount } from './payer-account.ts';
import { refundCallerOf } from './refund-order.ts';
import { readRefundRule, wayFor, whileRuleCounts } from './refund-rule.ts';
import { queuedRefund } from './refund-subject.ts';
import { requireRefundable } from './request-refund.ts';
import {
  leasePaymentToRefund,
  listDuePaymentsToRefund,
  paymentToRefundStates,
  putOffPaymentToRefund,
  type RefundRuleRow,
  type RuleCause,
  type ToRefundRow,
  type ToRefundStatus,
  updatePaymentsToRefundAdvanced,
  updatePaymentsToRefundEnded,
} from './rule-queries.ts';
import { paymentToRefundView } from './views.ts';

/** Longer than a turn takes: after a crash of its worker, a payment waits so long. */
const LEASE_MS = 60_000;
/** For one merchant in a run, and for all. */
const OF_MERCHANT = 20;
const OF_ALL = 200;
/** When a payment that cannot be refunded yet is looked at again: soon at first, then ever less often. */
const DELAYS_MS = [MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 60 * MINUTE_MS] as const;
/** For so long an obstacle that may pass is waited for, before people have to make the refund. */
const BLOCKED_FOR_MS = 7 * 24 * 60 * MINUTE_MS;
/** Obstacles that may pass: money comes in, a day begins, somebody switches something on. */
const MAY_PASS: ReadonlySet<string> = new Set([
  'INSUFFICIENT_FUNDS',
  'DAILY_LIMIT_EXCEEDED',
  'REFUNDS_NOT_ENABLED',
  'PAYOUT_NOT_POSSIBLE',
]);
/** Something that the decision depends on has changed: it is decided again. */
const DECIDE_ANEW: ReadonlySet<string> = new Set([refundRuleMovedOn().code, 'PAYMENT_TAKEN_BACK']);
const MAX_ATTEMPTS = 20;

const NOTES: Record<RuleCause, string> = {
  LATE: 'The payment came too late',
  EXCESS: 'More was paid than was asked',
};

/**
 * Makes the refunds of a mode that merchants' rules ask for, each once: its unique key refuses a second one of another
 * worker, and a worker that dies leaves it due. Merchants take turns.
 * @returns how many payments were dealt with.
 */
export async function refundByRules(deps: RefundDeps, mode: Mode, stopped?: AbortSignal): Promise<number> {
  const failures = deps.jobs.failuresOf('refunds.by-rule');
  const now = deps.clock.now();
  const asked = [mode, now, failures.backingOffKeys(), OF_MERCHANT, OF_ALL];
  const due = await deps.database.query(listDuePaymentsToRefund, asked);
  return takeTurns<ToRefundRow>(due, {
    failures,
    stopped,
    tenantOf,
    keyOf: ({ id }) => id,
    take: (row) => takeTurn(deps, row),
    aboutOf: ({ id: paymentId, ...row }) => ({
      message: 'a refund by rule could not be made',
      ...tenantOf(row),
      paymentId,
    }),
  });
}

async function takeTurn(deps: RefundDeps, seen: ToRefundRow): Promise<number> {
  const leaseEnd = new Date(deps.clock.now().getTime() + LEASE_MS);
  const key = [seen.merchant_id, seen.mode, seen.id, seen.due_at, leaseEnd];
  const [leased] = await deps.database.query(leasePaymentToRefund, key);
  if (leased === undefined) return 0;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await decide(deps, leased);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      // Another worker was faster, after this one's lease had run out.
      if (error.code === paymentToRefundMovedOn().code || error.code === refundMadeByRule().code) return 0;
      if (DECIDE_ANEW.has(error.code) && attempt < MAX_ATTEMPTS) continue;
      if (error.retryable || !REFUSALS.has(error.kind)) throw error;
      return refused(deps, leased, error.code);
    }
  }
}

/** Kinds of errors that are about this payment, and not about a service that is away. */
const REFUSALS: ReadonlySet<string> = new Set(['refused', 'conflict', 'forbidden', 'not_found', 'invalid']);

/** Decides by the present state of the payment. @throws AppError as a refund */
async function decide(deps: RefundDeps, row: ToRefundRow): Promise<number> {
  const tenant = tenantOf(row);
  if (await deps.isSuspended(row.merchant_id)) return putOff(deps, row, row.blocked_since);
  const [payment] = await deps.database.query(findInboundPayment, [row.merchant_id, row.mode, row.id]);
  if (payment === undefined) throw new Error(`there is no payment ${row.id}`);
  if (payment.status === 'RETURNED' || payment.status === 'KEPT')
    return end(deps, row, 'LEFT', `PAYMENT_${payment.status}`);
  // Its payer kept the time: whether it is delivered or goes back is for people.
  if (row.cause === 'LATE' && (await wasPaidInTime(deps.database, payment)))
    return end(deps, row, 'REFUSED', 'PAID_IN_TIME');
  // What waits for its settlement, or for people, is in no wallet yet; it may take days.
  if (payment.status !== 'CREDITED') return putOff(deps, row, null);
  if (await isReversedByProvider(deps.database, payment)) return end(deps, row, 'LEFT', 'PAYMENT_REVERSED');
  const rule = await readRefundRule(deps.database, tenant);
  const way = wayFor(rule, row.cause);
  if (rule === undefined || way === 'OFF') return end(deps, row, 'LEFT', 'RULE_OFF');
  // It is too much beside what came before: where that is held, or went elsewhere, it may be owed.
  const away = row.cause === 'EXCESS' ? await whatIsAway(deps.database, payment) : null;
  if (away === 'HELD') return putOff(deps, row, null);
  if (away === 'GONE') return end(deps, row, 'REFUSED', 'OTHER_PAYMENT_GONE');
  // What was refunded or disputed before counts towards it.
  const amountMinor = row.due_minor - (await readTakenBack(deps.database, payment));
  if (amountMinor <= 0n) return end(deps, row, 'LEFT', 'NOTHING_LEFT');
  await requireRefundable(deps, { tenant, paymentId: payment.id });
  const asked: ByRule = { row, rule, payment, amountMinor, tenant, cause: row.cause, note: NOTES[row.cause], ...PLAIN };
  await (way === 'PROVIDER' ? byProvider(deps, asked) : byPayout(deps, asked));
  deps.wake();
  return 1;
}

const PLAIN = { reference: null, scenario: null, allowDuplicate: true } as const;

interface ByRule extends AskedRefund {
  row: ToRefundRow;
  rule: RefundRuleRow;
  payment: InboundPaymentRow;
  cause: RuleCause;
}

async function byProvider(deps: RefundDeps, asked: ByRule): Promise<void> {
  const { tenant, payment, amountMinor, cause, rule } = asked;
  requireSendable(await refundCallerOf(deps, payment), asked);
  const at = deps.clock.now();
  const cleared = await clearedByRefundRule(deps.database, tenant, { version: rule.version, cause, way: 'PROVIDER' });
  const { countedOn, limitUsages } = await dayLimitUsage(deps, tenant, amountMinor, at);
  const accepted = newRefund(asked, { id: newId(), holdId: newId(), payoutId: null, countedOn, at });
  const refund = queuedRefund(accepted, cleared);
  await commit(deps, asked, refund.id, at, [
    await partsOf(deps, asked, refund),
    { limitUsages, transfers: holdOf(refund) },
  ]);
}

async function byPayout(deps: RefundDeps, asked: ByRule): Promise<void> {
  const { tenant, payment, amountMinor, cause, rule } = asked;
  const [account, { wallet }] = await Promise.all([
    requirePayerAccount(deps, tenant, payment, undefined),
    deps.wallets.requireTenantAccounts(tenant),
  ]);
  const { bankCode, accountNumber } = account;
  const prepared = await prepareServicePayout(deps, {
    tenant,
    amountMinor,
    bankCode,
    accountNumber,
    narration: narrationOf(asked),
    purpose: 'REFUND',
  });
  const cleared = await clearedByRefundRule(deps.database, tenant, { version: rule.version, cause, way: 'PAYOUT' });
  const { payout, parts } = await servicePayoutParts(deps, prepared, cleared);
  const refund = refundByPayout(asked, { id: newId(), payout, walletId: wallet.id });
  await commit(deps, asked, payout.id, payout.created_at, [await partsOf(deps, asked, refund), parts]);
}

/**
 * The parts that any refund commits with, and the checks of a refund by rule: never more than was not owed, and by the
 * rule's last version.
 */
async function partsOf(deps: RefundDeps, asked: ByRule, refund: ReturnType<typeof newRefund>): Promise<MovementParts> {
  const { tenant, row, rule, payment } = asked;
  const { duplicateWindowMs } = await readLimit(deps, tenant);
  const ended = { merchant_id: row.merchant_id, mode: row.mode, id: row.id, refund_id: refund.id };
  const parts = refundParts(asked, refund, duplicateWindowMs);
  return {
    ...parts,
    limitUsages: [takeBackUpTo(payment, refund.amount_minor, row.due_minor)],
    checks: [whileRuleCounts(tenant, rule.version)],
    transitions: [ending(row, 'REFUNDED', null)],
    writes: [...parts.writes, write(updatePaymentsToRefundEnded, { ...ended, rule_version: rule.version })],
  };
}

async function commit(
  deps: RefundDeps,
  { tenant }: ByRule,
  id: string,
  at: Date,
  parts: readonly MovementParts[],
): Promise<void> {
  const answer = { message: 'Refund has been accepted' };
  await deps.ledger.commit({ tenant, id, occurredAt: at.toISOString(), ...joinParts(...parts), answer });
}

const ending = ({ id }: ToRefundRow, to: ToRefundStatus, reason: string | null) => ({
  machine: paymentToRefundStates,
  id,
  from: ['WAITING'] as const,
  to,
  reason,
  refusal: paymentToRefundMovedOn,
});

/** Ends a payment without a refund, and reports why: people decide about a refused one. */
async function end(deps: RefundDeps, row: ToRefundRow, to: 'LEFT' | 'REFUSED', reason: string): Promise<number> {
  const at = deps.clock.now();
  const { merchant_id, mode, id, rule_version } = row;
  const after: ToRefundRow = { ...row, status: to, reason, due_at: null, updated_at: at };
  const event = {
    id: newId(),
    type: `refund_rule.${to.toLowerCase()}`,
    subjectId: id,
    data: jsonOf(paymentToRefundView(after)),
  };
  await deps.ledger.commit({
    tenant: tenantOf(row),
    id: newId(),
    occurredAt: at.toISOString(),
    transitions: [ending(row, to, reason)],
    writes: [write(updatePaymentsToRefundEnded, { merchant_id, mode, id, refund_id: null, rule_version })],
    events: [event],
    answer: { message: 'Success' },
  });
  return 1;
}

/** An obstacle that may pass is waited for, for a week; then it is for people, as is any other obstacle at once. */
function refused(deps: RefundDeps, row: ToRefundRow, code: string): Promise<number> {
  const now = deps.clock.now();
  const since = row.blocked_since ?? now;
  const isOver = now.getTime() - since.getTime() >= BLOCKED_FOR_MS;
  return MAY_PASS.has(code) && !isOver ? putOff(deps, row, since) : end(deps, row, 'REFUSED', code);
}

async function putOff(deps: RefundDeps, row: ToRefundRow, blockedSince: Date | null): Promise<number> {
  const delayMs = DELAYS_MS[Math.min(row.attempts, DELAYS_MS.length) - 1] ?? MINUTE_MS;
  const dueAt = new Date(deps.clock.now().getTime() + delayMs);
  const key = [row.merchant_id, row.mode, row.id, row.due_at];
  await deps.database.query(putOffPaymentToRefund, [...key, dueAt, blockedSince]);
  return 0;
}

/** Writes that make the payments to refund of a sandbox due so much earlier. */
export function refundRuleAdvanceWrites({ merchantId, mode }: Tenant, seconds: number): Write[] {
  return [write(updatePaymentsToRefundAdvanced, { merchant_id: merchantId, mode, seconds })];
}
