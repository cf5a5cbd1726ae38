import { useState } from 'react';
import { useAction } from '../api/action.ts';
import { nowMs } from '../api/clock.ts';
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
import { ALL_CHANNELS, CHANNEL_OPTIONS, type Channel, channelOfRule, channelOrNull } from '../format/channels.ts';
import { MODES } from '../format/modes.ts';
import type { Merchant } from './merchant.tsx';

type Rule = Data<'get', '/operator/availability'>['records'][number];
type Availability = Rule['availability'];

const WORDS: Record<Availability, string> = {
  ON_CONFIRMATION: 'Once it is confirmed',
  ON_SETTLEMENT: 'Once the provider has settled it',
};
const OPTIONS = Object.entries(WORDS).map(([value, label]) => ({ value, label }));

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

/** What holds for a channel: the merchant's own rule before one for all, and of these the one of the channel. */
function ruleFor(rules: readonly Rule[], channel: Channel | null): Rule | undefined {
  const begun = rules.filter(({ effectiveFrom }) => Date.parse(effectiveFrom) <= nowMs());
  const fits = begun.filter((rule) => rule.channel === null || rule.channel === channel);
  const closest = (some: readonly Rule[]) => some.findLast((rule) => rule.channel !== null) ?? some.at(-1);
  return (
    closest(fits.filter(({ merchantId }) => merchantId !== null)) ??
    closest(fits.filter(({ merchantId }) => merchantId === null))
  );
}

const availabilityOf = (rule: Rule | undefined): Availability => rule?.availability ?? 'ON_CONFIRMATION';

function InForce({ rules }: { rules: readonly Rule[] }) {
  const rule = ruleFor(rules, null);
  const next = rules.find(({ effectiveFrom }) => Date.parse(effectiveFrom) > nowMs());
  const others = CHANNEL_OPTIONS.map(({ value, label }) => ({ label, rule: ruleFor(rules, value) })).filter(
    (other) => availabilityOf(other.rule) !== availabilityOf(rule),
  );
  return (
    <>
      {WORDS[availabilityOf(rule)]}
      <span className="text-muted"> ({rule?.merchantId == null ? 'as all merchants' : 'its own'})</span>
      {others.map((other) => (
        <span key={other.label} className="block text-xs text-muted">
          {other.label}: {WORDS[availabilityOf(other.rule)].toLowerCase()}
        </span>
      ))}
      {next !== undefined && (
        <span className="block text-xs text-muted">
          From <Moment at={next.effectiveFrom} />, {channelOfRule(next.channel).toLowerCase()}:{' '}
          {WORDS[next.availability].toLowerCase()}
        </span>
      )}
    </>
  );
}

interface Values {
  mode: Mode;
  /** Empty is for all. */
  channel: string;
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
    defaultValues: { mode: 'LIVE', channel: '', availability: 'ON_SETTLEMENT', reason: '' },
  });

  async function send({ channel, ...values }: Values): Promise<void> {
    await set.run({ body: { merchantId, channel: channelOrNull(channel), ...values } });
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
      <Field form={server.form} name="channel" label="Paid by">
        {(control) => <Select {...control} options={CHANNEL_OPTIONS} placeholder={ALL_CHANNELS} />}
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
