import { createFileRoute } from '@tanstack/react-router';
import { listSearch } from '../../../../api/list-search.ts';
import { DisputesPage } from '../../../../disputes/disputes-page.tsx';

export const Route = createFileRoute('/_merchant/collections/disputes/')({
  validateSearch: listSearch('status', 'from', 'to'),
  component: Disputes,
});

function Disputes() {
  const navigate = Route.useNavigate();
  return (
    <DisputesPage
      search={Route.useSearch()}
      onSearch={(change) => void navigate({ search: (before) => ({ ...before, ...change }), resetScroll: false })}
    />
  );
}
