import type { ReactNode } from 'react';
import {
  type FieldPath,
  type FieldPathValue,
  type FieldValues,
  type UseControllerProps,
  type UseFormReturn,
  useController,
} from 'react-hook-form';
import { type ControlProps, Labelled } from './field.tsx';

export interface ControlledFieldProps<T extends FieldValues, N extends FieldPath<T>> {
  form: UseFormReturn<T>;
  name: N;
  label: string;
  hint?: ReactNode;
  optional?: boolean;
  className?: string;
  rules?: UseControllerProps<T, N>['rules'];
  children: (
    control: ControlProps & {
      value: FieldPathValue<T, N>;
      onChange: (value: FieldPathValue<T, N>) => void;
      onBlur: () => void;
      ref: (element: { focus?: () => void } | null) => void;
    },
  ) => ReactNode;
}

/** A field whose control hands over values: combobox, file drop, groups of boxes. */
export function ControlledField<T extends FieldValues, N extends FieldPath<T>>(props: ControlledFieldProps<T, N>) {
  const { form, name, rules, children, ...shown } = props;
  const { field, fieldState } = useController({
    control: form.control,
    name,
    ...(rules === undefined ? {} : { rules }),
  });
  return (
    <Labelled {...shown} error={fieldState.error?.message}>
      {(control) =>
        children({ ...control, value: field.value, onChange: field.onChange, onBlur: field.onBlur, ref: field.ref })
      }
    </Labelled>
  );
}
