import { HandCoins } from 'lucide-react';
import { useList } from '../api/reads.ts';
import type { Data } from '../api/types.ts';
import { AMOUNT_COLUMN, CONFIRMED_COLUMN, Payer, payerName, STATUS_COLUMN } from '../collections/payment-columns.tsx';
import type { InboundPayment } from '../collections/payment-words.ts';
import { ButtonLink } from '../components/button.tsx';
import { Section } from '../components/page-header.tsx';
import { EmptyState } from '../components/states.tsx';
import { type Column, Table } from '../components/table.tsx';
import { AccountNumbers } from '../wallet/account-numbers.tsx';

const SHOWN = 3;
const LOOK_EVERY_MS = 15_000;

const COLUMNS: readonly Column<InboundPayment>[] = [
  {
    key: 'payer',
    header: 'From',
    cell: (payment) => (
      <Payer payment={payment}>
        <p className="font-medium break-words">{payerName(payment)}</p>
      </Payer>
    ),
  },
  AMOUNT_COLUMN,
  STATUS_COLUMN,
  CONFIRMED_COLUMN,
];

/** Where others pay to, and who paid last. */
export function MoneyInSection({ wallet }: { wallet: Data<'get', '/wallet/merchant'>['wallet'] | undefined }) {
  const payments = useList('/collection/payment', { query: { size: SHOWN } }, { refetchInterval: LOOK_EVERY_MS });
  return (
    <Section
      title="Add money"
      about="Anybody can pay to this account from their bank. What arrives shows up here by itself."
      bare
      actions={
        <ButtonLink to="/collections" search={{}} size="small">
          All payments in
        </ButtonLink>
      }
    >
      <div className="grid gap-4">
        {wallet !== undefined && <AccountNumbers walletId={wallet.id} name="the main wallet" />}
        <Table
          caption="The last payments in"
          columns={COLUMNS}
          rowKey={({ paymentId }) => paymentId}
          {...(payments.data === undefined ? {} : { rows: payments.data.records })}
          list={{ data: undefined, error: payments.error, refetch: payments.refetch }}
          empty={
            <EmptyState icon={HandCoins} title="Nobody has paid in yet">
              Give the account number to whoever pays you. What arrives is listed here.
            </EmptyState>
          }
        />
      </div>
    </Section>
  );
}
