import { Link } from '@tanstack/react-router';
import { Gavel } from 'lucide-react';
import { useState } from 'react';
import { atPlace, type ListPlace } from '../api/list-search.ts';
import { useList } from '../api/reads.ts';
import { Button } from '../components/button.tsx';
import { ListPage, type ListPageProps } from '../components/list-page.tsx';
import { RowButton } from '../components/row-button.tsx';
import { EmptyState } from '../components/states.tsx';
import { Status } from '../components/status.tsx';
import type { Column } from '../components/table.tsx';
import { Tabs } from '../components/tabs.tsx';
import { TimeLeft } from '../components/time-left.tsx';
import { useOpenRow } from '../components/use-open-row.ts';
import { Amount, Moment } from '../components/values.tsx';
import { modeWord } from '../format/modes.ts';
import { DismissDialog } from './dismiss-dialog.tsx';
import {
  ACTION_WORDS,
  type DisputeProposal,
  lookWord,
  type OperatorDispute,
  type ReportedDispute,
} from './dispute-words.ts';
import { ProposalDialog } from './proposal-dialog.tsx';

const LOOK_EVERY_MS = 30_000;
const SIZE = 50;

const TABS = [
  { label: 'Running', to: '/operator/disputes', search: {} },
  { label: 'Waiting for a colleague', to: '/operator/disputes', search: { show: 'proposals' } },
  { label: 'Reported only', to: '/operator/disputes', search: { show: 'reported' } },
] as const;

export interface OperatorDisputesProps {
  page: ListPlace | undefined;
  show: string | undefined;
  onPage: (place: ListPlace | undefined) => void;
}

/** Disputes of all merchants, what two people enter of them, and reports that lead to no payment. */
export function OperatorDisputesPage({ show, ...rest }: OperatorDisputesProps) {
  if (show === 'proposals') return <Proposals {...rest} />;
  return show === 'reported' ? <Reported {...rest} /> : <Queue {...rest} />;
}

type Part = Omit<OperatorDisputesProps, 'show'>;

const HEAD = {
  title: 'Disputes',
  about:
    'Payments that payers’ banks want back. One of a provider that cannot be asked is entered from the page of its payment, and confirmed by another of you.',
  intro: (
    <div className="mb-4">
      <Tabs label="Disputes" tabs={TABS} />
    </div>
  ),
} satisfies Partial<ListPageProps<never>>;

const Of = ({ row }: { row: { businessName: string | null; merchantId: string; mode: string } }) => (
  <div className="min-w-28">
    <p className="break-words">{row.businessName ?? row.merchantId}</p>
    <p className="text-xs text-muted">{modeWord(row.mode)}</p>
  </div>
);

const QUEUE: readonly Column<OperatorDispute>[] = [
  {
    key: 'due',
    header: 'Time left',
    cell: (row) => (
      <div className="min-w-28">
        {row.status === 'OPEN' ? <TimeLeft dueAt={row.dueAt} /> : <span className="text-muted">Answered or ended</span>}
        <p className="mt-1 md:hidden">
          <Status status={row.status} />
        </p>
      </div>
    ),
  },
  {
    key: 'dispute',
    header: 'Dispute',
    cell: ({ disputeId, merchantId, businessName, mode, providerDisputeId, rail, amount }) => (
      <div className="min-w-32">
        <Link
          to="/operator/disputes/$disputeId"
          params={{ disputeId }}
          search={{ merchantId, of: mode }}
          className="line-clamp-2 font-medium break-all text-accent underline"
        >
          {providerDisputeId}
        </Link>
        <p className="text-xs text-muted">
          {rail}
          <span className="md:hidden">, of {businessName ?? merchantId}</span>
        </p>
        <p className="md:hidden">
          <Amount value={amount} />
        </p>
      </div>
    ),
  },
  { key: 'merchant', header: 'Of', wideOnly: true, cell: (row) => <Of row={row} /> },
  { key: 'amount', header: 'Amount', align: 'right', wideOnly: true, cell: ({ amount }) => <Amount value={amount} /> },
  { key: 'status', header: 'Status', wideOnly: true, cell: ({ status }) => <Status status={status} /> },
  {
    key: 'look',
    header: 'Look at it',
    wideOnly: 'xl',
    cell: ({ operatorReason, source }) => lookWord(operatorReason) ?? (source === 'OPERATOR' ? 'Entered by hand' : ''),
  },
];

function Queue({ page, onPage }: Part) {
  const list = useList(
    '/operator/dispute',
    { query: { ...atPlace(page), size: SIZE } },
    { refetchInterval: LOOK_EVERY_MS },
  );
  return (
    <ListPage
      {...HEAD}
      caption="Disputes that run or have to be looked at, what is due first first"
      columns={QUEUE}
      rowKey={({ disputeId }) => disputeId}
      list={list}
      onPage={onPage}
      empty={
        <EmptyState icon={Gavel} title="No dispute runs">
          Those that providers report come up here by themselves.
        </EmptyState>
      }
    />
  );
}

