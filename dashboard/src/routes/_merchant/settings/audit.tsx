import { createFileRoute } from '@tanstack/react-router';
import { listSearch } from '../../../api/list-search.ts';
import { AuditPage } from '../../../audit/audit-page.tsx';

export const Route = createFileRoute('/_merchant/settings/audit')({
  validateSearch: listSearch('person', 'action', 'category', 'outcome', 'from', 'to'),
  component: () => <AuditPage search={Route.useSearch()} />,
});
