import { CalendarOff, Plus } from 'lucide-react';
import { useState } from 'react';
import { useAction } from '../api/action.ts';
import { useRead } from '../api/reads.ts';
import type { Data } from '../api/types.ts';
import { Button } from '../components/button.tsx';
import { ConfirmDialog } from '../components/dialog.tsx';
import { Field } from '../components/field.tsx';
import { useServerForm } from '../components/form.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { Input } from '../components/inputs.tsx';
import { ListPage } from '../components/list-page.tsx';
import { Select } from '../components/select.tsx';
import { EmptyState } from '../components/states.tsx';
import { Badge } from '../components/status.tsx';
import type { Column } from '../components/table.tsx';
import { toast } from '../components/toast.tsx';
import { Moment } from '../components/values.tsx';
import { formatDay } from '../format/time.ts';

type Holiday = Data<'get', '/operator/bank-holiday'>['records'][number];

const CERTAINTIES = [
  { value: 'CERTAIN', label: 'Declared, or fixed by law' },
  { value: 'EXPECTED', label: 'Expected, by the moon' },
];

function State({ removedAt, certainty }: Holiday) {
  if (removedAt !== null) return <Badge tone="quiet">Removed</Badge>;
  return certainty === 'EXPECTED' ? <Badge tone="warn">To be confirmed</Badge> : <Badge tone="good">Certain</Badge>;
}

/** On a phone the state stands under the day, so that the button is in sight. */
const columnsOf = (onRemove: (holiday: Holiday) => void): readonly Column<Holiday>[] => [
  {
    key: 'day',
    header: 'Day',
    cell: (row) => (
      <div className="min-w-36">
        <p className="font-medium">
          <Moment at={row.day} show="day" />
        </p>
        <p>{row.name}</p>
        <p className="hidden text-xs text-muted sm:block">{row.source}</p>
        <p className="mt-1 md:hidden">
          <State {...row} />
        </p>
      </div>
    ),
  },
  {
    key: 'state',
    header: 'State',
    wideOnly: true,
    cell: State,
  },
  {
    key: 'by',
    header: 'Set by',
    wideOnly: true,
    cell: ({ setBy, removedBy }) => (
      <span className="wrap-anywhere">{removedBy === null ? setBy : `removed by ${removedBy}`}</span>
    ),
  },
  {
    key: 'remove',
    header: 'Change',
    align: 'right',
    cell: (row) =>
      row.removedAt === null && (
        <Button size="small" aria-label={`Remove ${row.name}, ${formatDay(row.day)}`} onClick={() => onRemove(row)}>
          Remove
        </Button>
      ),
  },
];

/** Days on which banks are closed: the daily schedule of settlements passes over them. */
export function HolidaysPage() {
  const [adding, setAdding] = useState(false);
  const { data, error, refetch } = useRead('/operator/bank-holiday', {});
  const [removing, setRemoving] = useState<Holiday>();

  const add = (
    <Button look="primary" icon={Plus} onClick={() => setAdding(true)}>
      Add a day
    </Button>
  );
  return (
    <ListPage
      title="Bank holidays"
      actions={add}
      about="Days on which banks in Nigeria are closed, besides weekends. Expected days count until you remove them."
      caption="Bank holidays, in order"
      columns={columnsOf(setRemoving)}
      rowKey={({ holidayId }) => holidayId}
      {...(data === undefined ? {} : { rows: data.records })}
      list={{ data: undefined, error, refetch }}
      rowClass={({ removedAt }) => (removedAt === null ? undefined : 'text-muted')}
      empty={
        <EmptyState icon={CalendarOff} title="No day is listed" action={add}>
          Without one, every weekday is a working day.
        </EmptyState>
      }
    >
      {removing !== undefined && <RemoveDialog holiday={removing} onClose={() => setRemoving(undefined)} />}
      {adding && <AddDialog onClose={() => setAdding(false)} />}
    </ListPage>
  );
}

function RemoveDialog({ holiday: { holidayId, name, day }, onClose }: { holiday: Holiday; onClose: () => void }) {
  const remove = useAction('post', '/operator/bank-holiday/{holidayId}/remove', {
    changes: ['/operator/bank-holiday'],
  });

  async function take(): Promise<void> {
    await remove.run({ path: { holidayId } });
    toast({ tone: 'good', text: `${name} counts no more. It stays on record.` });
  }

  return (
    <ConfirmDialog open onClose={onClose} title={`Remove ${name}?`} confirm="Remove the day" danger onConfirm={take}>
      <p>
        {formatDay(day)} is no bank holiday any more for settlements that are not planned yet. The entry stays on
        record, and you can add the day again.
      </p>
    </ConfirmDialog>
  );
}

interface Values {
  day: string;
  name: string;
  certainty: Holiday['certainty'];
  source: string;
}

function AddDialog({ onClose }: { onClose: () => void }) {
  const add = useAction('post', '/operator/bank-holiday', { changes: ['/operator/bank-holiday'] });
  const server = useServerForm<Values>({ defaultValues: { day: '', name: '', certainty: 'CERTAIN', source: '' } });

  async function send(values: Values): Promise<void> {
    await add.run({ body: values });
    toast({ tone: 'good', text: `${values.name} is a bank holiday.` });
    onClose();
  }

  return (
    <FormDialog
      onClose={onClose}
      title="Add a bank holiday"
      description="Turns that are planned already stay as they are."
      server={server}
      onSend={send}
      send="Add the day"
    >
      <Field form={server.form} name="day" label="Day" rules={{ required: 'Choose the day.' }}>
        {(control) => <Input {...control} type="date" />}
      </Field>
      <Field form={server.form} name="name" label="Name" rules={{ required: 'Say what it is called.' }}>
        {(control) => <Input {...control} maxLength={80} />}
      </Field>
      <Field form={server.form} name="certainty" label="How certain">
        {(control) => <Select {...control} options={CERTAINTIES} />}
      </Field>
      <Field form={server.form} name="source" label="Where it is declared" rules={{ required: 'Name the source.' }}>
        {(control) => <Input {...control} maxLength={300} />}
      </Field>
    </FormDialog>
  );
}
