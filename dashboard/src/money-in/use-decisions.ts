import { useAction } from '../api/action.ts';
import {
  ASKED_AGAIN,
  CREDIT_CONFIRMED,
  PAYMENT_CONFIRMED,
  type ResultWords,
  type SuspenseEntry,
} from './money-words.ts';

const CHANGES = { changes: ['/operator'] };

/** What the second person, or one alone, does about money that waits; each gives what is said of its result. */
export function useDecisions({ proposal, merchantId, mode, rail, creditKey }: SuspenseEntry) {
  const ofPayment = useAction('post', '/operator/suspense/payment/confirm', CHANGES);
  const ofCredit = useAction('post', '/operator/suspense/credit/confirm', CHANGES);
  const ask = useAction('post', '/operator/suspense/ask-again', CHANGES);

  async function confirm(): Promise<ResultWords | undefined> {
    if (proposal === null) return undefined;
    const { proposalId, digest } = proposal;
    if (merchantId !== null) {
      return PAYMENT_CONFIRMED[(await ofPayment.run({ body: { merchantId, mode, proposalId, digest } })).status];
    }
    return CREDIT_CONFIRMED[(await ofCredit.run({ body: { proposalId, digest } })).result];
  }

  async function askAgain(): Promise<ResultWords | undefined> {
    if (creditKey === null) return undefined;
    return ASKED_AGAIN[(await ask.run({ body: { rail, creditKey } })).result];
  }

  return {
    confirm: {
      run: confirm,
      isPending: ofPayment.isPending || ofCredit.isPending,
      error: ofPayment.error ?? ofCredit.error,
    },
    ask: { run: askAgain, isPending: ask.isPending, error: ask.error },
  };
}
