import { createFileRoute } from '@tanstack/react-router';
import { listSearch } from '../../../api/list-search.ts';
import { type SettlementFilters, SettlementPage } from '../../../reconciliation/settlement-page.tsx';

export const Route = createFileRoute('/operator/reconciliation/$importId')({
  validateSearch: listSearch('state', 'result'),
  component: Settlement,
});

function Settlement() {
  const { page, state, result } = Route.useSearch();
  const { importId } = Route.useParams();
  const navigate = Route.useNavigate();
  return (
    <SettlementPage
      key={importId}
      importId={importId}
      page={page}
      filters={{ state, result } as SettlementFilters}
      onPage={(next) => void navigate({ search: (before) => ({ ...before, page: next }) })}
      onFilter={(change) => void navigate({ search: (before) => ({ ...before, page: undefined, ...change }) })}
    />
  );
}
