import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import {
  NO_REFUND_REPORTED,
  type RefundAnswer,
  type RefundOrder,
  type RefundOutcome,
  type RefundProvider,
} from '../refunds.ts';
import {
  findSandboxRefund,
  insertSandboxRefund,
  type SandboxRefundRow,
  updateSandboxRefundAccount,
  updateSandboxRefundQueried,
} from './refund-queries.ts';
import { refundScenarioOf, refundStatusAt, type SandboxRefundStatus } from './refund-scenarios.ts';
import { requireSandbox } from './scenarios.ts';

interface Deps {
  database: Database;
  clock: Clock;
  begin(signal: AbortSignal): Promise<void>;
}

/** A caller that never is aborted waits no longer than this. */
const HANG_MAX_MS = 30_000;
/** One kobo. */
const MIN_AMOUNT_MINOR = 1n;
const NOT_FOUND_AFTER_MS = 60_000;
const MAX_NOTE = 100;

/** What a status means; one that is not listed is unknown. */
const READINGS: Partial<Record<SandboxRefundStatus, [RefundOutcome, string | null, string]>> = {
  PROCESSED: ['succeeded', null, 'The refund was processed'],
  PENDING: ['pending', 'RAIL_PENDING', 'The refund is in progress'],
  NEEDS_DETAILS: ['needs_details', 'REFUND_DETAILS_NEEDED', 'The bank wants the payer’s account'],
  FAILED: ['failed', 'RAIL_REFUSED', 'The refund failed'],
  REFUSED: ['failed', 'RAIL_REFUSED', 'The bank refuses the refund'],
  NOT_FOUND: ['not_found', 'RAIL_RECORD_NOT_FOUND', 'No such refund'],
};

/** Refunds at the built-in bank, in a book of its own: what it does follows from the scenario, stored facts and the clock. */
export function createSandboxRefunds(deps: Deps): RefundProvider {
  return {
    capabilities: {
      partial: true,
      minAmountMinor: MIN_AMOUNT_MINOR,
      isIdempotent: true,
      notFoundAfterMs: NOT_FOUND_AFTER_MS,
      maxNote: MAX_NOTE,
    },
    async refund(order, signal) {
      requireSandbox(order.tenant);
      await deps.begin(signal);
      return refund(deps, order, signal);
    },
    async queryRefund(order, signal) {
      requireSandbox(order.tenant);
      await deps.begin(signal);
      const [row] = await deps.database.query(updateSandboxRefundQueried, keyOf(order));
      return answerOf(deps, row);
    },
    async giveDetails(order, signal) {
      requireSandbox(order.tenant);
      await deps.begin(signal);
      const account = order.account?.accountNumber ?? null;
      const [row] = await deps.database.query(updateSandboxRefundAccount, [...keyOf(order), account]);
      return answerOf(deps, row);
    },
    readRefundWebhook: async () => [],
  };
}

const keyOf = ({ tenant, reference }: RefundOrder) => [tenant.merchantId, tenant.mode, reference];

async function refund(deps: Deps, order: RefundOrder, signal: AbortSignal): Promise<RefundAnswer> {
  const { database, clock } = deps;
  const played = refundScenarioOf(order.scenario);
  const now = clock.now();
  const account = order.account?.accountNumber ?? null;
  const asked = [order.providerTransactionId, order.amountMinor, order.currency, played.name, account];
  const receivedAt = played.lost === true ? null : now;
  const [row] = await database.query(insertSandboxRefund, [...keyOf(order), ...asked, receivedAt, now]);
  if (row === undefined) {
    const [before] = await database.query(findSandboxRefund, keyOf(order));
    if (before !== undefined) return answerOf(deps, before);
    return said(
      'failed',
      'REFUND_EXCEEDS_PAYMENT',
      'More than is left of the payment, or no such payment',
      'REFUSED',
      now,
    );
  }
  if (row.is_new && played.sending === 'hang') {
    await sleep(HANG_MAX_MS, undefined, { signal });
    throw new Error('nobody waits any more');
  }
  return answerOf(deps, row);
}

function answerOf({ clock }: Deps, row: SandboxRefundRow | undefined): RefundAnswer {
  const now = clock.now();
  const played = refundScenarioOf(row?.scenario);
  const status = row === undefined ? 'NOT_FOUND' : refundStatusAt(played, row, now);
  const reading = READINGS[status];
  if (reading === undefined) return said('unknown', 'RAIL_CODE_UNKNOWN', `An unknown status (${status})`, status, now);
  const [outcome, reason, message] = reading;
  const answer = said(outcome, reason, message, status, now);
  if (row === undefined || outcome === 'not_found') return answer;
  const { reference, credit_id: providerTransactionId, amount_minor, currency } = row;
  const amountMinor = played.wrongAmount === true ? amount_minor + 1n : amount_minor;
  const reported = { reference, providerTransactionId, amountMinor, currency };
  return { ...answer, providerRefundId: `SBR${reference}`, reported };
}

function said(outcome: RefundOutcome, reason: string | null, message: string, code: string, at: Date): RefundAnswer {
  return { outcome, code, reason, message, providerRefundId: null, at, reported: NO_REFUND_REPORTED };
}
