import { formatMoney } from '../format/money.ts';
import { formatDay, formatExactMoment, formatMoment, formatTime, formatUtc } from '../format/time.ts';
import { cn } from './class-names.ts';

export interface AmountProps {
  /** In major units, as the interface has it. */
  value: number | null | undefined;
  currency?: string;
  /** Money that came in is green with a plus, money that went out has a minus; neither depends on colour. */
  direction?: 'in' | 'out';
  className?: string;
}

/** ₦1,234.50 in figures of one width. Put it into a column or a term that aligns right. */
export function Amount({ value, currency = 'NGN', direction, className }: AmountProps) {
  if (value === null || value === undefined) return <span className="text-muted">–</span>;
  const sign = direction === 'in' ? '+' : direction === 'out' ? '−' : '';
  return (
    <span className={cn('figures', direction === 'in' && 'text-good', className)}>
      {sign}
      {formatMoney(value, currency)}
    </span>
  );
}

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
