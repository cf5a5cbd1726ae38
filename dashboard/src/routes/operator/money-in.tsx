import { createFileRoute } from '@tanstack/react-router';
import { type ListPlace, listSearch } from '../../api/list-search.ts';
import { AccountNumbersPage } from '../../money-in/account-numbers-page.tsx';
import { MoneyInPage } from '../../money-in/money-in-page.tsx';
import { ReceivablesPage } from '../../money-in/receivables-page.tsx';

export const Route = createFileRoute('/operator/money-in')({
  validateSearch: listSearch('show', 'merchantId'),
  component: MoneyIn,
});

function MoneyIn() {
  const { page, show, merchantId } = Route.useSearch();
  const navigate = Route.useNavigate();
  const go = (change: { page: ListPlace | undefined; merchantId?: string | undefined }) =>
    void navigate({ search: (before) => ({ ...before, ...change }) });
  const place = { page, onPage: (next: ListPlace | undefined) => go({ page: next }) };
  if (show === 'owed') return <ReceivablesPage {...place} />;
  if (show === 'numbers') return <AccountNumbersPage {...place} />;
  return (
    <MoneyInPage {...place} merchantId={merchantId} onMerchant={(next) => go({ page: undefined, merchantId: next })} />
  );
}
