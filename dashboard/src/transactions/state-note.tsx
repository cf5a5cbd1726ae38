import { Link } from '@tanstack/react-router';
import { WaitingFor } from '../approvals/waiting-for.tsx';
import { Alert, type Tone } from '../components/alert.tsx';
import { showStatus } from '../components/status.tsx';
import type { Transaction } from './transaction-columns.tsx';

interface Note {
  tone: Tone;
  title: string;
  text: string;
}

/** What a status means for the money and for whoever waits for it. */
function noteOf({ status, reason }: Transaction): Note | undefined {
  switch (status) {
    case 'SUCCESS':
    case 'PENDING_APPROVAL':
      return undefined;
    case 'SCHEDULED':
      return { tone: 'info', title: 'Waits for its date', text: 'Nothing is held for it until then.' };
    case 'QUEUED':
      return reason === null
        ? { tone: 'info', title: 'About to be sent', text: 'Amount and charges are held.' }
        : {
            tone: 'warn',
            title: 'Waits to be sent',
            text: 'Nothing was sent yet, because of a problem on our side. The money stays held. It is sent by itself; do not pay it again.',
          };
    case 'PROCESSING':
      return reason === 'OUTCOME_UNKNOWN'
        ? {
            tone: 'warn',
            title: 'The bank has not said what became of it',
            text: 'The money stays held and we keep asking. Do not pay it again: it may have arrived.',
          }
        : { tone: 'info', title: 'On its way', text: 'Amount and charges are held until the bank answers.' };
    case 'FAILED':
      return { tone: 'bad', title: 'Not paid', text: `${whyOf(reason)}Amount and charges were given back.` };
    case 'REVERSED':
      return { tone: 'warn', title: 'The bank returned it', text: 'Amount and charges are back in your wallet.' };
    case 'CANCELLED':
      return { tone: 'info', title: 'Called off', text: `${whyOf(reason)}Nothing was sent.` };
  }
}

const whyOf = (reason: string | null) => (reason === null ? '' : `${showStatus(reason).word}. `);

export function StateNote({ transaction }: { transaction: Transaction }) {
  const note = noteOf(transaction);
  if (transaction.status === 'PENDING_APPROVAL') return <WaitingFor subjectId={transaction.transactionId} waits />;
  if (note === undefined) return null;
  return (
    <Alert tone={note.tone} title={note.title} className="mb-6">
      {note.text}
      {transaction.batchReference !== null && (
        <>
          {' '}
          It belongs to the bulk payout{' '}
          <Link
            to="/transactions"
            search={{ batch: transaction.batchReference }}
            className="font-mono underline underline-offset-2"
          >
            {transaction.batchReference}
          </Link>
          .
        </>
      )}
    </Alert>
  );
}
