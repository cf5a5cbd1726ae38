import { Link, useNavigate } from '@tanstack/react-router';
import { Repeat } from 'lucide-react';
import { useState } from 'react';
import { useAction } from '../api/action.ts';
import { nowDate } from '../api/clock.ts';
import { useRead } from '../api/reads.ts';
import { Button, type ButtonProps } from '../components/button.tsx';
import { Field } from '../components/field.tsx';
import { useServerForm } from '../components/form.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { Input } from '../components/inputs.tsx';
import { toast } from '../components/toast.tsx';
import { Amount, Moment } from '../components/values.tsx';
import { rows } from './batch.ts';
import { narrationAt } from './narration-month.ts';

/** Rows whose narrations are looked at for one that they share. */
const LOOKED_AT = 50;
const MOST_CHARACTERS = 100;

export interface RepeatListProps extends Pick<ButtonProps, 'size' | 'look'> {
  batchReference: string;
}

/** Makes a list to the same people as one that was paid, for another month. */
export function RepeatList({ batchReference, ...look }: RepeatListProps) {
  const [asking, setAsking] = useState(false);
  const items = useRead(
    '/payout/bulk/{batchReference}/item',
    { path: { batchReference }, query: { size: LOOKED_AT, isValid: true } },
    { enabled: asking },
  );
  const narrations = new Set(items.data?.records.map(({ narration }) => narration));
  const [shared] = narrations.size === 1 ? narrations : [];
  return (
    <>
      <Button icon={Repeat} busy={asking && items.isPending} {...look} onClick={() => setAsking(true)}>
        Same as last month
      </Button>
      {asking && !items.isPending && (
        <RepeatDialog batchReference={batchReference} shared={shared} onClose={() => setAsking(false)} />
      )}
    </>
  );
}

interface RepeatDialogProps {
  batchReference: string;
  /** The narration that all rows have, where they have one. */
  shared: string | undefined;
  onClose: () => void;
}

function RepeatDialog({ batchReference, shared, onClose }: RepeatDialogProps) {
  const navigate = useNavigate();
  const repeat = useAction('post', '/payout/bulk/{batchReference}/repeat-list');
  const narration = shared === undefined ? '' : narrationAt(shared, nowDate());
  const server = useServerForm({ defaultValues: { narration } });

  async function send(form: { narration: string }): Promise<void> {
    const typed = form.narration.trim();
    const body = typed === '' ? {} : { narration: typed };
    const created = await repeat.run({ path: { batchReference }, body });
    toast({ tone: 'good', text: `A new list of ${rows(created.itemCount)} was created. Nothing of it is paid yet.` });
    onClose();
    await navigate({ to: '/bulk/$batchReference', params: { batchReference: created.batchReference } });
  }
  return (
    <FormDialog
      onClose={onClose}
      title="Pay the same people again"
      description="A new list with the same accounts and amounts. Every name is asked for at its bank again, and you edit the list before you pay it."
      server={server}
      onSend={send}
      send="Create the list"
    >
      <Field
        form={server.form}
        name="narration"
        label="Narration for all rows"
        optional
        hint="The people who are paid see it. Left empty, each row keeps its own."
      >
        {(control) => <Input {...control} maxLength={MOST_CHARACTERS} autoComplete="off" />}
      </Field>
    </FormDialog>
  );
}

/** Paid lists that are looked at, newest first: some of them only pay again what another did not. */
const RECENT = 10;

/** The list that was paid last, where the next one most often begins. */
export function RepeatLastList() {
  const whole = useRead('/payout/bulk', { query: { status: 'COMPLETED', size: RECENT } });
  const partly = useRead('/payout/bulk', { query: { status: 'PARTIALLY_COMPLETED', size: RECENT } });
  const [last] = [...(whole.data?.records ?? []), ...(partly.data?.records ?? [])]
    .filter(({ originBatchReference }) => originBatchReference === null)
    .sort((one, other) => (other.dispatchedAt ?? '').localeCompare(one.dispatchedAt ?? ''));
  if (last === undefined) return null;
  const { batchReference, fileName, itemCount, paidAmount, dispatchedAt } = last;
  return (
    <section
      aria-label="The list that was paid last"
      className="card mb-8 flex flex-wrap items-center justify-between gap-3 p-4 text-sm sm:px-5"
    >
      <p className="min-w-0 text-muted">
        Paid last:{' '}
        <Link
          to="/bulk/$batchReference"
          params={{ batchReference }}
          className="font-medium wrap-anywhere text-accent underline"
        >
          {fileName ?? 'a list sent over the API'}
        </Link>
        , {rows(itemCount)}, <Amount value={paidAmount} />, <Moment at={dispatchedAt} show="day" />
      </p>
      <RepeatList batchReference={batchReference} size="small" />
    </section>
  );
}
