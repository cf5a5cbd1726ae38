import { nowDate } from '../api/clock.ts';
import { DaysFilter } from '../components/day-filters.tsx';
import { SelectFilter } from '../components/filters.tsx';
import type { Period } from '../format/period.ts';
import { DAY_MS, lagosDay } from '../format/time.ts';

interface Span {
  value: string;
  label: string;
  period: Period;
}

/** Spans that people ask for, as days in Lagos. */
export function spansAt(now: Date): Span[] {
  const today = lagosDay(now);
  const ago = (days: number) => lagosDay(new Date(now.getTime() - days * DAY_MS));
  const month = today.slice(0, 8);
  const lastOfBefore = lagosDay(new Date(new Date(`${month}01T12:00:00+01:00`).getTime() - DAY_MS));
  return [
    { value: 'today', label: 'Today', period: { from: today, to: today } },
    { value: 'week', label: 'Last 7 days', period: { from: ago(6), to: today } },
    { value: 'month', label: 'This month', period: { from: `${month}01`, to: today } },
    { value: 'before', label: 'Last month', period: { from: `${lastOfBefore.slice(0, 8)}01`, to: lastOfBefore } },
    { value: 'quarter', label: 'Last 90 days', period: { from: ago(89), to: today } },
  ];
}

interface PeriodFilterProps {
  period: Period;
  /** What no choice means: "Last 30 days". */
  all: string;
  onChange: (period: Period) => void;
}

/** A span by name, or two days. What is chosen by name stands in the address as days, so a link means the same tomorrow. */
export function PeriodFilter({ period, all, onChange }: PeriodFilterProps) {
  const spans = spansAt(nowDate());
  const chosen = spans.find((span) => span.period.from === period.from && span.period.to === period.to);
  const own = chosen === undefined && (period.from !== undefined || period.to !== undefined);
  return (
    <>
      <SelectFilter
        label="Period"
        all={all}
        options={own ? [...spans, { value: 'own', label: 'Own days' }] : spans}
        value={own ? 'own' : chosen?.value}
        onChange={(value) => {
          if (value === 'own') return;
          onChange(spans.find((span) => span.value === value)?.period ?? { from: undefined, to: undefined });
        }}
      />
      <DaysFilter from={period.from} to={period.to} onChange={onChange} />
    </>
  );
}
