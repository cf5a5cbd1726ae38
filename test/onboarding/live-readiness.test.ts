import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { storePin } from '../../src/access/index.ts';
import { changeMerchantStatus } from '../../src/merchants/index.ts';
import { newId } from '../../src/platform/ids.ts';
import { createTestApp, TEST_PIN, type TestApp } from '../support/app.ts';
import { signedInMember, type TestPerson } from '../support/people.ts';

let t: TestApp;
let merchantId: string;
let owner: TestPerson;
beforeAll(async () => {
  t = await createTestApp();
  const made = await t.addMerchant({ approved: false, mode: 'LIVE' });
  merchantId = made.merchantId;
  await t.database.pool.query('delete from pins where merchant_id = $1', [merchantId]);
  owner = await signedInMember(t, merchantId, 'OWNER');
});
afterAll(() => t.close());

type Lack = { code: string; waitsFor: string; message: string };
async function lacks() {
  const { status, body } = await owner.call('GET', '/onboarding/live');
  expect(status).toBe(200);
  const codes = (of: Lack[]) => of.map(({ code }) => code);
  return { ...body.data, in: codes(body.data.paymentIn), out: codes(body.data.payout) };
}
const sql = (text: string, values: unknown[]) => t.database.pool.query(text, values);
const standing = (action: 'submit' | 'approve' | 'suspend' | 'reinstate') =>
  changeMerchantStatus({ queries: t.database, clock: t.clock }, action, {
    merchantId,
    actor: 'test',
    ...((action === 'suspend' || action === 'reinstate') && { reason: 'For this test' }),
  });

describe('what the live account lacks', () => {
  it('is named for the first payment in and the first payout apart, until nothing is missing', async () => {
    expect(await lacks()).toMatchObject({
      in: ['MERCHANT_NOT_APPROVED', 'WALLET_PROVIDER_NOT_SET'],
      out: ['MERCHANT_NOT_APPROVED', 'RAIL_NOT_SET', 'LIVE_PIN_NOT_SET', 'WALLET_EMPTY'],
      paymentIn: [{ waitsFor: 'MERCHANT' }, { waitsFor: 'OPERATOR' }],
    });
    await standing('submit');
    const inReview = { code: 'MERCHANT_IN_REVIEW', waitsFor: 'OPERATOR', message: 'The business is being reviewed.' };
    expect(await lacks()).toMatchObject({
      paymentIn: [inReview, { code: 'WALLET_PROVIDER_NOT_SET' }],
      payout: [inReview, { code: 'RAIL_NOT_SET' }, { code: 'LIVE_PIN_NOT_SET' }, { code: 'WALLET_EMPTY' }],
    });
    await standing('approve');
    await storePin(t, { merchantId, mode: 'LIVE' }, TEST_PIN);
    expect(await lacks()).toMatchObject({
      in: ['WALLET_PROVIDER_NOT_SET'],
      out: ['RAIL_NOT_SET', 'WALLET_EMPTY'],
      paymentIn: [{ waitsFor: 'OPERATOR' }],
    });
  });

  it('is the reason of the provider where it refused an account number, and nothing once there is one', async () => {
    const { rows } = await sql(`select id from wallets where merchant_id = $1 and mode = 'LIVE' and owner_id = $1`, [
      merchantId,
    ]);
    const walletId = rows[0].id;
    const id = newId();
    await sql(
      `insert into virtual_accounts (merchant_id, mode, id, wallet_id, rail, status, attempts, due_at, requested_at, updated_at)
       values ($1, 'LIVE', $2, $3, 'somewhere', 'REQUESTED', 1, now(), now(), now())`,
      [merchantId, id, walletId],
    );
    expect((await lacks()).in).toEqual(['ACCOUNT_NUMBER_BEING_OPENED']);
    await sql(
      `update virtual_accounts set status = 'FAILED', due_at = null, reason = 'KYC_MISSING', message = 'The provider needs BVN'
        where merchant_id = $1 and id = $2`,
      [merchantId, id],
    );
    expect((await lacks()).paymentIn).toEqual([
      {
        code: 'ACCOUNT_NUMBER_REFUSED',
        waitsFor: 'MERCHANT',
        message: 'The provider did not open an account number: The provider needs BVN.',
      },
    ]);
    await sql(
      `insert into virtual_account_numbers (merchant_id, mode, wallet_id, virtual_account_id, account_number, bank_code,
         bank_name, account_name, opened_at)
       values ($1, 'LIVE', $2, $3, '9930000737', '035', 'Wema Bank', 'Adire', now())`,
      [merchantId, walletId, id],
    );
    await sql(
      `update virtual_accounts set status = 'OPEN', reason = null, message = null where merchant_id = $1 and id = $2`,
      [merchantId, id],
    );
    expect((await lacks()).in).toEqual([]);
  });

  it('is the suspension alone where payments in are concerned, while it lasts', async () => {
    await standing('suspend');
    expect((await lacks()).in).toEqual(['MERCHANT_SUSPENDED']);
    await standing('reinstate');
    expect((await lacks()).in).toEqual([]);
  });
});
