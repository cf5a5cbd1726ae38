import { CircleAlert } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import type { FieldPath, FieldValues, RegisterOptions, UseFormRegisterReturn, UseFormReturn } from 'react-hook-form';
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
