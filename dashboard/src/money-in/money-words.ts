import type { Data, RecordOf } from '../api/types.ts';
import { showStatus } from '../components/status-words.ts';

export type SuspenseEntry = RecordOf<'/operator/suspense'>;
export type Proposal = NonNullable<SuspenseEntry['proposal']>;
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
  ATTRIBUTE: 'The money is in the wallet at once, and the merchant may pay it out.',
  RETURN: 'It is recorded as returned and never credited. You return it to the payer outside of this service.',
  KEEP: 'It is booked as your income.',
  DISMISS: 'It leaves this list. Nothing is booked or taken back; if the provider confirms it later, it is credited.',
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

export const STATUS_WORDS: Record<SuspenseEntry['status'], string> = {
  SUSPENSE: 'Held',
  PENDING_SETTLEMENT: 'Pending settlement',
  NO_OWNER: 'No owner',
  UNCONFIRMED: 'Not confirmed',
  CONTRADICTED: 'Cannot be booked',
};

const REASON_WORDS: Readonly<Record<string, string>> = {
  UNDER_REVIEW: 'A freeze or a screening list holds it: see “Held for review”',
  TIER_LIMIT: 'It is above the limit of the merchant’s tier',
  ACCOUNT_CLOSED: 'It was paid to a customer’s account number after that was closed',
  MERCHANT_SUSPENDED: 'The merchant was suspended when it came',
  ACCOUNT_NUMBER_UNKNOWN: 'No wallet has the account number to which it was paid',
  REVERSED: 'The provider says that it went back to the payer',
  AMOUNT_CHANGED: 'It is booked already, with another amount',
  SESSION_ID_TAKEN: 'Another transfer with its session id is booked already',
  OTHER_TRANSACTION: 'The provider answered about another transfer',
  MODE_MISMATCH: 'It is of the other mode, live or sandbox',
  CURRENCY_NOT_SUPPORTED: 'It is not in naira',
  AMOUNT_NOT_POSITIVE: 'The provider confirmed no amount',
  CREDIT_NOT_TAKEN: 'It was not booked because of an error of this service',
  CREDIT_KEY_UNUSABLE: 'Too little is known to ask the provider about it',
  PROVIDER_UNAVAILABLE: 'The provider account could not be used',
  RAIL_RECORD_NOT_FOUND: 'The provider knows of no such transfer',
  RAIL_PENDING: 'The provider says that it is under way',
  RAIL_TIMEOUT: 'The provider did not answer',
  RAIL_UNREACHABLE: 'The provider did not answer',
  RAIL_ANSWER_UNEXPECTED: 'The provider’s answer could not be read',
};

/** Why it waits. A reason without words of its own is written as a sentence. */
export const reasonOf = (reason: string): string => REASON_WORDS[reason] ?? showStatus(reason).word;

/** What is said of a result, and how. */
export interface ResultWords {
  tone: 'good' | 'warn';
  text: string;
}

const good = (text: string): ResultWords => ({ tone: 'good', text });
const warn = (text: string): ResultWords => ({ tone: 'warn', text });

export const PAYMENT_CONFIRMED: Record<Data<'post', '/operator/suspense/payment/confirm'>['status'], ResultWords> = {
  CREDITED: good('Confirmed. The money is in the wallet.'),
  PENDING_SETTLEMENT: good('Confirmed. The wallet has it once the provider has settled it.'),
  RETURNED: good('Confirmed. It is recorded as returned to the payer.'),
  KEPT: good('Confirmed. It is booked as your income.'),
};

export const CREDIT_CONFIRMED: Record<Data<'post', '/operator/suspense/credit/confirm'>['result'], ResultWords> = {
  CREDITED: good('Confirmed. The money is in the wallet.'),
  PENDING: good('Confirmed. The wallet has it once the provider has settled it.'),
  HELD: warn('Confirmed. It is held for the merchant and waits here for a decision.'),
  OPEN: warn('Confirmed. It is booked as soon as the provider answers.'),
  RETURNED: good('Confirmed. It is recorded as returned to the payer.'),
  DISMISSED: good('Confirmed. Nothing is booked.'),
};

export const ASKED_AGAIN: Record<Data<'post', '/operator/suspense/ask-again'>['result'], ResultWords> = {
  CREDITED: good('The provider confirms it. The money is in the wallet.'),
  PENDING: good('The provider confirms it. The wallet has it once it is settled.'),
  HELD: warn('The provider confirms it. It is held for the merchant and waits here for a decision.'),
  ALREADY_TAKEN: good('It is in the books already.'),
  OPEN: warn('The provider does not confirm it yet. It is asked again automatically.'),
  TO_DECIDE: warn('The provider answered. It still waits for a decision.'),
  FAILED: warn('The provider says that the money never came. Nothing is booked.'),
  NOT_ASKED: warn('The provider was not asked: the credit has ended, or the provider account cannot be used.'),
};

/** Why a proposal cannot be confirmed; undefined where it can. */
export function voidWords({ isStale, isAltered }: Proposal): { title: string; text: string } | undefined {
  if (isAltered) {
    return {
      title: 'This is not what was proposed',
      text: 'It was altered in the database. It cannot be confirmed; find out who did it.',
    };
  }
  if (!isStale) return undefined;
  return {
    title: 'This proposal no longer holds',
    text: 'More became known about the money after it was proposed. It cannot be confirmed: propose anew.',
  };
}

/** What may become of it. */
export function actionsFor({ status }: SuspenseEntry): readonly Action[] {
  if (status === 'SUSPENSE') return ['ATTRIBUTE', 'RETURN', 'KEEP'];
  if (status === 'PENDING_SETTLEMENT') return ['RETURN'];
  return status === 'NO_OWNER' ? ['ATTRIBUTE', 'RETURN'] : ['DISMISS'];
}

/** How it is named in buttons and titles. */
export const nameOf = ({ payer, creditKey, paymentId }: SuspenseEntry): string =>
  payer.name ?? creditKey ?? paymentId ?? 'Unknown payer';

export const keyOf = (money: SuspenseEntry): string => money.paymentId ?? `${money.rail} ${money.creditKey}`;

export type NumberNotOpen = RecordOf<'/operator/virtual-account'>;

export const NUMBER_STATES: Record<NumberNotOpen['state'], string> = {
  FAILED: 'Refused',
  WAITING: 'Not opened yet',
};

export const RETRIED: Record<Data<'post', '/operator/virtual-account/retry'>['result'], string> = {
  ASKED_NOW: 'The provider is asked now.',
  REQUESTED: 'There is a new request. The provider is asked within seconds.',
};
