import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { databaseAway } from '../../src/platform/errors.ts';
import { createJobMonitor, type JobMonitor } from '../../src/platform/jobs/job-monitor.ts';
import { createTenantTurns } from '../../src/platform/jobs/take-turns.ts';
import { createLookLoop, createScheduledJobs } from '../../src/platform/jobs/worker.ts';
import { createLogger, type Logger } from '../../src/platform/logger.ts';
import type { Mode, Tenant } from '../../src/platform/tenant.ts';
import { NotSentError, UnusableAnswerError } from '../../src/rails/port.ts';
import { clockOf } from '../support/clock.ts';

const clock = { at: 0, ...clockOf((): Date => new Date(clock.at)) };
let lines: Record<string, unknown>[];
let counted: string[];
let jobs: JobMonitor;

beforeEach(() => {
  clock.at = 1_800_000_000_000;
  lines = [];
  counted = [];
  const logger = {
    error: (line: Record<string, unknown>, msg: string) => void lines.push({ ...line, msg }),
  } as unknown as Logger;
  jobs = createJobMonitor({ clock, logger, onFailure: (job, mode) => void counted.push(`${job} ${mode}`) });
});

const about = { message: 'it failed', mode: 'LIVE', merchantId: 'm' } as const;
const defect = new Error('no');

describe('a line of a list that cannot be read', () => {
  it('is news once and then once a day, each further line at once, and another list has news of its own', () => {
    const some = (lines: number) => ({ lines, keys: new Set(Array.from({ length: lines }, (_, at) => String(at))) });
    const isNews = (lines: number, list = 'paystack') => jobs.isNews('credits.poll', list, some(lines));
    expect([isNews(0), isNews(2), isNews(2), isNews(1), isNews(2), isNews(3)]).toEqual([
      false,
      true,
      false,
      false,
      true,
      true,
    ]);
    expect([isNews(3, 'monnify'), jobs.isNews('disputes.poll', 'paystack', some(3))]).toEqual([true, true]);
    clock.at += 23 * 3_600_000;
    expect(isNews(3)).toBe(false);
    clock.at += 3_600_000;
    expect([isNews(3), isNews(3)]).toEqual([true, false]);
    expect([isNews(0), isNews(1)]).toEqual([false, true]);
  });

  it('is news where it comes as another one leaves', () => {
    const isNews = (...keys: string[]) =>
      jobs.isNews('credits.poll', 'paystack', { lines: keys.length, keys: new Set(keys) });
    expect([isNews('a', 'b'), isNews('b', 'a'), isNews('b', 'c'), isNews('c'), isNews('c', 'b')]).toEqual([
      true,
      false,
      true,
      false,
      true,
    ]);
  });
});

