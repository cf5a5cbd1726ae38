import { afterAll, beforeAll, expect, it } from 'vitest';
import { createContainer } from '../../src/container.ts';
import { followSettlements, type SettlementDeps, settleDue } from '../../src/merchant-settlements/index.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { createTestApp, type TestApp } from '../support/app.ts';
import { brokenChecks } from '../support/proof.ts';
import { childOf, settling, work } from './fixture.ts';

let t: TestApp;
let deps: SettlementDeps;
beforeAll(async () => {
  t = await createTestApp();
  deps = createContainer({ ...t, logger: createLogger('silent') });
});
afterAll(async () => {
  expect(await brokenChecks(t.database)).toEqual([]);
  await t.close();
});

/** Longer than a lease, and than what failed is left alone for. */
const LATER_MS = 10 * 60_000;
/** More than a turn takes. */
const MOST_STEPS = 60;
/** Of so many steps one, where all of them would take too long. */
const EVERY = Number(process.env['SETTLEMENT_KILLS_EVERY'] ?? 1);

/** A worker that is killed at its nth step: before it, or when the database has done it. Nothing works from then on. */
function killedAt(nth: number, when: 'BEFORE' | 'AFTER') {
  let steps = 0;
  const step = async <T>(work: () => Promise<T>): Promise<T> => {
    steps += 1;
    if (steps > nth || (steps === nth && when === 'BEFORE')) throw new Error('killed');
    const done = await work();
    if (steps >= nth) throw new Error('killed');
    return done;
  };
  const doomed: SettlementDeps = {
    ...deps,
    database: {
      ...deps.database,
      query: (statement, values) => step(() => deps.database.query(statement, values)),
      run: (into, rows) => step(() => deps.database.run(into, rows)),
    },
    ledger: { ...deps.ledger, commit: (movement) => step(() => deps.ledger.commit(movement)) },
  };
  return { doomed, died: () => steps >= nth };
}

it.each(['BEFORE', 'AFTER'] as const)(
  'a settlement day whose worker is killed %s any of its steps pays each period once, of the main wallet and of a store',
  async (when) => {
    const shop = await settling(t);
    const store = await childOf(shop, 'Ikeja');
    await shop.set({ schedule: 'INSTANT' });
    await store.set({});
    let total = 0;
    let made = 0;
    for (let nth = when === 'BEFORE' ? 1 : EVERY; nth <= MOST_STEPS; nth += EVERY) {
      await shop.pay(2_000 + nth);
      await store.pay(1_500 + nth);
      total += 3_500 + 2 * nth;
      await shop.must('POST', '/sandbox/clock/advance', { seconds: 301 });
      const { doomed, died } = killedAt(nth, when);
      await settleDue(doomed, 'SANDBOX').catch(() => undefined);
      await followSettlements(doomed, 'SANDBOX').catch(() => undefined);
      t.clock.advance(LATER_MS);
      await work(t);
      t.clock.advance(LATER_MS);
      await work(t);
      made = (await shop.settlements()).length;
      if (!died()) break;
    }
    expect(made).toBeGreaterThan(5);
    const { rows } = await t.database.pool.query<{
      net: string;
      left: string;
      open: number;
      payouts: number;
      in_all: number;
    }>(
      `select sum(net_minor)::text as net, (count(*) filter (where status <> 'PAID'))::int as open, count(*)::int as in_all,
              (select count(*)::int from payouts p where p.merchant_id = $1 and p.purpose = 'SETTLEMENT') as payouts,
              (select sum(carried_out_minor) from (
                 select distinct on (wallet_id) carried_out_minor from merchant_settlements
                  where merchant_id = $1 order by wallet_id, number desc) last)::text as left
         from merchant_settlements where merchant_id = $1`,
      [shop.merchant.merchantId],
    );
    const found = rows[0];
    expect(Number(found?.net)).toBe(total * 100);
    expect(found?.open).toBe(0);
    expect(found?.payouts).toBe(found?.in_all);
    const left = (await shop.balance()).booked + (await store.balance());
    expect(Math.round(left * 100)).toBe(Number(found?.left));
  },
  180_000,
);
