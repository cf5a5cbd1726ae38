import { createFileRoute } from '@tanstack/react-router';
import { RefundPage } from '../../../../refunds/refund-page.tsx';

export const Route = createFileRoute('/_merchant/collections/refunds/$refundId')({
  component: Refund,
});

function Refund() {
  const { refundId } = Route.useParams();
  return <RefundPage key={refundId} refundId={refundId} />;
}
