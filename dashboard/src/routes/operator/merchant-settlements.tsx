import { createFileRoute } from '@tanstack/react-router';
import { listSearch } from '../../api/list-search.ts';
import { SettlementStatesPage } from '../../operator-settlements/states-page.tsx';

export const Route = createFileRoute('/operator/merchant-settlements')({
  validateSearch: listSearch('of', 'state'),
  component: MerchantSettlements,
});

function MerchantSettlements() {
  const { page, of, state } = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <SettlementStatesPage
      page={page}
      of={of}
      state={state}
      onPage={(next) => void navigate({ search: (before) => ({ ...before, page: next }) })}
      onFilter={(change) => void navigate({ search: (before) => ({ ...before, page: undefined, ...change }) })}
    />
  );
}
