import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { listTenantsWithDuePayouts } from '../../src/payout-delivery/due-queries.ts';
import { newId } from '../../src/platform/ids.ts';
import type { Tenant } from '../../src/platform/tenant.ts';
import { createPayoutWorker } from '../../src/workers.ts';
import { addPayouts, createPayoutFixture, type PayoutFixture } from './payout-fixture.ts';
import { type ScriptedRail, scriptedRail } from './scripted-rail.ts';

/** Payouts of many merchants that are due in one second are leased together, and each merchant is still alone in what goes wrong. */
const MERCHANTS = 40;
const HOUR_MS = 3_600_000;

let fixture: PayoutFixture;
let rail: ScriptedRail;
let tenants: Tenant[];
let live: Tenant[];
/** The merchant whose rails cannot be read. */
let unreadable: string | undefined;

beforeAll(async () => {
  fixture = await createPayoutFixture({
    rails: {
      async listRails({ merchantId }) {
        if (merchantId === unreadable) throw new Error('its rails cannot be read');
        return [rail.caller];
      },
      findRail: async () => rail.caller,
    },
  });
  live = await Promise.all([fixture.addTenant('LIVE'), fixture.addTenant('LIVE')]);
  tenants = await Promise.all(Array.from({ length: MERCHANTS }, () => fixture.addTenant()));
});
beforeEach(() => {
  rail = scriptedRail('shared', { concurrency: 64 });
  unreadable = undefined;
});
afterEach(async () => {
  await fixture.database.pool.query('drop function if exists refuse_leases cascade');
  await fixture.database.pool.query('drop function if exists delay_leases cascade');
  await fixture.database.pool.query('update payouts set due_at = null where due_at is not null');
});
afterAll(() => fixture.close());

let account = 0;
/** Payouts of a tenant, each to an account of its own. Returns their references at the rail. */
async function add(tenant: Tenant, count: number, batchId: string | null = null): Promise<string[]> {
  account += 10_000;
  const first = 1_000_000_000 + account;
  const accountNumber = (at: number) => String(first + at);
  const ids = await addPayouts(fixture, { tenant }, count, { rail: 'shared', batchId, accountNumber });
  return ids.map((id) => id.replaceAll('-', ''));
}

const sent = () => rail.sends.map(({ railReference }) => railReference).toSorted();

/** Of these are sent each once, and no others. Where one is not, what stands of it says why. */
async function expectSent(references: readonly string[]): Promise<void> {
  const known = new Set(sent());
  const missing = references.filter((reference) => !known.has(reference));
  const { rows } = await fixture.database.pool.query(
    `select p.id, p.due_at, p.lease_id, p.attempts, t.status, t.reason
       from payouts p join transactions t using (merchant_id, mode, id) where replace(p.id::text, '-', '') = any($1)`,
    [missing],
  );
  expect({ now: fixture.clock.now(), rows }).toEqual({ now: fixture.clock.now(), rows: [] });
  expect(sent()).toEqual(references.toSorted());
}

