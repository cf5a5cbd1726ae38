import type { ReactNode } from 'react';
import { cn } from './class-names.ts';

export interface ActionBarProps {
  /** What it is read out as. */
  label: string;
  className?: string;
  children: ReactNode;
}

/**
 * What a page is for, always in reach: it stays at the foot of the window, above what a phone keeps for itself there, unless the
 * window is short. Toasts appear above it.
 */
export function ActionBar({ label, className, children }: ActionBarProps) {
  return (
    <section
      aria-label={label}
      data-action-bar
      className={cn(
        'no-print sticky short:static bottom-0 z-10 -mx-4 mt-6 flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-t bg-surface px-4 pt-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] shadow-float sm:-mx-8 sm:px-8 lg:mx-0 lg:rounded-t-card lg:border-x lg:px-5',
        className,
      )}
    >
      {children}
    </section>
  );
}
