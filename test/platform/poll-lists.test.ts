import { beforeEach, describe, expect, it } from 'vitest';
import { createJobMonitor, type JobFailures } from '../../src/platform/jobs/job-monitor.ts';
import { pollLists, readPages } from '../../src/platform/jobs/poll-lists.ts';
import { createLogger } from '../../src/platform/logger.ts';
import type { Mode } from '../../src/platform/tenant.ts';
import { clockOf } from '../support/clock.ts';

const clock = { at: 0, ...clockOf((): Date => new Date(clock.at)) };
let failures: JobFailures;
beforeEach(() => {
  clock.at = 1_800_000_000_000;
  failures = createJobMonitor({ clock, logger: createLogger('silent') }).failuresOf('test');
});

/** A list that says of each page that another one follows. */
function endless(idOf: (page: number) => string | undefined, stopped?: AbortSignal, each = () => {}) {
  let asked = 0;
  const taken: (string | undefined)[] = [];
  const read = readPages(
    { clock, stopped },
    {
      async page() {
        asked += 1;
        // Above any bound: what reads on for ever fails here.
        if (asked > 20_000) throw new Error('read for ever');
        each();
        return { ids: [idOf(asked)], unreadable: [], next: String(asked) };
      },
      idsOf: ({ ids }) => ids,
      async take({ ids }) {
        taken.push(...ids);
        return ids.length;
      },
    },
  );
  return { read, taken };
}

describe('the pages of a list', () => {
  it('that come round again and again are left as soon as one of them is seen for the second time', async () => {
    const { read, taken } = endless((page) => ['a', 'b', 'c'][page % 3]);
    await expect(read).rejects.toThrow('again and again');
    expect(taken).toEqual(['b', 'c', 'a']);
  });

  it('without an end are left after a bounded number, and what was taken stays taken', async () => {
    const other = endless(String);
    await expect(other.read).rejects.toThrow('has no end');
    expect(other.taken).toHaveLength(10_000);
    const empty = endless(() => undefined);
    await expect(empty.read).rejects.toThrow('has no end');
  });

  it('that take too long are left', async () => {
    const { read, taken } = endless(String, undefined, () => {
      clock.at += 10 * 60_000;
    });
    await expect(read).rejects.toThrow('has no end');
    expect(taken).toHaveLength(6);
  });

  it('are left between two of them where the process has to end', async () => {
    const stopping = new AbortController();
    const { read, taken } = endless((page) => {
      if (page === 3) stopping.abort();
      return String(page);
    }, stopping.signal);
    await expect(read).rejects.toThrow('aborted');
    expect(taken).toEqual(['1', '2', '3']);
  });
});

describe('lists that are polled', () => {
  const lists = ['bad', 'good'].map((name) => ({ name, mode: 'LIVE' as Mode }));
  const poll = (read: (name: string) => Promise<number | undefined>, stopped?: AbortSignal) => {
    const released: string[] = [];
    const done = pollLists(lists, {
      failures,
      message: 'a list could not be read',
      stopped,
      read: ({ name }) => read(name),
      release: async ({ name }) => released.push(name),
    });
    return { released, done };
  };

  it('fail alone, let go of their lease, and are left alone for a while', async () => {
    const no = async (name: string) => (name === 'bad' ? Promise.reject(new Error('no end')) : 3);
    const first = poll(no);
    expect([await first.done, first.released, failures.backingOffKeys()]).toEqual([3, ['bad'], ['bad']]);
    const asked: string[] = [];
    await poll(async (name) => asked.push(name)).done;
    expect(asked).toEqual(['good']);
  });

  it('that somebody else reads at this moment have neither failed nor succeeded', async () => {
    failures.failed('bad', new Error('no end'), { message: 'before' });
    clock.at += 60_000;
    expect(await poll(async (name) => (name === 'bad' ? undefined : 1)).done).toBe(1);
    expect(failures.hasFailed('bad')).toBe(true);
  });

  it('have not failed where the process that reads them has to end, and let go of their lease', async () => {
    const stopping = new AbortController();
    const { done, released } = poll(async () => {
      stopping.abort();
      stopping.signal.throwIfAborted();
    }, stopping.signal);
    expect([await done, released, failures.hasAny()]).toEqual([0, ['bad', 'good'], false]);
  });
});
