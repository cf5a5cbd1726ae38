import { useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { useAction } from '../api/action.ts';
import type { Data } from '../api/types.ts';
import { Field } from '../components/field.tsx';
import { useServerForm } from '../components/form.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { Input } from '../components/inputs.tsx';
import { MoneyInput } from '../components/money-input.tsx';
import { Select } from '../components/select.tsx';
import { type Column, Table } from '../components/table.tsx';
import { toast } from '../components/toast.tsx';
import { Amount, Moment } from '../components/values.tsx';
import { ALL_CHANNELS, CHANNEL_OPTIONS } from '../format/channels.ts';
import { lagosInstant } from '../format/time.ts';
import {
  bandText,
  basisPointsOf,
  changeOf,
  channelOf,
  chargeText,
  complainAboutCharge,
  type FeeChangeValues,
  type FeeKind,
  type FeeRule,
  KINDS,
  meaningOf,
  START,
  samplesOf,
  valuesOf,
} from './fee-change.ts';

/** Plans a change of fees: it is looked at in figures first, and only what was looked at can be put into force. */
export function ChangeFeesDialog({ rules, onClose }: { rules: readonly FeeRule[]; onClose: () => void }) {
  const look = useAction('post', '/operator/fee/preview', { changes: [] });
  const change = useAction('post', '/operator/fee', { changes: ['/operator'] });
  const server = useServerForm<FeeChangeValues>({ defaultValues: START });
  const [preview, setPreview] = useState<{ of: string; data: Data<'post', '/operator/fee/preview'> }>();
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
      const channel = channelOf(sent);
      setPreview({
        of: meaningOf(sent, before),
        data: await look.run({ body: { ...body, amounts, ...(channel !== null && { channel }) } }),
      });
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
      description="It takes effect at a future time. Quotes and payouts before then keep the current fees."
      server={server}
      onSend={send}
      send={isLookedAt ? 'Plan this change' : 'Show what changes'}
    >
      <Field form={form} name="replaces" label="Replaces" rules={{ onChange: (event) => choose(event.target.value) }}>
        {(control) => <Select {...control} options={options} placeholder="Nothing: it is a new rule" />}
      </Field>
      <FeeFields form={form} isNew={before === undefined} kind={values.kind} />
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
        rules={{ required: 'Write the reason.' }}
      >
        {(control) => <Input {...control} maxLength={500} />}
      </Field>
      <Field form={form} name="samples" label="Amounts to look at" hint="In naira, with spaces between them.">
        {(control) => <Input {...control} />}
      </Field>
      {preview !== undefined && isLookedAt && <FeePreview preview={preview.data} kind={values.kind} />}
    </FormDialog>
  );
}

const KIND_OPTIONS = Object.entries(KINDS).map(([value, label]) => ({ value, label }));

/** The rule itself: what it is called, for which amounts, and what it charges. */
function FeeFields({ form, isNew, kind }: { form: UseFormReturn<FeeChangeValues>; isNew: boolean; kind: FeeKind }) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      {isNew && (
        <Field form={form} name="kind" label="Kind" className="sm:col-span-2">
          {(control) => <Select {...control} options={KIND_OPTIONS} />}
        </Field>
      )}
      {isNew && kind === 'COLLECTION_FEE' && (
        <Field
          form={form}
          name="channel"
          label="Paid by"
          className="sm:col-span-2"
          hint="A rule of one channel goes before the rule for all."
        >
          {(control) => <Select {...control} options={CHANNEL_OPTIONS} placeholder={ALL_CHANNELS} />}
        </Field>
      )}
      <Field form={form} name="minAmount" label="For amounts from" rules={{ validate: complainAboutCharge }}>
        {(control) => <MoneyInput {...control} />}
      </Field>
      <Field
        form={form}
        name="maxAmount"
        label="Up to and including"
        optional
        rules={{ validate: (text) => (text.trim() === '' ? undefined : complainAboutCharge(text)) }}
      >
        {(control) => <MoneyInput {...control} />}
      </Field>
      <Field form={form} name="flat" label="Fixed charge" rules={{ validate: complainAboutCharge }}>
        {(control) => <MoneyInput {...control} />}
      </Field>
      <Field
        form={form}
        name="rate"
        label="And percent"
        rules={{
          validate: (text) =>
            basisPointsOf(text) === undefined
              ? 'Enter a percentage from 0 to 100 with at most two decimals.'
              : undefined,
        }}
      >
        {(control) => <Input {...control} inputMode="decimal" className="figures text-right" />}
      </Field>
      <Field
        form={form}
        name="cap"
        label="At most"
        optional
        rules={{ validate: (text) => (text.trim() === '' ? undefined : complainAboutCharge(text)) }}
      >
        {(control) => <MoneyInput {...control} />}
      </Field>
    </div>
  );
}

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
      const channel = rule.channel === null ? {} : { channel: rule.channel };
      return setPreview({ of: endsAt, data: await look.run({ body: { ...body, amounts, ...channel } }) });
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
      {preview !== undefined && isLookedAt && <FeePreview preview={preview.data} kind={rule.kind} />}
    </FormDialog>
  );
}

