import { CircleAlert, CircleCheck, Info, type LucideIcon, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { cn } from './class-names.ts';

export type Tone = 'good' | 'bad' | 'warn' | 'info';

const TONES: Record<Tone, { icon: LucideIcon; look: string }> = {
  good: { icon: CircleCheck, look: 'bg-good-soft text-good' },
  bad: { icon: CircleAlert, look: 'bg-bad-soft text-bad' },
  warn: { icon: TriangleAlert, look: 'bg-warn-soft text-warn' },
  info: { icon: Info, look: 'bg-info-soft text-info' },
};

export interface AlertProps {
  tone: Tone;
  title?: string;
  children?: ReactNode;
  /** A button or link that does something about it. */
  action?: ReactNode;
  className?: string;
}

/** Something to know before going on. What went wrong is read out at once. */
export function Alert({ tone, title, children, action, className }: AlertProps) {
  const { icon: Icon, look } = TONES[tone];
  return (
    <div
      role={tone === 'bad' ? 'alert' : undefined}
      className={cn('flex items-start gap-3 rounded-control px-3.5 py-3 text-sm', look, className)}
    >
      <Icon className="mt-0.5 size-4 shrink-0" aria-hidden />
      <div className="min-w-0 flex-1">
        {title !== undefined && <p className="font-semibold">{title}</p>}
        {children !== undefined && <div className={cn(title !== undefined && 'mt-0.5 text-ink')}>{children}</div>}
      </div>
      {action}
    </div>
  );
}
