import { formatDay, formatExactMoment, formatMoment, formatTime, formatUtc } from '../format/time.ts';
import { cn } from './class-names.ts';

export interface MomentProps {
  at: string | null | undefined;
  /** `day` and `time` alone, or `exact` with seconds. */
  show?: 'moment' | 'day' | 'time' | 'exact';
  /** Writes UTC underneath, for detail pages where someone compares with a log. */
  utc?: boolean;
  className?: string;
}

const FORMATS = { moment: formatMoment, day: formatDay, time: formatTime, exact: formatExactMoment };

/** A time in Lagos, with UTC on hover. */
export function Moment({ at, show = 'moment', utc, className }: MomentProps) {
  if (at === null || at === undefined) return <span className="text-muted">–</span>;
  return (
    <time dateTime={at} title={`${formatUtc(at)} (shown in Lagos time)`} className={cn('figures', className)}>
      {FORMATS[show](at)}
      {utc === true && <span className="block text-xs text-muted">{formatUtc(at)}</span>}
    </time>
  );
}
