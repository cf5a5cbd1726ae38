import { useState } from 'react';
import { useRead } from '../api/reads.ts';
import { Section } from '../components/page-header.tsx';
import { ErrorState, Skeleton } from '../components/states.tsx';
import { DecideDialog, ProposeDialog, RejectDialog } from '../outcomes/outcome-dialogs.tsx';
import { OUTCOMES, type Proposal, REASONS, type Undecided } from '../outcomes/outcome-words.ts';
import { NextStep } from '../outcomes/two-people.tsx';
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
  const { outcomes, proposal, isOvertaken } = data;
  if (proposal === null && outcomes.length === 0) return null;
  const inDoubt = isInDoubt(found);
  return (
    <>
      <Section title={inDoubt ? 'What became of it?' : 'Did it come back?'} about={aboutOf(found.payout)}>
        <NextStep
          proposal={proposal}
          wordsOf={({ outcome }) => OUTCOMES[outcome]}
          isOvertaken={isOvertaken}
          look={inDoubt ? 'primary' : 'secondary'}
          onPropose={() => setAction({ what: 'PROPOSE' })}
          onDecide={(what, decided) => setAction({ what, proposal: decided })}
        />
      </Section>
      {action?.what === 'PROPOSE' && <ProposeDialog payout={undecided} onClose={close} />}
      {action?.what === 'CONFIRM' && <DecideDialog payout={undecided} proposal={action.proposal} onClose={close} />}
      {action?.what === 'REJECT' && <RejectDialog payout={undecided} proposal={action.proposal} onClose={close} />}
    </>
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
