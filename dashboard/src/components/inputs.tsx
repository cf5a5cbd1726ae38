import { Eye, EyeOff } from 'lucide-react';
import { type ComponentProps, useState } from 'react';
import { cn } from './class-names.ts';

export function Input({ className, ...rest }: ComponentProps<'input'>) {
  return <input className={cn('control', className)} data-autofocus={rest.autoFocus || undefined} {...rest} />;
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
        data-autofocus={rest.autoFocus || undefined}
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
