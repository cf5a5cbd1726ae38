import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { DUE_BATCHES } from '../../src/batches/queries.ts';
import { DUE_PAYOUTS } from '../../src/payout-delivery/due-queries.ts';
import type { Statement } from '../../src/platform/db/statement.ts';
import { createGlance, type Glance } from '../../src/platform/jobs/glance.ts';
import { createJobMonitor, type JobMonitor } from '../../src/platform/jobs/job-monitor.ts';
import { type Queue, queue } from '../../src/platform/jobs/queries.ts';
import { createScheduledJobs, createWorker } from '../../src/platform/jobs/worker.ts';
import type { Logger } from '../../src/platform/logger.ts';
import type { Mode } from '../../src/platform/tenant.ts';
import { QUEUES, scheduledJobsOf } from '../../src/scheduled-jobs.ts';
import { WEBHOOK_ENDPOINTS } from '../../src/webhooks/index.ts';
import { addPayouts, createPayoutFixture, type PayoutFixture } from '../payouts/payout-fixture.ts';
import { stillClock } from '../support/clock.ts';

const MINUTE_MS = 60_000;
const clock = stillClock();
let asked: string[];
let rows: { queue: string; mode: string | null }[];
let failure: Error | undefined;
let jobs: JobMonitor;

const database = (isDistributed: boolean) => ({
  isDistributed: async () => isDistributed,
  async query<Row>({ text }: Statement<Row>): Promise<Row[]> {
    asked.push(text);
    if (failure !== undefined) throw failure;
    return rows as Row[];
  },
});
const named = (name: string) => queue({ name, text: '' }, name, 'due_at <= $1');
const [stalls, tolls] = [named('stalls'), named('tolls')];

beforeEach(() => {
  [asked, rows, failure] = [[], [], undefined];
  jobs = createJobMonitor({ clock, logger: { error: () => undefined } as unknown as Logger });
});

/** Each job has looked once, as it does at its start, and half a second ago. */
async function started(...all: (readonly Queue[])[]): Promise<Glance> {
  const glance = createGlance({ database: database(true), clock });
  for (const queues of all) expect(await glance.hasWork(queues)).toBe(true);
  expect(asked).toEqual([]);
  clock.advance(500);
  return glance;
}

describe('what jobs wait for', () => {
  it('is asked about once for all of them, however many come by within half a second', async () => {
    const glance = await started([stalls], [tolls]);
    rows = [{ queue: 'tolls', mode: 'LIVE' }];
    expect(await Promise.all([glance.hasWork([stalls]), glance.hasWork([tolls])])).toEqual([false, true]);
    clock.advance(499);
    expect(await glance.hasWork([stalls])).toBe(false);
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatch(/from stalls[\s\S]*union all[\s\S]*from tolls/);
    clock.advance(1);
    rows = [{ queue: 'stalls', mode: 'LIVE' }];
    expect(await glance.hasWork([stalls])).toBe(true);
    expect(asked).toHaveLength(2);
  });

  it('in one mode is no work of the other', async () => {
    const glance = createGlance({ database: database(true), clock });
    for (const mode of ['LIVE', 'SANDBOX'] as const) expect(await glance.hasWork([stalls], mode)).toBe(true);
    rows = [{ queue: 'stalls', mode: 'SANDBOX' }];
    expect([await glance.hasWork([stalls], 'LIVE'), await glance.hasWork([stalls], 'SANDBOX')]).toEqual([false, true]);
    clock.advance(500);
    const both = queue({ name: 'seals', text: '' }, 'seals', 'true', { hasNoMode: true });
    rows = [{ queue: 'seals', mode: null }];
    await glance.hasWork([both], 'LIVE');
    expect(await glance.hasWork([both], 'LIVE')).toBe(true);
  });

  it('is looked for all the same a minute after the last look, whatever the glance says', async () => {
    const glance = await started([stalls]);
    clock.advance(MINUTE_MS - 501);
    expect(await glance.hasWork([stalls])).toBe(false);
    clock.advance(1);
    expect(await glance.hasWork([stalls])).toBe(true);
    expect(asked).toHaveLength(1);
  });

  it('is looked for by each job itself where the question fails, and asked about again afterwards', async () => {
    const glance = await started([stalls], [tolls]);
    failure = new Error('no server');
    expect(await Promise.all([glance.hasWork([stalls]), glance.hasWork([tolls])])).toEqual([true, true]);
    expect(asked).toHaveLength(1);
    failure = undefined;
    rows = [{ queue: 'tolls', mode: 'LIVE' }];
    clock.advance(500);
    expect(await glance.hasWork([stalls])).toBe(false);
  });

  it('is not asked about where one server has the database: each job looks in its own time, as before', async () => {
    const glance = createGlance({ database: database(false), clock });
    for (let look = 0; look < 3; look += 1) expect(await glance.hasWork([stalls])).toBe(true);
    expect(asked).toEqual([]);
  });
});

