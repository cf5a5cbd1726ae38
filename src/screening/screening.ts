import type { OnAlarm } from '../platform/alarm.ts';
import { cacheOne } from '../platform/cache.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import type { Logger } from '../platform/logger.ts';
import type { Mode } from '../platform/tenant.ts';
import { createNameIndex, type NameIndex, type ScreeningHit, type ScreeningSubject } from './name-index.ts';
import { listEntries, listListsInForce } from './queries.ts';

/** `UNKNOWN`: the lists cannot be read, so nobody knows. It is never taken for `CLEAR`. */
export type ScreeningResult =
  | { outcome: 'CLEAR' }
  | { outcome: 'HIT'; hits: readonly ScreeningHit[] }
  | { outcome: 'UNKNOWN' };

/** The port: the local lists, or whatever else knows names. */
export interface Screening {
  screen(mode: Mode, subject: ScreeningSubject): Promise<ScreeningResult>;
  /** For many at once: reads what it needs to know, and answers without waiting from then on. */
  prepare(): Promise<(mode: Mode, subject: ScreeningSubject) => ScreeningResult>;
  /** For whoever knows that the lists have changed. */
  forget(): void;
}

/** A list that is imported counts in every process within this. */
const MAX_AGE_MS = 5_000;

interface ScreeningDeps {
  database: Database;
  clock: Clock;
  logger: Logger;
  onAlarm?: OnAlarm | undefined;
}

/**
 * The lists that the operator imports. What is in force is asked for every few seconds, and read anew where it has changed;
 * a subject is then compared in this process, without a question to the database.
 */
export function createScreening({ database, clock, logger, onAlarm }: ScreeningDeps): Screening {
  let known: { version: string; byMode: ReadonlyMap<Mode, NameIndex> } | undefined;
  const load = async () => {
    const lists = await database.query(listListsInForce);
    const version = lists.map(({ id }) => id).join();
    if (known?.version === version) return known.byMode;
    const read = await Promise.all(
      lists.map(async (list) => ({ list, entries: await database.query(listEntries, [list.id]) })),
    );
    const byMode = Map.groupBy(read, ({ list }) => list.mode);
    known = { version, byMode: new Map([...byMode].map(([mode, of]) => [mode, createNameIndex(of)])) };
    return known.byMode;
  };
  const indexes = cacheOne(clock, MAX_AGE_MS, load);
  const prepare = async () => {
    try {
      const byMode = await indexes();
      return (mode: Mode, subject: ScreeningSubject): ScreeningResult => {
        const hits = byMode.get(mode)?.find(subject) ?? [];
        return hits.length === 0 ? { outcome: 'CLEAR' } : { outcome: 'HIT', hits };
      };
    } catch (error) {
      logger.error({ err: error }, 'the screening lists cannot be read');
      onAlarm?.({ alarm: 'SCREENING_UNAVAILABLE', mode: 'LIVE' });
      return (): ScreeningResult => ({ outcome: 'UNKNOWN' });
    }
  };
  return {
    forget: () => indexes.forget(),
    prepare,
    screen: async (mode, subject) => (await prepare())(mode, subject),
  };
}
