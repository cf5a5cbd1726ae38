import { Link } from '@tanstack/react-router';
import { ChevronDown, FileJson, Printer } from 'lucide-react';
import { saveText } from '../api/files.ts';
import { useRead } from '../api/reads.ts';
import { WaitingFor } from '../approvals/waiting-for.tsx';
import { Alert, type Tone } from '../components/alert.tsx';
import { Button } from '../components/button.tsx';
import { Menu } from '../components/menu.tsx';
import { PageHeader } from '../components/page-header.tsx';
import { ErrorState, PageSkeleton } from '../components/states.tsx';
import { showStatus } from '../components/status-words.ts';
import { formatMoney } from '../format/money.ts';
import { type Evidence, EvidenceSection } from './evidence.tsx';
import { RequeryButton } from './requery-button.tsx';
import { otherSide, TransactionStatus } from './transaction-columns.tsx';
import { TransactionFacts } from './transaction-facts.tsx';
import { MAY_HAVE_ARRIVED, mayHaveArrived, wasHeld } from './what-became.ts';

const BACK = { to: '/transactions', label: 'All transactions' } as const;
/** While it is on its way the page follows it. */
const FOLLOW_EVERY_MS = 4_000;
const WAIT_EVERY_MS = 30_000;

export function TransactionPage({ transactionId, show }: { transactionId: string; show: string | undefined }) {
  const evidence = useRead(
    '/transaction/{transactionId}/evidence',
    { path: { transactionId } },
    { refetchInterval: ({ state }) => followOf(state.data) },
  );
  if (evidence.data === undefined) {
    return (
      <>
        <PageHeader title="Transaction" back={BACK} />
        {evidence.error === null ? <PageSkeleton /> : <ErrorState error={evidence.error} onRetry={evidence.refetch} />}
      </>
    );
  }
  const { transaction } = evidence.data;
  return (
    <>
      <PageHeader
        title={`${formatMoney(transaction.amount, transaction.currency)} · ${otherSide(transaction)}`}
        beside={<TransactionStatus transaction={transaction} />}
        back={BACK}
        actions={
          <>
            <RequeryButton transaction={transaction} />
            <ProofMenu evidence={evidence.data} />
          </>
        }
      >
        {transaction.description}
      </PageHeader>
      <StateNote evidence={evidence.data} />
      <TransactionFacts transaction={transaction} />
      <EvidenceSection evidence={evidence.data} show={show} />
    </>
  );
}

function followOf(evidence: Evidence | undefined): number | false {
  if (evidence === undefined || evidence.transaction.conclusive) return false;
  const { status } = evidence.transaction;
  return status === 'QUEUED' || status === 'PROCESSING' ? FOLLOW_EVERY_MS : WAIT_EVERY_MS;
}

interface Note {
  tone: Tone;
  title: string;
  text: string;
}

/** What a status means for the money and for the person who waits for it. */
function noteOf(evidence: Evidence): Note | undefined {
  const { status, reason } = evidence.transaction;
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
            text: 'Nothing was sent yet, because of a problem on our side. The money stays held. It is sent automatically; do not pay it again.',
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
      return {
        tone: 'bad',
        title: 'Not paid',
        text: `${whyOf(reason)}${wasHeld(evidence) ? 'Amount and charges were returned.' : 'Nothing left the wallet.'}`,
      };
    case 'REVERSED':
      return { tone: 'warn', title: 'The bank returned it', text: 'Amount and charges are back in your wallet.' };
    case 'CANCELLED':
      return { tone: 'info', title: 'Called off', text: `${whyOf(reason)}Nothing was sent.` };
  }
}

const whyOf = (reason: string | null) => (reason === null ? '' : `${showStatus(reason).word}. `);

function StateNote({ evidence }: { evidence: Evidence }) {
  const { transaction } = evidence;
  const note: Note | undefined = mayHaveArrived(evidence) ? MAY_HAVE_ARRIVED : noteOf(evidence);
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

/** What one hands to somebody who asks where the money is: the page on paper, or everything as the interface has it. */
function ProofMenu({ evidence }: { evidence: Evidence }) {
  return (
    <Menu
      trigger={<Button icon={ChevronDown}>Evidence</Button>}
      groups={[
        [
          { label: 'Print or save as PDF', icon: Printer, onSelect: () => window.print() },
          {
            label: 'Download as JSON',
            icon: FileJson,
            onSelect: () =>
              saveText(`${JSON.stringify(evidence, null, 2)}\n`, `evidence-${evidence.transaction.reference}.json`),
          },
        ],
      ]}
    />
  );
}
