import { useAction } from '../api/action.ts';
import { EvidenceFields } from '../components/evidence-fields.tsx';
import { Field } from '../components/field.tsx';
import { useServerForm } from '../components/form.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { Select } from '../components/select.tsx';
import { toast } from '../components/toast.tsx';
import {
  ACTION_WORDS,
  type DisputeCase,
  type DisputeProposal,
  KNOWN_BY,
  type OperatorDispute,
} from './dispute-words.ts';

interface Values {
  outcome: '' | 'WON' | 'LOST';
  source: DisputeProposal['source'] | '';
  note: string;
}

interface ProposeEndDialogProps {
  dispute: OperatorDispute;
  /** What may be said of it now. */
  outcomes: DisputeCase['outcomes'];
  onClose: () => void;
}

/** The first of two people says how a dispute ended whose provider cannot be asked, or that a win was a loss. */
export function ProposeEndDialog({ dispute, outcomes, onClose }: ProposeEndDialogProps) {
  const propose = useAction('post', '/operator/dispute/propose-end', { changes: ['/operator'] });
  const server = useServerForm<Values>({ defaultValues: { outcome: '', source: '', note: '' } });
  const { form } = server;
  const outcome = form.watch('outcome');
  const options = outcomes.map((value) => ({ value, label: ACTION_WORDS[value].word }));
  const { merchantId, mode, disputeId } = dispute;

  async function send({ outcome: ended, source, note }: Values): Promise<void> {
    if (ended === '' || source === '') return;
    await propose.run({ body: { merchantId, mode, disputeId, outcome: ended, source, note } });
    toast({ tone: 'good', text: 'Proposed. Nothing has moved: another person confirms it.' });
    onClose();
  }

  return (
    <FormDialog
      onClose={onClose}
      title="How did it end?"
      description="Nothing moves until another of you has confirmed it."
      server={server}
      onSend={send}
      send="Propose"
    >
      <Field
        form={form}
        name="outcome"
        label="Outcome"
        {...(outcome === '' ? {} : { hint: ACTION_WORDS[outcome].follows })}
        rules={{ required: 'Choose how it ended.' }}
      >
        {(control) => <Select {...control} options={options} placeholder="Choose" />}
      </Field>
      <EvidenceFields form={form} sources={KNOWN_BY} />
    </FormDialog>
  );
}
