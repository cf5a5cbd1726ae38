import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { systemClock } from '../../src/platform/clock.ts';
import { LOOK_EVERY_MS, secondsAhead, watchClock } from '../../src/platform/db/clock-watch.ts';
import { IDLE_TIMEOUT_MS } from '../../src/platform/db/connections.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { openTestDatabase } from '../support/database.ts';

let opened: Awaited<ReturnType<typeof openTestDatabase>>;

beforeAll(async () => {
  opened = await openTestDatabase();
});
afterAll(() => opened.drop());

/** A clock that is ahead of this machine's, or behind it. */
const shifted = (seconds: number) => ({ ...systemClock, now: () => new Date(Date.now() + seconds * 1_000) });

describe('the clock of a process beside that of its database', () => {
  it('is ahead or behind by what it is, and by nothing where they agree', async () => {
    const { database } = opened;
    expect(await secondsAhead({ database, clock: systemClock })).toBe(0);
    // What the question takes is left out, so it may be a little less.
    expect(await secondsAhead({ database, clock: shifted(3_600) })).toBeCloseTo(3_600, -2);
    expect(await secondsAhead({ database, clock: shifted(-3_600) })).toBeCloseTo(-3_600, -2);
  });

  it('is an error of the log again and again while it is wrong, and none while it is right or the database away', async () => {
    const logger = createLogger('silent');
    const said = vi.spyOn(logger, 'error').mockReturnValue(undefined);
    const away = { pool: { query: () => Promise.reject(new Error('away')) } } as unknown as typeof opened.database;
    for (const deps of [
      { ...opened, clock: systemClock, logger },
      { database: away, clock: shifted(60), logger },
    ]) {
      const end = watchClock(deps, 5);
      await sleep(50);
      end();
    }
    expect(said).not.toHaveBeenCalled();
    const end = watchClock({ ...opened, clock: shifted(3_600), logger }, 5);
    await expect.poll(() => said.mock.calls.length).toBeGreaterThan(1);
    end();
    const [facts, sentence] = said.mock.calls[0] as unknown as [{ seconds: number }, string];
    expect(sentence).toBe('the clock of this machine is not that of the database');
    expect(facts.seconds).toBeCloseTo(3_600, -2);
  });

  it('looks sooner than an idle connection is closed, so that a service to which nobody sends anything is seen', () => {
    expect(LOOK_EVERY_MS).toBeLessThan(IDLE_TIMEOUT_MS);
  });
});
