import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '../components/button.tsx';
import { Badge } from '../components/status.tsx';
import { Amount, Moment } from '../components/values.tsx';
import { OutcomeEvidence } from './outcome-evidence.tsx';
import { type OpenOutcome, OUTCOMES, type Proposal, REASONS, SOURCES } from './outcome-words.ts';
import { PayoutFacts } from './payout-facts.tsx';

export type OutcomeAction =
  | { what: 'PROPOSE'; payout: OpenOutcome }
  | { what: 'DECIDE' | 'REJECT'; payout: OpenOutcome; proposal: Proposal };

interface OutcomeCardProps {
  payout: OpenOutcome;
  onAction: (action: OutcomeAction) => void;
}

/** A payout that nobody knows the outcome of: what somebody needs to find it at the bank, and the next step. */
export function OutcomeCard({ payout, onAction }: OutcomeCardProps) {
  const { payoutId, operatorReason, proposal } = payout;
  return (
    <section className="card p-4 sm:p-5" aria-labelledby={`payout-${payoutId}`}>
      <div className="mb-4 flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <h2 id={`payout-${payoutId}`} className="text-base font-semibold">
          <Link
            to="/operator/merchants/$merchantId"
            params={{ merchantId: payout.merchantId }}
            className="text-accent underline"
          >
            {nameOf(payout)}
          </Link>
        </h2>
        <p className="flex flex-wrap items-center gap-3">
          <Badge tone={operatorReason === null ? 'info' : 'warn'}>
            {operatorReason === null ? 'The service still asks by itself' : REASONS[operatorReason]}
          </Badge>
          <span className="text-base font-semibold">
            <Amount value={payout.amount} currency={payout.currency} />
          </span>
        </p>
      </div>
      <PayoutFacts payout={payout} brief />
      <Evidence payout={payout} />
      <div className="mt-4 border-t pt-4">
        {proposal === null ? (
          <div className="flex justify-end">
            <Button
              aria-label={`Propose an outcome for the payout of ${nameOf(payout)}`}
              onClick={() => onAction({ what: 'PROPOSE', payout })}
            >
              Propose an outcome
            </Button>
          </div>
        ) : (
          <Proposed payout={payout} proposal={proposal} onAction={onAction} />
        )}
      </div>
    </section>
  );
}

const nameOf = ({ businessName, merchantId }: OpenOutcome) => businessName ?? merchantId;

/** Read once somebody opens it: a page has twenty payouts. */
function Evidence({ payout }: { payout: OpenOutcome }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="mt-4 text-sm" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="w-fit font-medium text-accent">
        Payee and evidence<span className="sr-only"> of the payout of {nameOf(payout)}</span>
      </summary>
      <div className="mt-4">{isOpen && <OutcomeEvidence payout={payout} />}</div>
    </details>
  );
}

function Proposed({ payout, proposal, onAction }: OutcomeCardProps & { proposal: Proposal }) {
  const { isMine, outcome, source, note, proposedBy, proposedAt } = proposal;
  return (
    <div className="flex flex-wrap items-end justify-between gap-4">
      <div className="min-w-0 text-sm">
        <p className="font-medium">Proposed: {OUTCOMES[outcome].word.toLowerCase()}</p>
        <p className="break-words text-muted">“{note}”</p>
        <p className="text-xs text-muted">
          {isMine ? 'You' : (proposedBy.email ?? 'A colleague')}, <Moment at={proposedAt} />. {SOURCES[source]}.
        </p>
        {isMine && <p className="mt-1 text-xs text-warn">Another person has to confirm it.</p>}
      </div>
      <div className="ml-auto flex flex-wrap gap-2">
        <Button onClick={() => onAction({ what: 'REJECT', payout, proposal })}>
          {isMine ? 'Take it back' : 'Reject'}
        </Button>
        {!isMine && (
          <Button look="primary" onClick={() => onAction({ what: 'DECIDE', payout, proposal })}>
            Look and confirm
          </Button>
        )}
      </div>
    </div>
  );
}
