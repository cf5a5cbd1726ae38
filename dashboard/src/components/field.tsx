import { CircleAlert } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import {
  type FieldPath,
  type FieldPathValue,
  type FieldValues,
  type RegisterOptions,
  type UseControllerProps,
  type UseFormRegisterReturn,
  type UseFormReturn,
  useController,
} from 'react-hook-form';
import { cn } from './class-names.ts';

/** What ties a control to its label, hint and error. */
export interface ControlProps {
  id: string;
  'aria-invalid': boolean | undefined;
  'aria-describedby': string | undefined;
  'aria-required': boolean | undefined;
}

interface Shown {
  label: string;
  /** What to enter and where to find it, before anything went wrong. */
  hint?: ReactNode;
  /** Marks the others instead of the required ones, which are most. */
  optional?: boolean;
  className?: string;
}

export interface LabelledProps extends Shown {
  error: string | undefined;
  children: (control: ControlProps) => ReactNode;
}

/** A control with its label, hint and error, for whatever is not part of a form. */
export function Labelled({ label, hint, optional, error, className, children }: LabelledProps) {
  const id = useId();
  const described = [hint !== undefined && `${id}-hint`, error !== undefined && `${id}-error`].filter(Boolean);
  return (
    <div className={cn('flex flex-col gap-1.5', className)}>
      <label htmlFor={id} className="text-sm font-medium">
        {label}
        {optional === true && <span className="ml-1.5 font-normal text-muted">(optional)</span>}
      </label>
      {hint !== undefined && (
        <div id={`${id}-hint`} className="-mt-1 text-xs text-muted">
          {hint}
        </div>
      )}
      {children({
        id,
        'aria-invalid': error === undefined ? undefined : true,
        'aria-describedby': described.length === 0 ? undefined : described.join(' '),
        'aria-required': optional === true ? undefined : true,
      })}
      {error !== undefined && <FieldError id={`${id}-error`}>{error}</FieldError>}
    </div>
  );
}

export function FieldError({ id, children }: { id?: string; children: ReactNode }) {
  return (
    <p id={id} className="flex items-start gap-1.5 text-xs font-medium text-bad">
      <CircleAlert className="mt-0.5 size-3.5 shrink-0" aria-hidden />
      <span>{children}</span>
    </p>
  );
}

export interface FieldProps<T extends FieldValues, N extends FieldPath<T>> extends Shown {
  form: UseFormReturn<T>;
  name: N;
  rules?: RegisterOptions<T, N>;
  children: (control: ControlProps & UseFormRegisterReturn<N>) => ReactNode;
}

/**
 * A field of a form. Its error, from the rules here or from the service's answer, stands under it.
 * For controls that report values instead of DOM events, use `<ControlledField>`.
 */
export function Field<T extends FieldValues, N extends FieldPath<T>>(props: FieldProps<T, N>) {
  const { form, name, rules, children, ...shown } = props;
  const registered = form.register(name, rules);
  return (
    <Labelled {...shown} error={form.getFieldState(name, form.formState).error?.message}>
      {(control) => children({ ...control, ...registered })}
    </Labelled>
  );
}

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