const proposalColumns = (onOpen: (row: DisputeProposal) => void): readonly Column<DisputeProposal>[] => [
  {
    key: 'what',
    header: 'Proposed',
    cell: (row) => (
      <div className="min-w-36">
        <RowButton label={`Look at ${row.providerDisputeId}`} onOpen={() => onOpen(row)}>
          {ACTION_WORDS[row.action].word}
        </RowButton>
        <p className="text-xs break-all text-muted">{row.providerDisputeId}</p>
        <p className="text-xs text-muted md:hidden">of {row.businessName ?? row.merchantId}</p>
      </div>
    ),
  },
  { key: 'merchant', header: 'Of', wideOnly: true, cell: (row) => <Of row={row} /> },
  { key: 'amount', header: 'Amount', align: 'right', cell: ({ amount }) => <Amount value={amount} /> },
  {
    key: 'status',
    header: 'Status',
    wideOnly: true,
    cell: ({ isMine }) => <Status status="PENDING" word={isMine ? 'Waits for a colleague' : 'Waits for you'} />,
  },
  {
    key: 'by',
    header: 'By',
    wideOnly: 'xl',
    cell: ({ proposedBy }) => <span className="wrap-anywhere">{proposedBy ?? 'A colleague'}</span>,
  },
];

function Proposals({ page, onPage }: Part) {
  const list = useList(
    '/operator/dispute/proposal',
    { query: { ...atPlace(page), size: SIZE } },
    { refetchInterval: LOOK_EVERY_MS },
  );
  const proposal = useOpenRow(list.data?.records, ({ proposalId }) => proposalId);
  return (
    <ListPage
      {...HEAD}
      caption="Proposals about disputes that wait for a second person"
      columns={proposalColumns(proposal.open)}
      rowKey={({ proposalId }) => proposalId}
      list={list}
      onPage={onPage}
      empty={
        <EmptyState icon={Gavel} title="Nothing waits for a second person">
          What a colleague enters of a dispute waits here.
        </EmptyState>
      }
    >
      {proposal.row !== undefined && <ProposalDialog proposal={proposal.row} onClose={proposal.close} />}
    </ListPage>
  );
}

const REPORTED_WORDS: Record<string, string> = {
  NO_PAYMENT: 'Of no payment of ours',
  CONTRADICTED: 'Not what it seems',
};

const reportedColumns = (onDismiss: (row: ReportedDispute) => void): readonly Column<ReportedDispute>[] => [
  {
    key: 'number',
    header: 'Number at the provider',
    cell: ({ providerDisputeId, rail, mode }) => (
      <div className="min-w-32">
        <p className="font-medium break-all">{providerDisputeId}</p>
        <p className="text-xs text-muted">
          {rail}, {modeWord(mode)}
        </p>
      </div>
    ),
  },
  {
    key: 'why',
    header: 'Why',
    cell: ({ status, reason }) => (
      <>
        <p>{REPORTED_WORDS[status] ?? status}</p>
        {reason !== null && <p className="text-xs wrap-anywhere text-muted">{reason}</p>}
      </>
    ),
  },
  { key: 'since', header: 'Since', wideOnly: true, cell: ({ firstSeenAt }) => <Moment at={firstSeenAt} /> },
  {
    key: 'do',
    header: '',
    align: 'right',
    cell: (row) => (
      <Button size="small" onClick={() => onDismiss(row)} aria-label={`Dismiss ${row.providerDisputeId}`}>
        Dismiss
      </Button>
    ),
  },
];

const keyOfReported = ({ rail, providerDisputeId }: ReportedDispute): string => `${rail}/${providerDisputeId}`;

function Reported({ page, onPage }: Part) {
  const [dismissed, setDismissed] = useState<ReportedDispute>();
  const list = useList(
    '/operator/dispute/reported',
    { query: { ...atPlace(page), size: SIZE } },
    { refetchInterval: LOOK_EVERY_MS },
  );
  return (
    <ListPage
      {...HEAD}
      caption="Reported disputes that are of no payment, or not what they seem, longest first"
      columns={reportedColumns(setDismissed)}
      rowKey={keyOfReported}
      list={list}
      onPage={onPage}
      empty={
        <EmptyState icon={Gavel} title="Every reported dispute has its payment">
          What a provider reports of a payment that is not yours waits here.
        </EmptyState>
      }
    >
      {dismissed !== undefined && <DismissDialog reported={dismissed} onClose={() => setDismissed(undefined)} />}
    </ListPage>
  );
}
