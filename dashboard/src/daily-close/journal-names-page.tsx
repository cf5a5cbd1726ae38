import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useAction } from '../api/action.ts';
import { useRead } from '../api/reads.ts';
import type { Data } from '../api/types.ts';
import { Alert } from '../components/alert.tsx';
import { Button } from '../components/button.tsx';
import { Field } from '../components/field.tsx';
import { useServerForm } from '../components/form.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { Input } from '../components/inputs.tsx';
import { PageHeader } from '../components/page-header.tsx';
import { Badge } from '../components/status.tsx';
import { type Column, Table } from '../components/table.tsx';
import { toast } from '../components/toast.tsx';

type Account = Data<'get', '/operator/journal-account'>['accounts'][number];

/** What a provider account owes may have a name of its own. */
const RECEIVABLE = 'COLLECTION_RECEIVABLE';
const words = (name: string) => name.toLowerCase().replaceAll('_', ' ');

const columnsOf = (onName: (account: Account) => void): readonly Column<Account>[] => [
  {
    key: 'kind',
    header: 'Account of the books',
    cell: ({ kind, rail }) => (
      <div>
        <p className="font-medium">{words(kind)}</p>
        {rail !== '' && <p className="text-xs text-muted wrap-anywhere">{rail}</p>}
      </div>
    ),
  },
  {
    key: 'name',
    header: 'In journals',
    cell: ({ code, name }) => (
      <div>
        <p className="wrap-anywhere">{name}</p>
        <p className="figures text-xs text-muted">{code}</p>
      </div>
    ),
  },
  {
    key: 'set',
    header: 'Whose name',
    wideOnly: true,
    cell: ({ isSet }) => <Badge tone={isSet ? 'good' : 'quiet'}>{isSet ? 'Yours' : 'Ours'}</Badge>,
  },
  {
    key: 'change',
    header: '',
    align: 'right',
    cell: (account) => (
      <Button size="small" aria-label={`Name ${words(account.kind)} ${account.rail}`} onClick={() => onName(account)}>
        Name
      </Button>
    ),
  },
];

/** What the accountant calls the accounts of the books, in the journal of every day from now on. */
export function JournalNamesPage() {
  const [named, setNamed] = useState<Account | 'PROVIDER'>();
  const read = useRead('/operator/journal-account', {});
  return (
    <>
      <PageHeader
        title="Names in journals"
        back={{ label: 'Daily close', to: '/operator/daily-close' }}
        actions={
          <Button icon={Plus} onClick={() => setNamed('PROVIDER')}>
            Name a provider account
          </Button>
        }
      >
        What your accounting tool calls each account of the books. A name counts for every journal file that is made
        from now on; signed figures stay as they are.
      </PageHeader>
      {read.error && <Alert tone="warn" title={read.error.message} />}
      {read.data !== undefined && (
        <Table
          caption="Accounts in journals"
          columns={columnsOf(setNamed)}
          rows={read.data.accounts}
          rowKey={({ kind, rail }) => `${kind}/${rail}`}
          empty={null}
        />
      )}
      {named !== undefined && <NameDialog account={named} onClose={() => setNamed(undefined)} />}
    </>
  );
}

interface Values {
  rail: string;
  code: string;
  name: string;
}

function NameDialog({ account, onClose }: { account: Account | 'PROVIDER'; onClose: () => void }) {
  const set = useAction('post', '/operator/journal-account', { changes: ['/operator/journal-account'] });
  const isNew = account === 'PROVIDER';
  const kind = isNew ? RECEIVABLE : account.kind;
  const server = useServerForm<Values>({
    defaultValues: isNew
      ? { rail: '', code: '', name: '' }
      : { rail: account.rail, code: account.code, name: account.name },
  });
  const { form } = server;

  async function send({ rail, code, name }: Values): Promise<void> {
    const of = rail.trim();
    await set.run({ body: { kind, code, name, ...(of !== '' && { rail: of }) } });
    toast({ tone: 'good', text: 'The account has this name from now on.' });
    onClose();
  }

  return (
    <FormDialog
      onClose={onClose}
      title={isNew ? 'Name what a provider account owes' : `Name ${words(kind)}`}
      description="Colons make levels, as in Assets:Receivable from providers."
      server={server}
      onSend={send}
      send="Save name"
    >
      {isNew && (
        <Field
          form={form}
          name="rail"
          label="Provider account"
          hint="As it is called under Rails, such as paystack-live."
          rules={{ required: 'Enter the name of the provider account.' }}
        >
          {(control) => <Input {...control} maxLength={40} />}
        </Field>
      )}
      <Field form={form} name="code" label="Code" rules={{ required: 'Enter the code.' }}>
        {(control) => <Input {...control} maxLength={20} className="max-w-40" />}
      </Field>
      <Field form={form} name="name" label="Name" rules={{ required: 'Enter the name.' }}>
        {(control) => <Input {...control} maxLength={80} />}
      </Field>
    </FormDialog>
  );
}
