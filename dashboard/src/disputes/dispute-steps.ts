import { nowDate } from '../api/clock.ts';
import {
  DISPUTE_WORDS,
  type Dispute,
  type DisputeDetail,
  isAnswered,
  isBySilence,
} from '../collections/dispute-words.ts';
import { type StatusTone, showStatus } from '../components/status-words.ts';
import type { TimelineEntry } from '../components/timeline.tsx';
import { formatMoney } from '../format/money.ts';

export type DisputeAnswer = DisputeDetail['answers'][number];

/** What is to be known of a dispute as it stands, and what follows. */
export function sentenceOf(dispute: Dispute): string {
  const { status, taken, loss } = dispute;
  switch (status) {
    case 'OPEN':
      return isAnswered(dispute) ? ANSWERED[dispute.answer ?? 'CONTEST'] : openSentence(dispute);
    case 'EVIDENCE_SENT':
      return 'The provider has your evidence, and the payer’s bank decides. The amount stays held until then.';
    case 'WON':
      return 'The payment stays yours. What was held is available again.';
    default: {
      const why =
        status === 'ACCEPTED'
          ? 'You accepted it.'
          : isBySilence(dispute)
            ? 'Nobody answered in time.'
            : 'The payer’s bank decided for the payer.';
      const owes = loss > 0 ? ` The wallet did not have ${formatMoney(loss)} of it.` : '';
      return `${why} ${formatMoney(taken)} was taken from the wallet.${owes}`;
    }
  }
}

function openSentence({ dueAt }: Dispute): string {
  if (dueAt !== null && new Date(dueAt) <= nowDate())
    return 'The time to answer is over. The payer’s bank says how it ends.';
  return 'Send what proves that the payment is yours, or accept it. Without an answer it is lost, and the amount is taken.';
}

const ANSWERED: Record<NonNullable<Dispute['answer']>, string> = {
  ACCEPT: 'You accepted it. The amount is taken as soon as the provider says so.',
  CONTEST: 'Your evidence is on its way to the provider.',
};

const REPORT_WORDS: Record<string, { word: string; tone: StatusTone }> = {
  OPEN: { word: 'The bank wants it back', tone: 'warn' },
  EVIDENCE_SENT: { word: 'The provider has the evidence', tone: 'info' },
  WON: { word: 'The provider says: won', tone: 'good' },
  LOST: { word: 'The provider says: lost', tone: 'bad' },
  ACCEPTED: { word: 'The provider says: accepted', tone: 'quiet' },
};

const SOURCE_WORDS: Record<DisputeDetail['reports'][number]['source'], string> = {
  WEBHOOK: 'The provider notified us, and confirmed it when asked',
  POLL: 'Found in the list of the provider',
  CHECK: 'The provider said so when asked',
  OPERATOR: 'Entered by two people of the operator',
};

const ANSWER_WORDS: Record<DisputeAnswer['action'], string> = {
  ACCEPT: 'You accepted it',
  CONTEST: 'You contested it',
};
const SENT_WORDS: Record<DisputeAnswer['status'], string> = {
  QUEUED: 'about to be sent',
  SENT: 'the provider has it',
  REFUSED: 'the provider did not take it',
};

/** What happened to a dispute, in order: what was said, what was answered, what was paid. */
export function stepsOf({ dispute, reports, answers, repayments }: DisputeDetail): TimelineEntry[] {
  const said = reports.map(({ source, state, code, receivedAt }, at): TimelineEntry => {
    const { word, tone } = REPORT_WORDS[state] ?? { word: showStatus(state).word, tone: 'quiet' };
    return {
      key: `report-${at}`,
      at: receivedAt,
      title: word,
      tone,
      detail: code === null ? SOURCE_WORDS[source] : `${SOURCE_WORDS[source]} · code ${code}`,
    };
  });
  const answered = answers.map(
    ({ answerId, action, status, reason, madeAt }): TimelineEntry => ({
      key: answerId,
      at: madeAt,
      title: `${ANSWER_WORDS[action]}: ${SENT_WORDS[status]}`,
      tone: status === 'REFUSED' ? 'bad' : 'info',
      ...(reason !== null && { detail: showStatus(reason).word }),
    }),
  );
  const paid = repayments.map(
    ({ transactionId, amount, paidAt }): TimelineEntry => ({
      key: transactionId,
      at: paidAt,
      title: `${formatMoney(amount)} of what you owe was paid`,
      tone: 'good',
    }),
  );
  const ended: TimelineEntry[] =
    dispute.endedAt === null
      ? []
      : [
          {
            key: 'ended',
            at: dispute.endedAt,
            title: isBySilence(dispute) ? 'Lost: nobody answered in time' : DISPUTE_WORDS[dispute.status],
            tone: dispute.status === 'WON' ? 'good' : 'bad',
            detail:
              dispute.status === 'WON' ? 'What was held is available again' : `${formatMoney(dispute.taken)} taken`,
          },
        ];
  // What stands at the same moment stays in this order.
  return [...said, ...answered, ...ended, ...paid].sort((one, other) => one.at.localeCompare(other.at));
}