/** Says what it is told. */
const says = (hasWork: boolean): Glance => ({ hasWork: async () => hasWork, look: async () => () => hasWork });

describe('a worker without work', () => {
  afterEach(() => void vi.useRealTimers());

  const source = () => {
    const looks = { count: 0 };
    const settle = async () => undefined;
    const look = async () => {
      looks.count += 1;
    };
    return {
      looks,
      source: { name: 'stalls', queues: [stalls], look, taken: () => 0, settle, close: () => undefined },
    };
  };

  it('looks for none, and at once where somebody who made some wakes it', async () => {
    const { looks, source: one } = source();
    const worker = createWorker({ jobs }, [one], { glance: says(false), pollMs: 1 });
    worker.start();
    await delay(30);
    expect(looks.count).toBe(0);
    worker.wake();
    await expect.poll(() => looks.count).toBe(1);
    await delay(30);
    expect(looks.count).toBe(1);
    await worker.stop();
  });

  it('looks at one source alone where whoever made work names it, and at all where nobody does', async () => {
    vi.useFakeTimers();
    const [stall, other] = [source(), source()];
    const sources = [stall.source, { ...other.source, name: 'kiosks' }];
    const worker = createWorker({ jobs }, sources, { glance: says(false) });
    worker.start();
    await vi.advanceTimersByTimeAsync(20);
    worker.wake('stalls');
    await vi.advanceTimersByTimeAsync(20);
    expect([stall.looks.count, other.looks.count]).toEqual([1, 0]);
    worker.wake();
    await vi.advanceTimersByTimeAsync(20);
    expect([stall.looks.count, other.looks.count]).toEqual([2, 1]);
    await worker.stop();
  });

  it('looks each time where there is some, and without asking where it does all that is due', async () => {
    const some = source();
    const busy = createWorker({ jobs }, [some.source], { glance: says(true), pollMs: 1 });
    busy.start();
    await expect.poll(() => some.looks.count).toBeGreaterThan(2);
    await busy.stop();
    const none = source();
    await createWorker({ jobs }, [none.source], { glance: says(false) }).runOnce();
    expect(none.looks.count).toBe(1);
  });

  it('leaves out its scheduled jobs, but for those that wait for nothing', async () => {
    vi.useFakeTimers();
    const done: string[] = [];
    const job = (name: string, queues?: readonly Queue[]) => ({
      ...{ name, everyMs: 1_000, ...(queues && { queues }) },
      run: async () => done.push(name),
    });
    const scheduled = createScheduledJobs([job('with a queue', [stalls]), job('without')], {
      jobs,
      glance: says(false),
    });
    scheduled.start();
    await vi.advanceTimersByTimeAsync(3_000);
    await scheduled.stop();
    expect(new Set(done)).toEqual(new Set(['without']));
  });

  it('asks once now where it does all that is due, and leaves out no job where that fails', async () => {
    const done: string[] = [];
    const job = (name: string, queues: readonly Queue[], mode?: Mode) => ({
      ...{ name, everyMs: 1_000, queues, ...(mode && { mode }) },
      run: async () => done.push(name),
    });
    const glance = createGlance({ database: database(false), clock });
    const all = [job('one', [stalls], 'LIVE'), job('other', [stalls], 'SANDBOX'), job('third', [tolls])];
    const scheduled = createScheduledJobs(all, { jobs, glance });
    rows = [{ queue: 'stalls', mode: 'SANDBOX' }];
    await scheduled.runAll();
    expect(done).toEqual(['other']);
    expect(asked).toHaveLength(1);
    failure = new Error('the database is away');
    await scheduled.runAll();
    expect(done).toEqual(['other', 'one', 'other', 'third']);
  });

  it('does what looks after old things once where it does all that is due, and again only where that found some', async () => {
    const done: string[] = [];
    let found = 2;
    const scheduledJobs = [
      { name: 'old things', everyMs: 60_000, run: async () => done.push('old things') && 0 },
      { name: 'old things that there are', everyMs: 60_000, run: async () => done.push('some') && found-- },
      { name: 'work', everyMs: 1_000, run: async () => done.push('work') && 0 },
    ];
    await createWorker({ jobs }, [], { scheduledJobs }).runOnce();
    expect(found).toBe(-1);
    expect(done).toEqual(['old things', 'some', 'work', 'some', 'work', 'some', 'work']);
  });
});

