import { useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { useAction } from '../api/action.ts';
import type { Data } from '../api/types.ts';
import { Alert } from '../components/alert.tsx';
import { ChoiceGroup, Radio } from '../components/choices.tsx';
import { Field } from '../components/field.tsx';
import { useServerForm } from '../components/form.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { Textarea } from '../components/inputs.tsx';
import { Progress } from '../components/states.tsx';
import { toast } from '../components/toast.tsx';
import { formatCount } from '../format/money.ts';
import { type Line, type LineResult, RESULTS } from './line-words.ts';

interface ResolveDialogProps {
  importId: string;
  line: Line;
  onClose: () => void;
}

/** What somebody makes of a line that differs. */
export function ResolveDialog({ importId, line, onClose }: ResolveDialogProps) {
  const resolve = useAction('post', '/operator/settlement/{importId}/line/{lineId}/resolve', {
    changes: ['/operator'],
  });
  const server = useServerForm<Resolution>({ defaultValues: { how: line.mayApply ? 'APPLY' : 'ACCEPT', note: '' } });
  const { word, about } = RESULTS[line.result];

  async function send({ how, note }: Resolution): Promise<void> {
    const path = { importId, lineId: line.lineId };
    await resolve.run({ path, body: { how, note: note.trim() === '' ? null : note } });
    toast({ tone: 'good', text: 'The line is decided.' });
    onClose();
  }

  return (
    <FormDialog onClose={onClose} title={word} description={about} server={server} onSend={send} send="Decide">
      <ResolutionFields form={server.form} mayApply={line.mayApply} />
    </FormDialog>
  );
}

type Refused = Data<'post', '/operator/settlement/{importId}/resolve'>['refused'];

interface ResolveAllDialogProps {
  importId: string;
  result: LineResult;
  /** How many wait with this result. */
  count: number;
  mayApply: boolean;
  onClose: () => void;
}

/** One decision about all open lines with the same result. The service takes 500 at a time; this asks until all are done. */
export function ResolveAllDialog({ importId, result, count, mayApply, onClose }: ResolveAllDialogProps) {
  const resolve = useAction('post', '/operator/settlement/{importId}/resolve', { changes: ['/operator'] });
  const server = useServerForm<Resolution>({ defaultValues: { how: 'ACCEPT', note: '' } });
  const [left, setLeft] = useState(count);
  const [refused, setRefused] = useState<Refused>([]);
  const { word, about } = RESULTS[result];

  async function send({ how, note }: Resolution): Promise<void> {
    const body = { result, how, note: note.trim() === '' ? null : note };
    setRefused([]);
    for (;;) {
      const done = await resolve.run({ path: { importId }, body });
      setLeft(done.left);
      if (done.refused.length > 0) return setRefused(done.refused);
      if (done.left === 0 || done.resolved === 0) break;
    }
    toast({ tone: 'good', text: 'The lines are decided.' });
    onClose();
  }

  return (
    <FormDialog
      onClose={onClose}
      server={server}
      onSend={send}
      send="Decide about all"
      cancel={refused.length > 0 ? 'Close' : 'Cancel'}
      title={`${word}: ${count === 1 ? 'one line' : `${formatCount(count)} lines`}`}
      description={about}
    >
      <ResolutionFields form={server.form} mayApply={mayApply} />
      {server.isSending && (
        <div role="status">
          <Progress label="Deciding" done={count - left} total={count} text={`${formatCount(left)} left`} />
        </div>
      )}
      {refused.length > 0 && (
        <Alert tone="warn" title={`${formatCount(refused.length)} cannot be decided this way`}>
          {[...new Set(refused.map(({ message }) => message))].join(' ')} Decide about them one by one.
        </Alert>
      )}
    </FormDialog>
  );
}

interface Resolution {
  how: 'APPLY' | 'ACCEPT';
  note: string;
}

interface ResolutionFieldsProps {
  form: UseFormReturn<Resolution>;
  /** The rail's response may become the books'. */
  mayApply: boolean;
}

/** What somebody makes of what differs, and why. */
function ResolutionFields({ form, mayApply }: ResolutionFieldsProps) {
  const needsNote = form.watch('how') === 'ACCEPT';
  return (
    <>
      <ChoiceGroup legend="Decision">
        {mayApply && (
          <Radio
            value="APPLY"
            label="Apply what the rail says"
            hint="It becomes books at once, as if the rail had answered so. Another person than the one who imported the file has to do it."
            {...form.register('how')}
          />
        )}
        <Radio
          value="ACCEPT"
          label="Accept the difference"
          hint="Looked into, and explained in the note. Nothing moves."
          {...form.register('how')}
        />
      </ChoiceGroup>
      <Field
        form={form}
        name="note"
        label="Note"
        optional={!needsNote}
        rules={{ validate: (note) => (needsNote && note.trim() === '' ? 'Say what you found out.' : undefined) }}
      >
        {(control) => <Textarea {...control} rows={3} maxLength={1000} />}
      </Field>
    </>
  );
}
