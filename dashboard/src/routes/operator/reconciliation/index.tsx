import { createFileRoute } from '@tanstack/react-router';
import { listSearch } from '../../../api/list-search.ts';
import { ReconciliationPage } from '../../../reconciliation/reconciliation-page.tsx';

export const Route = createFileRoute('/operator/reconciliation/')({
  validateSearch: listSearch(),
  component: Reconciliation,
});

function Reconciliation() {
  const { page } = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <ReconciliationPage
      page={page}
      onPage={(next) => void navigate({ search: (before) => ({ ...before, page: next }) })}
    />
  );
}
