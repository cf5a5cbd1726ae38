import { createFileRoute } from '@tanstack/react-router';
import { listSearch } from '../../api/list-search.ts';
import { OperatorLimitsPage } from '../../operator/limits-page.tsx';

export const Route = createFileRoute('/operator/limits')({
  validateSearch: listSearch('merchantId'),
  component: Limits,
});

function Limits() {
  const navigate = Route.useNavigate();
  return (
    <OperatorLimitsPage
      merchantId={Route.useSearch().merchantId}
      onMerchant={(merchantId) => void navigate({ search: (before) => ({ ...before, merchantId }) })}
    />
  );
}
