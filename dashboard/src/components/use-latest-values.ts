import { useEffect } from 'react';
import type { FieldValues, UseFormReturn } from 'react-hook-form';

/**
 * A form into which nothing is typed shows what the service has, also where a colleague or another tab changes that while it
 * stands open. What is typed stays. What somebody changed is what differs from the form's `defaultValues`, which it showed.
 */
export function useLatestValues<T extends FieldValues>(form: UseFormReturn<T>, values: T): void {
  const { isDirty } = form.formState;
  const latest = JSON.stringify(values);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is saved is read again, and until then the form knows better.
  useEffect(() => {
    if (!isDirty) form.reset(JSON.parse(latest) as T);
  }, [form, latest]);
}
