import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { formatMoney } from '../format/money.ts';
import { formatDay, formatExactMoment, formatMoment, formatTime, formatUtc } from '../format/time.ts';
import { cn } from './class-names.ts';
import { toast } from './toast.tsx';

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

export interface CopyButtonProps {
  text: string;
  /** What is copied, for the label: "account number". */
  what: string;
}

export function CopyButton({ text, what }: CopyButtonProps) {
  const [copied, setCopied] = useState(false);
  const Icon = copied ? Check : Copy;

  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
      setTimeout(() => setCopied(false), 1_500);
    } catch {
      toast({ tone: 'bad', text: 'The browser does not allow copying here. Select the text and copy it by hand.' });
    }
  }

  return (
    <button
      type="button"
      onClick={() => void copy()}
      aria-label={copied ? `Copied the ${what}` : `Copy the ${what}`}
      title={`Copy the ${what}`}
      className="inline-grid size-7 shrink-0 place-items-center rounded-md text-muted hover:bg-hover hover:text-ink"
    >
      <Icon className={cn('size-4', copied && 'text-good')} aria-hidden />
    </button>
  );
}

/** So many characters stay on one line: an account number in a narrow column is read as one. */
const STAYS_WHOLE = 16;

/** A text that people copy: an account number, an id, a secret. */
export function Copyable({ text, what, mono = true }: CopyButtonProps & { mono?: boolean }) {
  return (
    <span className="inline-flex max-w-full items-center gap-1">
      <span
        className={cn(
          'min-w-0',
          mono && 'figures font-mono text-[0.95em]',
          text.length > STAYS_WHOLE ? 'break-all whitespace-normal' : 'whitespace-nowrap',
        )}
      >
        {text}
      </span>
      <CopyButton text={text} what={what} />
    </span>
  );
}
