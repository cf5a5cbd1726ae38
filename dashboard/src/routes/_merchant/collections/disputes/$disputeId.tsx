import { createFileRoute } from '@tanstack/react-router';
import { DisputePage } from '../../../../disputes/dispute-page.tsx';

export const Route = createFileRoute('/_merchant/collections/disputes/$disputeId')({
  component: () => <DisputePage disputeId={Route.useParams().disputeId} />,
});
