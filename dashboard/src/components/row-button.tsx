import type { ReactNode } from 'react';
import { cn } from './class-names.ts';

interface RowButtonProps {
  /** For screen readers, where the text alone does not say what is opened. */
  label?: string;
  /** Breaks inside words too: for references, which have no spaces. */
  breakAll?: boolean;
  onOpen: () => void;
  children: ReactNode;
}

/** The first cell of a row, which opens what the row is about. */
export function RowButton({ label, breakAll = false, onOpen, children }: RowButtonProps) {
  return (
    <button
      type="button"
      className={cn('text-left font-medium text-accent underline', breakAll ? 'break-all' : 'break-words')}
      aria-label={label}
      onClick={onOpen}
    >
      {children}
    </button>
  );
}
