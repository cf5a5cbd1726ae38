import { createFileRoute } from '@tanstack/react-router';
import { listSearch } from '../../../api/list-search.ts';
import { BulkPage } from '../../../bulk/bulk-page.tsx';

export const Route = createFileRoute('/_merchant/bulk/')({
  validateSearch: listSearch('status'),
  component: BulkRoute,
});

function BulkRoute() {
  const navigate = Route.useNavigate();
  return <BulkPage search={Route.useSearch()} onSearch={(search) => void navigate({ search })} />;
}
