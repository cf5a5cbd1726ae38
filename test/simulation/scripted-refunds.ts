import { lagosDay } from '../../src/platform/clock.ts';
import type { RefundAnswer, RefundOrder, RefundOutcome, RefundProvider } from '../../src/rails/refunds.ts';

/** What a provider of a test makes of a refund: what it says at first, and what it did. */
export type RefundFate = 'at once' | 'later' | 'fails' | 'fails later' | 'no answer, and done' | 'no answer, and lost';

interface MadeRefund {
  order: RefundOrder;
  fate: RefundFate;
  queries: number;
  /** In Lagos, when it was made. */
  day: string;
}

export interface ScriptedRefunds {
  provider: RefundProvider;
  /** By our reference: what reached it, once each. */
  made: Map<string, MadeRefund>;
  /** What becomes of the next ones, whatever chance says. */
  nextFates: RefundFate[];
}

const FAILS: readonly RefundFate[] = ['fails', 'fails later'];
const AT_FIRST: Readonly<Record<RefundFate, RefundOutcome>> = {
  'at once': 'succeeded',
  later: 'pending',
  fails: 'failed',
  'fails later': 'pending',
  'no answer, and done': 'unknown',
  'no answer, and lost': 'unknown',
};

/** Whether the money went to the payer, so that the provider takes it from what it settles. */
export const isRefunded = ({ fate }: MadeRefund): boolean => !FAILS.includes(fate);

/** The refunds of a provider in this process: under one reference it makes one, however often it is asked. */
export function scriptedRefunds(clock: { now(): Date }, chooseFate: () => RefundFate): ScriptedRefunds {
  const made: ScriptedRefunds['made'] = new Map();
  const lost = new Set<string>();
  const nextFates: RefundFate[] = [];
  const answer = (
    outcome: RefundOutcome,
    { reference, providerTransactionId, amountMinor, currency }: RefundOrder,
  ) => ({
    outcome,
    code: '00',
    reason: outcome === 'failed' ? 'REFUND_REFUSED' : null,
    message: 'Done',
    // Whoever says nothing names nothing.
    providerRefundId: outcome === 'unknown' ? null : `r${reference}`,
    at: clock.now(),
    reported: { reference, providerTransactionId, amountMinor, currency },
  });
  const refund = async (order: RefundOrder): Promise<RefundAnswer> => {
    const known = made.get(order.reference);
    if (known !== undefined) return answer(AT_FIRST[known.fate], order);
    const fate = lost.has(order.reference) ? 'at once' : (nextFates.shift() ?? chooseFate());
    if (fate === 'no answer, and lost') lost.add(order.reference);
    else made.set(order.reference, { order, fate, queries: 0, day: lagosDay(clock.now()) });
    return answer(AT_FIRST[fate], order);
  };
  return {
    made,
    nextFates,
    provider: {
      capabilities: { partial: true, minAmountMinor: 1n, isIdempotent: true, notFoundAfterMs: 60_000, maxNote: 100 },
      refund,
      giveDetails: refund,
      async queryRefund(order) {
        const known = made.get(order.reference);
        if (known === undefined) return { ...answer('not_found', order), providerRefundId: null };
        known.queries += 1;
        if (known.fate === 'later' && known.queries === 1) return answer('pending', order);
        return answer(isRefunded(known) ? 'succeeded' : 'failed', order);
      },
      readRefundWebhook: async () => [],
    },
  };
}
