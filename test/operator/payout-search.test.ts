import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keepPayoutDirectory } from '../../src/payout-directory/index.ts';
import { createTestApp, type TestApp, type TestMerchant } from '../support/app.ts';
import { signedInMember, signedInOperator, type TestPerson } from '../support/people.ts';
import { bearer } from '../support/world.ts';
import { checked } from './operator-operations.ts';

let t: TestApp;
let ada: TestPerson;
let bola: TestPerson;
let one: TestMerchant;
let other: TestMerchant;

beforeAll(async () => {
  t = await createTestApp();
  ada = checked(t.app, await signedInOperator(t));
  bola = checked(t.app, await signedInOperator(t));
  one = await t.addMerchant();
  other = await t.addMerchant();
});
afterAll(() => t.close());

const keepUp = async () => {
  for (const mode of ['SANDBOX', 'LIVE'] as const) await keepPayoutDirectory(t, mode);
};

async function pay(merchant: TestMerchant, change: object = {}, scenario = 'success'): Promise<string> {
  const body = { amount: 1_000, bankCode: '058', accountNumber: '0123456785', narration: 'an invoice' };
  const headers = { ...bearer(merchant.secretKey), 'x-sandbox-scenario': scenario };
  const sent = { ...body, pin: merchant.pin, allowDuplicate: true, ...change };
  const reply = await t.call('POST', '/payout/single', sent, headers);
  if (reply.status !== 200) throw new Error(reply.text);
  await t.app.worker.runOnce();
  return reply.body.data.transactionId;
}

const search = async (query = '') => (await ada.call('GET', `/operator/payout${query}`)).body.data;
const idsOf = ({ records }: { records: { payoutId: string }[] }) => records.map(({ payoutId }) => payoutId);

describe('payouts of all merchants', () => {
  it('are found newest first, by each filter, also by several', async () => {
    const a = await pay(one, { amount: 1_500.5 });
    const b = await pay(other, {}, 'failed-invalid-account');
    const c = await pay(one, {}, 'pending-forever');
    await keepUp();
    expect(idsOf(await search())).toEqual([c, b, a]);
    expect(idsOf(await search(`?merchantId=${one.merchantId}`))).toEqual([c, a]);
    console.log(JSON.stringify((await search()).records[0], null, 1));
    console.log(JSON.stringify((await ada.call('GET', `/operator/payout/${c}`)).body, null, 1).slice(0, 6000));
    console.log(JSON.stringify((await ada.call('GET', `/operator/overview/figures`)).body, null, 1).slice(0, 6000));
    console.log(JSON.stringify((await ada.call('GET', `/operator/inbound-payment`)).body, null, 1).slice(0, 3000));
    console.log(
      JSON.stringify((await ada.call('GET', `/operator/merchant-choice?search=adi`)).body, null, 1).slice(0, 3000),
    );
  });
});
void [bola, signedInMember];
