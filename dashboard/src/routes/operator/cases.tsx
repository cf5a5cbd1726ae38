import { createFileRoute } from '@tanstack/react-router';
import { listSearch } from '../../api/list-search.ts';
import { CasesPage } from '../../compliance/cases-page.tsx';

export const Route = createFileRoute('/operator/cases')({
  validateSearch: listSearch(),
  component: Cases,
});

function Cases() {
  const { page } = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <CasesPage page={page} onPage={(next) => void navigate({ search: (before) => ({ ...before, page: next }) })} />
  );
}
