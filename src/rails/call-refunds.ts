import type { Clock } from '../platform/clock.ts';
import type { Tenant } from '../platform/tenant.ts';
import { type CallPool, call, type NoResult, type RailLimits } from './call-pool.ts';
import type { ProviderWebhookRequest } from './provider-webhook.ts';
import {
  NO_REFUND_REPORTED,
  type RefundAnswer,
  type RefundCapabilities,
  type RefundHint,
  type RefundOrder,
  type RefundProvider,
  type SentRefundAnswer,
} from './refunds.ts';

/** Refunds of a provider that never throw where it is asked about money: a call without an answer is `unknown`. */
export interface RefundCaller {
  readonly capabilities: RefundCapabilities;
  /**
   * @param beginBy a call that has not begun by then does not begin any more.
   * @param mayBegin looked at when it is the call's turn, which may be as late as that.
   */
  refund(order: RefundOrder, beginBy: Date, mayBegin?: () => Promise<boolean>): Promise<SentRefundAnswer>;
  giveDetails(order: RefundOrder, beginBy: Date, mayBegin?: () => Promise<boolean>): Promise<SentRefundAnswer>;
  queryRefund(order: RefundOrder): Promise<RefundAnswer>;
  readRefundWebhook(request: ProviderWebhookRequest): Promise<RefundHint[]>;
}

/** Puts the circuit, time limits and bounds of a provider account around its refunds. */
export function createRefundCaller(
  provider: RefundProvider,
  { pool, limits, clock }: { pool: (tenant: Tenant) => CallPool; limits: RailLimits; clock: Clock },
): RefundCaller {
  const unanswered = ({ code, reason, message }: NoResult): RefundAnswer => ({
    outcome: 'unknown',
    code,
    reason,
    message,
    providerRefundId: null,
    at: clock.now(),
    reported: NO_REFUND_REPORTED,
  });
  const sending = async (
    order: RefundOrder,
    { beginBy, mayBegin }: { beginBy: Date; mayBegin: (() => Promise<boolean>) | undefined },
    work: (signal: AbortSignal) => Promise<RefundAnswer>,
  ): Promise<SentRefundAnswer> => {
    const tooLate = () => clock.now() > beginBy;
    const how = { ...pool(order.tenant), timeoutMs: limits.sendTimeoutMs, signal: undefined, tooLate, mayBegin };
    const called = await call(how, work);
    if ('answer' in called) return { ...trusted(called.answer, 'send'), sent: true };
    return { ...unanswered(called.noResult), sent: called.noResult.left };
  };
  return {
    capabilities: provider.capabilities,
    refund: (order, beginBy, mayBegin) =>
      sending(order, { beginBy, mayBegin }, (signal) => provider.refund(order, signal)),
    giveDetails: (order, beginBy, mayBegin) =>
      sending(order, { beginBy, mayBegin }, (signal) => provider.giveDetails(order, signal)),
    async queryRefund(order) {
      const how = { ...pool(order.tenant), timeoutMs: limits.queryTimeoutMs, signal: undefined };
      const called = await call(how, (signal) => provider.queryRefund(order, signal));
      return 'answer' in called ? trusted(called.answer, 'query') : unanswered(called.noResult);
    },
    readRefundWebhook: (request) => provider.readRefundWebhook(request),
  };
}

/**
 * An end that does not say of how much is none, and "not found" is no answer to what was sent: whatever an adapter makes of
 * it, it is unknown.
 */
function trusted(answer: RefundAnswer, stage: 'send' | 'query'): RefundAnswer {
  const isUnclear =
    (stage === 'send' && answer.outcome === 'not_found') ||
    (answer.outcome === 'succeeded' && answer.reported.amountMinor === null);
  if (!isUnclear) return answer;
  return { ...answer, outcome: 'unknown', reason: answer.reason ?? 'RAIL_ANSWER_UNEXPECTED' };
}
