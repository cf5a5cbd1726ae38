import { createFileRoute } from '@tanstack/react-router';
import { listSearch } from '../../../../api/list-search.ts';
import { SettlementsPage } from '../../../../settlements/settlements-page.tsx';

export const Route = createFileRoute('/_merchant/collections/settlements/')({
  validateSearch: listSearch('status'),
  component: Settlements,
});

function Settlements() {
  const { page, status } = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <SettlementsPage
      page={page}
      status={status}
      onPage={(next) => void navigate({ search: (before) => ({ ...before, page: next }), resetScroll: false })}
      onStatus={(next) => void navigate({ search: (before) => ({ ...before, page: undefined, status: next }) })}
    />
  );
}
