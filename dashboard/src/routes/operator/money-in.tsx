import { createFileRoute } from '@tanstack/react-router';
import { listSearch } from '../../api/list-search.ts';
import { AccountNumbersPage } from '../../money-in/account-numbers-page.tsx';
import { MoneyInPage } from '../../money-in/money-in-page.tsx';
import { ReceivablesPage } from '../../money-in/receivables-page.tsx';

export const Route = createFileRoute('/operator/money-in')({
  validateSearch: listSearch('show'),
  component: MoneyIn,
});

const PAGES: Readonly<Record<string, typeof MoneyInPage>> = { owed: ReceivablesPage, numbers: AccountNumbersPage };

function MoneyIn() {
  const { page, show } = Route.useSearch();
  const navigate = Route.useNavigate();
  const Shown = PAGES[show ?? ''] ?? MoneyInPage;
  return <Shown page={page} onPage={(next) => void navigate({ search: (before) => ({ ...before, page: next }) })} />;
}
