import { ChevronDown, Eye, EyeOff } from 'lucide-react';
import { type ComponentProps, type FocusEvent, type ReactNode, useId, useState } from 'react';
import { groupTyped } from '../format/money.ts';
import { cn } from './class-names.ts';

export function Input({ className, ...rest }: ComponentProps<'input'>) {
  return <input className={cn('control', className)} {...rest} />;
}

export function Textarea({ className, rows = 3, ...rest }: ComponentProps<'textarea'>) {
  return <textarea rows={rows} className={cn('control', className)} {...rest} />;
}

/** Can be looked at, and pasted into: both make long passwords bearable. */
export function PasswordInput({ className, ...rest }: ComponentProps<'input'>) {
  const [shown, setShown] = useState(false);
  const Icon = shown ? EyeOff : Eye;
  return (
    <div className="relative">
      <input
        {...rest}
        type={shown ? 'text' : 'password'}
        className={cn('control pr-12', className)}
        spellCheck={false}
        autoCapitalize="none"
      />
      <button
        type="button"
        className="absolute inset-y-1 right-1 grid w-10 place-items-center rounded-md text-muted hover:bg-hover"
        aria-label={shown ? 'Hide the password' : 'Show the password'}
        aria-pressed={shown}
        onClick={() => setShown(!shown)}
      >
        <Icon className="size-4" aria-hidden />
      </button>
    </div>
  );
}

/**
 * An amount in naira, held as the text that was typed: nothing is rounded on the way. Thousands are grouped when it is
 * left. Read it with `parseMoney`, check it with `complainAboutMoney` (format/money.ts).
 */
export function MoneyInput({ className, onBlur, ...rest }: ComponentProps<'input'>) {
  function leave(event: FocusEvent<HTMLInputElement>): void {
    event.target.value = groupTyped(event.target.value);
    onBlur?.(event);
  }
  return (
    <div className="relative">
      <span className="pointer-events-none absolute inset-y-0 left-3 grid place-items-center text-muted" aria-hidden>
        ₦
      </span>
      <input
        {...rest}
        onBlur={leave}
        type="text"
        inputMode="decimal"
        autoComplete="off"
        className={cn('control figures pl-8 text-right', className)}
      />
    </div>
  );
}

export interface SelectProps extends ComponentProps<'select'> {
  options: readonly { value: string; label: string; disabled?: boolean }[];
  /** Shown while nothing is chosen. */
  placeholder?: string;
}

/** The system's own list: it fits every phone and every screen reader. For many choices, use `Combobox`. */
export function Select({ options, placeholder, className, ...rest }: SelectProps) {
  return (
    <div className="relative">
      <select {...rest} className={cn('control appearance-none pr-9', className)}>
        {placeholder !== undefined && <option value="">{placeholder}</option>}
        {options.map(({ value, label, disabled }) => (
          <option key={value} value={value} disabled={disabled}>
            {label}
          </option>
        ))}
      </select>
      <ChevronDown
        className="pointer-events-none absolute top-1/2 right-3 size-4 -translate-y-1/2 text-muted"
        aria-hidden
      />
    </div>
  );
}

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
