import { createFileRoute } from '@tanstack/react-router';
import { listSearch } from '../../api/list-search.ts';
import { ScreeningPage } from '../../compliance/screening-page.tsx';

export const Route = createFileRoute('/operator/screening')({
  validateSearch: listSearch(),
  component: Screening,
});

function Screening() {
  const { page } = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <ScreeningPage page={page} onPage={(next) => void navigate({ search: (before) => ({ ...before, page: next }) })} />
  );
}
