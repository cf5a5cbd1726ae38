import { createFileRoute } from '@tanstack/react-router';
import { listSearch } from '../../../api/list-search.ts';
import { AccountsPage } from '../../../collections/accounts-page.tsx';

export const Route = createFileRoute('/_merchant/collections/accounts')({
  validateSearch: listSearch('status', 'customerId'),
  component: Accounts,
});

function Accounts() {
  const navigate = Route.useNavigate();
  return (
    <AccountsPage
      search={Route.useSearch()}
      onSearch={(change) => void navigate({ search: (before) => ({ ...before, ...change }), resetScroll: false })}
    />
  );
}
