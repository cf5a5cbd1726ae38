import { useState } from 'react';
import { useAction } from '../api/action.ts';
import type { Data } from '../api/types.ts';
import { Field } from '../components/field.tsx';
import { useServerForm } from '../components/form.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { Input } from '../components/inputs.tsx';
import { toast } from '../components/toast.tsx';
import { lagosInstant } from '../format/time.ts';
import { START, samplesOf } from './fee-change.ts';
import { FeePreview } from './fee-preview.tsx';
import { bandText, chargeText, type FeeRule, KINDS } from './fee-words.ts';

interface Values {
  endsAt: string;
}

/** Ends a rule that nothing takes the place of. It is looked at in figures first, as every change of fees. */
export function EndFeeDialog({ rule, onClose }: { rule: FeeRule; onClose: () => void }) {
  const look = useAction('post', '/operator/fee/preview', { changes: [] });
  const change = useAction('post', '/operator/fee', { changes: ['/operator'] });
  const server = useServerForm<Values>({ defaultValues: { endsAt: '' }, fields: { effectiveFrom: 'endsAt' } });
  const [preview, setPreview] = useState<{ of: string; data: Data<'post', '/operator/fee/preview'> }>();
  const isLookedAt = preview?.of === server.form.watch('endsAt');

  async function send({ endsAt }: Values): Promise<void> {
    const body = { rules: [], endsRuleIds: [rule.ruleId], endsAt: lagosInstant(endsAt) };
    if (!isLookedAt) {
      const amounts = samplesOf(START.samples);
      return setPreview({ of: endsAt, data: await look.run({ body: { ...body, amounts } }) });
    }
    await change.run({ body });
    toast({ tone: 'good', text: 'The end is planned. Until then, everything costs what it costs now.' });
    onClose();
  }

  return (
    <FormDialog
      kind="wide"
      onClose={onClose}
      server={server}
      onSend={send}
      send={isLookedAt ? 'End this rule' : 'Show what changes'}
      danger={isLookedAt}
      title="End a rule"
      description={`${KINDS[rule.kind]}, ${bandText(rule).toLowerCase()}: ${chargeText(rule)}`}
    >
      <Field
        form={server.form}
        name="endsAt"
        label="Ends"
        hint="Lagos time; at least two minutes from now."
        rules={{ required: 'Say when it ends.' }}
      >
        {(control) => <Input {...control} type="datetime-local" />}
      </Field>
      {preview !== undefined && isLookedAt && <FeePreview preview={preview.data} />}
    </FormDialog>
  );
}
