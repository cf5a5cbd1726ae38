import type { UseFormReturn } from 'react-hook-form';
import { nowDate, nowMs } from '../api/clock.ts';
import { ChoiceGroup, Radio } from '../components/choices.tsx';
import { Field } from '../components/field.tsx';
import { Input } from '../components/inputs.tsx';
import { lagosInstant, lagosLocal } from '../format/time.ts';
import type { PayoutDraft } from './payout-draft.ts';

const YEAR_MS = 365 * 24 * 60 * 60 * 1000;

/** Now, or at a day and an hour in Lagos. */
export function WhenFields({ form }: { form: UseFormReturn<PayoutDraft> }) {
  const later = form.watch('when') === 'LATER';
  return (
    <div className="flex flex-col gap-3">
      <ChoiceGroup legend="When">
        <Radio label="Now" value="NOW" {...form.register('when')} />
        <Radio
          label="Later"
          value="LATER"
          hint="Nothing is held until then; you can cancel it."
          {...form.register('when')}
        />
      </ChoiceGroup>
      {later && (
        <Field
          form={form}
          name="later"
          label="Day and time in Lagos"
          rules={{ validate: (local) => complainAboutTime(local) }}
          className="max-w-xs"
        >
          {(control) => <Input {...control} type="datetime-local" min={lagosLocal(nowDate())} />}
        </Field>
      )}
    </div>
  );
}

function complainAboutTime(local: string): string | undefined {
  const at = new Date(lagosInstant(local)).getTime();
  if (local === '' || Number.isNaN(at)) return 'Choose a day and a time.';
  if (at <= nowMs()) return 'This is in the past. Choose a time to come, or pay now.';
  return at > nowMs() + YEAR_MS ? 'At most a year ahead.' : undefined;
}
