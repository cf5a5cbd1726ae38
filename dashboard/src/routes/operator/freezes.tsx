import { createFileRoute } from '@tanstack/react-router';
import { listSearch } from '../../api/list-search.ts';
import { FreezesPage } from '../../compliance/freezes-page.tsx';

export const Route = createFileRoute('/operator/freezes')({
  validateSearch: listSearch(),
  component: Freezes,
});

function Freezes() {
  const { page } = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <FreezesPage page={page} onPage={(next) => void navigate({ search: (before) => ({ ...before, page: next }) })} />
  );
}
