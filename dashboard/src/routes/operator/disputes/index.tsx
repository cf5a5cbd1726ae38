import { createFileRoute } from '@tanstack/react-router';
import { listSearch } from '../../../api/list-search.ts';
import { OperatorDisputesPage } from '../../../operator-disputes/disputes-page.tsx';

export const Route = createFileRoute('/operator/disputes/')({
  validateSearch: listSearch('show'),
  component: Disputes,
});

function Disputes() {
  const { page, show } = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <OperatorDisputesPage
      page={page}
      show={show}
      onPage={(next) => void navigate({ search: (before) => ({ ...before, page: next }) })}
    />
  );
}
