import { Link, type LinkProps } from '@tanstack/react-router';
import { LoaderCircle, type LucideIcon } from 'lucide-react';
import type { ComponentProps, MouseEvent, ReactNode } from 'react';
import { focusNear } from '../api/focus.ts';
import { cn } from './class-names.ts';

type Look = 'primary' | 'secondary' | 'quiet' | 'danger';
type Size = 'small' | 'medium' | 'large';

const LOOKS: Record<Look, string> = {
  primary: 'bg-accent text-accent-ink border-transparent hover:bg-accent-strong',
  secondary: 'bg-surface text-ink border-edge hover:bg-hover',
  quiet: 'bg-transparent text-ink border-transparent hover:bg-hover',
  danger: 'bg-bad text-bad-ink border-transparent hover:bg-bad-strong',
};
const SIZES: Record<Size, string> = {
  small: 'min-h-8 px-2.5 text-xs gap-1.5',
  medium: 'min-h-10 px-4 text-sm gap-2',
  large: 'min-h-12 px-6 text-base gap-2',
};

function looks(look: Look, size: Size, className?: string): string {
  return cn(
    'inline-flex items-center justify-center rounded-control border font-medium whitespace-nowrap max-[22rem]:whitespace-normal select-none transition-colors',
    'disabled:opacity-55 disabled:cursor-not-allowed aria-disabled:opacity-55 aria-disabled:cursor-not-allowed',
    LOOKS[look],
    SIZES[size],
    className,
  );
}

interface Common {
  look?: Look;
  size?: Size;
  icon?: LucideIcon;
}

export interface ButtonProps extends ComponentProps<'button'>, Common {
  /** Shows that it is being done, and takes no second click. It keeps the focus, and the label its width. */
  busy?: boolean;
}

/** Enter in a field of its form is a click on it, too. */
function holdOff(event: MouseEvent): void {
  event.preventDefault();
  event.stopPropagation();
}

/** One that goes as it is pressed leaves the focus near where it stood: somebody goes on by keyboard from there. */
function leavesFocus(button: HTMLButtonElement | null): () => void {
  return () => {
    if (document.activeElement === button) focusNear(button)();
  };
}

export function Button({ look = 'secondary', size = 'medium', icon: Icon, busy, className, ...rest }: ButtonProps) {
  const { children, type = 'button', onClick, ...others } = rest;
  return (
    <button
      ref={leavesFocus}
      type={type}
      className={looks(look, size, className)}
      aria-busy={busy === true ? true : undefined}
      aria-disabled={busy === true ? true : undefined}
      onClick={busy === true ? holdOff : onClick}
      {...others}
    >
      {busy === true ? (
        <LoaderCircle className="size-4 animate-spin" aria-hidden />
      ) : (
        Icon !== undefined && <Icon className="size-4 shrink-0" aria-hidden />
      )}
      {children}
    </button>
  );
}

export type ButtonLinkProps = LinkProps & Common & { className?: string; children?: ReactNode };

/** A link that looks like a button: it goes somewhere and changes nothing. */
export function ButtonLink({ look = 'secondary', size = 'medium', icon: Icon, className, ...rest }: ButtonLinkProps) {
  const { children, ...link } = rest;
  return (
    <Link className={looks(look, size, className)} {...link}>
      {Icon !== undefined && <Icon className="size-4 shrink-0" aria-hidden />}
      {children}
    </Link>
  );
}

export interface IconButtonProps extends ComponentProps<'button'> {
  icon: LucideIcon;
  /** What it does, in words: read out and shown on hover. */
  label: string;
  look?: Look;
}

export function IconButton({ icon: Icon, label, look = 'quiet', className, ...rest }: IconButtonProps) {
  return (
    <button
      ref={leavesFocus}
      type="button"
      aria-label={label}
      title={label}
      className={looks(look, 'small', cn('size-9 min-h-9 p-0', className))}
      {...rest}
    >
      <Icon className="size-4" aria-hidden />
    </button>
  );
}
