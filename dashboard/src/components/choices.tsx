import { type ComponentProps, type ReactNode, useId } from 'react';
import { cn } from './class-names.ts';

interface ChoiceProps extends Omit<ComponentProps<'input'>, 'type'> {
  label: ReactNode;
  hint?: ReactNode;
}

/** One thing that is or is not; takes effect with the form. */
export function Checkbox({ label, hint, className, ...rest }: ChoiceProps) {
  return <Choice type="checkbox" label={label} hint={hint} className={cn('rounded-sm', className)} {...rest} />;
}

/** One of several. Put those that belong together into a `<ChoiceGroup>`. */
export function Radio({ label, hint, className, ...rest }: ChoiceProps) {
  return <Choice type="radio" label={label} hint={hint} className={className} {...rest} />;
}

function Choice({ label, hint, className, ...rest }: ChoiceProps & { type: 'checkbox' | 'radio' }) {
  const id = useId();
  return (
    <div className="flex items-start gap-2.5">
      <input
        id={id}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        className={cn('mt-0.5 size-4.5 shrink-0 accent-accent', className)}
        {...rest}
      />
      <div>
        <label htmlFor={id}>{label}</label>
        {hint !== undefined && (
          <div id={`${id}-hint`} className="text-xs text-muted">
            {hint}
          </div>
        )}
      </div>
    </div>
  );
}

export function ChoiceGroup({ legend, children }: { legend: string; children: ReactNode }) {
  return (
    <fieldset className="flex flex-col gap-2.5">
      <legend className="mb-1.5 text-sm font-medium">{legend}</legend>
      {children}
    </fieldset>
  );
}

/** One thing that is on or off; takes effect at once. */
export function Switch({ label, hint, className, ...rest }: ChoiceProps) {
  const id = useId();
  return (
    <div className={cn('flex items-start justify-between gap-4', className)}>
      <div>
        <label htmlFor={id} className="font-medium">
          {label}
        </label>
        {hint !== undefined && (
          <div id={`${id}-hint`} className="text-xs text-muted">
            {hint}
          </div>
        )}
      </div>
      <input
        id={id}
        type="checkbox"
        // biome-ignore lint/a11y/useAriaPropsForRole: a native box says by itself whether it is checked.
        role="switch"
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        className={cn(
          'relative h-6 w-10 shrink-0 appearance-none rounded-full border border-edge bg-sunken transition-colors',
          'after:absolute after:top-0.5 after:left-0.5 after:size-4.5 after:rounded-full after:bg-edge after:transition-transform',
          'checked:border-accent checked:bg-accent checked:after:translate-x-4 checked:after:bg-accent-ink disabled:opacity-55',
        )}
        {...rest}
      />
    </div>
  );
}
