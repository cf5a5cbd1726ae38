import { createFileRoute } from '@tanstack/react-router';
import { PaymentCasePage } from '../../../operator-payments/payment-case-page.tsx';

export const Route = createFileRoute('/operator/payments-in/$paymentId')({ component: PaymentCase });

function PaymentCase() {
  const { paymentId } = Route.useParams();
  return <PaymentCasePage key={paymentId} paymentId={paymentId} />;
}
