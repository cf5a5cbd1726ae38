import { useEffect, useState } from 'react';
import { nowMs } from '../api/clock.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../format/time.ts';
import { cn } from './class-names.ts';
import { Moment } from './values.tsx';

/** From here on it is shown as something to do at once. */
const SHORT_MS = 4 * HOUR_MS;

/** `1 day 4 h`, `5 h 12 min`, `12 min 30 s`. */
function spanText(ms: number): string {
  const days = Math.floor(ms / DAY_MS);
  const hours = Math.floor((ms % DAY_MS) / HOUR_MS);
  const minutes = Math.floor((ms % HOUR_MS) / MINUTE_MS);
  if (days > 0) return `${days} ${days === 1 ? 'day' : 'days'} ${hours} h`;
  if (hours > 0) return `${hours} h ${minutes} min`;
  return `${minutes} min ${Math.floor((ms % MINUTE_MS) / SECOND_MS)} s`;
}

interface TimeLeftProps {
  /** Null: nobody says until when. */
  dueAt: string | null;
  /** With the moment itself underneath. */
  withMoment?: boolean;
}

/** How long something can still be answered, counted down. */
export function TimeLeft({ dueAt, withMoment }: TimeLeftProps) {
  const [now, setNow] = useState(nowMs);
  useEffect(() => {
    const timer = setInterval(() => setNow(nowMs()), SECOND_MS);
    return () => clearInterval(timer);
  }, []);
  if (dueAt === null) return <span className="text-warn">As soon as you can</span>;
  const left = new Date(dueAt).getTime() - now;
  return (
    <>
      <span className={cn('figures', left < SHORT_MS && 'font-semibold text-bad')}>
        {left <= 0 ? 'The time is over' : `${spanText(left)} left`}
      </span>
      {withMoment === true && (
        <span className="block text-xs text-muted">
          until <Moment at={dueAt} />
        </span>
      )}
    </>
  );
}
