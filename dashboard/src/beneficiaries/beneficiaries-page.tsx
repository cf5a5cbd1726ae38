import { Link } from '@tanstack/react-router';
import { BookUser, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useAction } from '../api/action.ts';
import { messageOf } from '../api/errors.ts';
import { atPlace, type ListPlace } from '../api/list-search.ts';
import { useList } from '../api/reads.ts';
import { useMay, useMode, useSession } from '../api/session.ts';
import type { RecordOf } from '../api/types.ts';
import { Button, ButtonLink, IconButton } from '../components/button.tsx';
import { Copyable } from '../components/copy-button.tsx';
import { ConfirmDialog } from '../components/dialog.tsx';
import { SearchFilter } from '../components/filters.tsx';
import { ListPage } from '../components/list-page.tsx';
import { EmptyState } from '../components/states.tsx';
import { Status } from '../components/status.tsx';
import type { Column } from '../components/table.tsx';
import { toast } from '../components/toast.tsx';
import { Moment } from '../components/values.tsx';
import { SaveBeneficiaryDialog } from './save-beneficiary-dialog.tsx';

export interface BeneficiarySearch {
  page?: ListPlace | undefined;
  search?: string | undefined;
}

export interface BeneficiariesPageProps {
  search: BeneficiarySearch;
  onSearch: (change: BeneficiarySearch) => void;
}

/** Accounts that are paid again and again. */
export function BeneficiariesPage({ search: { page, search }, onSearch }: BeneficiariesPageProps) {
  const mayWrite = useMay()('payout:write', useMode());
  const [saving, setSaving] = useState(false);
  const beneficiaries = useList('/beneficiary', {
    query: { ...atPlace(page), size: 25, ...(search === undefined ? {} : { search }) },
  });
  const save = (
    <Button look="primary" icon={Plus} onClick={() => setSaving(true)}>
      Save a beneficiary
    </Button>
  );
  return (
    <ListPage
      title="Beneficiaries"
      actions={mayWrite && save}
      about="Accounts that you pay again, with the names that their banks gave."
      filters={
        <SearchFilter
          label="Search"
          placeholder="Name, nickname or account number"
          value={search}
          onChange={(text) => onSearch({ search: text, page: undefined })}
        />
      }
      columns={beneficiaryColumns(mayWrite)}
      rowKey={beneficiaryKey}
      list={beneficiaries}
      onPage={(next) => onSearch({ page: next })}
      empty={
        search === undefined ? (
          <EmptyState icon={BookUser} title="No beneficiaries yet" action={mayWrite && save}>
            Save the accounts that you pay often: the bank confirms the owner once, and nobody mistypes the number
            again.
          </EmptyState>
        ) : (
          <EmptyState
            title="No matches"
            action={<Button onClick={() => onSearch({ search: undefined, page: undefined })}>Show all</Button>}
          >
            Try a part of the name, the nickname, or the account number.
          </EmptyState>
        )
      }
    >
      <SaveBeneficiaryDialog open={saving} onClose={() => setSaving(false)} />
    </ListPage>
  );
}

const beneficiaryKey = ({ beneficiaryId }: Beneficiary): string => beneficiaryId;

const COLUMNS: readonly Column<Beneficiary>[] = [
  {
    key: 'name',
    header: 'Name',
    cell: ({ beneficiaryId, nickname, accountName, bankName, accountNumber, status }) => (
      <>
        <Link
          to="/beneficiaries/$beneficiaryId"
          params={{ beneficiaryId }}
          className="font-medium text-accent hover:underline"
        >
          {nickname ?? accountName}
        </Link>
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
    cell: ({ nickname, accountName, accountNumber, bankName }) => (
      <>
        <Copyable text={accountNumber} what={`account number of ${nickname ?? accountName}, ${bankName}`} />
        <span className="block text-xs text-muted">{bankName}</span>
      </>
    ),
  },
  { key: 'status', header: 'Status', wideOnly: true, cell: ({ status }) => <BeneficiaryStatus status={status} /> },
  { key: 'paid', header: 'Last paid', wideOnly: true, cell: ({ lastPaidAt }) => <Moment at={lastPaidAt} show="day" /> },
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
function beneficiaryColumns(mayWrite: boolean): readonly Column<Beneficiary>[] {
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

/**
 * Takes a beneficiary off the list. It can be taken back at once; where saving needs an approval it cannot, so there it
 * asks first.
 */
function RemoveButton({ beneficiary }: { beneficiary: Beneficiary }) {
  const { beneficiaryId, bankCode, accountNumber, nickname, accountName } = beneficiary;
  const remove = useAction('delete', '/beneficiary/{beneficiaryId}', { changes: ['/beneficiary'] });
  const save = useAction('post', '/beneficiary', { changes: ['/beneficiary'] });
  const needsApproval = useSession().merchant?.isMakerCheckerEnabled === true;
  const [asking, setAsking] = useState(false);
  const name = nickname ?? accountName;

  async function takeOff(): Promise<void> {
    await remove.run({ path: { beneficiaryId } });
    const text = `${name} is off the list.`;
    toast({ tone: 'info', text, ...(needsApproval ? {} : { action: { label: 'Undo', onClick: () => void undo() } }) });
  }
  async function undo(): Promise<void> {
    try {
      await save.run({ body: { bankCode, accountNumber, ...(nickname === null ? {} : { nickname }) } });
      toast({ tone: 'good', text: `${name} is back.` });
    } catch (error) {
      toast({ tone: 'bad', text: `${name} could not be put back. ${messageOf(error)}` });
    }
  }
  async function takeOffAtOnce(): Promise<void> {
    try {
      await takeOff();
    } catch (error) {
      toast({ tone: 'bad', text: messageOf(error) });
    }
  }

  return (
    <>
      <IconButton
        icon={Trash2}
        label={`Remove ${name}`}
        disabled={remove.isPending}
        onClick={() => (needsApproval ? setAsking(true) : void takeOffAtOnce())}
      />
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title={`Remove ${name}?`}
        confirm="Remove"
        danger
        onConfirm={takeOff}
      >
        It is removed at once. To restore it, save it and have it approved again.
      </ConfirmDialog>
    </>
  );
}

/** An account that is paid again, as the list has it. */
type Beneficiary = RecordOf<'/beneficiary'>;
