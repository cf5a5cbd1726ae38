import { CalendarClock, FileSpreadsheet, Send } from 'lucide-react';
import { atPlace, type ListSearch } from '../api/list-search.ts';
import { useList, useRead } from '../api/reads.ts';
import { useMay, useMode } from '../api/session.ts';
import { ButtonLink } from '../components/button.tsx';
import { SearchFilter, SelectFilter } from '../components/filters.tsx';
import { ListPage } from '../components/list-page.tsx';
import { EmptyState } from '../components/states.tsx';
import { showStatus } from '../components/status-words.ts';
import { useColumns } from '../lists/columns.tsx';
import { FilterBar } from '../lists/filter-bar.tsx';
import {
  activeFields,
  askedOf,
  type FilterSearch,
  type Filters,
  type FilterWords,
  partAsked,
  railAsked,
} from '../lists/filter-fields.ts';
import { ListTools } from '../lists/list-tools.tsx';
import { ListTotals, TOTALS_EVERY_MS } from '../lists/list-totals.tsx';
import { NothingLeft } from '../lists/nothing-left.tsx';
import { RailFilter } from '../lists/rail-filter.tsx';
import { RecentNote } from '../lists/recent-note.tsx';
import { TRANSACTION_STATUSES } from '../lists/transaction-statuses.ts';
import { PAYOUT_COLUMNS, type Payout, scheduleColumns } from './payout-columns.tsx';

export type PayoutSearch = ListSearch<'status'>;

export interface PayoutsPageProps {
  search: FilterSearch;
  /** Changes what stands in the address; the rest of it stays. */
  onSearch: (change: FilterSearch) => void;
}

export interface ScheduledPageProps {
  search: PayoutSearch;
  onSearch: (search: PayoutSearch) => void;
}

const CHOICES = TRANSACTION_STATUSES.map((value) => ({ value, label: showStatus(value).word }));
const WORDS: FilterWords = { statuses: CHOICES };

/** What the interface is asked for, but for the place in the list. */
function queryOf(search: Filters) {
  const counterparty = partAsked(search.counterparty);
  const rail = railAsked(search.rail);
  return {
    category: 'PAYOUT' as const,
    ...askedOf(search, CHOICES),
    ...(counterparty !== undefined && { counterparty }),
    ...(rail !== undefined && { rail }),
  };
}

/** The newest payouts, and the way to the next one. */
export function PayoutsPage({ search, onSearch }: PayoutsPageProps) {
  const query = queryOf(search);
  const { order: _order, ...summed } = query;
  const payouts = useList(
    '/transaction',
    { query: { ...query, ...atPlace(search.page), size: 25 } },
    { refetchInterval: 10_000 },
  );
  const totals = useRead('/transaction/total', { query: summed }, { refetchInterval: TOTALS_EVERY_MS });
  const filter = (change: FilterSearch) => onSearch({ page: undefined, ...change });
  const columns = useColumns('PAYOUTS', PAYOUT_COLUMNS, search.columns, (chosen) => onSearch({ columns: chosen }));
  const tools = { list: 'PAYOUTS', search, onFilter: filter } as const;
  return (
    <ListPage
      title="Payouts"
      actions={<PayActions />}
      about="Money to bank accounts, newest first."
      filters={<PayoutFilters search={search} onFilter={filter} />}
      note={
        <>
          <ListTools
            {...tools}
            all={PAYOUT_COLUMNS}
            chosen={columns}
            file={{ address: '/transaction.csv', query, name: 'payouts' }}
          />
          <RecentNote search={search} />
          <ListTotals found={totals} statuses={CHOICES} nouns={['payout', 'payouts']} fees="charges" />
        </>
      }
      columns={columns.shown}
      rowKey={({ transactionId }) => transactionId}
      list={payouts}
      onPage={(page) => onSearch({ page })}
      empty={
        activeFields('PAYOUTS', search).length === 0 ? (
          <NoPayout />
        ) : (
          <NothingLeft {...tools} path="/transaction" words={WORDS} queryOf={queryOf} />
        )
      }
    />
  );
}

function PayActions() {
  const mayPay = useMay()('payout:write', useMode());
  if (!mayPay) return null;
  return (
    <>
      <ButtonLink to="/bulk" icon={FileSpreadsheet}>
        Pay a list
      </ButtonLink>
      <PayButton />
    </>
  );
}

function PayButton() {
  return (
    <ButtonLink to="/payouts/new" look="primary" icon={Send}>
      New payout
    </ButtonLink>
  );
}

function NoPayout() {
  const mayPay = useMay()('payout:write', useMode());
  return (
    <EmptyState icon={Send} title="No payout yet" action={mayPay && <PayButton />}>
      A payout goes from your wallet to any bank account in Nigeria, mostly within seconds. You see the owner’s name and
      all charges before anything moves.
    </EmptyState>
  );
}

function PayoutFilters({ search, onFilter }: { search: FilterSearch; onFilter: (change: FilterSearch) => void }) {
  return (
    <FilterBar
      list="PAYOUTS"
      search={search}
      words={WORDS}
      onFilter={onFilter}
      first={
        <SearchFilter
          label="Paid to"
          placeholder="Part of a name or account number"
          value={search.counterparty}
          onChange={(counterparty) => onFilter({ counterparty })}
        />
      }
      more={<RailFilter rail={search.rail} onChange={(rail) => onFilter({ rail })} />}
    />
  );
}

function statusOf(status: string | undefined): { status?: Payout['status'] } {
  const found = TRANSACTION_STATUSES.find((known) => known === status);
  return found === undefined ? {} : { status: found };
}

/** What is to be paid later. */
export function ScheduledPage({ search, onSearch }: ScheduledPageProps) {
  const { page, status } = search;
  const mode = useMode();
  const mayPay = useMay()('payout:write', mode);
  const schedules = useList('/payout/single/schedule', { query: { ...atPlace(page), size: 25, ...statusOf(status) } });
  const pay = (
    <ButtonLink to="/payouts/new" search={{ when: 'later' as const }} look="primary" icon={CalendarClock}>
      Schedule a payout
    </ButtonLink>
  );
  return (
    <ListPage
      title="Scheduled payouts"
      actions={mayPay && pay}
      about="Payouts that are sent automatically at their time. Nothing is held until then."
      filters={<StatusFilter status={status} onSearch={onSearch} />}
      columns={scheduleColumns(mayPay)}
      rowKey={({ scheduleId }) => scheduleId}
      list={schedules}
      onPage={(next) => onSearch({ ...search, page: next })}
      isFiltered={status !== undefined}
      empty={
        <EmptyState icon={CalendarClock} title="Nothing is scheduled" action={mayPay && pay}>
          Choose “Later” when you create a payout, with a day and an hour. Until then you can cancel it here.
        </EmptyState>
      }
    />
  );
}

function StatusFilter({ status, onSearch }: { status: string | undefined; onSearch: (search: PayoutSearch) => void }) {
  return (
    <SelectFilter
      label="Status"
      value={status}
      all="All statuses"
      options={CHOICES}
      onChange={(next) => onSearch(next === undefined ? {} : { status: next })}
    />
  );
}
