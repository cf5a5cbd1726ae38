import type { RecordOf } from '../api/types.ts';
import { formatMoney, lessMoney, sumMoney } from '../format/money.ts';
import type { Period } from '../format/period.ts';
import { DAY_MS, formatDay, lagosDay, startOfLagosDay } from '../format/time.ts';

export interface BalancePoint {
  at: string;
  /** Booked balance in naira, from then on. */
  value: number;
}

type Entry = RecordOf<'/wallet/{walletId}/statement'>;

const DEFAULT_MS = 30 * DAY_MS;

/** The days of a search as instants, not beyond now. */
export function spanOf({ from, to }: Period, now: Date): { from: Date; to: Date } {
  const dayAfter = to === undefined ? now.getTime() : new Date(startOfLagosDay(to)).getTime() + DAY_MS;
  const end = Math.min(dayAfter, now.getTime());
  const start = from === undefined ? end - DEFAULT_MS : new Date(startOfLagosDay(from)).getTime();
  return { from: new Date(Math.min(start, end - 1)), to: new Date(end) };
}

/** Begins with what there was before the first entry and ends with what there is now. */
export function everyChange(records: readonly Entry[], from: Date, to: Date): BalancePoint[] {
  const oldest = records.at(-1);
  const newest = records[0];
  if (oldest === undefined || newest === undefined) return [];
  const changes = records.toReversed().map((entry) => ({ at: entry.createdAt, value: entry.balanceAfter }));
  return [
    { at: from.toISOString(), value: balanceBefore(oldest) },
    ...changes,
    { at: to.toISOString(), value: newest.balanceAfter },
  ];
}

function balanceBefore({ type, amount, balanceAfter }: Entry): number {
  return type === 'CREDIT' ? lessMoney(balanceAfter, amount) : sumMoney([balanceAfter, amount]);
}

/** Begins with what there was at the beginning; where nothing moved the balance is what it was. */
export function withoutGaps(
  beginning: BalancePoint,
  moments: readonly Date[],
  balances: readonly (number | undefined)[],
): BalancePoint[] {
  const points = [beginning];
  let { value } = beginning;
  for (const [at, moment] of moments.entries()) {
    value = balances[at] ?? value;
    points.push({ at: moment.toISOString(), value });
  }
  return points;
}

/** What the line shows, in words. */
export function describeLine(points: readonly BalancePoint[]): string {
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined) return 'Balance over time';
  const values = points.map(({ value }) => value);
  const low = formatMoney(values.reduce((a, b) => Math.min(a, b)));
  const high = formatMoney(values.reduce((a, b) => Math.max(a, b)));
  const ends = `${formatMoney(first.value)} on ${formatDay(first.at)}, ${formatMoney(last.value)} on ${formatDay(last.at)}`;
  return `Line chart of the balance: ${ends}; lowest ${low}, highest ${high}. The figures are in the table below.`;
}

/** The last balance of each day, newest first: what a chart says, for those who read it. */
export function closingBalances(points: readonly BalancePoint[]): BalancePoint[] {
  const days = new Map(points.map((point) => [lagosDay(point.at), point]));
  return [...days.values()].toReversed();
}
