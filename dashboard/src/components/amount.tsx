import { formatMoney } from '../format/money.ts';
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
