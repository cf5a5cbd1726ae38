import type { FieldPath, FieldValues, UseFormReturn } from 'react-hook-form';
import type { Data } from '../api/types.ts';
import { Field } from '../components/field.tsx';
import { Input } from '../components/inputs.tsx';
import { MoneyInput } from '../components/money-input.tsx';
import { Select } from '../components/select.tsx';
import { complainAboutMoney } from '../format/money.ts';
import { railsText } from '../operator/rails.ts';

export interface SettlementValues {
  rail: string;
  reference: string;
  lumpSum: string;
  settledOn: string;
}

export const NO_SETTLEMENT: SettlementValues = { rail: '', reference: '', lumpSum: '', settledOn: '' };

interface SettlementFieldsProps<Values extends FieldValues & SettlementValues> {
  form: UseFormReturn<Values>;
  rails: Data<'get', '/operator/rail'>['records'];
}

/** Which lump sum of which provider it is. */
export function SettlementFields<Values extends FieldValues & SettlementValues>({
  form,
  rails,
}: SettlementFieldsProps<Values>) {
  const named = (name: keyof SettlementValues) => name as FieldPath<Values>;
  return (
    <>
      <Field form={form} name={named('rail')} label="Provider account" rules={{ required: 'Choose the account.' }}>
        {(control) => (
          <Select
            {...control}
            options={rails.map(({ railId, mode }) => ({ value: railId, label: railsText([railId], mode) }))}
            placeholder="Choose an account"
          />
        )}
      </Field>
      <Field
        form={form}
        name={named('reference')}
        label="Reference"
        hint="The provider's own, of this settlement."
        rules={{ required: 'Enter the reference.' }}
      >
        {(control) => <Input {...control} maxLength={100} />}
      </Field>
      <Field
        form={form}
        name={named('lumpSum')}
        label="Settled"
        hint="What arrived, as your bank or your balance there shows it."
        rules={{ validate: complainAboutMoney }}
      >
        {(control) => <MoneyInput {...control} />}
      </Field>
      <Field form={form} name={named('settledOn')} label="On" rules={{ required: 'Enter the day.' }}>
        {(control) => <Input {...control} type="date" />}
      </Field>
    </>
  );
}