const ALL = [...Object.values(QUEUES).flat(), DUE_PAYOUTS, DUE_BATCHES, WEBHOOK_ENDPOINTS];

/** Without names of tables and numbers of parameters: statements have theirs. */
const bare = (text: string) =>
  text
    .replaceAll(/\b[a-z]\w*\.(?=\w)/g, '')
    .replaceAll(/\$\d+/g, '$')
    .replaceAll(/\s+/g, ' ');

describe('the queue of a job', () => {
  it('is named for a job that there is', () => {
    const jobNames = scheduledJobsOf({} as never, { approvals: {} as never, mailServer: undefined }).map(
      ({ name }) => name,
    );
    expect(Object.keys(QUEUES).filter((name) => !jobNames.includes(name))).toEqual([]);
  });

  it.each(ALL.map((one) => [one.statement.name, one] as const))(
    'has no condition that its statement has not, so that no row waits for longer than a glance: %s',
    (_, { statement, table, condition }) => {
      expect(bare(statement.text)).toMatch(new RegExp(`\\b${table}\\b`));
      const parts = condition === 'true' ? [] : condition.split(' and ');
      for (const part of parts) expect(bare(statement.text)).toContain(bare(part));
    },
  );
});

describe('the glance at a database', () => {
  let fixture: PayoutFixture;
  beforeAll(async () => {
    fixture = await createPayoutFixture();
  });
  afterAll(() => fixture.close());

  it('finds no work where there is none, payouts as soon as they are due, and none once they are done', async () => {
    const merchant = await fixture.addMerchant();
    await fixture.worker.runOnce();
    const real = {
      query: <Row>(...given: Parameters<typeof fixture.database.query<Row>>) => fixture.database.query<Row>(...given),
      isDistributed: async () => true,
    };
    const glance = createGlance({ database: real, clock: fixture.clock });
    const found = async () => {
      fixture.clock.advance(500);
      const waiting: string[] = [];
      for (const one of ALL) if (await glance.hasWork([one], 'SANDBOX')) waiting.push(one.statement.name);
      return waiting;
    };
    expect(await found()).toEqual(ALL.map(({ statement }) => statement.name));
    expect(await found()).not.toContain(DUE_PAYOUTS.statement.name);
    await addPayouts(fixture, merchant, 1);
    expect(await found()).toContain(DUE_PAYOUTS.statement.name);
    expect(await glance.hasWork([DUE_PAYOUTS], 'LIVE')).toBe(true);
    expect(await glance.hasWork([DUE_PAYOUTS], 'LIVE')).toBe(false);
    await fixture.worker.runOnce();
    expect(await found()).not.toContain(DUE_PAYOUTS.statement.name);
    expect(await found()).not.toContain(DUE_BATCHES.statement.name);
  });
});
