import { createFileRoute } from '@tanstack/react-router';
import { listSearch } from '../../api/list-search.ts';
import { CasesPage } from '../../compliance/cases-page.tsx';

export const Route = createFileRoute('/operator/cases')({
  validateSearch: listSearch('merchantId', 'only', 'status', 'freezeId'),
  component: Cases,
});

function Cases() {
  const navigate = Route.useNavigate();
  return (
    <CasesPage
      search={Route.useSearch()}
      onSearch={(change) => void navigate({ search: (before) => ({ ...before, ...change }) })}
    />
  );
}
