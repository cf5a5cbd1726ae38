import { CircleAlert, CircleCheck, CircleDashed, Clock3, type LucideIcon, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { cn } from './class-names.ts';
import { type StatusTone, showStatus } from './status-words.ts';

const TONES: Record<StatusTone, { icon: LucideIcon; look: string }> = {
  good: { icon: CircleCheck, look: 'bg-good-soft text-good' },
  bad: { icon: CircleAlert, look: 'bg-bad-soft text-bad' },
  warn: { icon: TriangleAlert, look: 'bg-warn-soft text-warn' },
  info: { icon: Clock3, look: 'bg-info-soft text-info' },
  quiet: { icon: CircleDashed, look: 'bg-sunken text-muted' },
};

export interface BadgeProps {
  tone: StatusTone;
  children: ReactNode;
  /** Without an icon, for a plain word such as a role. */
  plain?: boolean;
  title?: string | undefined;
}

export function Badge({ tone, children, plain, title }: BadgeProps) {
  const { icon: Icon, look } = TONES[tone];
  return (
    <span
      title={title}
      className={cn(
        'inline-flex items-center gap-1 rounded-full px-2 py-0.5 text-2xs font-semibold whitespace-nowrap',
        look,
      )}
    >
      {plain !== true && <Icon className="size-3.5 shrink-0" aria-hidden />}
      {children}
    </span>
  );
}

export interface StatusProps {
  /** As the interface says it: `PARTIALLY_COMPLETED`. */
  status: string;
  /** Why, where there is a reason: shown on hover. */
  reason?: string | null | undefined;
  /** Where another word is clearer here: `DELIVERED` of an item. */
  word?: string;
}

/** A status in a word, a colour and an icon. */
export function Status({ status, reason, word }: StatusProps) {
  const shown = showStatus(status);
  return (
    <Badge tone={shown.tone} title={reason === null || reason === undefined ? undefined : showStatus(reason).word}>
      {word ?? shown.word}
    </Badge>
  );
}
