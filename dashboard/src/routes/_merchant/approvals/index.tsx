import { createFileRoute } from '@tanstack/react-router';
import { listSearch } from '../../../api/list-search.ts';
import { ApprovalsPage } from '../../../approvals/approvals-page.tsx';

export const Route = createFileRoute('/_merchant/approvals/')({
  validateSearch: listSearch('show', 'kind', 'status', 'by', 'from', 'to'),
  component: ApprovalsRoute,
});

function ApprovalsRoute() {
  const navigate = Route.useNavigate();
  return (
    <ApprovalsPage
      search={Route.useSearch()}
      onSearch={(change) => void navigate({ search: (before) => ({ ...before, ...change }), resetScroll: false })}
    />
  );
}
