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
  /**
   * Before many are asked about at once: compares their names a little at a time, so that requests are served between and
   * `prepare` has them. Asks for no names where no list is in force.
   */
  compareAhead(mode: Mode, listNames: () => Promise<readonly string[]>): Promise<void>;
  /** Called by code that has changed the lists. */
  forget(): void;
}

/** A list that is imported counts in every process within this. */
const MAX_AGE_MS = 5_000;
/** Lists are imported by people: names are not compared ahead with more than two versions in a row. */
const MAX_VERSIONS = 2;

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
  // Where the lists cannot be read, `prepare` says so.
  const indexOf = async (mode: Mode) => (await indexes().catch(() => undefined))?.get(mode);
  return {
    forget: () => indexes.forget(),
    prepare,
    async compareAhead(mode, listNames) {
      let index = await indexOf(mode);
      if (index === undefined) return;
      const names = await listNames();
      for (let version = 0; version < MAX_VERSIONS && index !== undefined; version += 1) {
        await index.compareAhead(names);
        const current = await indexOf(mode);
        if (current === index) return;
        index = current;
      }
    },
    screen: async (mode, subject) => (await prepare())(mode, subject),
  };
}
