import { Link } from '@tanstack/react-router';
import { ButtonLink } from '../components/button.tsx';
import { Status } from '../components/status.tsx';
import type { Column } from '../components/table.tsx';
import { Copyable, Moment } from '../components/values.tsx';
import type { Beneficiary } from './beneficiary.ts';
import { RemoveButton } from './remove-button.tsx';

export const beneficiaryKey = ({ beneficiaryId }: Beneficiary): string => beneficiaryId;

const COLUMNS: readonly Column<Beneficiary>[] = [
  {
    key: 'name',
    header: 'Name',
    cell: ({ nickname, accountName, bankName, accountNumber, status }) => (
      <>
        <span className="font-medium">{nickname ?? accountName}</span>
        {nickname !== null && <span className="block text-xs text-muted">{accountName}</span>}
        <span className="block text-xs text-muted md:hidden">
          <span className="figures font-mono">{accountNumber}</span> · {bankName}
        </span>
        {status !== 'ACTIVE' && (
          <span className="mt-1 block md:hidden">
            <BeneficiaryStatus status={status} />
          </span>
        )}
      </>
    ),
  },
  {
    key: 'account',
    header: 'Account',
    wideOnly: true,
    cell: ({ accountNumber, bankName }) => (
      <>
        <Copyable text={accountNumber} what="account number" />
        <span className="block text-xs text-muted">{bankName}</span>
      </>
    ),
  },
  { key: 'status', header: 'Status', wideOnly: true, cell: ({ status }) => <BeneficiaryStatus status={status} /> },
  { key: 'created', header: 'Saved', wideOnly: true, cell: ({ createdAt }) => <Moment at={createdAt} show="day" /> },
];

function BeneficiaryStatus({ status }: { status: Beneficiary['status'] }) {
  if (status !== 'PENDING_APPROVAL') return <Status status={status} />;
  return (
    <Link to="/approvals" className="inline-block">
      <Status status={status} />
    </Link>
  );
}

/** With the buttons of those who may pay and remove. */
export function beneficiaryColumns(mayWrite: boolean): readonly Column<Beneficiary>[] {
  if (!mayWrite) return COLUMNS;
  return [
    ...COLUMNS,
    {
      key: 'actions',
      header: <span className="sr-only">What to do</span>,
      align: 'right',
      cell: (beneficiary) => (
        <div className="flex items-center justify-end gap-1">
          {beneficiary.status === 'ACTIVE' && <PayLink beneficiary={beneficiary} />}
          <RemoveButton beneficiary={beneficiary} />
        </div>
      ),
    },
  ];
}

function PayLink({ beneficiary: { bankCode, accountNumber, nickname, accountName } }: { beneficiary: Beneficiary }) {
  return (
    <ButtonLink
      to="/payouts/new"
      search={{ bankCode, accountNumber }}
      size="small"
      aria-label={`Pay ${nickname ?? accountName}`}
    >
      Pay
    </ButtonLink>
  );
}
