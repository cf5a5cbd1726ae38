import { createFileRoute } from '@tanstack/react-router';
import { listSearch } from '../../../api/list-search.ts';
import { WalletPage } from '../../../wallet/wallet-page.tsx';

export const Route = createFileRoute('/_merchant/wallet/')({
  validateSearch: listSearch('from', 'to'),
  component: Wallet,
});

function Wallet() {
  const navigate = Route.useNavigate();
  return (
    <WalletPage
      search={Route.useSearch()}
      onSearch={(search) => void navigate({ search: (before) => ({ ...before, ...search }), resetScroll: false })}
    />
  );
}
