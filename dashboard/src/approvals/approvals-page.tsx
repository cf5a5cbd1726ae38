import { Link } from '@tanstack/react-router';
import { ListChecks } from 'lucide-react';
import type { ListSearch } from '../api/list-search.ts';
import { useList } from '../api/reads.ts';
import { useSession } from '../api/session.ts';
import { Amount } from '../components/amount.tsx';
import { Filters, SelectFilter } from '../components/filters.tsx';
import { Moment } from '../components/moment.tsx';
import { PageHeader } from '../components/page-header.tsx';
import { EmptyState } from '../components/states.tsx';
import { Status } from '../components/status.tsx';
import { type Column, Table } from '../components/table.tsx';
import { Tabs } from '../components/tabs.tsx';
import { type Approval, isKind, KIND_OPTIONS, KIND_WORDS } from './approval-words.ts';

export type Inbox = 'waiting' | 'mine' | 'decided' | 'all';
export type ApprovalSearch = ListSearch<'kind' | 'show'>;

export interface ApprovalsPageProps {
  search: ApprovalSearch;
  onSearch: (search: ApprovalSearch) => void;
}

/** As many as one page of the service holds: what waits is never more than people can look at. */
const PENDING_SIZE = 200;
const SIZE = 50;

const COLUMNS: readonly Column<Approval>[] = [
  {
    key: 'title',
    header: 'What',
    cell: ({ approvalId, title, kind, status }) => (
      <>
        <Link to="/approvals/$approvalId" params={{ approvalId }} className="font-medium text-accent underline">
          {title}
        </Link>
        <span className="block text-xs text-muted">{KIND_WORDS[kind]}</span>
        <span className="mt-1 block md:hidden">
          <Status status={status} />
        </span>
      </>
    ),
  },
  {
    key: 'total',
    header: 'With charges',
    align: 'right',
    cell: ({ total, currency }) => <Amount value={total} currency={currency} />,
  },
  { key: 'status', header: 'Status', wideOnly: true, cell: ({ status }) => <Status status={status} /> },
  {
    key: 'given',
    header: 'Approvals',
    align: 'right',
    wideOnly: true,
    cell: ({ given, needed }) => (
      <span className="figures">
        {given} of {needed}
      </span>
    ),
  },
  {
    key: 'by',
    header: 'Made by',
    wideOnly: true,
    cell: ({ madeBy, madeAt }) => (
      <>
        {madeBy.name}
        {madeBy.via === 'API' && ' (API)'}
        <Moment at={madeAt} className="block text-xs text-muted" />
      </>
    ),
  },
];

/** The inbox of whoever decides, and of whoever waits for a decision. */
export function ApprovalsPage({ search, onSearch }: ApprovalsPageProps) {
  const inbox = inboxOf(search.show);
  const { page = 1 } = search;
  const { person } = useSession();
  const kind = isKind(search.kind) ? { kind: search.kind } : {};
  const status = inbox === 'waiting' ? ({ status: 'PENDING' } as const) : {};
  const whole = inbox === 'all';
  const approvals = useList(
    '/approval',
    { query: { page: whole ? page : 1, size: whole ? SIZE : PENDING_SIZE, ...status, ...kind } },
    { refetchInterval: 15_000 },
  );
  const rows = approvals.data?.records.filter((approval) => isIn(inbox, approval, person.personId));
  return (
    <>
      <PageHeader title="Approvals">
        What one person makes, another looks at. Nothing here is paid or changed before enough people have approved it.
      </PageHeader>
      <Tabs
        label="Approvals"
        tabs={[
          { label: 'Waiting for me', to: '/approvals', search: keep(search, undefined) },
          { label: 'Made by me', to: '/approvals', search: keep(search, 'mine') },
          { label: 'Decided', to: '/approvals', search: keep(search, 'decided') },
          { label: 'All', to: '/approvals', search: keep(search, 'all') },
        ]}
      />
      <div className="mt-5">
        <Filters>
          <SelectFilter
            label="Kind"
            value={search.kind}
            all="All kinds"
            options={KIND_OPTIONS}
            onChange={(next) => onSearch({ ...keep(search, search.show), kind: next })}
          />
        </Filters>
        <Table
          caption="Approvals"
          columns={COLUMNS}
          rowKey={({ approvalId }) => approvalId}
          list={approvals}
          {...(whole || rows === undefined ? {} : { rows })}
          {...(whole ? { onPage: (next: number) => onSearch({ ...search, page: next }) } : {})}
          empty={<NothingHere inbox={inbox} />}
        />
        {!whole && (approvals.data?.totalRecords ?? 0) > PENDING_SIZE && (
          <p className="mt-3 text-xs text-muted">Taken from the newest {PENDING_SIZE}. Older ones are under All.</p>
        )}
      </div>
    </>
  );
}

function inboxOf(show: string | undefined): Inbox {
  return show === 'mine' || show === 'decided' || show === 'all' ? show : 'waiting';
}

function keep({ kind }: ApprovalSearch, show: string | undefined): ApprovalSearch {
  return { ...(kind === undefined ? {} : { kind }), ...(show === undefined ? {} : { show }) };
}

function isIn(inbox: Inbox, { status, mayDecide, madeBy }: Approval, personId: string): boolean {
  switch (inbox) {
    case 'waiting':
      return mayDecide;
    case 'mine':
      return madeBy.personId === personId;
    case 'decided':
      return status !== 'PENDING';
    default:
      return true;
  }
}

function NothingHere({ inbox }: { inbox: Inbox }) {
  if (inbox === 'mine') {
    return (
      <EmptyState icon={ListChecks} title="Nothing made by you">
        What you make and somebody else has to approve stands here, with how far it is.
      </EmptyState>
    );
  }
  if (inbox === 'waiting') {
    return (
      <EmptyState icon={ListChecks} title="Nothing waits for you">
        Payouts, lists, limits and beneficiaries that colleagues make come here when your business works with approvals.
        You never decide about what you made yourself.
      </EmptyState>
    );
  }
  return (
    <EmptyState icon={ListChecks} title="Nothing here yet">
      An owner or an administrator switches approvals on in the settings, with rules by amount.
    </EmptyState>
  );
}