describe('what a job fails at', () => {
  it('because a provider refuses our key is a line in words with the account and what to do, and no stack', () => {
    const reading = { reason: 'RAIL_CREDENTIALS_REFUSED', message: 'Paystack does not accept our key' };
    const refusals = [
      new UnusableAnswerError(reading, 'HTTP_401'),
      new NotSentError('Monnify refused the key', { reason: 'RAIL_CREDENTIALS_REFUSED' }),
    ];
    for (const refusal of refusals) {
      jobs
        .failuresOf('credits.poll')
        .failed('p', refusal, { message: 'credits could not be listed', rail: 'paystack-live' });
      const line = lines.at(-1);
      expect(line).not.toHaveProperty('err');
      expect(line).toMatchObject({ rail: 'paystack-live', reason: 'RAIL_CREDENTIALS_REFUSED' });
      expect(line?.['msg']).toMatch(
        /^credits could not be listed \(account paystack-live\): the provider refuses its key, .*add-rail --replace$/,
      );
    }
    const late = new UnusableAnswerError({ reason: 'RAIL_MALFUNCTION', message: 'it has a fault' }, 'HTTP_500');
    jobs
      .failuresOf('credits.poll')
      .failed('p', late, { message: 'credits could not be listed', rail: 'paystack-live' });
    expect(lines.at(-1)).toMatchObject({ err: late, msg: 'credits could not be listed' });
  });

  const hostile = { message: 'it failed', mode: 'LIVE', merchantId: 'hostile' } as const;
  const tenant = { merchantId: 'm', mode: 'LIVE' } as const;

  it('stays remembered for a merchant whatever number of things fails for others, be they one or many', () => {
    const failures = jobs.failuresOf('test');
    failures.failed('mine', defect, about);
    const mine = () => failures.failed('mine', defect, about);
    for (let at = 0; at < 20_000; at += 1) failures.failed(`hostile ${at}`, defect, hostile);
    expect([failures.isBackingOff('mine'), mine()]).toEqual([true, 2_000]);
    for (let of = 0; of < 20; of += 1) {
      for (let at = 0; at < 1_000; at += 1)
        failures.failed(`${of} ${at}`, defect, { ...hostile, merchantId: `h${of}` });
    }
    expect([failures.isBackingOff('mine'), mine()]).toEqual([true, 4_000]);
    expect(failures.failedKeys()).toHaveLength(10_000);
  });

  it('is a thousand things of one merchant at most, those that failed last, and another merchant’s statements name none of them', () => {
    const failures = jobs.failuresOf('test');
    failures.failed('mine', defect, about);
    for (let at = 0; at < 2_000; at += 1) failures.failed(`hostile ${at}`, defect, hostile);
    expect(failures.backingOffKeys()).toHaveLength(1_001);
    expect(failures.backingOffKeysOf(tenant)).toEqual(['mine']);
    const kept = failures.backingOffKeysOf({ ...tenant, merchantId: 'hostile' });
    expect([kept.at(0), kept.at(-1)]).toEqual(['hostile 1000', 'hostile 1999']);
    expect(failures.backingOffKeysOf({ ...tenant, mode: 'SANDBOX' })).toEqual([]);
    failures.succeeded('mine');
    expect(failures.backingOffKeysOf(tenant)).toEqual([]);
  });

  it('stays remembered for a provider while another one’s fails without end', () => {
    const failures = jobs.failuresOf('test');
    failures.failed('good/1', defect, { message: 'it failed', mode: 'LIVE', rail: 'good' });
    for (let at = 0; at < 20_000; at += 1)
      failures.failed(`bad/${at}`, defect, { message: 'no', mode: 'LIVE', rail: 'bad' });
    expect(failures.isBackingOff('good/1')).toBe(true);
  });

  it('is left alone for a while that doubles up to a bound, and begins anew after a success', () => {
    const failures = jobs.failuresOf('test', { firstMs: 1_000, maxMs: 5_000 });
    const waits = [1, 2, 3, 4, 5].map(() => failures.failed('one', defect, about));
    expect(waits).toEqual([1_000, 2_000, 4_000, 5_000, 5_000]);
    expect([failures.isBackingOff('one'), failures.hasFailed('one')]).toEqual([true, true]);
    clock.at += 4_999;
    expect(failures.isBackingOff('one')).toBe(true);
    clock.at += 1;
    expect([failures.isBackingOff('one'), failures.hasFailed('one')]).toEqual([false, true]);
    expect(failures.isBackingOff('another')).toBe(false);
    failures.succeeded('one');
    expect(failures.hasFailed('one')).toBe(false);
    expect(failures.failed('one', defect, about)).toBe(1_000);
  });

  it('waits no longer each time that the database is away, which is nobody’s own failure', () => {
    const failures = jobs.failuresOf('test');
    const waits = [1, 2, 3, 4].map(() => failures.failed('one', databaseAway('away'), about));
    expect(new Set(waits)).toEqual(new Set([1_000]));
  });

  it('is not left alone for ever by a clock that was set back', () => {
    const failures = jobs.failuresOf('test');
    failures.failed('one', defect, about);
    clock.at -= 3_600_000;
    expect(failures.isBackingOff('one')).toBe(false);
  });

  it('is counted each time, by job and mode and never by merchant', () => {
    jobs.failuresOf('leases').failed('one', defect, about);
    jobs.failuresOf('leases').failed('two', defect, about);
    jobs.failuresOf('mails').failed('three', defect, { message: 'no mode' });
    expect(counted).toEqual(['leases LIVE', 'leases LIVE', 'mails ']);
    expect(jobs.backingOff()).toEqual([
      { job: 'leases', mode: 'LIVE', count: 2 },
      { job: 'mails', mode: '', count: 1 },
    ]);
    clock.at += 1_000;
    expect(jobs.backingOff()).toEqual([]);
  });

  it('is logged with its merchant, at most 20 times a minute and job, and the next line says how many were left out', () => {
    const failures = jobs.failuresOf('leases');
    for (let at = 0; at < 1_000; at += 1) failures.failed(`tenant ${at}`, defect, about);
    expect(lines).toHaveLength(20);
    expect(lines[0]).toMatchObject({ job: 'leases', merchantId: 'm', mode: 'LIVE', failures: 1, retryInMs: 1_000 });
    jobs.failuresOf('other').failed('one', defect, about);
    expect(lines).toHaveLength(21);
    clock.at += 60_000;
    failures.failed('tenant 1', defect, about);
    expect(lines.at(-1)).toMatchObject({ failures: 2, leftOut: 980 });
  });
});

