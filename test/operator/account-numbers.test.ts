import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../src/platform/ids.ts';
import { createTestApp, type TestApp, type TestMerchant } from '../support/app.ts';
import { signedInMember, signedInOperator, type TestPerson } from '../support/people.ts';
import { rowsOf } from '../support/world.ts';
import { checked } from './operator-operations.ts';

let t: TestApp;
let ada: TestPerson;
let merchant: TestMerchant;

const RAIL = 'sandbox-numbers';

beforeAll(async () => {
  t = await createTestApp();
  ada = checked(t.app, await signedInOperator(t));
  merchant = await t.addMerchant();
  const chosen = 'insert into default_wallet_providers (mode, rail, updated_at) values ($1, $2, now())';
  await rowsOf(t.connectionString, chosen, ['SANDBOX', RAIL]);
});
afterAll(() => t.close());

interface Request {
  status: string;
  reason?: string | null;
  minutesAgo: number;
  dueInMinutes?: number | null;
  rail?: string;
}

/** A request for an account number of the merchant's wallet. @returns its id */
async function request({ status, reason = null, minutesAgo, dueInMinutes = null, rail = RAIL }: Request) {
  const id = newId();
  const now = t.clock.now().getTime();
  const at = (minutes: number) => new Date(now + minutes * 60_000);
  const { merchantId, walletId } = merchant;
  const due = dueInMinutes === null ? null : at(dueInMinutes);
  await rowsOf(
    t.connectionString,
    `insert into virtual_accounts (merchant_id, mode, id, wallet_id, rail, status, reason, message, attempts, due_at,
                                   requested_at, updated_at)
     values ($1, 'SANDBOX', $2, $3, $4, $5, $6, 'The provider needs BVN', 3, $7, $8, $8)`,
    [merchantId, id, walletId, rail, status, reason, due, at(-minutesAgo)],
  );
  return id;
}

const forget = () =>
  rowsOf(t.connectionString, 'delete from virtual_accounts where merchant_id = $1', [merchant.merchantId]);
const statesOf = async (query = '') => {
  const { body } = await ada.call('GET', `/operator/virtual-account?merchantId=${merchant.merchantId}${query}`);
  return body.data.records.map(({ virtualAccountId, state }: Record<string, string>) => [virtualAccountId, state]);
};
const retry = (virtualAccountId: string, by = ada) =>
  by.call('POST', '/operator/virtual-account/retry', {
    merchantId: merchant.merchantId,
    mode: 'SANDBOX',
    virtualAccountId,
  });
const dueOf = async (id: string) =>
  (await rowsOf<{ due_at: Date }>(t.connectionString, 'select due_at from virtual_accounts where id = $1', [id]))[0]
    ?.due_at;

describe('account numbers that could not be opened', () => {
  it('are listed with their wallet, provider account and reason, what was asked for first', async () => {
    await forget();
    const failed = await request({ status: 'FAILED', reason: 'KYC_MISSING', minutesAgo: 1 });
    const waiting = await request({ status: 'REQUESTED', minutesAgo: 11, dueInMinutes: 20, rail: 'other' });
    const late = { status: 'REQUESTED', minutesAgo: 30, dueInMinutes: 20 };
    await request({ ...late, minutesAgo: 9, rail: 'not for long' });
    await request({ ...late, reason: 'MERCHANT_NOT_ACTIVE', rail: 'before the approval' });
    await request({ status: 'OPEN', minutesAgo: 60, rail: 'open' });
    expect(await statesOf()).toEqual([
      [waiting, 'WAITING'],
      [failed, 'FAILED'],
    ]);
    expect(await statesOf('&state=FAILED')).toEqual([[failed, 'FAILED']]);
    expect(await statesOf('&state=WAITING&mode=SANDBOX')).toEqual([[waiting, 'WAITING']]);
    expect(await statesOf('&mode=LIVE')).toEqual([]);
    const { body } = await ada.call('GET', `/operator/virtual-account?merchantId=${merchant.merchantId}&state=FAILED`);
    expect(body.data.records).toMatchObject([
      {
        businessName: 'Adire & Co',
        walletId: merchant.walletId,
        walletName: expect.stringContaining('Adire'),
        rail: RAIL,
        reason: 'KYC_MISSING',
        message: 'The provider needs BVN',
        attempts: 3,
        nextAttemptAt: null,
      },
    ]);
  });

  it('are asked for again at once where they wait, under the same reference', async () => {
    await forget();
    const id = await request({ status: 'REQUESTED', minutesAgo: 60, dueInMinutes: 20 });
    const reply = await retry(id);
    expect(reply.body.data).toEqual({ result: 'ASKED_NOW' });
    expect((await dueOf(id))?.getTime()).toBeLessThanOrEqual(t.clock.now().getTime());
    const leased = await request({ status: 'REQUESTED', minutesAgo: 60, dueInMinutes: 1, rail: 'in hand' });
    const before = await dueOf(leased);
    expect((await retry(leased)).status).toBe(200);
    expect(await dueOf(leased)).toEqual(before);
  });

  it('get one new request where the provider refused, however often somebody tries, and leave the list', async () => {
    await forget();
    const id = await request({ status: 'FAILED', reason: 'KYC_MISSING', minutesAgo: 60 });
    expect((await retry(id)).body.data).toEqual({ result: 'REQUESTED' });
    expect((await retry(id)).status).toBe(200);
    const rows = await rowsOf(
      t.connectionString,
      `select rail, status from virtual_accounts where merchant_id = $1 and id <> $2`,
      [merchant.merchantId, id],
    );
    expect(rows).toEqual([{ rail: RAIL, status: 'REQUESTED' }]);
    expect(await statesOf()).toEqual([]);
  });

  it('are not asked for again once they are open, by a merchant’s person or under another merchant; the log says who did', async () => {
    await forget();
    const open = await request({ status: 'OPEN', minutesAgo: 60 });
    expect((await retry(open)).body.code).toBe('VIRTUAL_ACCOUNT_ENDED');
    expect((await retry(newId())).body.code).toBe('VIRTUAL_ACCOUNT_NOT_FOUND');
    const failed = await request({ status: 'FAILED', minutesAgo: 60, rail: 'other' });
    expect((await retry(failed, await signedInMember(t, merchant.merchantId, 'OWNER'))).status).toBe(403);
    await retry(failed);
    const [entry] = await rowsOf<{ actor_id: string; subject: string }>(
      t.connectionString,
      `select actor_id, subject::text as subject from audit_entries
        where action = 'POST /operator/virtual-account/retry' and outcome = 'DONE' order by id desc limit 1`,
    );
    expect(entry?.actor_id).toBe(ada.personId);
    expect(entry?.subject).toContain(failed);
  });
});
