import type { UseFormReturn } from 'react-hook-form';
import { Field } from '../components/field.tsx';
import { Input, MoneyInput, Select } from '../components/inputs.tsx';
import { basisPointsOf, complainAboutCharge, type FeeChangeValues } from './fee-change.ts';
import { KINDS } from './fee-words.ts';

const KIND_OPTIONS = Object.entries(KINDS).map(([value, label]) => ({ value, label }));

/** The rule itself: what it is called, for which amounts, and what it charges. */
export function FeeFields({ form, isNew }: { form: UseFormReturn<FeeChangeValues>; isNew: boolean }) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      {isNew && (
        <Field form={form} name="kind" label="Kind" className="sm:col-span-2">
          {(control) => <Select {...control} options={KIND_OPTIONS} />}
        </Field>
      )}
      <Field form={form} name="minAmount" label="For payouts from" rules={{ validate: complainAboutCharge }}>
        {(control) => <MoneyInput {...control} />}
      </Field>
      <Field
        form={form}
        name="maxAmount"
        label="Up to, included"
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
    </div>
  );
}
