import { Alert } from '../components/alert.tsx';
import { cn } from '../components/class-names.ts';
import { Field } from '../components/field.tsx';
import type { ServerForm } from '../components/form.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { Input } from '../components/inputs.tsx';
import { MoneyInput } from '../components/money-input.tsx';
import { Amount } from '../components/values.tsx';
import { complainAboutMoney, formatDigits, formatMoney } from '../format/money.ts';

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
      hint="What it is for. It appears in both statements."
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

/** A wallet at one end of a movement. */
export interface Side {
  name: string;
  /** What it has to give, in naira; left out where it is not shown. */
  available?: number | undefined;
}

/** From where to where, and how much once that is known. */
export function SidesList({ from, to, amount }: { from: Side; to: Side; amount?: number }) {
  return (
    <dl className="flex flex-col gap-2 rounded-control bg-sunken px-4 py-3">
      <End term="From" side={from} />
      <End term="To" side={to} />
      {amount !== undefined && (
        <div className={cn(ROW, 'mt-1 border-t pt-2')}>
          <dt className="text-muted">Amount</dt>
          <dd className="text-right text-lg font-semibold">
            <Amount value={amount} />
          </dd>
        </div>
      )}
    </dl>
  );
}

const ROW = 'grid grid-cols-[4rem_1fr] items-baseline gap-x-3';

function End({ term, side: { name, available } }: { term: string; side: Side }) {
  return (
    <div className={ROW}>
      <dt className="text-muted">{term}</dt>
      <dd className="min-w-0 font-medium break-words first-letter:uppercase">{name}</dd>
      {available !== undefined && (
        <dd className="col-start-2 text-xs text-muted">
          <Amount value={available} /> available
        </dd>
      )}
    </div>
  );
}
