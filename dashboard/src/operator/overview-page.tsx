import type { LinkProps } from '@tanstack/react-router';
import {
  ArrowDownToLine,
  Building2,
  CircleHelp,
  Gavel,
  HandCoins,
  Handshake,
  Inbox,
  Landmark,
  type LucideIcon,
  Scale,
  ShieldAlert,
  TrainFront,
  Undo2,
  Webhook,
} from 'lucide-react';
import { useRead } from '../api/reads.ts';
import type { Data } from '../api/types.ts';
import { ButtonLink } from '../components/button.tsx';
import { type Need, NeedsList } from '../components/needs-list.tsx';
import { PageHeader, Section } from '../components/page-header.tsx';
import { OperatorFigures } from './figures.tsx';
import { LastProof } from './proof.tsx';

type Overview = Data<'get', '/operator/overview'>;
type Count = Exclude<keyof Overview, 'booksWrong' | 'lastVerify' | 'merchantsWaiting'>;

interface Duty {
  icon: LucideIcon;
  one: string;
  more: string;
  text: string;
  go: string;
  to: NonNullable<LinkProps['to']>;
  /** The filters under which all of them are in sight. */
  search?: Record<string, string>;
}

/** In the order in which somebody's money is at stake. */
const DUTIES: Record<Count, Duty> = {
  floatDifferences: {
    icon: Landmark,
    one: 'float differs from the books',
    more: 'floats differ from the books',
    text: 'What a rail holds is not what the books say it should hold.',
    go: 'Compare',
    to: '/operator/float',
  },
  proposalsForMe: {
    icon: Handshake,
    one: 'proposed outcome waits for you',
    more: 'proposed outcomes wait for you',
    text: 'A colleague says what became of a payout. A second person has to confirm it.',
    go: 'Decide',
    to: '/operator/outcomes',
    search: { show: 'proposed' },
  },
  refundProposalsForMe: {
    icon: Handshake,
    one: 'proposed outcome of a refund waits for you',
    more: 'proposed outcomes of refunds wait for you',
    text: 'A colleague says what became of a refund. A second person has to confirm it.',
    go: 'Decide',
    to: '/operator/refunds',
    search: { show: 'proposed' },
  },
  manualCreditsForMe: {
    icon: HandCoins,
    one: 'manual credit waits for you',
    more: 'manual credits wait for you',
    text: 'A colleague says that money arrived at your bank. A second person has to approve it.',
    go: 'Decide',
    to: '/operator/manual-credits',
  },
  suspenseForMe: {
    icon: Inbox,
    one: 'proposal about money in waits for you',
    more: 'proposals about money in wait for you',
    text: 'A colleague says what becomes of money without an owner. A second person has to confirm it.',
    go: 'Decide',
    to: '/operator/money-in',
  },
  disputeProposalsForMe: {
    icon: Gavel,
    one: 'proposal about a dispute waits for you',
    more: 'proposals about disputes wait for you',
    text: 'A colleague entered a dispute, or says how one ended. A second person has to confirm it.',
    go: 'Decide',
    to: '/operator/disputes',
    search: { show: 'proposals' },
  },
  disputesToLookAt: {
    icon: Gavel,
    one: 'dispute has to be looked at',
    more: 'disputes have to be looked at',
    text: 'It is not what it seems, or its provider cannot be asked: the time to answer it is short.',
    go: 'Look into it',
    to: '/operator/disputes',
  },
  disputesReported: {
    icon: Gavel,
    one: 'reported dispute has no payment',
    more: 'reported disputes have no payment',
    text: 'A provider reports it, and it is of no payment of yours or not what it seems.',
    go: 'Look into it',
    to: '/operator/disputes',
    search: { show: 'reported' },
  },
  moneyInSuspense: {
    icon: Inbox,
    one: 'payment in waits for a decision',
    more: 'payments in wait for a decision',
    text: 'It has no owner, is not confirmed, or may not be credited. Two people decide what becomes of it.',
    go: 'Look into it',
    to: '/operator/money-in',
  },
  unknownOutcomes: {
    icon: CircleHelp,
    one: 'payout has no known outcome',
    more: 'payouts have no known outcome',
    text: 'The rail does not answer. The money is held until two people say what became of it.',
    go: 'Look into it',
    to: '/operator/outcomes',
  },
  unknownRefunds: {
    icon: Undo2,
    one: 'refund has no known outcome',
    more: 'refunds have no known outcome',
    text: 'The provider does not say what became of it. The money is held until two people do.',
    go: 'Look into it',
    to: '/operator/refunds',
    search: { show: 'decide' },
  },
  railsDown: {
    icon: TrainFront,
    one: 'rail does not answer',
    more: 'rails do not answer',
    text: 'Payouts wait or go by the failover rail.',
    go: 'See the rails',
    to: '/operator/rails',
  },
  settlementToDecide: {
    icon: Scale,
    one: 'settlement line differs',
    more: 'settlement lines differ',
    text: 'A line of a settlement file does not agree with the books.',
    go: 'Reconcile',
    to: '/operator/reconciliation',
    search: { show: 'decide' },
  },
  providerSettlementsForMe: {
    icon: ArrowDownToLine,
    one: 'settlement of a provider waits for you',
    more: 'settlements of providers wait for you',
    text: 'A colleague recorded what a provider settled. Another person applies it.',
    go: 'Apply',
    to: '/operator/provider-settlements',
    search: { show: 'decide' },
  },
  providerLinesToDecide: {
    icon: ArrowDownToLine,
    one: 'line of a provider’s settlement differs',
    more: 'lines of providers’ settlements differ',
    text: 'It does not agree with the payments in, and was posted nowhere.',
    go: 'Look into it',
    to: '/operator/provider-settlements',
    search: { show: 'decide' },
  },
  merchantsToReview: {
    icon: Building2,
    one: 'merchant waits for review',
    more: 'merchants wait for review',
    text: 'New ones, who can go live with your approval, and those that want to change accepted details.',
    go: 'Review',
    to: '/operator/merchants',
    search: { review: 'SUBMITTED' },
  },
  webhooksFailing: {
    icon: Webhook,
    one: 'webhook address fails',
    more: 'webhook addresses fail',
    text: 'A merchant does not receive its events.',
    go: 'See which',
    to: '/operator/webhooks',
  },
};

