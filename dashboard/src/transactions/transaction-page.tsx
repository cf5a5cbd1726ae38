import { useRead } from '../api/reads.ts';
import { PageHeader } from '../components/page-header.tsx';
import { ErrorState, PageSkeleton } from '../components/states.tsx';
import { formatMoney } from '../format/money.ts';
import type { Evidence } from './evidence-entries.ts';
import { EvidenceSection } from './evidence-section.tsx';
import { ProofMenu } from './proof-menu.tsx';
import { RequeryButton } from './requery-button.tsx';
import { StateNote } from './state-note.tsx';
import { otherSide, TransactionStatus } from './transaction-columns.tsx';
import { TransactionFacts } from './transaction-facts.tsx';

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
      <StateNote transaction={transaction} />
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
