import { createFileRoute } from '@tanstack/react-router';
import { listSearch } from '../../../api/list-search.ts';
import { BeneficiariesPage } from '../../../beneficiaries/beneficiaries-page.tsx';

export const Route = createFileRoute('/_merchant/beneficiaries/')({
  validateSearch: listSearch('search'),
  component: Beneficiaries,
});

function Beneficiaries() {
  const navigate = Route.useNavigate();
  return (
    <BeneficiariesPage
      search={Route.useSearch()}
      onSearch={(change) => void navigate({ search: (before) => ({ ...before, ...change }), resetScroll: false })}
    />
  );
}
