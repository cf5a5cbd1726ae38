import { Ban, CircleCheck, CircleX, RotateCcw } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../components/button.tsx';
import { DecisionDialog } from './decision-dialog.tsx';
import { type Decision, wantsChanges } from './decision-words.ts';
import type { Merchant } from './merchant.ts';

/** What can be decided about a merchant where it stands now. */
export function DecisionButtons({ merchant }: { merchant: Merchant }) {
  const [decision, setDecision] = useState<Decision>();
  const { status, reviewStatus, submittedAt } = merchant;
  const isPending = status === 'PENDING';
  const asks = wantsChanges(merchant);
  return (
    <>
      {status === 'ACTIVE' && (
        <Button look={asks ? 'secondary' : 'danger'} icon={Ban} onClick={() => setDecision('suspend')}>
          Suspend
        </Button>
      )}
      {((isPending && (reviewStatus !== 'REJECTED' || submittedAt !== null)) || asks) && (
        <Button icon={CircleX} onClick={() => setDecision('reject')}>
          {asks ? 'Reject the changes' : 'Reject'}
        </Button>
      )}
      {(isPending || asks) && (
        <Button look="primary" icon={CircleCheck} onClick={() => setDecision('approve')}>
          {asks ? 'Accept the changes' : 'Approve'}
        </Button>
      )}
      {status === 'SUSPENDED' && (
        <Button look="primary" icon={RotateCcw} onClick={() => setDecision('reinstate')}>
          Reinstate
        </Button>
      )}
      {decision !== undefined && (
        <DecisionDialog decision={decision} merchant={merchant} onClose={() => setDecision(undefined)} />
      )}
    </>
  );
}
