import { createFileRoute } from '@tanstack/react-router';
import { listSearch } from '../../../api/list-search.ts';
import { ProviderSettlementsPage } from '../../../provider-settlements/settlements-page.tsx';

export const Route = createFileRoute('/operator/provider-settlements/')({
  validateSearch: listSearch('show'),
  component: ProviderSettlements,
});

function ProviderSettlements() {
  const search = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <ProviderSettlementsPage
      search={search}
      onSearch={(change) => void navigate({ search: (before) => ({ ...before, ...change }) })}
    />
  );
}
