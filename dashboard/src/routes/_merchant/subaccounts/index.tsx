import { createFileRoute } from '@tanstack/react-router';
import { listSearch } from '../../../api/list-search.ts';
import { SubaccountsPage } from '../../../child-wallets/subaccounts-page.tsx';

export const Route = createFileRoute('/_merchant/subaccounts/')({
  validateSearch: listSearch(),
  component: Subaccounts,
});

function Subaccounts() {
  const { page } = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <SubaccountsPage
      page={page}
      onPage={(next) => void navigate({ search: (before) => ({ ...before, page: next }) })}
    />
  );
}
