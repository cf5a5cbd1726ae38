import { useAction } from '../api/action.ts';
import type { Data } from '../api/types.ts';
import { Field } from '../components/field.tsx';
import { useServerForm } from '../components/form.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { Input } from '../components/inputs.tsx';
import { MoneyInput } from '../components/money-input.tsx';
import { Select } from '../components/select.tsx';
import { toast } from '../components/toast.tsx';
import { complainAboutMoney, formatDigits, parseMoney } from '../format/money.ts';
import { CATEGORY_WORDS, type Dispute } from './dispute-words.ts';
import type { InboundPayment } from './payment-words.ts';

type Scenario = Data<'post', '/sandbox/collection/dispute'>['scenario'];

interface Values {
  amount: string;
  category: Dispute['category'];
  message: string;
  scenario: Scenario;
  answerWithin: string;
}

const SCENARIO_WORDS: Record<Scenario, string> = {
  won: 'It wins, a minute after it was sent',
  lost: 'It loses, a minute after it was sent',
  lost_then_won: 'It loses, and wins an hour later',
  undecided: 'It never decides',
  evidence_refused: 'It does not take it',
  never_notified: 'It wins; no webhook tells of the dispute',
};
const WITHIN = [
  { value: '57600', label: '16 hours' },
  { value: '172800', label: '48 hours' },
  { value: '3600', label: 'One hour' },
  { value: '60', label: 'One minute' },
];
const CATEGORIES = Object.entries(CATEGORY_WORDS).map(([value, label]) => ({ value, label }));
const SCENARIOS = Object.entries(SCENARIO_WORDS).map(([value, label]) => ({ value, label }));

/** Has the simulated payer's bank want a sandbox payment back. */
export function SandboxDisputeDialog({ payment, onClose }: { payment: InboundPayment; onClose: () => void }) {
  const open = useAction('post', '/sandbox/collection/dispute', { changes: ['/collection', '/wallet', '/home'] });
  const server = useServerForm<Values>({
    defaultValues: {
      amount: formatDigits(payment.amount),
      category: 'CHARGEBACK',
      message: '',
      scenario: 'won',
      answerWithin: '57600',
    },
  });
  const { form } = server;

  async function send({ amount, category, message, scenario, answerWithin }: Values): Promise<void> {
    await open.run({
      body: {
        paymentId: payment.paymentId,
        amount: parseMoney(amount) ?? 0,
        category,
        ...(message.trim() === '' ? {} : { message: message.trim() }),
        scenario,
        answerWithinSeconds: Number(answerWithin),
      },
    });
    toast({ tone: 'good', text: 'Disputed at the sandbox bank. It is opened here within moments.' });
    onClose();
  }

  return (
    <FormDialog
      onClose={onClose}
      title="Dispute this payment"
      description="Only in the sandbox: the simulated payer’s bank wants it back, and notifies as a real one does."
      server={server}
      onSend={send}
      send="Dispute it"
    >
      <Field
        form={form}
        name="amount"
        label="What it wants back"
        rules={{ validate: (text) => complainAboutMoney(text) ?? true }}
      >
        {(control) => <MoneyInput {...control} />}
      </Field>
      <Field form={form} name="category" label="Why">
        {(control) => <Select {...control} options={CATEGORIES} />}
      </Field>
      <Field form={form} name="message" label="What the payer says">
        {(control) => <Input {...control} maxLength={200} />}
      </Field>
      <Field form={form} name="scenario" label="What the bank makes of evidence">
        {(control) => <Select {...control} options={SCENARIOS} />}
      </Field>
      <Field form={form} name="answerWithin" label="Time to answer" hint="Without an answer by then it is lost.">
        {(control) => <Select {...control} options={WITHIN} />}
      </Field>
    </FormDialog>
  );
}
