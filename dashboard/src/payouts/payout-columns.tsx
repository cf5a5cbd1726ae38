import { Link } from '@tanstack/react-router';
import { CalendarX } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useAction } from '../api/action.ts';
import type { RecordOf } from '../api/types.ts';
import { Button } from '../components/button.tsx';
import { ConfirmDialog } from '../components/dialog.tsx';
import { Status } from '../components/status.tsx';
import type { Column } from '../components/table.tsx';
import { toast } from '../components/toast.tsx';
import { Amount, Moment } from '../components/values.tsx';
import { formatMoney } from '../format/money.ts';
import type { ChoosableColumn } from '../lists/columns.tsx';

export type Payout = RecordOf<'/transaction'>;
export type Schedule = RecordOf<'/payout/single/schedule'>;

type Listed = Pick<
  Payout,
  | 'transactionId'
  | 'beneficiaryAccountName'
  | 'beneficiaryAccountNumber'
  | 'beneficiaryBankName'
  | 'amount'
  | 'currency'
  | 'status'
  | 'reason'
>;

/** To whom, how much, and how it stands: what both lists show. On a phone more may stand under the name. */
function commonColumns<T extends Listed>(under?: (payout: T) => ReactNode): readonly Column<T>[] {
  return [
    {
      key: 'to',
      header: 'To',
      cell: (payout) => (
        <>
          <Link
            to="/payouts/$transactionId"
            params={{ transactionId: payout.transactionId }}
            className="font-medium text-accent hover:underline"
          >
            {payout.beneficiaryAccountName}
          </Link>
          <span className="block text-xs text-muted">
            <span className="figures">{payout.beneficiaryAccountNumber}</span> {payout.beneficiaryBankName}
          </span>
          <span className="mt-1 block md:hidden">
            <Status status={payout.status} reason={payout.reason} />
          </span>
          {under?.(payout)}
        </>
      ),
    },
    {
      key: 'amount',
      header: 'Amount',
      align: 'right',
      cell: ({ amount, currency }) => <Amount value={amount} currency={currency} />,
    },
    {
      key: 'status',
      header: 'Status',
      wideOnly: true,
      cell: ({ status, reason }) => <Status status={status} reason={reason} />,
    },
  ];
}

function Narration({ narration }: { narration: string }) {
  return <span className="block max-w-64 min-w-28 wrap-anywhere">{narration}</span>;
}

const [TO, AMOUNT, STATUS] = commonColumns<Payout>(({ createdAt }) => (
  <Moment at={createdAt} className="mt-1 block text-xs text-muted md:hidden" />
)) as [Column<Payout>, Column<Payout>, Column<Payout>];

/** All that the list of payouts can show, the usual ones first. */
export const PAYOUT_COLUMNS: readonly ChoosableColumn<Payout>[] = [
  { ...TO, label: 'To', csv: ['beneficiary', 'beneficiaryAccount', 'beneficiaryBank'] },
  { ...AMOUNT, label: 'Amount', csv: ['amount'] },
  { ...STATUS, label: 'Status', csv: ['status', 'reason'] },
  { key: 'narration', label: 'Narration', csv: ['narration'], header: 'Narration', wideOnly: 'xl', cell: Narration },
  {
    key: 'list',
    label: 'List',
    csv: ['batchReference'],
    header: 'List',
    wideOnly: 'xl',
    cell: ({ batchReference }) =>
      batchReference === null ? (
        <span className="text-muted">Single</span>
      ) : (
        <Link to="/bulk/$batchReference" params={{ batchReference }} className="text-accent hover:underline">
          Bulk
        </Link>
      ),
  },
  {
    key: 'made',
    label: 'Created',
    csv: ['createdAt'],
    header: 'Created',
    wideOnly: true,
    cell: ({ createdAt }) => <Moment at={createdAt} />,
  },
  {
    key: 'charges',
    label: 'Charges',
    csv: ['charges'],
    header: 'Charges',
    align: 'right',
    isExtra: true,
    wideOnly: true,
    cell: ({ charges, currency }) => <Amount value={charges} currency={currency} />,
  },
  {
    key: 'total',
    label: 'Total',
    csv: ['total'],
    header: 'Total',
    align: 'right',
    isExtra: true,
    wideOnly: true,
    cell: ({ totalAmount, currency }) => <Amount value={totalAmount} currency={currency} />,
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
    key: 'reference',
    label: 'Reference',
    csv: ['reference', 'transactionId'],
    header: 'Reference',
    isExtra: true,
    wideOnly: true,
    cell: ({ reference }) => <span className="font-mono text-xs wrap-anywhere">{reference}</span>,
  },
];

/** Those of a list whose columns nobody chooses. */
export const USUAL_PAYOUT_COLUMNS = PAYOUT_COLUMNS.filter(({ isExtra }) => isExtra !== true);

/** On a phone the time and the way to call it off stand under the name: to the side they would be out of sight. */
export function scheduleColumns(mayCancel: boolean): readonly Column<Schedule>[] {
  const cancelOf = (payout: Schedule) =>
    mayCancel && payout.status === 'SCHEDULED' && <CancelSchedule payout={payout} size="small" />;
  return [
    ...commonColumns<Schedule>((payout) => (
      <div className="mt-1 flex flex-col items-start gap-2 md:hidden">
        <Moment at={payout.scheduledFor} className="text-xs text-muted" />
        {cancelOf(payout)}
      </div>
    )),
    { key: 'when', header: 'When', wideOnly: true, cell: ({ scheduledFor }) => <Moment at={scheduledFor} /> },
    { key: 'narration', header: 'Narration', wideOnly: 'xl', cell: Narration },
    {
      key: 'cancel',
      header: <span className="sr-only">Cancel</span>,
      align: 'right',
      wideOnly: true,
      cell: cancelOf,
    },
  ];
}

interface CancelScheduleProps {
  payout: Listed & { scheduledFor?: string | null };
  size?: 'small' | 'medium';
}

/** Calls a scheduled payout off before its time. It says which, also where a screen reader reads the buttons of a list one by one. */
export function CancelSchedule({ payout, size = 'medium' }: CancelScheduleProps) {
  const [asking, setAsking] = useState(false);
  const { beneficiaryAccountName, beneficiaryAccountNumber, beneficiaryBankName, scheduledFor } = payout;
  const what = `the payout of ${formatMoney(payout.amount, payout.currency)} to ${beneficiaryAccountName}`;
  const cancel = useAction('post', '/payout/single/schedule/cancel');
  return (
    <>
      <Button size={size} icon={CalendarX} aria-label={`Cancel ${what}`} onClick={() => setAsking(true)}>
        Cancel
      </Button>
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title="Cancel this scheduled payout?"
        confirm="Cancel the payout"
        cancel="Keep it"
        danger
        onConfirm={async () => {
          await cancel.run({ body: { scheduleId: payout.transactionId } });
          toast({ tone: 'good', text: 'The payout is cancelled.' });
        }}
      >
        <p>
          <Amount value={payout.amount} currency={payout.currency} className="font-semibold" /> to{' '}
          <span className="font-semibold">{beneficiaryAccountName}</span>,{' '}
          <span className="figures">{beneficiaryAccountNumber}</span> {beneficiaryBankName}, to be sent{' '}
          <Moment at={scheduledFor} />.
        </p>
        <p>It will not be sent. To pay it after all, create a new one.</p>
      </ConfirmDialog>
    </>
  );
}