interface Item {
  tenant: Tenant;
  name: string;
}

const item = (merchantId: string, name = merchantId, mode: Mode = 'SANDBOX'): Item => ({
  tenant: { merchantId, mode },
  name,
});

/** Turns whose items end when the test says so. */
function turnsOf(slots = { LIVE: 2, SANDBOX: 2 }) {
  const begun: string[] = [];
  const ends = new Map<string, PromiseWithResolvers<void>>();
  const turns = createTenantTurns<Item>({
    failures: jobs.failuresOf('turns'),
    slots,
    tenantOf: ({ tenant }) => tenant,
    keyOf: ({ name }) => name,
    take: ({ name }) => {
      begun.push(name);
      const end = Promise.withResolvers<void>();
      ends.set(name, end);
      return end.promise;
    },
    aboutOf: ({ tenant }) => ({ message: 'failed', ...tenant }),
  });
  const settled = () => delay(0);
  return {
    turns,
    begun,
    async end(name: string) {
      ends.get(name)?.resolve();
      await settled();
    },
    async fail(name: string) {
      ends.get(name)?.reject(defect);
      await settled();
    },
  };
}

describe('turns of tenants', () => {
  it('of sandbox never take those of live, however many wait and never end', () => {
    const { turns, begun } = turnsOf();
    turns.offer(Array.from({ length: 50 }, (_, at) => item(`sandbox ${at}`)));
    turns.offer([...Array.from({ length: 50 }, (_, at) => item(`sandbox ${at}`)), item('live', 'live', 'LIVE')]);
    expect(begun).toEqual(['sandbox 0', 'sandbox 1', 'live']);
  });

  it('go round: whose last turn was longest ago is next, and nobody has two at once', async () => {
    const { turns, begun, end } = turnsOf({ LIVE: 1, SANDBOX: 1 });
    const all = ['a', 'b', 'c'].map((name) => item(name));
    for (let round = 0; round < 6; round += 1) {
      turns.offer(all);
      await end(begun.at(-1)!);
    }
    expect(begun).toEqual(['a', 'b', 'c', 'a', 'b', 'c', 'a']);
    const two = turnsOf();
    two.turns.offer([item('a', 'a1'), item('a', 'a2'), item('b', 'b1')]);
    expect(two.begun).toEqual(['a1', 'b1']);
    await two.end('a1');
    expect(two.begun).toEqual(['a1', 'b1', 'a2']);
  });

  it('of what failed are in a line of their own, so that one which hangs costs nobody else a turn', async () => {
    const { turns, begun, end, fail } = turnsOf({ LIVE: 1, SANDBOX: 1 });
    const bad = ['bad 1', 'bad 2', 'bad 3'].map((name) => item(name));
    turns.offer(bad);
    for (const { name } of bad) await fail(name);
    expect(begun).toEqual(['bad 1', 'bad 2', 'bad 3']);
    turns.offer([...bad, item('good 1')]);
    expect(begun.slice(3)).toEqual(['good 1']);
    await end('good 1');
    // Their time has come again: one of them is tried, hangs, and all others go on.
    clock.at += 1_000;
    turns.offer([...bad, item('good 2'), item('good 3')]);
    await end('good 2');
    await end('good 3');
    expect(new Set(begun.slice(4))).toEqual(new Set(['good 2', 'bad 1', 'good 3']));
    await end('bad 1');
    expect(jobs.failuresOf('turns').hasFailed('bad 1')).toBe(false);
  });

  it('of a tenant go on with its other items while one of them is left alone', async () => {
    const { turns, begun, end, fail } = turnsOf();
    const items = [item('a', 'bad'), item('a', 'good 1'), item('a', 'good 2')];
    turns.offer(items);
    await fail('bad');
    await end('good 1');
    await end('good 2');
    turns.offer(items);
    expect(begun).toEqual(['bad', 'good 1', 'good 2', 'good 1']);
  });

  it('tell what else becomes of an item that failed, and survive where that fails too', async () => {
    const putOff: [string, number][] = [];
    const turns = createTenantTurns<Item>({
      failures: jobs.failuresOf('turns'),
      slots: { LIVE: 1, SANDBOX: 1 },
      tenantOf: ({ tenant }) => tenant,
      keyOf: ({ name }) => name,
      take: () => Promise.reject(defect),
      aboutOf: () => ({ message: 'failed' }),
      putOff: ({ name }, delayMs) => {
        putOff.push([name, delayMs]);
        return Promise.reject(new Error('nor this'));
      },
    });
    turns.offer([item('a'), item('b')]);
    await turns.settle();
    expect(putOff).toEqual([
      ['a', 1_000],
      ['b', 1_000],
    ]);
  });

  it('end with close: what waits is not begun', async () => {
    const { turns, begun, end } = turnsOf({ LIVE: 1, SANDBOX: 1 });
    turns.offer([item('a'), item('b')]);
    turns.close();
    await end('a');
    await turns.settle();
    expect(begun).toEqual(['a']);
  });
});

