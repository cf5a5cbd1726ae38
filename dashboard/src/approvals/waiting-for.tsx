import { useRead } from '../api/reads.ts';
import { Alert } from '../components/alert.tsx';
import { ButtonLink } from '../components/button.tsx';
import { Moment } from '../components/values.tsx';

export interface WaitingForProps {
  /** Of the payout, schedule, batch or beneficiary. */
  subjectId: string;
  waits: boolean;
}

/** Says of something that waits for approval how many people are missing, and leads there. */
export function WaitingFor({ subjectId, waits }: WaitingForProps) {
  const approvals = useRead('/approval', { query: { subjectId, status: 'PENDING', size: 1 } }, { enabled: waits });
  if (!waits) return null;
  const approval = approvals.data?.records[0];
  return (
    <Alert
      tone="warn"
      title="Waiting for approval"
      className="mb-6"
      action={
        approval !== undefined && (
          <ButtonLink to="/approvals/$approvalId" params={{ approvalId: approval.approvalId }} size="small">
            Open the approval
          </ButtonLink>
        )
      }
    >
      {approval === undefined
        ? 'Another person has to review and approve it.'
        : `${approval.given} of ${approval.needed} given. Created by ${approval.madeBy.name}, who cannot approve it.`}
    </Alert>
  );
}

export interface NotApprovedProps {
  /** Of what may be sent again. */
  subjectId: string;
  enabled: boolean;
}

/** Says of something that was sent for approval and is back at its maker who rejected it, when and why. */
export function NotApproved({ subjectId, enabled }: NotApprovedProps) {
  const approvals = useRead('/approval', { query: { subjectId, size: 1 } }, { enabled });
  const last = enabled ? approvals.data?.records[0] : undefined;
  if (last === undefined || (last.status !== 'REJECTED' && last.status !== 'EXPIRED')) return null;
  const rejection = last.decisions.find(({ decision }) => decision === 'REJECT');
  return (
    <Alert
      tone="bad"
      title={rejection === undefined ? 'Nobody approved it in time' : `Rejected by ${rejection.by.name}`}
      className="mb-6"
      action={
        <ButtonLink to="/approvals/$approvalId" params={{ approvalId: last.approvalId }} size="small">
          Open the approval
        </ButtonLink>
      }
    >
      <Moment at={rejection?.at ?? last.expiresAt} />
      {rejection?.note ? `: ${rejection.note}` : '.'} Nothing was paid. Correct it where that is needed, and send it
      again.
    </Alert>
  );
}
