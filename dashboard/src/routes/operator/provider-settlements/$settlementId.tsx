import { createFileRoute } from '@tanstack/react-router';
import { listSearch } from '../../../api/list-search.ts';
import {
  type ProviderSettlementFilters,
  ProviderSettlementPage,
} from '../../../provider-settlements/settlement-page.tsx';

export const Route = createFileRoute('/operator/provider-settlements/$settlementId')({
  validateSearch: listSearch('state', 'result'),
  component: ProviderSettlement,
});

function ProviderSettlement() {
  const { page, state, result } = Route.useSearch();
  const { settlementId } = Route.useParams();
  const navigate = Route.useNavigate();
  return (
    <ProviderSettlementPage
      key={settlementId}
      settlementId={settlementId}
      page={page}
      filters={{ state, result } as ProviderSettlementFilters}
      onPage={(next) => void navigate({ search: (before) => ({ ...before, page: next }) })}
      onFilter={(change) => void navigate({ search: (before) => ({ ...before, page: undefined, ...change }) })}
    />
  );
}
