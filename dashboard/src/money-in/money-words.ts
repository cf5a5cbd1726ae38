import type { RecordOf } from '../api/types.ts';

export type Money = RecordOf<'/operator/suspense'>;
export type Proposal = NonNullable<Money['proposal']>;
export type Action = Proposal['action'];

/** What each action does, as a button says it. */
export const ACTION_WORDS: Record<Action, string> = {
  ATTRIBUTE: 'Credit a wallet',
  RETURN: 'Return to the payer',
  KEEP: 'Keep as income',
  DISMISS: 'Dismiss',
};

/** What the second person agrees to. */
export const EFFECT_WORDS: Record<Action, string> = {
  ATTRIBUTE: 'The wallet has the money at once, and the merchant may pay it out.',
  RETURN: 'The money leaves the books: it goes back to the payer outside of this service.',
  KEEP: 'The money becomes your income.',
  DISMISS: 'Nothing is booked, and it is off this list.',
};

export const SOURCE_WORDS: Record<Proposal['source'], string> = {
  BANK_LETTER: 'A letter of the bank',
  PROVIDER_DASHBOARD: 'The provider’s dashboard',
  PROVIDER_SUPPORT: 'The provider’s support',
  MERCHANT_REQUEST: 'The merchant asked',
  PAYER_REQUEST: 'The payer asked',
  COURT_ORDER: 'A court order',
  OTHER: 'Something else',
};

export const STATUS_WORDS: Record<Money['status'], string> = {
  SUSPENSE: 'Held',
  NO_OWNER: 'No owner',
  UNCONFIRMED: 'Not confirmed',
  CONTRADICTED: 'Contradicted',
};

/** What may become of it. */
export function actionsFor({ status }: Money): readonly Action[] {
  if (status === 'SUSPENSE') return ['ATTRIBUTE', 'RETURN', 'KEEP'];
  return status === 'NO_OWNER' ? ['ATTRIBUTE', 'RETURN'] : ['DISMISS'];
}

/** How it is named in buttons and titles. */
export const nameOf = ({ payer, creditKey, paymentId }: Money): string =>
  payer.name ?? creditKey ?? paymentId ?? 'Unknown payer';

export const keyOf = (money: Money): string => money.paymentId ?? `${money.rail} ${money.creditKey}`;
