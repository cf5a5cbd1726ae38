import { useState } from 'react';
import { useAction } from '../api/action.ts';
import { useRead } from '../api/reads.ts';
import type { Data, Mode } from '../api/types.ts';
import { Button } from '../components/button.tsx';
import { DescriptionList } from '../components/description-list.tsx';
import { Field } from '../components/field.tsx';
import { useServerForm } from '../components/form.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { Textarea } from '../components/inputs.tsx';
import { Section } from '../components/page-header.tsx';
import { Select } from '../components/select.tsx';
import { toast } from '../components/toast.tsx';
import { Moment } from '../components/values.tsx';
import type { Merchant } from './merchant.tsx';

type Rule = Data<'get', '/operator/availability'>['records'][number];
type Availability = Rule['availability'];

const WORDS: Record<Availability, string> = {
  ON_CONFIRMATION: 'Once it is confirmed',
  ON_SETTLEMENT: 'Once the provider has settled it',
};
const OPTIONS = Object.entries(WORDS).map(([value, label]) => ({ value, label }));
const MODES = [
  { value: 'LIVE', label: 'Live' },
  { value: 'SANDBOX', label: 'Sandbox' },
];

/** When payments in are available to a merchant, by its own rule or by that of all. */
export function AvailabilitySection({ merchant }: { merchant: Merchant }) {
  const { merchantId } = merchant;
  const [setting, setSetting] = useState(false);
  const rules = useRead('/operator/availability', { query: { merchantId } }).data?.records ?? [];
  return (
    <Section
      title="A payment in is available"
      actions={
        <Button size="small" onClick={() => setSetting(true)}>
          Set the rule
        </Button>
      }
    >
      <DescriptionList
        layout="rows"
        items={(['LIVE', 'SANDBOX'] as const).map((mode) => ({
          label: mode === 'LIVE' ? 'Live' : 'Sandbox',
          value: <InForce rules={rules.filter((rule) => rule.mode === mode)} />,
        }))}
      />
      {setting && <SetAvailabilityDialog merchant={merchant} onClose={() => setSetting(false)} />}
    </Section>
  );
}

function InForce({ rules }: { rules: readonly Rule[] }) {
  const now = Date.now();
  const begun = rules.filter(({ effectiveFrom }) => Date.parse(effectiveFrom) <= now);
  const rule = begun.findLast(({ merchantId }) => merchantId !== null) ?? begun.at(-1);
  const next = rules.find(({ effectiveFrom }) => Date.parse(effectiveFrom) > now);
  return (
    <>
      {WORDS[rule?.availability ?? 'ON_CONFIRMATION']}
      <span className="text-muted"> ({rule?.merchantId == null ? 'as all merchants' : 'its own'})</span>
      {next !== undefined && (
        <span className="block text-xs text-muted">
          From <Moment at={next.effectiveFrom} />: {WORDS[next.availability].toLowerCase()}
        </span>
      )}
    </>
  );
}

interface Values {
  mode: Mode;
  availability: Availability;
  reason: string;
}

function SetAvailabilityDialog({
  merchant: { merchantId, businessName },
  onClose,
}: {
  merchant: Merchant;
  onClose: () => void;
}) {
  const set = useAction('post', '/operator/availability', { changes: ['/operator'] });
  const server = useServerForm<Values>({
    defaultValues: { mode: 'LIVE', availability: 'ON_SETTLEMENT', reason: '' },
  });

  async function send(values: Values): Promise<void> {
    await set.run({ body: { merchantId, ...values } });
    toast({ tone: 'good', text: 'The rule is set. It begins in two minutes.' });
    onClose();
  }

  return (
    <FormDialog
      onClose={onClose}
      title={`When payments in are available to ${businessName}`}
      description="For payments that are confirmed from then on. What waits is released by its settlement, whatever the rule is by then."
      server={server}
      onSend={send}
      send="Set the rule"
    >
      <Field form={server.form} name="mode" label="Mode">
        {(control) => <Select {...control} options={MODES} />}
      </Field>
      <Field form={server.form} name="availability" label="Available">
        {(control) => <Select {...control} options={OPTIONS} />}
      </Field>
      <Field form={server.form} name="reason" label="Why" rules={{ required: 'Say why.' }}>
        {(control) => <Textarea {...control} rows={2} maxLength={500} />}
      </Field>
    </FormDialog>
  );
}
