import { createFileRoute } from '@tanstack/react-router';
import { listSearch } from '../../../api/list-search.ts';
import { PaymentsPage } from '../../../collections/payments-page.tsx';
import { FIELDS_OF } from '../../../lists/filter-fields.ts';

export const Route = createFileRoute('/_merchant/collections/')({
  validateSearch: listSearch(...FIELDS_OF.PAYMENTS_IN, 'columns', 'payment'),
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
