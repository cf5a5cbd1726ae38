import { createFileRoute } from '@tanstack/react-router';
import { listSearch } from '../../../api/list-search.ts';
import { TransactionPage } from '../../../transactions/transaction-page.tsx';

export const Route = createFileRoute('/_merchant/transactions/$transactionId')({
  validateSearch: listSearch('show'),
  component: Transaction,
});

function Transaction() {
  const { transactionId } = Route.useParams();
  return <TransactionPage key={transactionId} transactionId={transactionId} show={Route.useSearch().show} />;
}
