import { createFileRoute } from '@tanstack/react-router';
import { listSearch } from '../../../api/list-search.ts';
import { type MerchantFilters, MerchantsPage } from '../../../merchants/merchants-page.tsx';

export const Route = createFileRoute('/operator/merchants/')({
  validateSearch: listSearch('status', 'review', 'search'),
  component: Merchants,
});

function Merchants() {
  const { page, status, review, search } = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <MerchantsPage
      page={page}
      filters={{ status, review, search } as MerchantFilters}
      onPage={(next) => void navigate({ search: (before) => ({ ...before, page: next }) })}
      onFilter={(change) => void navigate({ search: (before) => ({ ...before, page: undefined, ...change }) })}
    />
  );
}
