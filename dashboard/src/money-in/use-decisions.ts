import { useAction } from '../api/action.ts';
import type { Money } from './money-words.ts';

const CHANGES = { changes: ['/operator'] };

/** What the second person, or one alone, does about money that waits; each gives what is said when it is done. */
export function useDecisions({ proposal, merchantId, mode, rail, creditKey }: Money) {
  const ofPayment = useAction('post', '/operator/suspense/payment/confirm', CHANGES);
  const ofCredit = useAction('post', '/operator/suspense/credit/confirm', CHANGES);
  const ask = useAction('post', '/operator/suspense/ask-again', CHANGES);

  async function confirm(): Promise<string> {
    if (proposal === null) return 'Nothing was proposed.';
    const { proposalId, digest } = proposal;
    if (merchantId !== null) {
      await ofPayment.run({ body: { merchantId, mode, proposalId, digest } });
      return 'Confirmed. It is in the books.';
    }
    const { result } = await ofCredit.run({ body: { proposalId, digest } });
    return result === 'OPEN' ? 'Confirmed. It is booked as soon as the provider answers.' : 'Confirmed.';
  }

  async function askAgain(): Promise<string> {
    if (creditKey === null) return 'There is nothing to ask about.';
    const { result } = await ask.run({ body: { rail, creditKey } });
    return result === 'CREDITED' ? 'The provider confirms it. The wallet is credited.' : 'The provider was asked.';
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
