import { createFileRoute } from '@tanstack/react-router';
import { listSearch } from '../../../api/list-search.ts';
import { SubaccountPage } from '../../../child-wallets/subaccount-page.tsx';

export const Route = createFileRoute('/_merchant/subaccounts/$subaccountId')({
  validateSearch: listSearch('from', 'to'),
  component: Subaccount,
});

function Subaccount() {
  const { subaccountId } = Route.useParams();
  const navigate = Route.useNavigate();
  return (
    <SubaccountPage
      key={subaccountId}
      subaccountId={subaccountId}
      search={Route.useSearch()}
      onSearch={(search) => void navigate({ search: (before) => ({ ...before, ...search }), resetScroll: false })}
    />
  );
}
