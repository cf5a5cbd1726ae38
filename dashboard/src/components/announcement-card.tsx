import { CircleAlert, Info, type LucideIcon, TriangleAlert, X } from 'lucide-react';
import { formatMoment } from '../format/time.ts';
import { IconButton } from './button.tsx';
import { cn } from './class-names.ts';

/** What the operator tells merchants, as they see it. */
export interface ShownAnnouncement {
  announcementId: string;
  title: string;
  text: string;
  severity: 'INFO' | 'WARNING' | 'CRITICAL';
  startsAt: string;
  endsAt: string;
}

const LOOKS: Record<ShownAnnouncement['severity'], { word: string; icon: LucideIcon; look: string }> = {
  INFO: { word: 'Good to know', icon: Info, look: 'bg-info-soft text-info' },
  WARNING: { word: 'Please note', icon: TriangleAlert, look: 'bg-warn-soft text-warn' },
  CRITICAL: { word: 'Important', icon: CircleAlert, look: 'bg-bad-soft text-bad' },
};

export const severityWord = (severity: ShownAnnouncement['severity']): string => LOOKS[severity].word;

interface AnnouncementCardProps {
  announcement: ShownAnnouncement;
  /** Without it, it cannot be dismissed here. */
  onDismiss?: () => void;
}

/** An announcement in plain text: what looks like a tag or a link is shown as it was typed. */
export function AnnouncementCard({ announcement, onDismiss }: AnnouncementCardProps) {
  const { title, text, severity, startsAt, endsAt } = announcement;
  const { word, icon: Icon, look } = LOOKS[severity];
  return (
    <article className={cn('flex items-start gap-3 rounded-control px-3.5 py-3 text-sm', look)}>
      <Icon className="mt-0.5 size-4 shrink-0" aria-hidden />
      <div className="min-w-0 flex-1">
        <p className="text-2xs font-semibold">{word}</p>
        <h2 className="font-semibold wrap-anywhere">{title}</h2>
        <p className="mt-0.5 whitespace-pre-line wrap-anywhere text-ink">{text}</p>
        <p className="mt-1 text-xs text-ink">
          From {formatMoment(startsAt)} until {formatMoment(endsAt)}, Lagos time
        </p>
      </div>
      {onDismiss !== undefined && (
        <IconButton icon={X} label={`Dismiss: ${title}`} className="-mt-1 -mr-1" onClick={onDismiss} />
      )}
    </article>
  );
}