/** Before everything else: as long as nobody knows why, nothing more should be paid. */
const WRONG_BOOKS: Need = {
  key: 'wrongBooks',
  icon: ShieldAlert,
  title: 'The books are wrong',
  text: 'The last check that was completed found an error. Stop all payouts until the cause is known.',
  go: 'See what to do',
  link: { to: '/operator/verify' },
};

const BESIDE_THE_BOOKS: Need = {
  key: 'besideTheBooks',
  icon: ShieldAlert,
  title: 'The books are right, but what is kept beside them is not',
  text: 'The last check found wrong totals, or entries of the audit log without a seal. Payouts need not stop.',
  go: 'See what to do',
  link: { to: '/operator/verify' },
};

/** It may be the same every night: then nobody knows of an error in the books. */
const NOT_PROVED: Need = {
  key: 'notProved',
  icon: ShieldAlert,
  title: 'The last check of the books could not be completed',
  text: 'Whether the books are right is not known. Payouts need not stop.',
  go: 'See what to do',
  link: { to: '/operator/verify' },
};

const BY_PROOF: Partial<Record<NonNullable<Overview['lastVerify']>['state'], Need>> = {
  ATTENTION: BESIDE_THE_BOOKS,
  FAILED: NOT_PROVED,
};

const LOOK_EVERY_MS = 30_000;
/** While a proof is being made, which takes seconds. */
const LOOK_SOON_MS = 1_000;

/** What waits for the operator, and whether the books were right when somebody last looked. */
export function OverviewPage() {
  const { data, error, refetch } = useRead(
    '/operator/overview',
    {},
    {
      refetchInterval: ({ state }) => (state.data?.lastVerify?.state === 'RUNNING' ? LOOK_SOON_MS : LOOK_EVERY_MS),
    },
  );
  const due = data === undefined ? [] : (Object.keys(DUTIES) as Count[]).filter((key) => data[key] > 0);
  const isWrong = data?.booksWrong === true;
  const byProof = data?.lastVerify == null ? undefined : BY_PROOF[data.lastVerify.state];
  const needs = [
    ...(isWrong ? [WRONG_BOOKS] : []),
    ...due.map((key) => needOf(key, data?.[key] ?? 0)),
    ...(byProof === undefined || isWrong ? [] : [byProof]),
  ];
  return (
    <>
      <PageHeader title="Overview">What waits for you, most urgent first.</PageHeader>
      <NeedsList
        needs={needs}
        isLoading={data === undefined}
        error={data === undefined ? error : null}
        onRetry={refetch}
      />
      {data !== undefined && data.merchantsWaiting.length > 0 && <Waiting merchants={data.merchantsWaiting} />}
      <OperatorFigures />
      <LastProof last={data?.lastVerify} />
    </>
  );
}

function needOf(key: Count, count: number): Need {
  const { icon, one, more, text, go, to, search = {} } = DUTIES[key];
  return { key, icon, title: count === 1 ? `One ${one}` : `${count} ${more}`, text, go, link: { to, search } };
}

/** Approved merchants that cannot begin with live money before the operator has connected or switched something on. */
function Waiting({ merchants }: { merchants: Overview['merchantsWaiting'] }) {
  return (
    <Section
      title="Merchants that wait for you"
      about="Approved, and not able to take or pay live money before you connect or switch something on."
      bare
    >
      <ul className="card divide-y">
        {merchants.map(({ merchantId, businessName, problems }) => (
          <li key={merchantId} className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3 sm:px-5">
            <div className="min-w-48 flex-1">
              <p className="font-medium break-words">{businessName}</p>
              <ul className="text-xs text-muted">
                {problems.map(({ code, message }) => (
                  <li key={code}>{message}</li>
                ))}
              </ul>
            </div>
            <ButtonLink
              to="/operator/merchants/$merchantId"
              params={{ merchantId }}
              search={{}}
              size="small"
              aria-label={`Open ${businessName}`}
            >
              Open
            </ButtonLink>
          </li>
        ))}
      </ul>
    </Section>
  );
}
