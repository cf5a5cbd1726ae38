import { HandCoins } from 'lucide-react';
import { atPlace, filtersOf, type ListPlace } from '../api/list-search.ts';
import { useList, useRead } from '../api/reads.ts';
import { useMode } from '../api/session.ts';
import type { Input } from '../api/types.ts';
import { Button, ButtonLink } from '../components/button.tsx';
import { DownloadButton } from '../components/download-button.tsx';
import { SelectFilter } from '../components/filters.tsx';
import { ListPage } from '../components/list-page.tsx';
import { RowButton } from '../components/row-button.tsx';
import { EmptyState } from '../components/states.tsx';
import type { Column } from '../components/table.tsx';
import { useOpenRow } from '../components/use-open-row.ts';
import { CollectionTabs } from './collection-tabs.tsx';
import { AMOUNT_COLUMN, CONFIRMED_COLUMN, Payer, payerName, STATUS_COLUMN } from './payment-columns.tsx';
import { PaymentDialog } from './payment-dialog.tsx';
import { type InboundPayment, PAYMENT_WORDS } from './payment-words.ts';

export interface PaymentsSearch {
  page?: ListPlace | undefined;
  status?: string | undefined;
  customerId?: string | undefined;
  /** The payment whose dialog is open as the page comes. */
  payment?: string | undefined;
}

export interface PaymentsPageProps {
  search: PaymentsSearch;
  onSearch: (change: PaymentsSearch) => void;
}

type Filter = NonNullable<NonNullable<Input<'get', '/collection/payment'>['query']>['status']>;

const LOOK_EVERY_MS = 5_000;
const OPTIONS = Object.entries(PAYMENT_WORDS).map(([value, label]) => ({ value, label }));

const isStatus = (text: string | undefined): text is Filter => text !== undefined && text in PAYMENT_WORDS;

const keyOf = ({ paymentId }: InboundPayment): string => paymentId;

/** Money that came in, each payment with who paid it. */
export function PaymentsPage({ search, onSearch }: PaymentsPageProps) {
  const mode = useMode();
  const { page, status } = search;
  const filters = { ...(isStatus(status) && { status }), ...filtersOf(search, 'customerId') };
  const showAll = () => onSearch({ status: undefined, customerId: undefined, page: undefined });
  const payments = useList(
    '/collection/payment',
    { query: { ...atPlace(page), size: 25, ...filters } },
    { refetchInterval: LOOK_EVERY_MS },
  );
  const payment = useOpenRow(payments.data?.records, keyOf);
  return (
    <ListPage
      title="Money in"
      actions={
        <DownloadButton
          address={`/collection/payment.csv?${new URLSearchParams(filters)}`}
          fileName={`payments-in-${mode.toLowerCase()}.csv`}
          size="small"
        >
          Download CSV
        </DownloadButton>
      }
      about="What others paid to the account numbers of your wallets. Each payment was confirmed by the bank that received it."
      caption="Payments that came in, newest first"
      intro={<CollectionTabs />}
      filters={
        <SelectFilter
          label="Status"
          all="All payments"
          options={OPTIONS}
          value={status}
          onChange={(chosen) => onSearch({ status: chosen, page: undefined })}
        />
      }
      note={search.customerId !== undefined && <OnlyOfCustomer onShowAll={showAll} />}
      columns={columnsOf(payment.open)}
      rowKey={keyOf}
      list={payments}
      onPage={(next) => onSearch({ page: next })}
      empty={
        Object.keys(filters).length > 0 ? (
          <EmptyState title="No matches" action={<Button onClick={showAll}>Show all</Button>}>
            No payment is like this.
          </EmptyState>
        ) : (
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
        )
      }
    >
      {payment.row !== undefined && <PaymentDialog payment={payment.row} onClose={payment.close} />}
      {search.payment !== undefined && (
        <LinkedPayment paymentId={search.payment} onClose={() => onSearch({ payment: undefined })} />
      )}
    </ListPage>
  );
}

/** One that was found otherwise than in the list. */
function LinkedPayment({ paymentId, onClose }: { paymentId: string; onClose: () => void }) {
  const { data } = useRead('/collection/payment/{paymentId}', { path: { paymentId } });
  return data === undefined ? null : <PaymentDialog payment={data.payment} onClose={onClose} />;
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

const columnsOf = (onOpen: (payment: InboundPayment) => void): readonly Column<InboundPayment>[] => [
  {
    key: 'payer',
    header: 'From',
    cell: (payment) => (
      <Payer payment={payment}>
        <RowButton onOpen={() => onOpen(payment)}>{payerName(payment)}</RowButton>
      </Payer>
    ),
  },
  AMOUNT_COLUMN,
  STATUS_COLUMN,
  {
    key: 'account',
    header: 'To account',
    wideOnly: true,
    cell: ({ accountNumber }) => <span className="figures font-mono">{accountNumber}</span>,
  },
  CONFIRMED_COLUMN,
];
