import { createFileRoute } from '@tanstack/react-router';
import { listSearch } from '../../../api/list-search.ts';
import { ProviderSettlementsPage } from '../../../provider-settlements/settlements-page.tsx';

export const Route = createFileRoute('/operator/provider-settlements/')({
  validateSearch: listSearch(),
  component: ProviderSettlements,
});

function ProviderSettlements() {
  const { page } = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <ProviderSettlementsPage
      page={page}
      onPage={(next) => void navigate({ search: (before) => ({ ...before, page: next }) })}
    />
  );
}
