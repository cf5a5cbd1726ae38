import { afterEach, expect, it } from 'vitest';
import { leasePayouts, leasePayoutsWithCare } from '../../src/payout-delivery/lease-payouts.ts';
import type { PayoutDeps } from '../../src/payouts/index.ts';
import { cacheOne } from '../../src/platform/cache.ts';
import { statement } from '../../src/platform/db/statement.ts';
import { newId } from '../../src/platform/ids.ts';
import { clockOf } from '../support/clock.ts';
import { addPayouts, createPayoutFixture, type PayoutFixture, payment, railsOf } from './payout-fixture.ts';
import { PAID, scriptedRail } from './scripted-rail.ts';

const readRails = statement('test-read-rails', 'select 1');

let fixture: PayoutFixture;

afterEach(() => fixture.close());

/** As the real directory is: it asks the database first, and remembers for two seconds. */
function asksFirst(rails: PayoutDeps['rails']): PayoutDeps['rails'] {
  const clock = clockOf(() => fixture.clock.now());
  const ask = cacheOne(clock, 2_000, () => fixture.database.query(readRails));
  return {
    listRails: async (tenant) => ask().then(() => rails.listRails(tenant)),
    findRail: async (mode, name) => ask().then(() => rails.findRail(mode, name)),
  };
}

it('a lease has looked up its rails before it holds a connection, and waits for no second one', async () => {
  const rail = scriptedRail('first');
  rail.send = PAID;
  fixture = await createPayoutFixture({ rails: asksFirst(railsOf(rail.caller)) });
  const merchant = await fixture.addMerchant();
  const { body } = await merchant.call('POST', '/payout/single', payment());
  fixture.clock.advance(3_000);
  await fixture.worker.runOnce();
  const { body: read } = await merchant.call('GET', `/transaction/${body.data.transactionId}`);
  expect(read.data.status).toBe('SUCCESS');
});

it('each of 200 payouts is leased once, by workers that lease them together and with care at the same moment', async () => {
  fixture = await createPayoutFixture();
  const merchant = await fixture.addMerchant();
  const singles = await addPayouts(fixture, merchant, 100);
  const items = await addPayouts(fixture, merchant, 100, { batchId: newId() });
  const other = await fixture.otherProcess();
  const leases = await Promise.all(
    [fixture.deps, other.deps].flatMap((deps) => [
      leasePayoutsWithCare(deps, merchant.tenant, 200),
      leasePayouts(deps, merchant.tenant, 200),
    ]),
  );
  await other.close();
  const leased = leases.flat().map(({ payout }) => payout.id);
  expect(leased.toSorted()).toEqual([...singles, ...items].toSorted());
  // The list of what is due may be a moment old: what another worker has leased since is left to it.
  expect(await leasePayoutsWithCare(fixture.deps, merchant.tenant, 200)).toEqual([]);
});
