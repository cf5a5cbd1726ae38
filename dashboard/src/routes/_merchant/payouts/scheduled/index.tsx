import { createFileRoute } from '@tanstack/react-router';
import { listSearch } from '../../../../api/list-search.ts';
import { ScheduledPage } from '../../../../payouts/payouts-page.tsx';

export const Route = createFileRoute('/_merchant/payouts/scheduled/')({
  validateSearch: listSearch('status'),
  component: ScheduledRoute,
});

function ScheduledRoute() {
  const navigate = Route.useNavigate();
  return <ScheduledPage search={Route.useSearch()} onSearch={(search) => void navigate({ search })} />;
}
