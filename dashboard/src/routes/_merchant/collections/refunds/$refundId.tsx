import { createFileRoute } from '@tanstack/react-router';
import { RefundPage } from '../../../../refunds/refund-page.tsx';

export const Route = createFileRoute('/_merchant/collections/refunds/$refundId')({
  component: () => <RefundPage refundId={Route.useParams().refundId} />,
});
