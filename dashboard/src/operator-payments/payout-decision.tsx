import { useState } from 'react';
import { useRead } from '../api/reads.ts';
import { Alert } from '../components/alert.tsx';
import { Button } from '../components/button.tsx';
import { Section } from '../components/page-header.tsx';
import { ErrorState, Skeleton } from '../components/states.tsx';
import { DecideDialog, ProposeDialog, RejectDialog } from '../outcomes/outcome-dialogs.tsx';
import { OUTCOMES, type OutcomeEvidence, type Proposal, REASONS, type Undecided } from '../outcomes/outcome-words.ts';
import { ProposedOutcome } from '../outcomes/two-people.tsx';
import { lastSession, type PayoutCase } from './support-text.ts';

/** With what was read: another proposal that comes meanwhile is none that anybody looked at. */
type Action = { what: 'PROPOSE' } | { what: 'CONFIRM' | 'REJECT'; proposal: Proposal };

/** Whether people have to say what became of a payout; of any that was paid they may say that it came back. */
export const isInDoubt = ({ payout, proposals }: PayoutCase): boolean =>
  payout.isUnknown || payout.operatorReason !== null || proposals.some(({ status }) => status === 'PENDING');

/** What two people may say became of a payout, and the next step of it; nothing where they may not. */
export function PayoutDecision({ found }: { found: PayoutCase }) {
  const { payoutId, merchantId, mode } = found.payout;
  const { data, error, refetch } = useRead('/operator/outcome/{payoutId}/evidence', {
    path: { payoutId },
    query: { merchantId, mode },
  });
  const [action, setAction] = useState<Action>();
  const close = () => setAction(undefined);
  const undecided = undecidedOf(found);
  if (data === undefined) {
    return error === null ? <Skeleton className="h-24 w-full" /> : <ErrorState error={error} onRetry={refetch} />;
  }
  return (
    <>
      <NextStep found={found} evidence={data} onAction={setAction} />
      {action?.what === 'PROPOSE' && <ProposeDialog payout={undecided} onClose={close} />}
      {action?.what === 'CONFIRM' && <DecideDialog payout={undecided} proposal={action.proposal} onClose={close} />}
      {action?.what === 'REJECT' && <RejectDialog payout={undecided} proposal={action.proposal} onClose={close} />}
    </>
  );
}

interface NextStepProps {
  found: PayoutCase;
  evidence: OutcomeEvidence;
  onAction: (action: Action) => void;
}

function NextStep({ found, evidence: { outcomes, proposal, isOvertaken }, onAction }: NextStepProps) {
  if (proposal === null && outcomes.length === 0) return null;
  const inDoubt = isInDoubt(found);
  return (
    <Section title={inDoubt ? 'What became of it?' : 'Did it come back?'} about={aboutOf(found.payout)}>
      {isOvertaken && (
        <Alert tone="warn" title="More became known since this was proposed" className="mb-4">
          It can no longer be confirmed. Look at the last entries and propose again.
        </Alert>
      )}
      {proposal === null ? (
        <Button look={inDoubt ? 'primary' : 'secondary'} onClick={() => onAction({ what: 'PROPOSE' })}>
          Propose an outcome
        </Button>
      ) : (
        <ProposedOutcome
          words={OUTCOMES[proposal.outcome]}
          proposal={proposal}
          onReject={() => onAction({ what: 'REJECT', proposal })}
          onConfirm={() => onAction({ what: 'CONFIRM', proposal })}
        />
      )}
    </Section>
  );
}

function aboutOf({ operatorReason, status }: PayoutCase['payout']): string {
  if (operatorReason !== null) return `${REASONS[operatorReason]}. Two people decide about it.`;
  if (status === 'SUCCESS')
    return 'It was paid. Where the bank returned the money and the rail does not say so, two people can.';
  return 'The service still asks the rail by itself. Two people who know more can say it.';
}

function undecidedOf(found: PayoutCase): Undecided {
  const { payout, attempts } = found;
  return {
    ...payout,
    lastCode: attempts.findLast(({ code }) => code !== null)?.code ?? null,
    lastSessionId: lastSession(found),
  };
}
