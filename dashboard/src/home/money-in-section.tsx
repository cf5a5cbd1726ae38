import { HandCoins } from 'lucide-react';
import { useList } from '../api/reads.ts';
import type { Data } from '../api/types.ts';
import { type InboundPayment, PAYMENT_WORDS } from '../collections/payment-words.ts';
import { ButtonLink } from '../components/button.tsx';
import { Section } from '../components/page-header.tsx';
import { EmptyState } from '../components/states.tsx';
import { Status } from '../components/status.tsx';
import { type Column, Table } from '../components/table.tsx';
import { Amount, Moment } from '../components/values.tsx';
import { AccountNumbers } from '../wallet/account-numbers.tsx';

const SHOWN = 3;
const LOOK_EVERY_MS = 15_000;

const COLUMNS: readonly Column<InboundPayment>[] = [
  {
    key: 'payer',
    header: 'From',
    cell: ({ payer, narration }) => (
      <div className="min-w-32">
        <p className="font-medium break-words">{payer.name ?? 'Unknown payer'}</p>
        <p className="text-xs break-words text-muted">{narration ?? payer.bankName}</p>
      </div>
    ),
  },
  {
    key: 'amount',
    header: 'Amount',
    align: 'right',
    cell: ({ amount, status }) => (
      <Amount value={amount} {...(status === 'CREDITED' && { direction: 'in' as const })} />
    ),
  },
  {
    key: 'status',
    header: 'Status',
    wideOnly: true,
    cell: ({ status }) => <Status status={status} word={PAYMENT_WORDS[status]} />,
  },
  { key: 'at', header: 'Confirmed', wideOnly: true, cell: ({ confirmedAt }) => <Moment at={confirmedAt} /> },
];

/** Where others pay to, and who paid last. */
export function MoneyInSection({ wallet }: { wallet: Data<'get', '/wallet/merchant'>['wallet'] | undefined }) {
  const payments = useList('/collection/payment', { query: { size: SHOWN } }, { refetchInterval: LOOK_EVERY_MS });
  return (
    <Section
      title="Money in"
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
