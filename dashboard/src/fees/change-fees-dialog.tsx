import { useState } from 'react';
import { useAction } from '../api/action.ts';
import type { Data } from '../api/types.ts';
import { Field } from '../components/field.tsx';
import { useServerForm } from '../components/form.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { Input, Select } from '../components/inputs.tsx';
import { toast } from '../components/toast.tsx';
import { changeOf, type FeeChangeValues, meaningOf, START, samplesOf, valuesOf } from './fee-change.ts';
import { FeeFields } from './fee-fields.tsx';
import { FeePreview } from './fee-preview.tsx';
import { bandText, chargeText, type FeeRule, KINDS } from './fee-words.ts';

type Preview = Data<'post', '/operator/fee/preview'>;

/** Plans a change of fees: it is looked at in figures first, and only what was looked at can be put into force. */
export function ChangeFeesDialog({ rules, onClose }: { rules: readonly FeeRule[]; onClose: () => void }) {
  const look = useAction('post', '/operator/fee/preview', { changes: [] });
  const change = useAction('post', '/operator/fee', { changes: ['/operator'] });
  const server = useServerForm<FeeChangeValues>({ defaultValues: START });
  const [preview, setPreview] = useState<{ of: string; data: Preview }>();
  const { form } = server;
  const open = rules.filter(({ state, effectiveTo }) => state !== 'ENDED' && effectiveTo === null);
  const values = form.watch();
  const before = open.find(({ ruleId }) => ruleId === values.replaces);
  const isLookedAt = preview?.of === meaningOf(values, before);

  function choose(ruleId: string): void {
    const rule = open.find((one) => one.ruleId === ruleId);
    if (rule !== undefined) form.reset({ ...form.getValues(), ...valuesOf(rule), replaces: ruleId });
  }

  async function send(sent: FeeChangeValues): Promise<void> {
    const body = changeOf(sent, before);
    if (!isLookedAt) {
      const amounts = samplesOf(sent.samples);
      if (amounts.length === 0) {
        form.setError('samples', { message: 'Enter amounts such as 5000 10000.' });
        return;
      }
      setPreview({ of: meaningOf(sent, before), data: await look.run({ body: { ...body, amounts } }) });
      return;
    }
    await change.run({ body });
    toast({ tone: 'good', text: 'The change is planned. Until it begins, everything costs what it costs now.' });
    onClose();
  }

  const options = open.map((rule) => ({
    value: rule.ruleId,
    label: `${KINDS[rule.kind]}, ${bandText(rule).toLowerCase()}: ${chargeText(rule)}`,
  }));
  return (
    <FormDialog
      kind="wide"
      onClose={onClose}
      title="Plan a change of fees"
      description="It begins at a moment ahead. What was quoted, and what is paid until then, stays as it was."
      server={server}
      onSend={send}
      send={isLookedAt ? 'Plan this change' : 'Show what changes'}
    >
      <Field
        form={form}
        name="replaces"
        label="Takes the place of"
        rules={{ onChange: (event) => choose(event.target.value) }}
      >
        {(control) => <Select {...control} options={options} placeholder="Nothing: it is a new rule" />}
      </Field>
      <FeeFields form={form} isNew={before === undefined} />
      <Field
        form={form}
        name="effectiveFrom"
        label="Begins"
        hint="Lagos time; at least two minutes from now."
        rules={{ required: 'Say when it begins.' }}
      >
        {(control) => <Input {...control} type="datetime-local" />}
      </Field>
      <Field
        form={form}
        name="source"
        label="By which law, circular or decision"
        rules={{ required: 'Say what is behind it.' }}
      >
        {(control) => <Input {...control} maxLength={500} />}
      </Field>
      <Field form={form} name="samples" label="Amounts to look at" hint="In naira, with spaces between them.">
        {(control) => <Input {...control} />}
      </Field>
      {preview !== undefined && isLookedAt && <FeePreview preview={preview.data} />}
    </FormDialog>
  );
}
