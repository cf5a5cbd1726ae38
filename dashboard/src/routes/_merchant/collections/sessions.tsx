import { createFileRoute } from '@tanstack/react-router';
import { listSearch } from '../../../api/list-search.ts';
import { SessionsPage } from '../../../collections/sessions-page.tsx';

export const Route = createFileRoute('/_merchant/collections/sessions')({
  validateSearch: listSearch('status', 'linkId', 'customerId'),
  component: Sessions,
});

function Sessions() {
  const navigate = Route.useNavigate();
  return (
    <SessionsPage
      search={Route.useSearch()}
      onSearch={(change) => void navigate({ search: (before) => ({ ...before, ...change }), resetScroll: false })}
    />
  );
}
