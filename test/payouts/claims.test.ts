import { afterEach, expect, it } from 'vitest';
import type { PayoutDeps } from '../../src/payouts/index.ts';
import { statement } from '../../src/platform/db/statement.ts';
import { rememberFor } from '../../src/platform/remember-for.ts';
import { createPayoutHouse, type PayoutHouse, payment, railsOf } from './payout-house.ts';
import { PAID, scriptedRail } from './scripted-rail.ts';

const readRails = statement('test-read-rails', 'select 1');

let house: PayoutHouse;

afterEach(() => house.close());

/** As the real directory is: it asks the database first, and remembers for two seconds. */
function asksFirst(rails: PayoutDeps['rails']): PayoutDeps['rails'] {
  const clock = { now: () => house.clock.now() };
  const ask = rememberFor(clock, 2_000, () => house.database.query(readRails));
  return {
    listRails: async (tenant) => ask().then(() => rails.listRails(tenant)),
    findRail: async (mode, name) => ask().then(() => rails.findRail(mode, name)),
  };
}

it('a claim has looked up its rails before it holds a connection, and waits for no second one', async () => {
  const rail = scriptedRail('first');
  rail.send = PAID;
  house = await createPayoutHouse({ rails: asksFirst(railsOf(rail.caller)) });
  const merchant = await house.addMerchant();
  const { body } = await merchant.call('POST', '/payout/single', payment());
  house.clock.advance(3_000);
  await house.worker.runOnce();
  const { body: read } = await merchant.call('GET', `/transaction/${body.data.transactionId}`);
  expect(read.data.status).toBe('SUCCESS');
});
