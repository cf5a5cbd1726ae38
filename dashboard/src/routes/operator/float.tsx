import { createFileRoute } from '@tanstack/react-router';
import { listSearch } from '../../api/list-search.ts';
import { FloatPage } from '../../operator/float-page.tsx';

export const Route = createFileRoute('/operator/float')({ validateSearch: listSearch(), component: Float });

function Float() {
  const { page } = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <FloatPage page={page} onPage={(next) => void navigate({ search: (before) => ({ ...before, page: next }) })} />
  );
}
