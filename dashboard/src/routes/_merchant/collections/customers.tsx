import { createFileRoute } from '@tanstack/react-router';
import { listSearch } from '../../../api/list-search.ts';
import { CustomersPage } from '../../../collections/customers-page.tsx';

export const Route = createFileRoute('/_merchant/collections/customers')({
  validateSearch: listSearch('search'),
  component: Customers,
});

function Customers() {
  const navigate = Route.useNavigate();
  return (
    <CustomersPage
      search={Route.useSearch()}
      onSearch={(change) => void navigate({ search: (before) => ({ ...before, ...change }), resetScroll: false })}
    />
  );
}
