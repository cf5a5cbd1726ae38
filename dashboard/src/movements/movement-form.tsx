import { Alert } from '../components/alert.tsx';
import { Field } from '../components/field.tsx';
import type { ServerForm } from '../components/form.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { Input, MoneyInput } from '../components/inputs.tsx';
import { complainAboutMoney, formatDigits, formatMoney } from '../format/money.ts';
import { type Side, SidesList } from './sides-list.tsx';

export interface TypedMovement {
  amount: string;
  narration: string;
}

export interface MovementFormProps {
  onClose: () => void;
  title: string;
  from: Side;
  to: Side;
  narration?: 'required' | 'optional';
  isUnanswered: boolean;
  server: ServerForm<TypedMovement>;
  /** The word on the button. */
  send: string;
  onSend: () => Promise<void>;
}

/** The first step: how much, and what for. */
export function MovementForm(props: MovementFormProps) {
  const { onClose, title, from, to, isUnanswered, server, send, onSend } = props;
  return (
    <FormDialog onClose={onClose} title={title} server={server} onSend={onSend} send={send}>
      <SidesList from={from} to={to} />
      {isUnanswered && (
        <Alert tone="warn" title="No answer came yet">
          We do not know whether this amount moved. {send} asks about the same request again: the money moves once,
          however often you press.
        </Alert>
      )}
      <AmountField server={server} available={from.available} readOnly={isUnanswered} />
      <NarrationField {...props} />
    </FormDialog>
  );
}

interface AmountFieldProps {
  server: ServerForm<TypedMovement>;
  available: number | undefined;
  readOnly: boolean;
}

function AmountField({ server: { form }, available, readOnly }: AmountFieldProps) {
  const all = available !== undefined && available > 0 && !readOnly ? available : undefined;
  return (
    <div>
      <Field form={form} name="amount" label="Amount" rules={{ validate: (text) => complainAboutMoney(text) }}>
        {(control) => <MoneyInput {...control} autoFocus readOnly={readOnly} />}
      </Field>
      {all !== undefined && (
        <button
          type="button"
          className="mt-1 rounded-md py-1 text-xs text-accent underline underline-offset-2"
          onClick={() => form.setValue('amount', formatDigits(all), { shouldValidate: true })}
        >
          All that is available: {formatMoney(all)}
        </button>
      )}
    </div>
  );
}

/** A field takes as many characters as the interface does. */
const MOST_CHARACTERS = 100;

function NarrationField({ narration, server, isUnanswered }: MovementFormProps) {
  if (narration === undefined) return null;
  return (
    <Field
      form={server.form}
      name="narration"
      label="Narration"
      hint="What it is for. It stands in both statements."
      optional={narration === 'optional'}
      rules={{
        validate: (text) =>
          narration === 'required' && text.trim() === '' ? 'Say in a few words what it is for.' : undefined,
      }}
    >
      {(control) => <Input {...control} maxLength={MOST_CHARACTERS} readOnly={isUnanswered} autoComplete="off" />}
    </Field>
  );
}
