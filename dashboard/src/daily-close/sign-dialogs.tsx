import { useAction } from '../api/action.ts';
import type { Data } from '../api/types.ts';
import { Field } from '../components/field.tsx';
import { useServerForm } from '../components/form.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { Textarea } from '../components/inputs.tsx';
import { toast } from '../components/toast.tsx';

export type ClosedDay = Data<'get', '/operator/daily-close/day'>;

/** Signs exactly what is on the page: its digest goes with it. */
export function SignDialog({
  shown: { mode, day, digest, close },
  onClose,
}: {
  shown: ClosedDay;
  onClose: () => void;
}) {
  const first = useAction('post', '/operator/daily-close', { changes: ['/operator'] });
  const second = useAction('post', '/operator/daily-close/{closeId}/second-signature', { changes: ['/operator'] });
  const server = useServerForm<Record<never, never>>({ defaultValues: {} });

  async function send(): Promise<void> {
    if (close === null) await first.run({ body: { mode, day, digest } });
    else await second.run({ path: { closeId: close.closeId }, body: { digest } });
    toast({ tone: 'good', text: 'The day is signed.' });
    onClose();
  }

  return (
    <FormDialog
      onClose={onClose}
      title={`Sign ${day}`}
      description="Your name stands under exactly these figures. They are kept as they are; reopening the day makes a new version."
      server={server}
      onSend={send}
      send="Sign"
    >
      <p className="text-xs break-all text-muted">{digest}</p>
    </FormDialog>
  );
}

/** A close that counts no more. */
export function ReopenDialog({
  closed: { closeId, day },
  onClose,
}: {
  closed: NonNullable<ClosedDay['close']>;
  onClose: () => void;
}) {
  const reopen = useAction('post', '/operator/daily-close/{closeId}/reopen', { changes: ['/operator'] });
  const server = useServerForm<{ reason: string }>({ defaultValues: { reason: '' } });

  async function send({ reason }: { reason: string }): Promise<void> {
    await reopen.run({ path: { closeId }, body: { reason } });
    toast({ tone: 'good', text: 'The day is reopened.' });
    onClose();
  }

  return (
    <FormDialog
      onClose={onClose}
      title={`Reopen ${day}`}
      description="What was signed stays as it is and counts no more. The day is signed anew as the next version."
      server={server}
      onSend={send}
      send="Reopen"
      danger
    >
      <Field form={server.form} name="reason" label="Why" rules={{ required: 'Say why.' }}>
        {(control) => <Textarea {...control} rows={3} maxLength={500} />}
      </Field>
    </FormDialog>
  );
}
