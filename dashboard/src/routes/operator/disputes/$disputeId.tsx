import { createFileRoute } from '@tanstack/react-router';
import { listSearch } from '../../../api/list-search.ts';
import { DisputeCasePage } from '../../../operator-disputes/dispute-case-page.tsx';

export const Route = createFileRoute('/operator/disputes/$disputeId')({
  validateSearch: listSearch('merchantId', 'of'),
  component: DisputeCase,
});

function DisputeCase() {
  const { merchantId = '', of } = Route.useSearch();
  const { disputeId } = Route.useParams();
  return (
    <DisputeCasePage
      key={disputeId}
      disputeId={disputeId}
      merchantId={merchantId}
      mode={of === 'SANDBOX' ? 'SANDBOX' : 'LIVE'}
    />
  );
}
