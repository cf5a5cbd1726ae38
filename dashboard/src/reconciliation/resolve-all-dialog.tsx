import { useState } from 'react';
import { useAction } from '../api/action.ts';
import type { Data } from '../api/types.ts';
import { Alert } from '../components/alert.tsx';
import { useServerForm } from '../components/form.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { Progress } from '../components/states.tsx';
import { toast } from '../components/toast.tsx';
import { formatCount } from '../format/money.ts';
import { type LineResult, RESULTS } from './line-words.ts';
import { type Resolution, ResolutionFields } from './resolution-fields.tsx';

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
        <Alert tone="warn" title={`${formatCount(refused.length)} cannot be decided so`}>
          {[...new Set(refused.map(({ message }) => message))].join(' ')} Decide about them one by one.
        </Alert>
      )}
    </FormDialog>
  );
}
