import { Link } from '@tanstack/react-router';
import { CircleCheck, Handshake } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { atPlace, type ListPlace } from '../api/list-search.ts';
import { useList, useRead } from '../api/reads.ts';
import { Button } from '../components/button.tsx';
import { Switch } from '../components/choices.tsx';
import { PayoutLink } from '../components/operator-links.tsx';
import { PageHeader } from '../components/page-header.tsx';
import { EmptyState, ErrorState, Skeleton } from '../components/states.tsx';
import { Badge } from '../components/status.tsx';
import { NothingMore, Pager } from '../components/table.tsx';
import { Amount } from '../components/values.tsx';
import { formatCount } from '../format/money.ts';
import { DecideDialog, ProposeDialog, RejectDialog } from './outcome-dialogs.tsx';
import { OutcomeEvidence, PayoutFacts } from './outcome-evidence.tsx';
import { type OpenOutcome, OUTCOMES, type Proposal, REASONS } from './outcome-words.ts';
import { ProposedOutcome } from './two-people.tsx';

/** What is before the operator, also what the service still asks about, or what an outcome is proposed for. */
export type OutcomesShown = 'operator' | 'all' | 'proposed';

export interface OutcomesPageProps {
  page: ListPlace | undefined;
  shown: OutcomesShown;
  onPage: (place: ListPlace | undefined) => void;
  onShow: (shown: OutcomesShown) => void;
}

const SIZE = 20;
const LOOK_EVERY_MS = 30_000;

/** Payouts whose outcome nobody knows. One person says what became of it and how they know; another confirms. */
export function OutcomesPage({ page, shown, onPage, onShow }: OutcomesPageProps) {
  const [action, setAction] = useState<OutcomeAction>();
  const close = () => setAction(undefined);
  return (
    <>
      <PageHeader title="Unknown outcomes">
        The rail was asked again and again and does not say. The money stays held until one person proposes what became
        of the payout and another person confirms it. Many at once? The{' '}
        <Link to="/operator/reconciliation" className="text-accent underline">
          rail's settlement file
        </Link>{' '}
        says what became of each.
      </PageHeader>
      <Switch
        className="mb-4 max-w-xl"
        label="Show every payout without an outcome"
        hint="Also those that the service still asks about by itself."
        checked={shown === 'all'}
        onChange={(event) => onShow(event.target.checked ? 'all' : 'operator')}
      />
      {shown === 'proposed' && (
        <div className="card mb-4 flex flex-wrap items-center justify-between gap-3 p-4 text-sm">
          <p>Only payouts that an outcome is proposed for, however young.</p>
          <Button onClick={() => onShow('operator')}>Show what waits for a decision</Button>
        </div>
      )}
      <Queue page={page} shown={shown} onPage={onPage} onShow={onShow} onAction={setAction} />
      {action?.what === 'PROPOSE' && <ProposeDialog payout={action.payout} onClose={close} />}
      {action?.what === 'DECIDE' && <DecideDialog payout={action.payout} proposal={action.proposal} onClose={close} />}
      {action?.what === 'REJECT' && <RejectDialog payout={action.payout} proposal={action.proposal} onClose={close} />}
    </>
  );
}

interface QueueProps extends OutcomesPageProps {
  onAction: (action: OutcomeAction) => void;
}

function Queue({ page, shown, onPage, onShow, onAction }: QueueProps) {
  const list = useList(
    '/operator/outcome',
    { query: { ...atPlace(page), size: SIZE, all: shown === 'all', proposed: shown === 'proposed' } },
    { refetchInterval: LOOK_EVERY_MS },
  );
  if (list.data === undefined) {
    if (list.error !== null) return <ErrorState error={list.error} onRetry={list.refetch} />;
    return <Skeleton className="h-56 w-full" />;
  }
  if (list.data.records.length === 0) {
    if (list.data.totalRecords === null) return <NothingMore onPage={onPage} />;
    return <div className="card">{emptyOf(shown, onShow)}</div>;
  }
  return (
    <>
      {shown === 'operator' && <OthersProposed listed={list.data.records} onShow={onShow} />}
      <ul aria-label="Payouts without a known outcome" className="flex flex-col gap-4">
        {list.data.records.map((payout) => (
          <li key={payout.payoutId}>
            <OutcomeCard payout={payout} onAction={onAction} />
          </li>
        ))}
      </ul>
      <div className="card mt-4">
        <Pager {...list.data} onPage={onPage} />
      </div>
    </>
  );
}

