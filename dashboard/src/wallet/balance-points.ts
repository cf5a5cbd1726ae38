import { call } from '../api/call.ts';
import { nowDate } from '../api/clock.ts';
import type { Mode } from '../api/types.ts';
import { type BalancePoint, everyChange, spanOf, withoutGaps } from './balance-line.ts';
import type { PeriodSearch } from './period-filter.tsx';

/** So many entries come with one question, and are drawn one by one. */
const MOST_ENTRIES = 200;
/** A longer history is asked for its balance at so many moments, whatever its length. */
const SAMPLES = 30;
const AT_ONCE = 5;

/** What a chart of a wallet shows: every change where there are few, the balance at even distances where there are many. */
export async function readBalancePoints(
  walletId: string,
  search: PeriodSearch,
  options: { mode: Mode; signal: AbortSignal },
): Promise<BalancePoint[]> {
  const { from, to } = spanOf(search, nowDate());
  const read = (query: { from: string; to: string; size: number }) =>
    call('get', '/wallet/{walletId}/statement', { path: { walletId }, query }, options);
  const newest = await read({ from: from.toISOString(), to: to.toISOString(), size: MOST_ENTRIES });
  if (newest.nextCursor === null) return everyChange(newest.records, from, to);
  const moments = Array.from({ length: SAMPLES }, (_, at) => momentAt(from, to, (at + 1) / SAMPLES));
  const balances = await inTurns(moments, async (moment, at) => {
    const before = moments[at - 1] ?? from;
    const { records } = await read({ from: before.toISOString(), to: moment.toISOString(), size: 1 });
    return records[0]?.balanceAfter;
  });
  return withoutGaps(moments, balances);
}

function momentAt(from: Date, to: Date, part: number): Date {
  return new Date(Math.round(from.getTime() + (to.getTime() - from.getTime()) * part));
}

async function inTurns<T, R>(items: readonly T[], work: (item: T, at: number) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let begin = 0; begin < items.length; begin += AT_ONCE) {
    const group = items.slice(begin, begin + AT_ONCE);
    results.push(...(await Promise.all(group.map((item, at) => work(item, begin + at)))));
  }
  return results;
}
