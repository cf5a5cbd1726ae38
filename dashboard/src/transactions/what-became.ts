import type { Evidence } from './evidence.tsx';

/** Its rail said that a payout failed and says something else since: people find out what is true before anybody pays again. */
export function mayHaveArrived({ transaction, operatorReason = null }: Evidence): boolean {
  const isContradicted = operatorReason === 'RAIL_CONTRADICTS' || operatorReason === 'RAIL_ANSWER_MISMATCH';
  return transaction.status === 'FAILED' && isContradicted;
}

export const MAY_HAVE_ARRIVED = {
  tone: 'warn',
  title: 'The bank has said two things about it',
  text: 'The bank said first that it was not paid, so amount and charges were returned. It may have arrived after all: the operator looks into it. Do not pay it again before that is known.',
} as const;

/** Whether money was ever held for it: of a schedule that fails or is cancelled before, none was. */
export const wasHeld = ({ transfers }: Evidence): boolean => transfers.some(({ kind }) => kind === 'PENDING');
