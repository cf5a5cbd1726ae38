import { createFileRoute } from '@tanstack/react-router';
import { listSearch } from '../../api/list-search.ts';
import { OperatorAuditPage } from '../../audit/operator-audit-page.tsx';

export const Route = createFileRoute('/operator/audit')({
  validateSearch: listSearch('merchantId', 'person', 'action', 'category', 'outcome', 'from', 'to'),
  component: OperatorAudit,
});

function OperatorAudit() {
  const search = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <OperatorAuditPage
      search={search}
      onChange={(change) => void navigate({ search: (before) => ({ ...before, page: undefined, ...change }) })}
    />
  );
}
