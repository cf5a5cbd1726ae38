import { useAction } from '../api/action.ts';
import { Field, FieldError } from '../components/field.tsx';
import { useServerForm } from '../components/form.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { ChoiceGroup, Radio, Select, Textarea } from '../components/inputs.tsx';
import { toast } from '../components/toast.tsx';
import { OutcomeEvidence } from './outcome-evidence.tsx';
import { type OpenOutcome, OUTCOMES, type Outcome, SOURCES, type Source } from './outcome-words.ts';
import { PayoutFacts } from './payout-facts.tsx';

interface Values {
  outcome: Outcome | '';
  source: Source | '';
  note: string;
}

const SOURCE_OPTIONS = Object.entries(SOURCES).map(([value, label]) => ({ value, label }));

/** The first of two people says what became of a payout, and how they know. Nothing moves by it. */
export function ProposeDialog({ payout, onClose }: { payout: OpenOutcome; onClose: () => void }) {
  const propose = useAction('post', '/operator/outcome/propose', { changes: ['/operator'] });
  const server = useServerForm<Values>({ defaultValues: { outcome: '', source: '', note: '' } });
  const { merchantId, mode, payoutId } = payout;
  const chosen = server.form.getFieldState('outcome', server.form.formState);

  async function send({ outcome, source, note }: Values): Promise<void> {
    if (outcome === '' || source === '') return;
    await propose.run({ body: { merchantId, mode, payoutId, outcome, source, note } });
    toast({ tone: 'good', text: 'Proposed. Nothing has moved: another person confirms it.' });
    onClose();
  }

  return (
    <FormDialog
      kind="wide"
      onClose={onClose}
      server={server}
      onSend={send}
      send="Propose"
      title="What became of this payout?"
      description="Nothing moves until another person confirms what you say."
    >
      <PayoutFacts payout={payout} />
      <div className="border-y py-5">
        <OutcomeEvidence payout={payout} />
      </div>
      <ChoiceGroup legend="Outcome">
        {(Object.keys(OUTCOMES) as Outcome[]).map((outcome) => (
          <Radio
            key={outcome}
            value={outcome}
            label={OUTCOMES[outcome].word}
            hint={OUTCOMES[outcome].follows}
            {...server.form.register('outcome', { required: 'Choose what became of it.' })}
          />
        ))}
        {chosen.error?.message !== undefined && <FieldError>{chosen.error.message}</FieldError>}
      </ChoiceGroup>
      <Field form={server.form} name="source" label="How do you know?" rules={{ required: 'Choose how you know.' }}>
        {(control) => <Select {...control} options={SOURCE_OPTIONS} placeholder="Choose" />}
      </Field>
      <Field
        form={server.form}
        name="note"
        label="What you saw"
        hint="What, where and when, and who said it: your colleague decides by this, and it stays on record."
        rules={{
          required: 'Say what you saw.',
          minLength: { value: 10, message: 'Say it in at least ten characters.' },
        }}
      >
        {(control) => <Textarea {...control} rows={3} maxLength={1000} />}
      </Field>
    </FormDialog>
  );
}
