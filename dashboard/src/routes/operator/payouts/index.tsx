import { createFileRoute } from '@tanstack/react-router';
import { listSearch } from '../../../api/list-search.ts';
import { OperatorPayoutsPage } from '../../../operator-payments/payouts-page.tsx';

export const Route = createFileRoute('/operator/payouts/')({
  validateSearch: listSearch('search', 'merchantId', 'only', 'status', 'rail', 'from', 'to'),
  component: Payouts,
});

function Payouts() {
  const navigate = Route.useNavigate();
  return (
    <OperatorPayoutsPage
      search={Route.useSearch()}
      onSearch={(change) => void navigate({ search: (before) => ({ ...before, ...change }) })}
    />
  );
}
