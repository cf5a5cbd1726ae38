import { useAction } from '../api/action.ts';
import type { Data } from '../api/types.ts';
import { Field } from '../components/field.tsx';
import { Form, useServerForm } from '../components/form.tsx';
import { MoneyInput } from '../components/inputs.tsx';
import { toast } from '../components/toast.tsx';
import { complainAboutMoney, formatDigits, parseMoney } from '../format/money.ts';

export type Limits = Data<'get', '/payout/limit'>;

/** Empty is no limit. */
interface LimitValues {
  perPayout: string;
  perDay: string;
}

/** The business's own limits, which its owners and administrators change after their password. */
export function OwnLimitsForm({ limits: { own } }: { limits: Limits }) {
  const change = useAction('patch', '/payout/limit', { changes: ['/payout/limit', '/approval'] });
  const server = useServerForm<LimitValues>({
    defaultValues: { perPayout: typed(own.perPayout), perDay: typed(own.perDay) },
  });

  async function send({ perPayout, perDay }: LimitValues): Promise<void> {
    const { approvalId } = await change.run({
      body: { perPayout: parseMoney(perPayout) ?? null, perDay: parseMoney(perDay) ?? null },
    });
    if (approvalId === null) toast({ tone: 'good', text: 'Saved. It holds everywhere within a minute.' });
    else toast({ tone: 'info', text: 'The change waits for approval by others.' });
  }

  return (
    <Form server={server} onSend={send} send="Save limits">
      <div className="grid gap-4 sm:grid-cols-2">
        <Field
          form={server.form}
          name="perPayout"
          label="One payout"
          optional
          hint="Left empty, only the operator's counts."
          rules={{ validate: complainAboutLimit }}
        >
          {(control) => <MoneyInput {...control} />}
        </Field>
        <Field
          form={server.form}
          name="perDay"
          label="All payouts of a day"
          optional
          hint="Amounts without charges."
          rules={{ validate: complainAboutLimit }}
        >
          {(control) => <MoneyInput {...control} />}
        </Field>
      </div>
    </Form>
  );
}

const typed = (amount: number | null) => (amount === null ? '' : formatDigits(amount));
const complainAboutLimit = (text: string) => (text.trim() === '' ? true : (complainAboutMoney(text) ?? true));
