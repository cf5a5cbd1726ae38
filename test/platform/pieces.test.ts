import { describe, expect, it } from 'vitest';
import { sweepPeople } from '../../src/people/sign-up.ts';
import type { Database } from '../../src/platform/db/database.ts';
import { createJobMonitor } from '../../src/platform/jobs/job-monitor.ts';
import { MOST_A_RUN, removeInPieces } from '../../src/platform/jobs/pieces.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { deliverAllDueWebhooks } from '../../src/rails/sandbox/deliver-webhooks.ts';
import { keptForDays, removeOldRows } from '../../src/retention/index.ts';
import { clockOf } from '../support/clock.ts';

const clock = clockOf(() => new Date());
const jobs = createJobMonitor({ clock, logger: createLogger('silent') });

describe('what is removed in pieces', () => {
  it('goes on behind a piece that is short because another process removed of the same rows', async () => {
    const removed = [1_000, 400, 1_000, 0];
    expect(await removeInPieces(async () => removed.shift() ?? 0)).toBe(2_400);
    expect(removed).toEqual([]);
  });

  it('is no more than a run may remove, which says that there may be more', async () => {
    let left = MOST_A_RUN + 1_234;
    const remove = async (atMost: number) => {
      const removed = Math.min(left, atMost, 700);
      left -= removed;
      return removed;
    };
    expect(await removeInPieces(remove)).toBe(MOST_A_RUN);
    expect(await removeInPieces(remove)).toBe(1_234);
  });
});

/** A database without rows, in which the statement of a name fails. */
function databaseWithout(failing: string | undefined) {
  const asked: string[] = [];
  const query = async ({ name }: { name: string }) => {
    asked.push(name);
    if (name === failing) throw new Error(name);
    return [];
  };
  return { asked, database: { query } as unknown as Database };
}

describe.each<[string, number, (database: Database) => Promise<number>]>([
  ['what has had its time', 6, (database) => removeOldRows({ database, clock }, keptForDays({}))],
  ['sessions, links and sign-ups', 5, (database) => sweepPeople({ database, clock })],
  [
    'webhooks of the sandbox',
    4,
    (database) => {
      const providerWebhooks = { secret: 'secret', deliver: async () => undefined };
      return deliverAllDueWebhooks({ database, clock, providerWebhooks }, jobs);
    },
  ],
])('a job over kinds: %s', (_, kinds, run) => {
  it('does all other kinds where one fails, and then says so', async () => {
    const healthy = databaseWithout(undefined);
    expect(await run(healthy.database)).toBe(0);
    expect(healthy.asked).toHaveLength(kinds);
    for (const failing of healthy.asked) {
      const { asked, database } = databaseWithout(failing);
      await expect(run(database)).rejects.toThrow(failing);
      expect(asked).toEqual(healthy.asked);
    }
  });
});
