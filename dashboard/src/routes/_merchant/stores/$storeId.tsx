import { createFileRoute } from '@tanstack/react-router';
import { listSearch } from '../../../api/list-search.ts';
import { StorePage } from '../../../child-wallets/store-page.tsx';

export const Route = createFileRoute('/_merchant/stores/$storeId')({
  validateSearch: listSearch('from', 'to'),
  component: Store,
});

function Store() {
  const { storeId } = Route.useParams();
  const navigate = Route.useNavigate();
  return (
    <StorePage
      key={storeId}
      storeId={storeId}
      search={Route.useSearch()}
      onSearch={(search) => void navigate({ search: (before) => ({ ...before, ...search }), resetScroll: false })}
    />
  );
}
