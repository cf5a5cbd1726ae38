import { createFileRoute } from '@tanstack/react-router';
import { listSearch } from '../../api/list-search.ts';
import { ManualCreditsPage } from '../../manual-credits/manual-credits-page.tsx';

export const Route = createFileRoute('/operator/manual-credits')({
  validateSearch: listSearch('show'),
  component: ManualCredits,
});

function ManualCredits() {
  const { page, show } = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <ManualCreditsPage
      page={page}
      isDecided={show === 'decided'}
      onPage={(next) => void navigate({ search: (before) => ({ ...before, page: next }) })}
    />
  );
}
