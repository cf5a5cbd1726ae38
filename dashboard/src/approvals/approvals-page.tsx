import { Link } from '@tanstack/react-router';
import { ListChecks } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { useList } from '../api/reads.ts';
import { useMay, useMode } from '../api/session.ts';
import { Button } from '../components/button.tsx';
import { Checkbox } from '../components/choices.tsx';
import { SelectFilter } from '../components/filters.tsx';
import { ListPage } from '../components/list-page.tsx';
import { EmptyState } from '../components/states.tsx';
import { Status } from '../components/status.tsx';
import { showStatus } from '../components/status-words.ts';
import type { Column } from '../components/table.tsx';
import { Tabs } from '../components/tabs.tsx';
import { Amount, Moment } from '../components/values.tsx';
import { PersonFilter } from '../people/person-filter.tsx';
import { PeriodFilter } from '../wallet/period-filter.tsx';
import { factsOf } from './approval-facts.ts';
import {
  type ApprovalSearch,
  hasFilters,
  type Inbox,
  inboxOf,
  NO_FILTERS,
  queryOf,
  searchOf,
  statusesOf,
} from './approval-search.ts';
import { type Approval, KIND_OPTIONS, KIND_WORDS } from './approval-words.ts';
import { BatchChanges } from './batch-changes.tsx';
import { type Selection, useSelection } from './use-selection.ts';

const DecideSeveral = lazy(() => import('./decide-several.tsx').then((part) => ({ default: part.DecideSeveral })));

export interface ApprovalsPageProps {
  search: ApprovalSearch;
  /** Changes what stands in the address; the rest of it stays. */
  onSearch: (change: ApprovalSearch) => void;
}

/** Others decide and make meanwhile. */
const LOOKS_AGAIN_MS = 15_000;

/** What it is and who is paid, with a box to tick where the person may decide. */
function What({ approval, selection }: { approval: Approval; selection: Selection }) {
  const { approvalId, title, kind, status, mayDecide } = approval;
  return (
    <div className="flex items-start gap-3">
      {mayDecide && (
        <input
          type="checkbox"
          aria-label={`Select ${title}`}
          className="mt-0.5 size-4.5 shrink-0 rounded-sm accent-accent"
          checked={selection.has(approvalId)}
          onChange={() => selection.toggle(approval)}
        />
      )}
      <div className="min-w-0">
        <Link to="/approvals/$approvalId" params={{ approvalId }} className="font-medium text-accent underline">
          {title}
        </Link>
        <span className="block text-xs text-muted">{KIND_WORDS[kind]}</span>
        {factsOf(approval).map((line) => (
          <span key={line} className="block text-xs">
            {line}
          </span>
        ))}
        {kind === 'BATCH' && <BatchChanges approval={approval} />}
        <span className="mt-1 block md:hidden">
          <Status status={status} />
        </span>
      </div>
    </div>
  );
}

const columnsFor = (selection: Selection): readonly Column<Approval>[] => [
  { key: 'title', header: 'What', cell: (approval) => <What approval={approval} selection={selection} /> },
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
    header: 'Created by',
    wideOnly: true,
    cell: ({ madeBy, madeAt }) => (
      <>
        {madeBy.name}
        <Moment at={madeAt} className="block text-xs text-muted" />
      </>
    ),
  },
];

const TABS: readonly { inbox: Inbox; label: string }[] = [
  { inbox: 'waiting', label: 'Waiting for me' },
  { inbox: 'mine', label: 'Created by me' },
  { inbox: 'decided', label: 'Decided' },
  { inbox: 'all', label: 'All' },
];

