import type { ReactNode } from 'react';
import { Status } from '../components/status.tsx';
import type { Column } from '../components/table.tsx';
import { Amount, Moment } from '../components/values.tsx';
import { type InboundPayment, PAYMENT_WORDS } from './payment-words.ts';

export const payerName = ({ payer }: InboundPayment): string => payer.name ?? 'Unknown payer';

/** Who paid, and what for; the name as `children`, to be text or a button. */
export function Payer({ payment, children }: { payment: InboundPayment; children: ReactNode }) {
  return (
    <div className="min-w-32">
      {children}
      <p className="text-xs break-words text-muted">{payment.narration ?? payment.payer.bankName}</p>
    </div>
  );
}

export const AMOUNT_COLUMN: Column<InboundPayment> = {
  key: 'amount',
  header: 'Amount',
  align: 'right',
  cell: ({ amount, status, reason }) => (
    <>
      <Amount value={amount} className="font-medium" {...(status === 'CREDITED' && { direction: 'in' as const })} />
      <p className="mt-1 md:hidden">
        <Status status={status} reason={reason} word={PAYMENT_WORDS[status]} />
      </p>
    </>
  ),
};

export const STATUS_COLUMN: Column<InboundPayment> = {
  key: 'status',
  header: 'Status',
  wideOnly: true,
  cell: ({ status, reason }) => <Status status={status} reason={reason} word={PAYMENT_WORDS[status]} />,
};

export const CONFIRMED_COLUMN: Column<InboundPayment> = {
  key: 'at',
  header: 'Confirmed',
  wideOnly: true,
  cell: ({ confirmedAt }) => <Moment at={confirmedAt} />,
};
