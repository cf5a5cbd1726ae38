import { HandCoins } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { atPlace, filtersOf } from '../api/list-search.ts';
import { useList, useRead } from '../api/reads.ts';
import { Button, ButtonLink } from '../components/button.tsx';
import { SearchFilter, SelectFilter } from '../components/filters.tsx';
import { ListPage } from '../components/list-page.tsx';
import { RowButton } from '../components/row-button.tsx';
import { EmptyState } from '../components/states.tsx';
import { useOpenRow } from '../components/use-open-row.ts';
import { Amount, Moment } from '../components/values.tsx';
import { CHANNEL_OPTIONS, channelWord } from '../format/channels.ts';
import { lessMoney } from '../format/money.ts';
import { type ChoosableColumn, useColumns } from '../lists/columns.tsx';
import { FilterBar } from '../lists/filter-bar.tsx';
import {
  activeFields,
  askedOf,
  type FilterSearch,
  type Filters,
  type FilterWords,
  noFilters,
  partAsked,
} from '../lists/filter-fields.ts';
import { ListTools } from '../lists/list-tools.tsx';
import { ListTotals, TOTALS_EVERY_MS } from '../lists/list-totals.tsx';
import { NothingLeft } from '../lists/nothing-left.tsx';
import { RecentNote } from '../lists/recent-note.tsx';
import { CollectionTabs } from './collection-tabs.tsx';
import { AMOUNT_COLUMN, CONFIRMED_COLUMN, Payer, payerName, STATUS_COLUMN } from './payment-columns.tsx';
import { type InboundPayment, PAYMENT_WORDS } from './payment-words.ts';

const PaymentDialog = lazy(() => import('./payment-dialog.tsx').then((part) => ({ default: part.PaymentDialog })));

/** The address of the page: the filter, and the payment whose dialog is open as the page comes. */
export type PaymentsSearch = FilterSearch & { payment?: string | undefined };

export interface PaymentsPageProps {
  search: PaymentsSearch;
  onSearch: (change: PaymentsSearch) => void;
}

const LOOK_EVERY_MS = 5_000;
const STATUSES = Object.entries(PAYMENT_WORDS).map(([value, label]) => ({ value, label }));
const CHANNELS = [
  ...CHANNEL_OPTIONS,
  { value: 'ACCOUNT', label: 'Account number' },
  { value: 'PAGE', label: 'Payment page' },
] as const;
const WORDS: FilterWords = { statuses: STATUSES, others: { channel: CHANNELS } };

const keyOf = ({ paymentId }: InboundPayment): string => paymentId;

/** What the interface is asked for, but for the place in the list. */
function queryOf(search: Filters) {
  const payer = partAsked(search.payer);
  const channel = CHANNELS.find(({ value }) => value === search.channel)?.value;
  return {
    ...askedOf(search, STATUSES),
    ...filtersOf(search as { customerId?: string }, 'customerId'),
    ...(payer !== undefined && { payer }),
    ...(channel !== undefined && { channel }),
  };
}

/** Money that came in, each payment with who paid it. */
export function PaymentsPage({ search, onSearch }: PaymentsPageProps) {
  const query = queryOf(search);
  const { order: _order, ...summed } = query;
  const filter = (change: FilterSearch) => onSearch({ page: undefined, ...change });
  const payments = useList(
    '/collection/payment',
    { query: { ...query, ...atPlace(search.page), size: 25 } },
    { refetchInterval: LOOK_EVERY_MS },
  );
  const totals = useRead('/collection/payment/total', { query: summed }, { refetchInterval: TOTALS_EVERY_MS });
  const payment = useOpenRow(payments.data?.records, keyOf);
  const all = columnsOf(payment.open);
  const columns = useColumns('PAYMENTS_IN', all, search.columns, (chosen) => onSearch({ columns: chosen }));
  const tools = { list: 'PAYMENTS_IN', search, onFilter: filter } as const;
  return (
    <ListPage
      title="Money in"
      about="What others paid to the account numbers of your wallets. Each payment was confirmed by the bank that received it."
      caption="Payments that came in, newest first"
      intro={<CollectionTabs />}
      filters={<PaymentFilters search={search} onFilter={filter} />}
      note={
        <>
          <ListTools
            {...tools}
            all={all}
            chosen={columns}
            file={{ address: '/collection/payment.csv', query, name: 'payments-in' }}
          />
          {search.customerId !== undefined && <OnlyOfCustomer onShowAll={() => filter(noFilters('PAYMENTS_IN'))} />}
          <RecentNote search={search} />
          <ListTotals found={totals} statuses={STATUSES} nouns={['payment', 'payments']} fees="fees and VAT" />
        </>
      }
      columns={columns.shown}
      rowKey={keyOf}
      list={payments}
      onPage={(next) => onSearch({ page: next })}
      empty={
        activeFields('PAYMENTS_IN', search).length > 0 ? (
          <NothingLeft {...tools} path="/collection/payment" words={WORDS} queryOf={queryOf} />
        ) : (
          <NobodyYet />
        )
      }
    >
      <Suspense>
        {payment.row !== undefined && <PaymentDialog payment={payment.row} onClose={payment.close} />}
        {search.payment !== undefined && (
          <LinkedPayment paymentId={search.payment} onClose={() => onSearch({ payment: undefined })} />
        )}
      </Suspense>
    </ListPage>
  );
}

