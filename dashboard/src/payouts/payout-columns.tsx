import { Link } from '@tanstack/react-router';
import type { RecordOf } from '../api/types.ts';
import { Amount } from '../components/amount.tsx';
import { Moment } from '../components/moment.tsx';
import { Status } from '../components/status.tsx';
import type { Column } from '../components/table.tsx';
import { CancelSchedule } from './cancel-schedule.tsx';

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

/** To whom, how much, and how it stands: what both lists show. */
function commonColumns<T extends Listed>(): readonly Column<T>[] {
  return [
    {
      key: 'to',
      header: 'To',
      cell: (payout) => (
        <>
          <Link
            to="/payouts/$transactionId"
            params={{ transactionId: payout.transactionId }}
            className="font-medium text-accent underline"
          >
            {payout.beneficiaryAccountName}
          </Link>
          <span className="block text-xs text-muted">
            <span className="figures">{payout.beneficiaryAccountNumber}</span> {payout.beneficiaryBankName}
          </span>
          <span className="mt-1 block md:hidden">
            <Status status={payout.status} reason={payout.reason} />
          </span>
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

export const PAYOUT_COLUMNS: readonly Column<Payout>[] = [
  ...commonColumns<Payout>(),
  { key: 'narration', header: 'Narration', wideOnly: true, cell: ({ narration }) => narration },
  {
    key: 'list',
    header: 'List',
    wideOnly: true,
    cell: ({ batchReference }) =>
      batchReference === null ? (
        <span className="text-muted">Single</span>
      ) : (
        <Link to="/bulk/$batchReference" params={{ batchReference }} className="text-accent underline">
          Bulk
        </Link>
      ),
  },
  { key: 'made', header: 'Made', wideOnly: true, cell: ({ createdAt }) => <Moment at={createdAt} /> },
];

export function scheduleColumns(mayCancel: boolean): readonly Column<Schedule>[] {
  return [
    ...commonColumns<Schedule>(),
    { key: 'when', header: 'When', cell: ({ scheduledFor }) => <Moment at={scheduledFor} /> },
    { key: 'narration', header: 'Narration', wideOnly: true, cell: ({ narration }) => narration },
    {
      key: 'cancel',
      header: <span className="sr-only">Cancel</span>,
      align: 'right',
      cell: ({ scheduleId, status }) =>
        mayCancel && status === 'SCHEDULED' && <CancelSchedule scheduleId={scheduleId} size="small" />,
    },
  ];
}
