import { useAction } from '../api/action.ts';
import { Field } from '../components/field.tsx';
import { useServerForm } from '../components/form.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { PinField } from '../components/pin-field.tsx';
import { Select } from '../components/select.tsx';
import { toast } from '../components/toast.tsx';
import { type RefundRule, RULE_WAYS } from './rule-words.ts';

type Values = Pick<RefundRule, 'late' | 'excess'> & { pin: string };

const OPTIONS = Object.entries(RULE_WAYS).map(([value, label]) => ({ value, label }));

/** What goes back automatically: for people who may change the approval rules, with the password and the PIN. */
export function RuleDialog({ rule, onClose }: { rule: RefundRule; onClose: () => void }) {
  const change = useAction('patch', '/collection/refund/rule', { changes: ['/collection/refund'] });
  const server = useServerForm<Values>({ defaultValues: { late: rule.late, excess: rule.excess, pin: '' } });
  const { form } = server;

  async function send(body: Values): Promise<void> {
    await change.run({ body });
    toast({ tone: 'good', text: 'Saved. The owners are notified by mail.' });
    onClose();
  }

  return (
    <FormDialog
      onClose={onClose}
      title="What goes back by itself"
      description="For payments from now on. Each of these refunds goes to the payer alone, once, and without an approval of its own."
      server={server}
      onSend={send}
      send="Save the rule"
    >
      <Field form={form} name="late" label="What comes after its session has ended">
        {(control) => <Select {...control} options={OPTIONS} />}
      </Field>
      <Field
        form={form}
        name="excess"
        label="What is above the amount asked"
        hint="Also a second payment for a session that is paid."
      >
        {(control) => <Select {...control} options={OPTIONS} />}
      </Field>
      <PinField form={form} />
    </FormDialog>
  );
}
