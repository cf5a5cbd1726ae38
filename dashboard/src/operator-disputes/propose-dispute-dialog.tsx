import { useAction } from '../api/action.ts';
import type { Mode } from '../api/types.ts';
import { EvidenceFields } from '../components/evidence-fields.tsx';
import { Field } from '../components/field.tsx';
import { useServerForm } from '../components/form.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { Input } from '../components/inputs.tsx';
import { MoneyInput } from '../components/money-input.tsx';
import { Select } from '../components/select.tsx';
import { toast } from '../components/toast.tsx';
import { complainAboutMoney, formatDigits, parseMoney } from '../format/money.ts';
import { lagosInstant } from '../format/time.ts';
import { CATEGORIES, type DisputeProposal, KNOWN_BY } from './dispute-words.ts';

interface Values {
  providerDisputeId: string;
  amount: string;
  category: DisputeProposal['category'];
  message: string;
  dueAt: string;
  source: DisputeProposal['source'] | '';
  note: string;
}

const CATEGORY_OPTIONS = Object.entries(CATEGORIES).map(([value, label]) => ({ value, label }));

interface ProposeDisputeProps {
  payment: { paymentId: string; merchantId: string; mode: Mode; rail: string; amount: number };
  onClose: () => void;
}

/** The first of two people enters a dispute of which a provider wrote. */
export function ProposeDisputeDialog({ payment, onClose }: ProposeDisputeProps) {
  const propose = useAction('post', '/operator/dispute/propose', { changes: ['/operator'] });
  const server = useServerForm<Values>({
    defaultValues: {
      providerDisputeId: '',
      amount: formatDigits(payment.amount),
      category: 'CHARGEBACK',
      message: '',
      dueAt: '',
      source: '',
      note: '',
    },
  });
  const { form } = server;
  const { merchantId, mode, paymentId, rail } = payment;

  async function send({ providerDisputeId, amount, category, message, dueAt, source, note }: Values): Promise<void> {
    if (source === '') return;
    await propose.run({
      body: {
        ...{ merchantId, mode, paymentId, rail, category, source, note },
        providerDisputeId: providerDisputeId.trim(),
        amount: parseMoney(amount) ?? 0,
        ...(message.trim() === '' ? {} : { message: message.trim() }),
        ...(dueAt === '' ? {} : { dueAt: new Date(lagosInstant(dueAt)).toISOString() }),
      },
    });
    toast({ tone: 'good', text: 'Proposed. Nothing is held yet: another person confirms it.' });
    onClose();
  }

  return (
    <FormDialog
      kind="wide"
      onClose={onClose}
      title="Enter a dispute"
      description={`Of a provider that cannot be asked. Nothing is held until another of you has confirmed it. Provider account: ${rail}.`}
      server={server}
      onSend={send}
      send="Propose"
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <Field
          form={form}
          name="providerDisputeId"
          label="Number at the provider"
          rules={{ required: 'Enter the number, as the provider has it.' }}
        >
          {(control) => <Input {...control} maxLength={200} className="figures" />}
        </Field>
        <Field
          form={form}
          name="amount"
          label="What is wanted back"
          rules={{ validate: (text) => complainAboutMoney(text) ?? true }}
        >
          {(control) => <MoneyInput {...control} />}
        </Field>
        <Field form={form} name="category" label="Why">
          {(control) => <Select {...control} options={CATEGORY_OPTIONS} />}
        </Field>
        <Field form={form} name="dueAt" label="Answer until" hint="Lagos time; leave it empty where nobody says.">
          {(control) => <Input {...control} type="datetime-local" />}
        </Field>
      </div>
      <Field form={form} name="message" label="What the payer says (optional)">
        {(control) => <Input {...control} maxLength={500} />}
      </Field>
      <EvidenceFields form={form} sources={KNOWN_BY} />
    </FormDialog>
  );
}
