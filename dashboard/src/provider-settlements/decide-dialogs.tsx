import { useState } from 'react';
import { useAction } from '../api/action.ts';
import { Alert } from '../components/alert.tsx';
import { Field } from '../components/field.tsx';
import { useServerForm } from '../components/form.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { Textarea } from '../components/inputs.tsx';
import { toast } from '../components/toast.tsx';
import { Amount } from '../components/values.tsx';
import { formatCount } from '../format/money.ts';
import { type ProviderLine, type ProviderSettlement, RESULTS } from './line-words.ts';

const MIN_NOTE = 10;
const tooShort = (note: string) =>
  note.trim().length < MIN_NOTE ? `Say in at least ${MIN_NOTE} characters what you know.` : undefined;

interface OfSettlement {
  settlement: ProviderSettlement;
  onClose: () => void;
}

const agreeingOf = (counts: ProviderSettlement['counts']) => (counts['MATCHED'] ?? 0) + (counts['FEE_DIFFERS'] ?? 0);
const CHANGED =
  'The settlement has changed since you opened this. Nothing was posted. Close this and look at it again.';

/** Posts what agrees. The service takes 2,000 lines at a time; this asks until all are posted. */
export function ApplyDialog({ settlement, onClose }: OfSettlement) {
  // What is posted is what was read: a colleague may note lines, and payments may come, while this is open.
  const [shown] = useState(settlement);
  const { settlementId, counts, difference, reference } = shown;
  const apply = useAction('post', '/operator/provider-settlement/{settlementId}/apply', { changes: ['/operator'] });
  const server = useServerForm<{ note: string }>({ defaultValues: { note: '' } });
  const [posted, setPosted] = useState(0);
  const agree = agreeingOf(counts);

  async function send({ note }: { note: string }): Promise<void> {
    if (agreeingOf(settlement.counts) !== agree || settlement.difference !== difference) throw new Error(CHANGED);
    const body = { note: note.trim() === '' ? null : note };
    for (let sum = 0, isDone = false; !isDone; ) {
      const part = await apply.run({ path: { settlementId }, body });
      sum += part.posted;
      isDone = part.isDone;
      setPosted(sum);
    }
    toast({ tone: 'good', text: 'The settlement is applied.' });
    onClose();
  }

  return (
    <FormDialog
      onClose={onClose}
      title={`Apply ${reference}`}
      description={`${formatCount(agree)} ${agree === 1 ? 'payment is' : 'payments are'} settled: net to the float, the provider's fee to its cost. What waited for it gets to its wallet.`}
      server={server}
      onSend={send}
      send="Apply"
    >
      {difference !== 0 && (
        <>
          <Alert tone="warn" title="The lines do not come to what was settled">
            The difference is <Amount value={difference} />. What differs is posted nowhere.
          </Alert>
          <Field form={server.form} name="note" label="Why it is applied all the same" rules={{ validate: tooShort }}>
            {(control) => <Textarea {...control} rows={3} maxLength={1000} />}
          </Field>
        </>
      )}
      {server.isSending && <p role="status">{formatCount(posted)} posted</p>}
    </FormDialog>
  );
}

/** A file that was recorded by mistake. */
export function DiscardDialog({ settlement: { settlementId, reference }, onClose }: OfSettlement) {
  const discard = useAction('post', '/operator/provider-settlement/{settlementId}/discard', { changes: ['/operator'] });
  const server = useServerForm<{ reason: string }>({ defaultValues: { reason: '' } });

  async function send({ reason }: { reason: string }): Promise<void> {
    await discard.run({ path: { settlementId }, body: { reason } });
    toast({ tone: 'good', text: 'The settlement is discarded.' });
    onClose();
  }

  return (
    <FormDialog
      onClose={onClose}
      title={`Discard ${reference}`}
      description="Nothing of it is ever posted. The settlement may be recorded anew."
      server={server}
      onSend={send}
      send="Discard"
      danger
    >
      <Field form={server.form} name="reason" label="Why" rules={{ required: 'Say why.' }}>
        {(control) => <Textarea {...control} rows={3} maxLength={500} />}
      </Field>
    </FormDialog>
  );
}

interface AcceptDialogProps {
  settlementId: string;
  line: ProviderLine;
  onClose: () => void;
}

/** What was found out about a line that differs. */
export function AcceptDialog({ settlementId, line, onClose }: AcceptDialogProps) {
  const accept = useAction('post', '/operator/provider-settlement/{settlementId}/line/{lineId}/accept', {
    changes: ['/operator'],
  });
  const server = useServerForm<{ note: string }>({ defaultValues: { note: '' } });
  const { word, about } = RESULTS[line.result];

  async function send({ note }: { note: string }): Promise<void> {
    await accept.run({ path: { settlementId, lineId: line.lineId }, body: { note } });
    toast({ tone: 'good', text: 'The difference is noted.' });
    onClose();
  }

  return (
    <FormDialog
      onClose={onClose}
      title={word}
      description={`${about} Nothing moves.`}
      server={server}
      onSend={send}
      send="Note it"
    >
      <Field form={server.form} name="note" label="What you found out" rules={{ validate: tooShort }}>
        {(control) => <Textarea {...control} rows={3} maxLength={1000} />}
      </Field>
    </FormDialog>
  );
}
