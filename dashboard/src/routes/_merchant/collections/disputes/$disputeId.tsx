import { createFileRoute } from '@tanstack/react-router';
import { DisputePage } from '../../../../disputes/dispute-page.tsx';

export const Route = createFileRoute('/_merchant/collections/disputes/$disputeId')({
  component: Dispute,
});

function Dispute() {
  const { disputeId } = Route.useParams();
  return <DisputePage key={disputeId} disputeId={disputeId} />;
}