type Preview = Data<'post', '/operator/fee/preview'>;
type Line = Preview['lines'][number];
type Charges = Line['before'];

const COLUMNS: readonly Column<Line>[] = [
  { key: 'amount', header: 'Payout', align: 'right', cell: ({ amount }) => <Amount value={amount} /> },
  { key: 'before', header: 'Charges now', align: 'right', cell: ({ before }) => <TotalCharges of={before} /> },
  { key: 'after', header: 'Charges then', align: 'right', cell: ({ after }) => <TotalCharges of={after} /> },
  {
    key: 'difference',
    header: 'Difference',
    align: 'right',
    cell: ({ difference }) => (difference === null ? '–' : <Amount value={difference} />),
  },
];

function TotalCharges({ of }: { of: Charges }) {
  if (of === null) return <span className="text-bad">Cannot be priced</span>;
  const { fee, vat, stampDuty, charges } = of;
  return (
    <div>
      <Amount value={charges} />
      <p className="text-2xs text-muted">
        <Amount value={fee} /> fee, <Amount value={vat} /> VAT, <Amount value={stampDuty} /> duty
      </p>
    </div>
  );
}

const COLLECTION_COLUMNS: readonly Column<Line>[] = [
  { key: 'amount', header: 'Payment in', align: 'right', cell: ({ amount }) => <Amount value={amount} /> },
  {
    key: 'before',
    header: 'Charges now',
    align: 'right',
    cell: ({ collectionBefore }) => <CollectionCharges of={collectionBefore} />,
  },
  {
    key: 'after',
    header: 'Charges then',
    align: 'right',
    cell: ({ collectionAfter }) => <CollectionCharges of={collectionAfter} />,
  },
];

function CollectionCharges({ of }: { of: Line['collectionBefore'] }) {
  if (of === null) return <span className="text-bad">Cannot be priced</span>;
  const { fee, vat, net } = of;
  return (
    <div>
      <Amount value={fee} /> and <Amount value={vat} /> VAT
      <p className="text-2xs text-muted">
        <Amount value={net} /> is left
      </p>
    </div>
  );
}

const hasCollectionFee = ({ collectionBefore, collectionAfter }: Line): boolean =>
  [collectionBefore, collectionAfter].some((charges) => charges === null || charges.fee > 0);

/** What a change makes of some amounts, paid out and received. Nothing has changed by looking. */
function FeePreview({ preview, kind }: { preview: Preview; kind: FeeKind }) {
  const isOfPayouts = kind !== 'COLLECTION_FEE';
  // VAT is charged on both fees.
  const isOfCollections = !isOfPayouts || (kind === 'VAT' && preview.lines.some(hasCollectionFee));
  return (
    <section aria-label="What changes" aria-live="polite">
      <p className="mb-2 text-sm">
        From <Moment at={preview.begins} /> on:
      </p>
      {isOfPayouts && (
        <Table
          caption="Charges of payouts before and after the change"
          columns={COLUMNS}
          rowKey={({ amount }) => String(amount)}
          rows={preview.lines}
          empty={null}
        />
      )}
      {isOfCollections && (
        <Table
          caption="Charges of payments in before and after the change"
          columns={COLLECTION_COLUMNS}
          rowKey={({ amount }) => String(amount)}
          rows={preview.lines}
          empty={null}
        />
      )}
    </section>
  );
}
