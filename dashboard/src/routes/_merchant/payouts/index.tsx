import { createFileRoute } from '@tanstack/react-router';
import { listSearch } from '../../../api/list-search.ts';
import { FIELDS_OF } from '../../../lists/filter-fields.ts';
import { PayoutsPage } from '../../../payouts/payouts-page.tsx';

export const Route = createFileRoute('/_merchant/payouts/')({
  validateSearch: listSearch(...FIELDS_OF.PAYOUTS, 'columns'),
  component: PayoutsRoute,
});

function PayoutsRoute() {
  const navigate = Route.useNavigate();
  return (
    <PayoutsPage
      search={Route.useSearch()}
      onSearch={(change) => void navigate({ search: (before) => ({ ...before, ...change }), resetScroll: false })}
    />
  );
}
