import { formatMoment, formatTime } from '../format/time.ts';
import { Badge } from './status.tsx';

interface SupportViewStateProps {
  view: { isOpen: boolean; expiresAt: string; endedAt: string | null };
}

/** Whether a support view is open, and until when it is or was. */
export function SupportViewState({ view: { isOpen, expiresAt, endedAt } }: SupportViewStateProps) {
  if (isOpen) return <Badge tone="warn">Open until {formatTime(expiresAt)}</Badge>;
  return (
    <Badge tone="quiet" title={`At the latest ${formatMoment(endedAt ?? expiresAt)}, Lagos time`}>
      Ended
    </Badge>
  );
}
