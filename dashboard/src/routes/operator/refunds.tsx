import { createFileRoute } from '@tanstack/react-router';
import { listSearch } from '../../api/list-search.ts';
import { OperatorRefundsPage } from '../../operator-refunds/refunds-page.tsx';

export const Route = createFileRoute('/operator/refunds')({
  validateSearch: listSearch('show', 'status', 'only', 'refund', 'merchantId', 'rail', 'from'),
  component: Refunds,
});

function Refunds() {
  const navigate = Route.useNavigate();
  return (
    <OperatorRefundsPage
      search={Route.useSearch()}
      onSearch={(change) => void navigate({ search: (before) => ({ ...before, ...change }) })}
    />
  );
}
