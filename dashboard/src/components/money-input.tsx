import type { ComponentProps, FocusEvent } from 'react';
import { groupTyped } from '../format/money.ts';
import { cn } from './class-names.ts';

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
