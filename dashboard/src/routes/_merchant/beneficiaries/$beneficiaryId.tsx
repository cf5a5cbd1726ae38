import { createFileRoute } from '@tanstack/react-router';
import { listSearch } from '../../../api/list-search.ts';
import { BeneficiaryPage } from '../../../payouts/beneficiary-page.tsx';

export const Route = createFileRoute('/_merchant/beneficiaries/$beneficiaryId')({
  validateSearch: listSearch(),
  component: BeneficiaryRoute,
});

function BeneficiaryRoute() {
  const { beneficiaryId } = Route.useParams();
  const { page } = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <BeneficiaryPage
      key={beneficiaryId}
      beneficiaryId={beneficiaryId}
      page={page}
      onPage={(next) => void navigate({ search: (before) => ({ ...before, page: next }), resetScroll: false })}
    />
  );
}