describe('a scheduled job', () => {
  afterEach(() => void vi.useRealTimers());

  it('of each hour is done within seconds of the start, also by processes that never live an hour, and then each hour', async () => {
    vi.useFakeTimers();
    let done = 0;
    const job = { name: 'hourly', everyMs: 3_600_000, run: async () => (done += 1) };
    for (let lives = 1; lives <= 3; lives += 1) {
      const scheduled = createScheduledJobs([job], { jobs });
      scheduled.start();
      await vi.advanceTimersByTimeAsync(5_000);
      await scheduled.stop();
      expect(done).toBe(lives);
    }
    const scheduled = createScheduledJobs([job], { jobs });
    scheduled.start();
    await vi.advanceTimersByTimeAsync(2 * 3_600_000);
    await scheduled.stop();
    expect(done).toBe(3 + 2);
  });

  /** How often an hourly job is begun in its first minutes. */
  async function begunIn(minutes: number, run: (begun: number) => Promise<number>): Promise<number> {
    vi.useFakeTimers();
    let begun = 0;
    const begin = () => {
      begun += 1;
      return run(begun);
    };
    const job = { name: 'hourly', everyMs: 3_600_000, most: 100, run: begin };
    const monitor = createJobMonitor({ clock: clockOf(() => new Date()), logger: createLogger('silent') });
    const scheduled = createScheduledJobs([job], { jobs: monitor });
    scheduled.start();
    await vi.advanceTimersByTimeAsync(minutes * 60_000);
    await scheduled.stop();
    return begun;
  }

  it('that did the most that one run may is done again soon, until it did less', async () => {
    expect(await begunIn(2, async (begun) => (begun < 20 ? 100 : 99))).toBe(20);
  });

  it('that always has more to do rests as long as it works', async () => {
    const begun = await begunIn(10, async () => {
      await new Promise((resolve) => setTimeout(resolve, 10_000));
      return 100;
    });
    expect(begun).toBe(30);
  });

  it('of each hour that failed is done again within minutes, however often it fails', async () => {
    expect(await begunIn(59, () => Promise.reject(new Error('no')))).toBeGreaterThan(15);
    expect(await begunIn(58, async (begun) => (begun === 1 ? Promise.reject(new Error('no')) : 1))).toBe(2);
  });

  it('of which a run hangs is run again beside it where it may be, up to a bound, and shows for how long it has run', async () => {
    vi.useFakeTimers();
    const hanging: (() => void)[] = [];
    let runs = 0;
    const run = () => {
      runs += 1;
      return new Promise<number>((resolve) => hanging.push(() => resolve(1)));
    };
    const beside = createScheduledJobs([{ name: 'lists', mode: 'LIVE', everyMs: 1_000, atOnce: 3, run }], { jobs });
    beside.start();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(runs).toBe(3);
    clock.at += 10_000;
    expect(jobs.running()).toEqual([{ job: 'lists', mode: 'LIVE', seconds: 10 }]);
    hanging.shift()?.();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(runs).toBe(4);
    for (const end of hanging.splice(0)) end();
    await beside.stop();
    expect(jobs.running()).toEqual([]);
    const alone = createScheduledJobs([{ name: 'alone', everyMs: 1_000, run }], { jobs });
    alone.start();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(runs).toBe(5);
    for (const end of hanging.splice(0)) end();
    await alone.stop();
  });

  it('of those that hang all are named, the one that has hung for longest first, however often others began since', () => {
    jobs.began('credits', 'LIVE');
    clock.at += 5_000;
    const ended = jobs.began('disputes', 'LIVE');
    clock.at += 5_000;
    jobs.began('credits', 'LIVE');
    jobs.began('credits', 'SANDBOX');
    const hanging = () => jobs.running().map(({ job, mode, seconds }) => `${job} ${mode} ${seconds}`);
    expect(hanging()).toEqual(['credits LIVE 10', 'disputes LIVE 5', 'credits SANDBOX 0']);
    ended();
    expect(hanging()).toEqual(['credits LIVE 10', 'credits SANDBOX 0']);
  });

  it('that is stopped while it runs is asked to end, and waited for', async () => {
    vi.useFakeTimers();
    const run = (stopped: AbortSignal) =>
      new Promise<number>((resolve) => stopped.addEventListener('abort', () => resolve(0)));
    const scheduled = createScheduledJobs([{ name: 'long', everyMs: 1_000, run }], { jobs });
    scheduled.start();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(jobs.running()).toHaveLength(1);
    await scheduled.stop();
    expect(jobs.running()).toEqual([]);
  });
});

describe('a loop of looks', () => {
  it('looks one at a time, and once more where it was woken during a look', async () => {
    let under = 0;
    let most = 0;
    let looks = 0;
    const goOn = Promise.withResolvers<void>();
    const loop = createLookLoop(async () => {
      looks += 1;
      under += 1;
      most = Math.max(most, under);
      if (looks === 1) await goOn.promise;
      under -= 1;
    }, 3_600_000);
    loop.start();
    await expect.poll(() => looks).toBe(1);
    loop.wake();
    loop.wake();
    goOn.resolve();
    await expect.poll(() => looks).toBe(2);
    await loop.stop();
    expect(most).toBe(1);
  });

  it('that is woken all the time looks all the same', async () => {
    vi.useFakeTimers();
    let looks = 0;
    const loop = createLookLoop(
      async () => {
        looks += 1;
      },
      3_600_000,
      5,
    );
    loop.start();
    await vi.advanceTimersByTimeAsync(0);
    for (let ms = 0; ms < 100; ms += 1) {
      loop.wake();
      await vi.advanceTimersByTimeAsync(1);
    }
    expect(looks).toBeGreaterThan(10);
    await loop.stop();
    vi.useRealTimers();
  });
});
