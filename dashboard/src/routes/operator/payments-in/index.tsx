import { createFileRoute } from '@tanstack/react-router';
import { listSearch } from '../../../api/list-search.ts';
import { OperatorPaymentsPage } from '../../../operator-payments/payments-in-page.tsx';

export const Route = createFileRoute('/operator/payments-in/')({
  validateSearch: listSearch('search', 'merchantId', 'only', 'status', 'from', 'to'),
  component: PaymentsIn,
});

function PaymentsIn() {
  const navigate = Route.useNavigate();
  return (
    <OperatorPaymentsPage
      search={Route.useSearch()}
      onSearch={(change) => void navigate({ search: (before) => ({ ...before, ...change }) })}
    />
  );
}
