import { createFileRoute } from '@tanstack/react-router';
import { listSearch } from '../../../api/list-search.ts';
import { PaymentsPage } from '../../../collections/payments-page.tsx';

export const Route = createFileRoute('/_merchant/collections/')({
  validateSearch: listSearch('status', 'customerId', 'payment'),
  component: Collections,
});

function Collections() {
  const navigate = Route.useNavigate();
  return (
    <PaymentsPage
      search={Route.useSearch()}
      onSearch={(change) => void navigate({ search: (before) => ({ ...before, ...change }), resetScroll: false })}
    />
  );
}
