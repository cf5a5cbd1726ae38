import type { ReactNode } from 'react';
import { cn } from './class-names.ts';
import type { StatusTone } from './status-words.ts';
import { Moment } from './values.tsx';

export interface TimelineEntry {
  key: string;
  at: string;
  title: ReactNode;
  detail?: ReactNode;
  tone?: StatusTone;
}

const DOTS: Record<StatusTone, string> = {
  good: 'bg-good',
  bad: 'bg-bad',
  warn: 'bg-warn',
  info: 'bg-info',
  quiet: 'bg-edge',
};

/** What happened, in the order that it happened. */
export function Timeline({ entries }: { entries: readonly TimelineEntry[] }) {
  return (
    <ol className="relative flex flex-col gap-5 pl-6 before:absolute before:inset-y-2 before:left-[0.3125rem] before:w-px before:bg-line">
      {entries.map(({ key, at, title, detail, tone = 'quiet' }) => (
        <li key={key} className="relative">
          <span
            aria-hidden
            className={cn('absolute top-1.5 -left-6 size-2.75 rounded-full ring-4 ring-surface', DOTS[tone])}
          />
          <div className="flex flex-wrap items-baseline justify-between gap-x-4">
            <div className="font-medium">{title}</div>
            <Moment at={at} show="exact" className="text-xs text-muted" />
          </div>
          {detail !== undefined && <div className="mt-0.5 text-muted">{detail}</div>}
        </li>
      ))}
    </ol>
  );
}
