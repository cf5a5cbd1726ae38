import { nowDate } from '../api/clock.ts';
import type { Data } from '../api/types.ts';
import type { StatusProps } from '../components/status.tsx';

export type DisputeDetail = Data<'get', '/collection/dispute/{disputeId}'>;
export type Dispute = DisputeDetail['dispute'];
type Shown = Pick<Dispute, 'status' | 'reason' | 'answerStatus' | 'dueAt'>;

export const DISPUTE_WORDS: Record<Dispute['status'], string> = {
  OPEN: 'To be answered',
  EVIDENCE_SENT: 'Evidence sent',
  WON: 'Won',
  LOST: 'Lost',
  ACCEPTED: 'Accepted',
};

export const CATEGORY_WORDS: Record<Dispute['category'], string> = {
  CHARGEBACK: 'Chargeback',
  FRAUD: 'Fraud: paid by somebody else',
  GENERAL: 'Another reason',
};

/** Lost because nobody answered until it was due. */
export const isBySilence = ({ reason }: Pick<Dispute, 'reason'>): boolean => reason === 'NOT_ANSWERED_IN_TIME';

/** True: an answer is on its way to the provider, or there. */
export const isAnswered = ({ answerStatus }: Pick<Dispute, 'answerStatus'>): boolean =>
  answerStatus === 'QUEUED' || answerStatus === 'SENT';

/** How a dispute stands, in words. */
export function disputeStatus({ status, reason, answerStatus, dueAt }: Shown): StatusProps {
  if (status === 'LOST' && isBySilence({ reason })) return { status, word: 'Lost, not answered' };
  if (status !== 'OPEN') return { status, word: DISPUTE_WORDS[status] };
  if (answerStatus === 'QUEUED') return { status: 'QUEUED', word: 'Answer on its way' };
  if (answerStatus === 'SENT') return { status: 'PROCESSING', word: 'Answered' };
  if (answerStatus === 'REFUSED') return { status: 'REFUSED', word: 'Answer refused' };
  const isOver = dueAt !== null && new Date(dueAt) <= nowDate();
  return { status, word: isOver ? 'Time is over' : DISPUTE_WORDS.OPEN };
}
