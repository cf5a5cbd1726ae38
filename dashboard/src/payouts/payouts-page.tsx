import { CalendarClock, FileSpreadsheet, Send } from 'lucide-react';
import { atPlace, type ListSearch } from '../api/list-search.ts';
import { useList } from '../api/reads.ts';
import { useMay, useMode } from '../api/session.ts';
import { ButtonLink } from '../components/button.tsx';
import { SelectFilter } from '../components/filters.tsx';
import { ListPage } from '../components/list-page.tsx';
import { EmptyState } from '../components/states.tsx';
import { showStatus } from '../components/status.tsx';
import { PAYOUT_COLUMNS, type Payout, scheduleColumns } from './payout-columns.tsx';

export type PayoutSearch = ListSearch<'status'>;

export interface PayoutsPageProps {
  search: PayoutSearch;
  onSearch: (search: PayoutSearch) => void;
}

const STATUSES: readonly Payout['status'][] = [
  'PENDING_APPROVAL',
  'SCHEDULED',
  'QUEUED',
  'PROCESSING',
  'SUCCESS',
  'FAILED',
  'REVERSED',
  'CANCELLED',
];
const CHOICES = STATUSES.map((value) => ({ value, label: showStatus(value).word }));

function statusOf(status: string | undefined): { status?: Payout['status'] } {
  const found = STATUSES.find((known) => known === status);
  return found === undefined ? {} : { status: found };
}

/** The newest payouts, and the way to the next one. */
export function PayoutsPage({ search, onSearch }: PayoutsPageProps) {
  const { page, status } = search;
  const mode = useMode();
  const mayPay = useMay()('payout:write', mode);
  const payouts = useList(
    '/transaction',
    { query: { category: 'PAYOUT', ...atPlace(page), size: 25, ...statusOf(status) } },
    { refetchInterval: 10_000 },
  );
  const pay = (
    <ButtonLink to="/payouts/new" look="primary" icon={Send}>
      New payout
    </ButtonLink>
  );
  return (
    <ListPage
      title="Payouts"
      actions={
        mayPay && (
          <>
            <ButtonLink to="/bulk" icon={FileSpreadsheet}>
              Pay a list
            </ButtonLink>
            {pay}
          </>
        )
      }
      about="Money to bank accounts, newest first."
      filters={<StatusFilter status={status} onSearch={onSearch} />}
      columns={PAYOUT_COLUMNS}
      rowKey={({ transactionId }) => transactionId}
      list={payouts}
      onPage={(next) => onSearch({ ...search, page: next })}
      isFiltered={status !== undefined}
      empty={
        <EmptyState icon={Send} title="No payout yet" action={mayPay && pay}>
          A payout goes from your wallet to any bank account in Nigeria, mostly within seconds. You see the owner’s name
          and all charges before anything moves.
        </EmptyState>
      }
    />
  );
}

/** What is to be paid later. */
export function ScheduledPage({ search, onSearch }: PayoutsPageProps) {
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
