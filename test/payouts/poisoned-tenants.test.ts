import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { duePayouts } from '../../src/payout-delivery/due-payouts.ts';
import type { LeasedPayout } from '../../src/payout-delivery/lease-payouts.ts';
import type { PayoutDeps } from '../../src/payouts/index.ts';
import type { Worker } from '../../src/platform/jobs/worker.ts';
import type { Tenant } from '../../src/platform/tenant.ts';
import { createRailDirectory } from '../../src/rail-accounts/index.ts';
import { createPayoutWorker } from '../../src/workers.ts';
import { addPayouts, createPayoutFixture, type MakeRails, type PayoutFixture } from './payout-fixture.ts';
import { type ScriptedRail, scriptedRail } from './scripted-rail.ts';

const POISONED = 20;
const HEALTHY = 25;
/** What 50 payouts may take beside those of the poisoned, and on a machine that has other things to do. */
const WITHIN_MS = 2_000;
const TIMES_ALONE = 4;

let fixture: PayoutFixture;
let live: ScriptedRail;
let worker: Worker;
let ticking: NodeJS.Timeout;
/** Tenants for which a rail cannot even be looked for. */
const unlucky = new Set<string>();
let healthy: Tenant[];
/** How long the healthy ones take when nobody is poisoned. */
let aloneMs: number;

/** The sandbox's rails as they are, and a bank of ours for live money. */
const rails: MakeRails = (made) => {
  const directory = createRailDirectory(made);
  return {
    async listRails(tenant) {
      if (unlucky.has(tenant.merchantId)) throw new Error('no rail for this one');
      return tenant.mode === 'LIVE' ? [live.caller] : directory.listRails(tenant);
    },
    findRail: async (mode, name) => (mode === 'LIVE' ? live.caller : directory.findRail(mode, name)),
  };
};

beforeAll(async () => {
  live = scriptedRail('live-bank');
  fixture = await createPayoutFixture({ rails });
  await fixture.database.pool.query(
    `insert into rail_accounts (id, name, provider, mode, base_url, sealed_credentials, open_to_merchants, active,
                                created_at, updated_at)
     values (gen_random_uuid(), 'broken', 'paystack', 'SANDBOX', null, 'not what was sealed', true, true, now(), now())`,
  );
  // Whose phone number this is may not be touched by any statement.
  await fixture.database.pool.query(
    `alter table payouts add constraint poison check (phone_number is distinct from '666' or lease_id is null) not valid`,
  );
  healthy = await Promise.all(
    Array.from({ length: 2 * HEALTHY }, (_, at) => fixture.addTenant(at % 2 ? 'LIVE' : 'SANDBOX')),
  );
  worker = createPayoutWorker(fixture.deps, { pollMs: 20 });
  worker.start();
  ticking = setInterval(() => fixture.clock.advance(20), 20);
  aloneMs = await payHealthy();
});
afterAll(async () => {
  clearInterval(ticking);
  await worker.stop();
  await fixture.close();
});

const railOf = ({ mode }: Tenant) => (mode === 'LIVE' ? 'live-bank' : 'sandbox');

async function statesOf(ids: readonly string[]): Promise<string[]> {
  const { rows } = await fixture.database.pool.query(
    `select distinct status || coalesce(' ' || reason, '') as state from transactions where id = any($1::uuid[]) order by 1`,
    [ids],
  );
  return rows.map(({ state }) => state);
}

/** A payout of each healthy tenant. @returns how long until the last was paid. */
async function payHealthy(): Promise<number> {
  const ids = (
    await Promise.all(healthy.map((tenant) => addPayouts(fixture, { tenant }, 1, { rail: railOf(tenant) })))
  ).flat();
  const begun = performance.now();
  await vi.waitUntil(async () => (await statesOf(ids)).join() === 'SUCCESS', { interval: 20, timeout: 60_000 });
  return performance.now() - begun;
}

interface Poison {
  name: string;
  rail?: string;
  /** Makes payouts what nobody can take up. */
  spoil: (ids: readonly string[], tenant: Tenant) => Promise<unknown>;
  /** What becomes of them. */
  becomes: string[];
  /** Undo it, where it is corrected: then they are paid. */
  correct?: () => Promise<unknown>;
}

const update = (set: string) => (ids: readonly string[]) =>
  fixture.database.pool.query(`update payouts set ${set} where id = any($1::uuid[])`, [ids]);

const POISONS: Poison[] = [
  {
    name: 'whose times are long before Christ',
    spoil: update(`first_sent_at = '1572-04-13 BC', due_at = '1572-04-13 BC'`),
    becomes: ['SUCCESS'],
  },
  {
    name: 'with a rail whose credentials do not open',
    rail: 'broken',
    spoil: (_ids, { merchantId }) =>
      fixture.database.pool.query(
        `insert into tenant_rails (merchant_id, mode, first_rail, second_rail, chosen_by, chosen_at)
         values ($1, 'SANDBOX', 'broken', null, 'MERCHANT', now())`,
        [merchantId],
      ),
    becomes: ['QUEUED RAIL_UNAVAILABLE'],
  },
  {
    name: 'whose payouts the database does not let be claimed',
    spoil: update(`phone_number = '666'`),
    becomes: ['QUEUED DELAYED_BY_ERROR'],
    correct: () => fixture.database.pool.query(`update payouts set phone_number = null where phone_number = '666'`),
  },
  {
    name: 'whose payouts the books do not let end',
    spoil: update('amount_hold_id = id'),
    becomes: ['PROCESSING DELAYED_BY_ERROR'],
  },
  {
    name: 'for whom no rail can be looked for',
    spoil: async (_ids, { merchantId }) => unlucky.add(merchantId),
    becomes: ['QUEUED'],
    correct: async () => unlucky.clear(),
  },
];

