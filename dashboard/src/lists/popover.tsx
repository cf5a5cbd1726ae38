import { ChevronDown, type LucideIcon } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { Button, type ButtonProps } from '../components/button.tsx';

export interface PopoverProps extends Pick<ButtonProps, 'size' | 'look' | 'className'> {
  label: ReactNode;
  /** Read out as what opens. */
  name: string;
  icon?: LucideIcon;
  align?: 'start' | 'end';
  children: ReactNode;
}

/** Fields behind a button: a popover of the browser's own, which Escape and a click elsewhere close. */
export function Popover({ label, name, icon, align = 'start', children, ...look }: PopoverProps) {
  const id = useId();
  return (
    <>
      <Button {...look} {...(icon !== undefined && { icon })} popoverTarget={id} aria-haspopup="dialog">
        {label}
        <ChevronDown className="size-4 shrink-0 text-muted" aria-hidden />
      </Button>
      <div
        id={id}
        popover="auto"
        role="dialog"
        aria-label={name}
        className={`max-h-[70dvh] w-72 max-w-[calc(100vw-1.5rem)] overflow-y-auto rounded-card border bg-raised p-3 text-left text-sm text-ink shadow-float ${
          align === 'end' ? 'beside-button-end' : 'beside-button-start'
        }`}
      >
        {children}
      </div>
    </>
  );
}