/** The inbox of people who decide, and of people who wait for a decision. */
export function ApprovalsPage({ search, onSearch }: ApprovalsPageProps) {
  const inbox = inboxOf(search);
  const approvals = useList('/approval', { query: queryOf(search) }, { refetchInterval: LOOKS_AGAIN_MS });
  const filter = (change: ApprovalSearch) => onSearch({ ...change, page: undefined });
  const selection = useSelection(approvals.data?.records);
  return (
    <ListPage
      title="Approvals"
      about="What one person creates, another reviews. Nothing here is paid or changed before enough people have approved it."
      intro={
        <div className="mb-5">
          <Tabs
            label="Approvals"
            tabs={TABS.map(({ inbox: one, label }) => ({
              label,
              to: '/approvals',
              // The one that is open leads to itself as it is, so that it stays marked on every page of it.
              search: one === inbox ? search : searchOf(one, search),
            }))}
          />
        </div>
      }
      filters={<ApprovalFilters inbox={inbox} search={search} onFilter={filter} />}
      note={<SelectAll selection={selection} />}
      columns={columnsFor(selection)}
      rowKey={({ approvalId }) => approvalId}
      list={approvals}
      onPage={(page) => onSearch({ page })}
      empty={
        hasFilters(search) ? (
          <EmptyState
            icon={ListChecks}
            title="No matches"
            action={<Button onClick={() => filter(NO_FILTERS)}>Clear the filters</Button>}
          >
            Remove a filter, or look under All.
          </EmptyState>
        ) : (
          <NothingHere inbox={inbox} />
        )
      }
    >
      <Suspense>{selection.isUsed && <DecideSeveral chosen={selection.chosen} onClear={selection.clear} />}</Suspense>
    </ListPage>
  );
}

/** Shown from two on: one is ticked as fast by itself. */
function SelectAll({ selection: { selectable, chosen, toggleAll } }: { selection: Selection }) {
  if (selectable < 2) return null;
  return (
    <div className="mb-3 px-3 sm:px-4">
      <Checkbox label="Select all on this page" checked={chosen.length === selectable} onChange={toggleAll} />
    </div>
  );
}

interface ApprovalFiltersProps {
  inbox: Inbox;
  search: ApprovalSearch;
  onFilter: (change: ApprovalSearch) => void;
}

function ApprovalFilters({ inbox, search, onFilter }: ApprovalFiltersProps) {
  const mode = useMode();
  const may = useMay();
  const statuses = statusesOf(inbox);
  return (
    <>
      <div className="flex gap-3 *:min-w-0 *:flex-1">
        <SelectFilter
          label="Kind"
          value={search.kind}
          all="All kinds"
          options={KIND_OPTIONS}
          onChange={(kind) => onFilter({ kind })}
        />
        {statuses.length > 0 && (
          <SelectFilter
            label="Status"
            value={search.status}
            all="All statuses"
            options={statuses.map((value) => ({ value, label: showStatus(value).word }))}
            onChange={(status) => onFilter({ status })}
          />
        )}
      </div>
      {inbox !== 'mine' && may('member:read', mode) && (
        <PersonFilter label="Created by" value={search.by} onChange={(by) => onFilter({ by })} />
      )}
      <PeriodFilter period={search} all="Any time" onChange={({ from, to }) => onFilter({ from, to })} />
      {hasFilters(search) && (
        <Button look="quiet" onClick={() => onFilter(NO_FILTERS)}>
          Clear the filters
        </Button>
      )}
    </>
  );
}

function NothingHere({ inbox }: { inbox: Inbox }) {
  if (inbox === 'mine') {
    return (
      <EmptyState icon={ListChecks} title="Nothing created by you">
        What you create and others have to approve is listed here with its progress.
      </EmptyState>
    );
  }
  if (inbox === 'waiting') {
    return (
      <EmptyState icon={ListChecks} title="Nothing waits for you">
        Payouts, lists, limits and beneficiaries that colleagues create come here when your business works with
        approvals. You never decide about what you created yourself.
      </EmptyState>
    );
  }
  return (
    <EmptyState icon={ListChecks} title="Nothing here yet">
      An owner or an administrator switches approvals on in the settings, with rules by amount.
    </EmptyState>
  );
}
