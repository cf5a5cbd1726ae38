import { createFileRoute } from '@tanstack/react-router';
import { ApprovalPage } from '../../../approvals/approval-page.tsx';

export const Route = createFileRoute('/_merchant/approvals/$approvalId')({ component: ApprovalRoute });

function ApprovalRoute() {
  const { approvalId } = Route.useParams();
  return <ApprovalPage key={approvalId} approvalId={approvalId} />;
}
