import type { Data } from '../api/types.ts';
import { formatMoney } from '../format/money.ts';
import { formatDay } from '../format/time.ts';
import { DayChart, type DaySeries, Legend } from '../wallet/day-chart.tsx';

type Rail = Data<'get', '/operator/overview/figures'>['rails'][number];
type Day = Rail['days'][number];

const SERIES: readonly DaySeries[] = [
  { label: 'Paid', shape: 'up' },
  { label: 'Failed', shape: 'down-before' },
];

/** Null is beyond what a number holds to the kobo. */
const sumText = (sum: number | null): string => (sum === null ? '₦70 trillion or more' : formatMoney(sum));

/** What a rail paid by day, and below the line what failed. */
export function RailChart({ rail: { days } }: { rail: Rail }) {
  const textOf = (day: Day): string =>
    `${formatDay(`${day.day}T12:00:00Z`)}: ${sumText(day.succeededAmount)} paid in ${day.succeeded}, ` +
    `${sumText(day.failedAmount)} failed in ${day.failed}${day.reversed === 0 ? '' : `, ${day.reversed} came back`}.`;
  const dayAt = (at: number) => days[at] as Day;
  return (
    <>
      <Legend series={SERIES} />
      <DayChart
        label="Paid and failed by day"
        points={days.map(({ day, succeededAmount, failedAmount }) => ({
          day,
          values: [succeededAmount ?? undefined, failedAmount ?? undefined],
        }))}
        series={SERIES}
        describe={(at) => textOf(dayAt(at))}
        readout={(at) => textOf(dayAt(at))}
      />
    </>
  );
}
