import { createFileRoute } from '@tanstack/react-router';
import { PayoutCasePage } from '../../../operator-payments/payout-case-page.tsx';

export const Route = createFileRoute('/operator/payouts/$reference')({ component: PayoutCase });

function PayoutCase() {
  const { reference } = Route.useParams();
  return <PayoutCasePage key={reference} reference={reference} />;
}
