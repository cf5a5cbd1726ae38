import { describe, expect, it } from 'vitest';
import type { Clock } from '../../src/platform/clock.ts';
import { databaseAway } from '../../src/platform/errors.ts';
import { createJobMonitor } from '../../src/platform/jobs/job-monitor.ts';
import { inHalves, merchantsBackingOff, ONE_AT_A_TIME, takeTurns } from '../../src/platform/jobs/take-turns.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { type Tenant, tenantKey } from '../../src/platform/tenant.ts';
import { clockOf } from '../support/clock.ts';

const numbers = Array.from({ length: 100 }, (_, at) => at);
const clock: Clock = clockOf(() => new Date());

describe('what is done for many at once', () => {
  it('is done for all but those at fault, each of which is named', async () => {
    const done: number[] = [];
    const failed: number[] = [];
    let attempts = 0;
    const work = async (some: readonly number[]) => {
      attempts += 1;
      if (some.includes(7) || some.includes(93)) throw new Error('not these');
      done.push(...some);
    };
    await inHalves(numbers, work, (item) => failed.push(item));
    expect(failed).toEqual([7, 93]);
    expect(done).toEqual(numbers.filter((item) => !failed.includes(item)));
    expect(attempts).toBeLessThan(30);
  });

  it('is attempted once where the database is away, which is nobody’s fault', async () => {
    let attempts = 0;
    const work = () => {
      attempts += 1;
      return Promise.reject(databaseAway('away'));
    };
    const named: number[] = [];
    await expect(inHalves(numbers, work, (item) => named.push(item))).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    });
    expect([attempts, named]).toEqual([1, []]);
  });
});

describe('a scheduled job', () => {
  it('goes on to the others where some fail, says how much it did, and leaves those alone next time', async () => {
    const failures = createJobMonitor({ clock, logger: createLogger('silent') }).failuresOf('test');
    const tenants = numbers.map((at): Tenant => ({ merchantId: `${at}`, mode: at % 2 ? 'LIVE' : 'SANDBOX' }));
    const isBad = ({ merchantId }: Tenant) => Number(merchantId) < 20;
    let attempts = 0;
    const run = () =>
      takeTurns(tenants, {
        failures,
        tenantOf: (tenant) => tenant,
        keyOf: ({ merchantId }) => merchantId,
        take: async (tenant) => {
          attempts += 1;
          if (isBad(tenant)) throw new Error('no');
          return 2;
        },
        aboutOf: (tenant) => ({ message: 'no', ...tenant }),
      });
    expect([await run(), attempts]).toEqual([160, 100]);
    expect(failures.backingOffKeys().toSorted()).toEqual(
      tenants
        .filter(isBad)
        .map(({ merchantId }) => merchantId)
        .toSorted(),
    );
    expect([await run(), attempts]).toEqual([160, 180]);
  });

  it('begins no turn once its time is over, and who had none has not succeeded', async () => {
    let now = Date.now();
    const failures = createJobMonitor({
      clock: clockOf(() => new Date(now)),
      logger: createLogger('silent'),
    }).failuresOf('test');
    const tenants = numbers.map((at): Tenant => ({ merchantId: `${at}`, mode: 'LIVE' }));
    for (const { merchantId } of tenants) failures.failed(merchantId, new Error('no'), { message: 'no' });
    now += 1_000;
    const taken: string[] = [];
    const done = await takeTurns(tenants, {
      failures,
      slots: ONE_AT_A_TIME,
      tenantOf: (tenant) => tenant,
      keyOf: ({ merchantId }) => merchantId,
      take: async ({ merchantId }) => {
        taken.push(merchantId);
        if (merchantId === '1') throw new Error('no');
        return 1;
      },
      aboutOf: (tenant) => ({ message: 'no', ...tenant }),
      isOver: () => taken.length === 3,
    });
    expect([done, taken]).toEqual([2, ['0', '1', '2']]);
    expect(failures.failedKeys().toSorted()).toEqual(
      numbers
        .map(String)
        .filter((key) => !['0', '2'].includes(key))
        .toSorted(),
    );
  });

  it('begins no turn once the worker stops, and waits for those under way', async () => {
    const failures = createJobMonitor({ clock, logger: createLogger('silent') }).failuresOf('test');
    const tenants = numbers.map((at): Tenant => ({ merchantId: `${at}`, mode: 'LIVE' }));
    const stopping = new AbortController();
    const job = (taken: string[]) =>
      takeTurns(tenants, {
        failures,
        stopped: stopping.signal,
        slots: ONE_AT_A_TIME,
        tenantOf: (tenant) => tenant,
        keyOf: ({ merchantId }) => merchantId,
        take: async ({ merchantId }) => {
          if (merchantId === '2') stopping.abort();
          taken.push(merchantId);
          return 1;
        },
        aboutOf: (tenant) => ({ message: 'no', ...tenant }),
      });
    const [first, second]: [string[], string[]] = [[], []];
    expect([await job(first), first]).toEqual([3, ['0', '1', '2']]);
    expect([await job(second), second]).toEqual([0, []]);
  });

  it('leaves a merchant alone in the mode in which it failed, and not in the other', () => {
    const failures = createJobMonitor({ clock, logger: createLogger('silent') }).failuresOf('test');
    failures.failed(tenantKey({ merchantId: 'm', mode: 'SANDBOX' }), new Error('no'), { message: 'no' });
    expect([merchantsBackingOff(failures, 'SANDBOX'), merchantsBackingOff(failures, 'LIVE')]).toEqual([['m'], []]);
  });
});
