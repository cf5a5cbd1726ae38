import { createFileRoute } from '@tanstack/react-router';
import { listSearch } from '../../../api/list-search.ts';
import { StoresPage } from '../../../child-wallets/stores-page.tsx';

export const Route = createFileRoute('/_merchant/stores/')({ validateSearch: listSearch(), component: Stores });

function Stores() {
  const { page } = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <StoresPage page={page} onPage={(next) => void navigate({ search: (before) => ({ ...before, page: next }) })} />
  );
}
