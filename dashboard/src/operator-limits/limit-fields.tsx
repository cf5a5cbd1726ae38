import type { UseFormReturn } from 'react-hook-form';
import { Field } from '../components/field.tsx';
import { Input, MoneyInput } from '../components/inputs.tsx';
import { complainAboutLimit, complainAboutWindow, type LimitValues } from './limit-terms.ts';

const NO_LIMIT = 'Leave it empty for no limit.';

/** The limit itself: how much, from when until when, and why. */
export function LimitFields({ form }: { form: UseFormReturn<LimitValues> }) {
  return (
    <>
      <Field
        form={form}
        name="perPayout"
        label="Most a payout may be"
        optional
        hint={NO_LIMIT}
        rules={{ validate: complainAboutLimit }}
      >
        {(control) => <MoneyInput {...control} />}
      </Field>
      <Field
        form={form}
        name="perDay"
        label="Most a day"
        optional
        hint={NO_LIMIT}
        rules={{ validate: complainAboutLimit }}
      >
        {(control) => <MoneyInput {...control} />}
      </Field>
      <Field
        form={form}
        name="window"
        label="Minutes in which the same payout counts as a slip"
        hint="0: it is never held back."
        rules={{ validate: complainAboutWindow }}
      >
        {(control) => <Input {...control} inputMode="decimal" className="figures text-right" />}
      </Field>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field form={form} name="effectiveFrom" label="From" optional hint="Lagos time. Empty: now.">
          {(control) => <Input {...control} type="datetime-local" />}
        </Field>
        <Field form={form} name="effectiveTo" label="Until" optional hint="Empty: until further notice.">
          {(control) => <Input {...control} type="datetime-local" />}
        </Field>
      </div>
      <Field form={form} name="reason" label="Why" rules={{ required: 'Say why.' }}>
        {(control) => <Input {...control} maxLength={500} />}
      </Field>
    </>
  );
}
