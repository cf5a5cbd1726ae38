import { createFileRoute } from '@tanstack/react-router';
import { listSearch } from '../../api/list-search.ts';
import { FreezesPage } from '../../compliance/freezes-page.tsx';

export const Route = createFileRoute('/operator/freezes')({
  validateSearch: listSearch('freeze'),
  component: Freezes,
});

function Freezes() {
  const { page, freeze } = Route.useSearch();
  const navigate = Route.useNavigate();
  const go = (change: { page?: string | undefined; freeze?: string | undefined }) =>
    void navigate({ search: (before) => ({ ...before, ...change }) });
  return (
    <FreezesPage
      page={page}
      open={freeze}
      onPage={(next) => go({ page: next })}
      onOpen={(freezeId) => go({ freeze: freezeId })}
    />
  );
}
