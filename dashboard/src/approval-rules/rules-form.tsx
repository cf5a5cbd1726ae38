import { Plus, Trash2 } from 'lucide-react';
import { useFieldArray } from 'react-hook-form';
import { useAction } from '../api/action.ts';
import { Button, IconButton } from '../components/button.tsx';
import { Field } from '../components/field.tsx';
import { Form, useServerForm } from '../components/form.tsx';
import { MoneyInput, Select } from '../components/inputs.tsx';
import { toast } from '../components/toast.tsx';
import { formatDigits, parseMoney } from '../format/money.ts';
import { changedWords, type Rules, rulesOf } from './rules.ts';

const MOST_RULES = 20;
const COUNTS = ['1', '2', '3', '4', '5'].map((count) => ({
  value: count,
  label: count === '1' ? '1 person' : `${count} people`,
}));

interface RulesValues {
  rules: { from: string; approvals: string }[];
}

/** From which amount on how many people have to approve. */
export function RulesForm({ rules }: { rules: Rules }) {
  const change = useAction('patch', '/approval/rules', { changes: ['/approval'] });
  const server = useServerForm<RulesValues>({ defaultValues: { rules: rulesOf(rules).map(typed) } });
  const { form } = server;
  const rows = useFieldArray({ control: form.control, name: 'rules' });

  async function send(values: RulesValues): Promise<void> {
    const wanted = values.rules.map(({ from, approvals }) => ({
      fromAmount: parseMoney(from) ?? 0,
      approvals: Number(approvals),
    }));
    const changed = await change.run({ body: { rules: wanted } });
    toast({ tone: changed.approvalId === null ? 'good' : 'info', text: changedWords(changed) });
  }

  return (
    <Form server={server} onSend={send} send="Save rules">
      <ul className="flex max-w-xl flex-col gap-3">
        {rows.fields.map((row, at) => (
          <li key={row.id} className="grid grid-cols-[minmax(0,1fr)_minmax(0,9rem)_auto] items-start gap-3">
            <Field
              form={form}
              name={`rules.${at}.from`}
              label="From"
              rules={{ validate: (text: string) => complainAboutFrom(text, at, form.getValues('rules')) ?? true }}
            >
              {(control) => <MoneyInput {...control} />}
            </Field>
            <Field form={form} name={`rules.${at}.approvals`} label="Needs">
              {(control) => <Select {...control} options={COUNTS} />}
            </Field>
            <IconButton
              icon={Trash2}
              label={`Remove rule ${at + 1}`}
              className="mt-7"
              disabled={rows.fields.length === 1}
              onClick={() => rows.remove(at)}
            />
          </li>
        ))}
      </ul>
      <Button
        icon={Plus}
        size="small"
        className="self-start"
        disabled={rows.fields.length >= MOST_RULES}
        onClick={() => rows.append({ from: '', approvals: '2' })}
      >
        Add a rule
      </Button>
    </Form>
  );
}

const typed = ({ fromAmount, approvals }: Rules['rules'][number]) => ({
  from: formatDigits(fromAmount),
  approvals: String(approvals),
});

function complainAboutFrom(text: string, at: number, all: RulesValues['rules']): string | undefined {
  const amount = parseMoney(text);
  if (amount === undefined) return 'Enter an amount, such as 500,000. Zero is every payout.';
  const isTwice = all.some(({ from }, other) => other !== at && parseMoney(from) === amount);
  return isTwice ? 'There is another rule from this amount.' : undefined;
}
