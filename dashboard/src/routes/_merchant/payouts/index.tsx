import { createFileRoute } from '@tanstack/react-router';
import { listSearch } from '../../../api/list-search.ts';
import { PayoutsPage } from '../../../payouts/payouts-page.tsx';

export const Route = createFileRoute('/_merchant/payouts/')({
  validateSearch: listSearch('status'),
  component: PayoutsRoute,
});

function PayoutsRoute() {
  const navigate = Route.useNavigate();
  return <PayoutsPage search={Route.useSearch()} onSearch={(search) => void navigate({ search })} />;
}
