import { nowDate } from '../api/clock.ts';
import type { Period } from '../format/period.ts';
import { lagosDay } from '../format/time.ts';

/**
 * The name of a file of rows by what it covers: `payouts-sandbox-2026-11-01-2026-11-20.csv`. Where no days were chosen it has
 * the day of the download, so that two files of two days have two names.
 */
export function csvName(parts: readonly string[], { from, to }: Period = {}): string {
  const today = lagosDay(nowDate());
  const days = from === undefined ? [...(to === undefined ? [today] : ['until', to])] : [from, to ?? today];
  const words = [...parts, ...days].flatMap((part) => part.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);
  return `${words.join('-')}.csv`;
}
