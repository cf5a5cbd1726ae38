import { useAction } from '../api/action.ts';
import { useServerForm } from '../components/form.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { toast } from '../components/toast.tsx';
import { type Line, RESULTS } from './line-words.ts';
import { type Resolution, ResolutionFields } from './resolution-fields.tsx';

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
