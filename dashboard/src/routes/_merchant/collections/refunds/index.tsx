import { createFileRoute } from '@tanstack/react-router';
import { listSearch } from '../../../../api/list-search.ts';
import { RefundsPage } from '../../../../refunds/refunds-page.tsx';

export const Route = createFileRoute('/_merchant/collections/refunds/')({
  validateSearch: listSearch('status', 'from', 'to'),
  component: Refunds,
});

function Refunds() {
  const navigate = Route.useNavigate();
  return (
    <RefundsPage
      search={Route.useSearch()}
      onSearch={(change) => void navigate({ search: (before) => ({ ...before, ...change }), resetScroll: false })}
    />
  );
}