describe.each(POISONS)('20 sandbox tenants $name', ({ rail = 'sandbox', spoil, becomes, correct }) => {
  it('stop none of 50 others, sandbox or live, whose payouts are paid within two seconds meanwhile', async () => {
    const ids: string[] = [];
    await worker.stop();
    for (let at = 0; at < POISONED; at += 1) {
      const tenant = await fixture.addTenant();
      const some = await addPayouts(fixture, { tenant }, 1, { rail });
      await spoil(some, tenant);
      ids.push(...some);
    }
    worker = createPayoutWorker(fixture.deps, { pollMs: 20 });
    worker.start();
    for (let times = 0; times < 3; times += 1) {
      expect(await payHealthy()).toBeLessThan(TIMES_ALONE * aloneMs + WITHIN_MS);
    }
    await expect.poll(() => statesOf(ids)).toEqual(becomes);
    if (correct === undefined) return;
    await correct();
    // Whatever time it has to be left alone.
    for (let times = 0; times < 4; times += 1) fixture.clock.advance(5 * 60_000);
    await expect.poll(() => statesOf(ids)).toEqual(['SUCCESS']);
  });
});

describe('a tenant with one bad payout among 40', () => {
  it.each([
    ['that cannot be leased', update(`phone_number = '666'`)],
    ['that the books do not let end', update('amount_hold_id = id')],
    ['whose times are long before Christ', update(`first_sent_at = '1572-04-13 BC', due_at = '1572-04-13 BC'`)],
  ])('has the others paid: %s', async (_what, spoil) => {
    const tenant = await fixture.addTenant();
    await worker.stop();
    const ids = await addPayouts(fixture, { tenant }, 40, { rail: 'sandbox' });
    const [bad = '', ...good] = ids;
    await spoil([bad]);
    worker = createPayoutWorker(fixture.deps, { pollMs: 20 });
    worker.start();
    await expect.poll(() => statesOf(good)).toEqual(['SUCCESS']);
    // And those that come later, while it is tried again and again.
    for (let times = 0; times < 3; times += 1) {
      const later = await addPayouts(fixture, { tenant }, 5, { rail: 'sandbox' });
      await expect.poll(() => statesOf(later)).toEqual(['SUCCESS']);
      fixture.clock.advance(60_000);
    }
  });

  it('has the good ones of its batches beside bad ones paid, also where there are more bad ones than are looked for at once', async () => {
    const tenant = await fixture.addTenant();
    await worker.stop();
    const ids = await addPayouts(fixture, { tenant }, 60, { rail: 'sandbox' });
    const bad = ids.filter((_id, at) => at % 3 === 0);
    await update(`phone_number = '666'`)(bad);
    worker = createPayoutWorker(fixture.deps, { pollMs: 20 });
    worker.start();
    await expect.poll(() => statesOf(ids.filter((id) => !bad.includes(id)))).toEqual(['SUCCESS']);
    const { rows } = await fixture.database.pool.query(
      'select count(*)::int as attempts from payout_attempts where payout_id = any($1::uuid[])',
      [bad],
    );
    expect(rows).toEqual([{ attempts: 0 }]);
  });
});

describe('what is in hand', () => {
  it('of sandbox takes nothing from live, however much it is and however long it hangs', async () => {
    // Of its own: what is poisoned above comes due again, and would have a share of what may be in hand.
    const own = await createPayoutFixture({ rails });
    const hold = new Promise<void>(() => undefined);
    const inHand: LeasedPayout[] = [];
    const payouts = duePayouts(own.deps, (leased) => {
      inHand.push(leased);
      return hold;
    });
    const ofMode = (mode: string) => inHand.filter(({ payout }) => payout.mode === mode).length;
    for (let at = 0; at < 9; at += 1) {
      const tenant = await own.addTenant();
      await addPayouts(own, { tenant }, 460, { rail: 'sandbox' });
    }
    const looked = async (mode: string) => {
      await payouts.look();
      return ofMode(mode);
    };
    await expect.poll(() => looked('SANDBOX')).toBeGreaterThan(3_500);
    const tenant = await own.addTenant('LIVE');
    await addPayouts(own, { tenant }, 100, { rail: 'live-bank' });
    await payouts.look();
    await expect.poll(() => ofMode('LIVE')).toBe(100);
    payouts.close();
    await own.close();
  });

  it('of live is leased while every lease of sandbox hangs', async () => {
    await worker.stop();
    const hangs = new Set<string>();
    const deps: PayoutDeps = {
      ...fixture.deps,
      rails: {
        ...fixture.deps.rails,
        listRails: (tenant) =>
          hangs.has(tenant.merchantId) ? new Promise(() => undefined) : fixture.deps.rails.listRails(tenant),
      },
    };
    for (let at = 0; at < POISONED; at += 1) {
      const tenant = await fixture.addTenant();
      hangs.add(tenant.merchantId);
      await addPayouts(fixture, { tenant }, 1, { rail: 'sandbox' });
    }
    const taken: string[] = [];
    const payouts = duePayouts(deps, async ({ payout }) => void taken.push(payout.id));
    await payouts.look();
    await payouts.look();
    const tenant = await fixture.addTenant('LIVE');
    const ids = await addPayouts(fixture, { tenant }, 3, { rail: 'live-bank' });
    await payouts.look();
    await expect.poll(() => ids.every((id) => taken.includes(id))).toBe(true);
    payouts.close();
    fixture.clock.advance(60_000);
    worker = createPayoutWorker(fixture.deps, { pollMs: 20 });
    worker.start();
  });
});
