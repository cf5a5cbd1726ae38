import { call } from '../api/call.ts';
import { nowDate, nowMs } from '../api/clock.ts';
import type { Mode } from '../api/types.ts';
import type { Period } from '../format/period.ts';
import { type BalancePoint, everyChange, spanOf, withoutGaps } from './balance-line.ts';

/** So many entries come with one question, and are drawn one by one. */
const MOST_ENTRIES = 200;
/** A longer history is asked for its balance at so many moments, whatever its length. */
const SAMPLES = 30;
const AT_ONCE = 5;

/** While a balance changes again and again, the moments are asked for anew this often at most. */
const SAMPLED_FOR_MS = 60_000;

export interface BalanceHistory {
  points: readonly BalancePoint[];
  /** When its moments were asked for; undefined where every change is drawn. */
  sampledAt?: number;
}

/**
 * What a chart of a wallet shows: every change where there are few, the balance at even distances where there are many.
 * @param before what it showed last: a long history that was just read is continued to now
 */
export async function readBalancePoints(
  walletId: string,
  search: Period,
  options: { mode: Mode; signal: AbortSignal },
  before: BalanceHistory | undefined,
): Promise<BalanceHistory> {
  const { from, to } = spanOf(search, nowDate());
  const read = (query: { from: string; to: string; size: number }) =>
    call('get', '/wallet/{walletId}/statement', { path: { walletId }, query }, options);
  const newest = await read({ from: from.toISOString(), to: to.toISOString(), size: MOST_ENTRIES });
  if (newest.nextCursor === null) return { points: everyChange(newest.records, from, to) };
  const sampledAt = before?.sampledAt ?? 0;
  const [last] = newest.records;
  if (before !== undefined && last !== undefined && nowMs() - sampledAt < SAMPLED_FOR_MS) {
    return { points: [...before.points, { at: to.toISOString(), value: last.balanceAfter }], sampledAt };
  }
  const moments = Array.from({ length: SAMPLES }, (_, at) => momentAt(from, to, (at + 1) / SAMPLES));
  const balances = await inTurns(moments, async (moment, at) => {
    const since = moments[at - 1] ?? from;
    const { records } = await read({ from: since.toISOString(), to: moment.toISOString(), size: 1 });
    return records[0]?.balanceAfter;
  });
  const beginning = { at: from.toISOString(), value: newest.openingBalance };
  return { points: withoutGaps(beginning, moments, balances), sampledAt: nowMs() };
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
