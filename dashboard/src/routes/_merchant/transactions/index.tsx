import { createFileRoute } from '@tanstack/react-router';
import { listSearch } from '../../../api/list-search.ts';
import { FIELDS_OF } from '../../../lists/filter-fields.ts';
import { TransactionsPage } from '../../../transactions/transactions-page.tsx';

export const Route = createFileRoute('/_merchant/transactions/')({
  validateSearch: listSearch(...FIELDS_OF.TRANSACTIONS, 'columns'),
  component: Transactions,
});

function Transactions() {
  const navigate = Route.useNavigate();
  return (
    <TransactionsPage
      search={Route.useSearch()}
      onSearch={(change) => void navigate({ search: (before) => ({ ...before, ...change }), resetScroll: false })}
    />
  );
}