/** One that was found otherwise than in the list. */
function LinkedPayment({ paymentId, onClose }: { paymentId: string; onClose: () => void }) {
  const { data } = useRead('/collection/payment/{paymentId}', { path: { paymentId } });
  return data === undefined ? null : <PaymentDialog payment={data.payment} onClose={onClose} />;
}

function NobodyYet() {
  return (
    <EmptyState
      icon={HandCoins}
      title="Nobody has paid in yet"
      action={
        <ButtonLink to="/wallet" search={{}} look="primary">
          See the account number
        </ButtonLink>
      }
    >
      Give your account number to whoever pays you. What arrives is listed here within moments.
    </EmptyState>
  );
}

function PaymentFilters({ search, onFilter }: { search: FilterSearch; onFilter: (change: FilterSearch) => void }) {
  return (
    <FilterBar
      list="PAYMENTS_IN"
      search={search}
      words={WORDS}
      onFilter={onFilter}
      first={
        <SearchFilter
          label="Payer"
          placeholder="Part of a name or account number"
          value={search.payer}
          onChange={(payer) => onFilter({ payer })}
        />
      }
      more={
        <SelectFilter
          label="Channel"
          all="All channels"
          options={CHANNELS}
          value={search.channel}
          onChange={(channel) => onFilter({ channel })}
        />
      }
    />
  );
}

function OnlyOfCustomer({ onShowAll }: { onShowAll: () => void }) {
  return (
    <p className="mb-3 flex flex-wrap items-center gap-3 text-sm">
      Only what one customer paid.
      <Button size="small" onClick={onShowAll}>
        Show all payments
      </Button>
    </p>
  );
}

const columnsOf = (onOpen: (payment: InboundPayment) => void): readonly ChoosableColumn<InboundPayment>[] => [
  {
    key: 'payer',
    label: 'From',
    csv: ['payer', 'payerAccount', 'payerBank', 'narration'],
    header: 'From',
    cell: (payment) => (
      <Payer payment={payment}>
        <RowButton onOpen={() => onOpen(payment)}>{payerName(payment)}</RowButton>
      </Payer>
    ),
  },
  { ...AMOUNT_COLUMN, label: 'Amount', csv: ['amount'] },
  { ...STATUS_COLUMN, label: 'Status', csv: ['status', 'reason'] },
  {
    key: 'account',
    label: 'To account',
    csv: ['account'],
    header: 'To account',
    wideOnly: true,
    cell: ({ accountNumber }) => <span className="figures font-mono">{accountNumber}</span>,
  },
  { ...CONFIRMED_COLUMN, label: 'Confirmed', csv: ['confirmedAt'] },
  {
    key: 'fees',
    label: 'Fees and VAT',
    csv: ['fee', 'vat'],
    header: 'Fees and VAT',
    align: 'right',
    isExtra: true,
    wideOnly: true,
    cell: ({ amount, net }) => <Amount value={lessMoney(amount, net)} />,
  },
  {
    key: 'net',
    label: 'Net',
    csv: ['net'],
    header: 'Net',
    align: 'right',
    isExtra: true,
    wideOnly: true,
    cell: ({ net }) => <Amount value={net} />,
  },
  {
    key: 'reserve',
    label: 'In reserve',
    csv: ['reserve'],
    header: 'In reserve',
    align: 'right',
    isExtra: true,
    wideOnly: true,
    cell: ({ reserve }) => <Amount value={reserve} />,
  },
  {
    key: 'channel',
    label: 'Channel',
    csv: ['channel'],
    header: 'Channel',
    isExtra: true,
    wideOnly: true,
    cell: ({ channel }) => channelWord(channel),
  },
  {
    key: 'paid',
    label: 'Paid',
    csv: ['paidAt'],
    header: 'Paid',
    isExtra: true,
    wideOnly: true,
    cell: ({ paidAt }) => <Moment at={paidAt} />,
  },
  {
    key: 'session',
    label: 'Session id',
    csv: ['sessionId', 'providerReference', 'paymentId'],
    header: 'Session id',
    isExtra: true,
    wideOnly: true,
    cell: ({ sessionId }) => <span className="font-mono text-xs wrap-anywhere">{sessionId}</span>,
  },
];