function emptyOf(shown: OutcomesShown, onShow: OutcomesPageProps['onShow']): ReactNode {
  if (shown === 'operator') return <NothingBeforeOperator onShow={onShow} />;
  if (shown === 'all') return <NothingToDecide />;
  return (
    <EmptyState icon={CircleCheck} title="No outcome is proposed">
      What one person proposed was confirmed or rejected, or the payout ended by itself.
    </EmptyState>
  );
}

interface OthersProposedProps extends Pick<OutcomesPageProps, 'onShow'> {
  listed: readonly OpenOutcome[];
}

/** Beside payouts that are before the operator: what colleagues proposed about others is on no page of this list. */
function OthersProposed({ listed, onShow }: OthersProposedProps) {
  const { data: overview } = useRead('/operator/overview', {}, { refetchInterval: LOOK_EVERY_MS });
  const here = listed.filter(({ proposal }) => proposal !== null && !proposal.isMine).length;
  const others = (overview?.proposalsForMe ?? 0) - here;
  if (others <= 0) return null;
  return (
    <div className="card mb-4 flex flex-wrap items-center justify-between gap-3 p-4 text-sm">
      <p role="status">
        {others === 1
          ? 'One more proposed outcome waits for you, of a payout that is not on this page.'
          : `${formatCount(others)} more proposed outcomes wait for you, of payouts that are not on this page.`}
      </p>
      <Button onClick={() => onShow('proposed')}>Show what is proposed</Button>
    </div>
  );
}

function NothingToDecide({ children }: { children?: string }) {
  return (
    <EmptyState icon={CircleCheck} title="Nothing waits for a decision">
      A payout comes here when its rail has not said for a day what became of it. Until then the service asks by itself.
      {children}
    </EmptyState>
  );
}

/** What a colleague proposed about a younger payout waits for a decision too, and is in a list of its own. */
function NothingBeforeOperator({ onShow }: Pick<OutcomesPageProps, 'onShow'>) {
  const { data: overview, error } = useRead('/operator/overview', {}, { refetchInterval: LOOK_EVERY_MS });
  if (overview === undefined && error === null) return <Skeleton className="h-56 w-full" />;
  const waiting = overview?.proposalsForMe ?? 0;
  if (waiting === 0) {
    return (
      <NothingToDecide>
        {' What a colleague proposes about one before is shown with every payout without an outcome.'}
      </NothingToDecide>
    );
  }
  return (
    <EmptyState
      icon={Handshake}
      title={
        waiting === 1 ? 'One proposed outcome waits for you' : `${formatCount(waiting)} proposed outcomes wait for you`
      }
      action={
        <Button look="primary" onClick={() => onShow('proposed')}>
          {waiting === 1 ? 'Show it' : 'Show them'}
        </Button>
      }
    >
      A colleague says what became of a payout that the service still asks about by itself. A second person has to
      confirm it.
    </EmptyState>
  );
}

type OutcomeAction =
  | { what: 'PROPOSE'; payout: OpenOutcome }
  | { what: 'DECIDE' | 'REJECT'; payout: OpenOutcome; proposal: Proposal };

interface OutcomeCardProps {
  payout: OpenOutcome;
  onAction: (action: OutcomeAction) => void;
}

/** A payout that nobody knows the outcome of: what somebody needs to find it at the bank, and the next step. */
function OutcomeCard({ payout, onAction }: OutcomeCardProps) {
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
      <p className="mt-3 text-sm">
        <PayoutLink payoutId={payoutId}>
          All that is known of it<span className="sr-only">, the payout of {nameOf(payout)}</span>
        </PayoutLink>
      </p>
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
          <ProposedOutcome
            words={OUTCOMES[proposal.outcome]}
            proposal={proposal}
            onReject={() => onAction({ what: 'REJECT', payout, proposal })}
            onConfirm={() => onAction({ what: 'DECIDE', payout, proposal })}
          />
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
