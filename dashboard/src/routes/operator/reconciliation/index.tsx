import { createFileRoute } from '@tanstack/react-router';
import { listSearch } from '../../../api/list-search.ts';
import { ReconciliationPage } from '../../../reconciliation/reconciliation-page.tsx';

export const Route = createFileRoute('/operator/reconciliation/')({
  validateSearch: listSearch('show'),
  component: Reconciliation,
});

function Reconciliation() {
  const search = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <ReconciliationPage
      search={search}
      onSearch={(change) => void navigate({ search: (before) => ({ ...before, ...change }) })}
    />
  );
}
