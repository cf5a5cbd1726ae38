import { createFileRoute } from '@tanstack/react-router';
import { listSearch } from '../../api/list-search.ts';
import { MoneyInPage } from '../../money-in/money-in-page.tsx';
import { ReceivablesPage } from '../../money-in/receivables-page.tsx';

export const Route = createFileRoute('/operator/money-in')({
  validateSearch: listSearch('show'),
  component: MoneyIn,
});

function MoneyIn() {
  const { page, show } = Route.useSearch();
  const navigate = Route.useNavigate();
  const Shown = show === 'owed' ? ReceivablesPage : MoneyInPage;
  return <Shown page={page} onPage={(next) => void navigate({ search: (before) => ({ ...before, page: next }) })} />;
}
