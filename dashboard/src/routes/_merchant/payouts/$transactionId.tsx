import { createFileRoute } from '@tanstack/react-router';
import { PayoutPage } from '../../../payouts/payout-page.tsx';

export const Route = createFileRoute('/_merchant/payouts/$transactionId')({ component: PayoutRoute });

function PayoutRoute() {
  const { transactionId } = Route.useParams();
  return <PayoutPage key={transactionId} transactionId={transactionId} />;
}
