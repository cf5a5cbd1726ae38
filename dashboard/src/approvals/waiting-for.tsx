import { useRead } from '../api/reads.ts';
import { Alert } from '../components/alert.tsx';
import { ButtonLink } from '../components/button.tsx';

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
