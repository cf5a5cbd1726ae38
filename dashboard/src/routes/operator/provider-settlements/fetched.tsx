import { createFileRoute } from '@tanstack/react-router';
import { listSearch } from '../../../api/list-search.ts';
import { SettlementFetchesPage } from '../../../provider-settlements/fetches-page.tsx';

export const Route = createFileRoute('/operator/provider-settlements/fetched')({
  validateSearch: listSearch(),
  component: SettlementFetches,
});

function SettlementFetches() {
  const { page } = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <SettlementFetchesPage
      page={page}
      onPage={(next) => void navigate({ search: (before) => ({ ...before, page: next }) })}
    />
  );
}