describe('payouts of many merchants that are due at once', () => {
  it('are each sent once, whatever each merchant has', async () => {
    const references = await Promise.all(tenants.map((tenant, at) => add(tenant, at === 7 ? 200 : 1 + (at % 3))));
    await fixture.worker.runOnce();
    await expectSent(references.flat());
  });

  it('are each sent once by workers that find them at the same moment', async () => {
    const references = await Promise.all(tenants.map((tenant) => add(tenant, 3)));
    const others = await Promise.all([fixture.otherProcess(), fixture.otherProcess()]);
    const workers = others.map(({ deps }) => createPayoutWorker(deps));
    await Promise.all([fixture.worker, ...workers].map((worker) => worker.runOnce()));
    await fixture.worker.runOnce();
    await expectSent(references.flat());
    await Promise.all(others.map((other) => other.close()));
  });

  it('take one lease for many merchants, not one for each', async () => {
    await Promise.all(tenants.map((tenant) => add(tenant, 2)));
    rail.delayMs = 100;
    const leases = new Set<string>();
    const working = fixture.worker.runOnce();
    await expect.poll(() => rail.inFlight).toBeGreaterThan(30);
    const { rows } = await fixture.database.pool.query('select lease_id from payouts where lease_id is not null');
    for (const { lease_id } of rows) leases.add(lease_id);
    await working;
    expect(leases.size).toBeLessThan(4);
  });

  it('are sent while those of one merchant cannot be leased, which fails alone', async () => {
    const [broken = tenants[0] as Tenant, ...right] = tenants;
    const references = await Promise.all(right.map((tenant) => add(tenant, 1)));
    const [late] = await add(broken, 1);
    await fixture.database.pool.query(`
      create or replace function refuse_leases() returns trigger language plpgsql as $$
      begin raise exception 'this row is broken' using errcode = '23514'; end $$;
      create trigger refuses before update on payouts for each row
        when (new.merchant_id = '${broken.merchantId}' and new.lease_id is not null) execute function refuse_leases();
    `);
    await fixture.worker.runOnce();
    await expectSent(references.flat());
    await fixture.database.pool.query('drop function refuse_leases cascade');
    await expect
      .poll(
        async () => {
          fixture.clock.advance(60_000);
          await fixture.worker.runOnce();
          return sent().includes(late as string);
        },
        { timeout: 30_000 },
      )
      .toBe(true);
  });

  it('are sent while the rails of one merchant cannot be read', async () => {
    const [broken = tenants[0] as Tenant, ...right] = tenants;
    const references = await Promise.all(right.map((tenant) => add(tenant, 1)));
    const [late] = await add(broken, 1);
    unreadable = broken.merchantId;
    await fixture.worker.runOnce();
    await expectSent(references.flat());
    unreadable = undefined;
    fixture.clock.advance(60_000);
    await fixture.worker.runOnce();
    expect(sent()).toContain(late);
  });

  it('hold up neither live payouts nor a merchant that has one under way', async () => {
    const [busy = tenants[0] as Tenant, ...rest] = tenants;
    await add(busy, 1);
    rail.delayMs = 6_000;
    const worker = createPayoutWorker(fixture.deps, { pollMs: 20 });
    worker.start();
    await expect.poll(() => rail.inFlight).toBe(1);
    rail.delayMs = 0;
    await fixture.database.pool.query(`
      create or replace function delay_leases() returns trigger language plpgsql as $$
      begin perform pg_sleep(0.1); return new; end $$;
      create trigger delays before update on payouts for each row
        when (new.mode = 'SANDBOX' and new.merchant_id <> '${busy.merchantId}' and new.lease_id is not null)
        execute function delay_leases();
    `);
    const others = await Promise.all(rest.map((tenant) => add(tenant, 1)));
    const urgent = (await Promise.all([busy, ...live].map((tenant) => add(tenant, 1)))).flat();
    worker.wake();
    await expect.poll(sent, { timeout: 20_000, interval: 5 }).toEqual(expect.arrayContaining(urgent));
    const [known, all] = [new Set(sent()), others.flat()];
    expect(all.filter((reference) => known.has(reference)).length).toBeLessThan(all.length / 2);
    await worker.stop();
  });

  it('are put off for a merchant that is suspended, and for nobody else', async () => {
    const [stopped = tenants[0] as Tenant, ...right] = tenants;
    await add(stopped, 2);
    const references = await Promise.all(right.map((tenant) => add(tenant, 1)));
    const setStatus = (status: string) =>
      fixture.database.pool.query('update merchants set status = $1 where id = $2', [status, stopped.merchantId]);
    await setStatus('SUSPENDED');
    fixture.clock.advance(2_000);
    await fixture.worker.runOnce();
    await setStatus('ACTIVE');
    fixture.clock.advance(2_000);
    await expectSent(references.flat());
  });
});

describe('tenants with due payouts', () => {
  const list = async () => {
    const rows = await fixture.database.query(listTenantsWithDuePayouts, [fixture.clock.now()]);
    return rows.map(({ merchant_id }) => merchant_id);
  };
  const makeDue = (tenant: Tenant, at: Date) =>
    fixture.database.pool.query('update payouts set due_at = $2 where merchant_id = $1 and due_at is not null', [
      tenant.merchantId,
      at,
    ]);

  it('are listed by how long they wait, and not before', async () => {
    const [one, two, three] = tenants as [Tenant, Tenant, Tenant];
    const now = fixture.clock.now().getTime();
    await Promise.all([one, two, three].map((tenant) => add(tenant, 2)));
    await makeDue(one, new Date(now - 1_000));
    await makeDue(two, new Date(now - HOUR_MS));
    await makeDue(three, new Date(now + HOUR_MS));
    expect(await list()).toEqual([two.merchantId, one.merchantId]);
  });

  it('are all found behind one that has more than is read at once', async () => {
    const [big, small, later] = tenants as [Tenant, Tenant, Tenant];
    const now = fixture.clock.now().getTime();
    await add(big, 1_100, newId());
    await makeDue(big, new Date(now - HOUR_MS));
    await add(small, 1);
    await add(later, 1);
    await makeDue(later, new Date(now + HOUR_MS));
    expect(await list()).toEqual([big.merchantId, small.merchantId]);
  });

  it('cost nothing while nothing of theirs is due', async () => {
    await Promise.all(tenants.map((tenant) => add(tenant, 1)));
    await fixture.database.pool.query('update payouts set due_at = $1 where due_at is not null', [
      new Date(fixture.clock.now().getTime() + HOUR_MS),
    ]);
    const client = await fixture.database.pool.connect();
    await client.query('set enable_seqscan = off');
    const { rows } = await client.query({
      text: `explain (analyze, buffers, format json) ${listTenantsWithDuePayouts.text.replaceAll('$1', `'${fixture.clock.now().toISOString()}'`)}`,
    });
    client.release(true);
    const text = JSON.stringify(rows);
    const read = [...text.matchAll(/"Actual Rows":(\d+)/g)].map(([, count]) => Number(count));
    expect(Math.max(...read)).toBeLessThanOrEqual(1);
  });
});
