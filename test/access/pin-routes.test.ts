import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestApp, type Reply, TEST_PIN, type TestApp, type TestMerchant } from '../support/app.ts';
import { signedInMember, type TestPerson } from '../support/people.ts';
import { bearer, issueKey, rowsOf } from '../support/world.ts';

let t: TestApp;
beforeAll(async () => {
  t = await createTestApp();
});
afterAll(() => t.close());

let merchant: TestMerchant;
let owner: TestPerson;
beforeEach(async () => {
  merchant = await t.addMerchant();
  owner = await signedInMember(t, merchant.merchantId, 'OWNER');
  await owner.refresh();
});

const told = ({ status, body }: Reply) => [status, body.code];
const debit = (pin: string) =>
  t.call(
    'POST',
    '/branch/store/debit',
    { pin, amount: 1, storeId: merchant.storeIds[0], narration: 'Sweep' },
    bearer(merchant.secretKey),
  );

describe('the PIN', () => {
  it('is set with a fresh password and counts for the API at once, the old one no longer', async () => {
    expect((await debit(TEST_PIN)).status).toBe(200);
    const set = await owner.call('POST', '/pin', { pin: '730194' });
    expect(set.body.data).toEqual({ mode: 'SANDBOX', isSet: true, setAt: expect.any(String), lockedUntil: null });
    expect(set.text).not.toContain('730194');
    expect((await debit('730194')).status).toBe(200);
    expect(told(await debit(TEST_PIN))).toEqual([422, 'PIN_INVALID']);
  });

  it('is of the mode that the page is in: the sandbox PIN opens no live money, and its guesses lock none', async () => {
    const live = await t.addMerchant({ mode: 'LIVE' });
    const sandboxKey = await issueKey(t, live.merchantId, 'SANDBOX');
    const member = await signedInMember(t, live.merchantId, 'OWNER');
    await member.refresh();
    const inSandbox = { 'x-mode': 'SANDBOX' };
    const inLive = { 'x-mode': 'LIVE' };
    const set = await member.call('POST', '/pin', { pin: '730194' }, inSandbox);
    expect(set.body.data).toMatchObject({ mode: 'SANDBOX', isSet: true });
    const state = await member.call('GET', '/pin', undefined, inLive);
    expect(state.body.data).toMatchObject({ mode: 'LIVE', isSet: true, lockedUntil: null });
    const batch = { batchReference: 'MNB01a1', pin: '' };
    const dispatch = (key: string, pin: string) =>
      t.call('POST', '/payout/bulk/dispatch', { ...batch, pin }, bearer(key));
    for (const guess of ['9991', '9992', '9993', '9994', '9995']) await dispatch(sandboxKey.key, guess);
    expect(told(await dispatch(sandboxKey.key, '730194'))).toEqual([423, 'PIN_LOCKED']);
    expect(told(await dispatch(live.secretKey, '730194'))).toEqual([422, 'PIN_INVALID']);
    // Past the PIN: there is no such batch.
    expect(told(await dispatch(live.secretKey, TEST_PIN))).toEqual([404, 'BATCH_NOT_FOUND']);
  });

  it('is asked for again with a password that was given too long ago', async () => {
    t.clock.advance(6 * 60_000);
    expect(told(await owner.call('POST', '/pin', { pin: '7301' }))).toEqual([403, 'STEP_UP_REQUIRED']);
    expect((await debit(TEST_PIN)).status).toBe(200);
  });

  it.each([
    ['1111', 422, 'PIN_TOO_SIMPLE'],
    ['4321', 422, 'PIN_TOO_SIMPLE'],
    ['123456', 422, 'PIN_TOO_SIMPLE'],
    ['123', 400, 'VALIDATION_FAILED'],
    ['1234567', 400, 'VALIDATION_FAILED'],
    ['12a4', 400, 'VALIDATION_FAILED'],
    ['', 400, 'VALIDATION_FAILED'],
  ])('%j is refused with %i %s, and the PIN stays', async (pin, status, code) => {
    expect(told(await owner.call('POST', '/pin', { pin }))).toEqual([status, code]);
    expect((await debit(TEST_PIN)).status).toBe(200);
  });

  it('that five wrong attempts have locked says until when, and a new one is not locked', async () => {
    for (let tries = 0; tries < 5; tries += 1) await debit('9999');
    expect(told(await debit(TEST_PIN))).toEqual([423, 'PIN_LOCKED']);
    const state = (await owner.call('GET', '/pin')).body.data;
    expect(Date.parse(state.lockedUntil)).toBeGreaterThan(t.clock.now().getTime());
    await owner.refresh();
    expect((await owner.call('POST', '/pin', { pin: '7301' })).body.data.lockedUntil).toBeNull();
  });

  it('is seen to be set by everybody, and set by owner and admin alone', async () => {
    for (const role of ['ADMIN', 'MAKER', 'APPROVER', 'VIEWER', 'DEVELOPER'] as const) {
      const person = await signedInMember(t, merchant.merchantId, role);
      await person.refresh();
      expect((await person.call('GET', '/pin')).body.data.isSet, role).toBe(true);
      const status = (await person.call('POST', '/pin', { pin: '7301' })).status;
      expect(status, role).toBe(role === 'ADMIN' ? 200 : 403);
    }
  });

  it('is in no row of the database, no audit entry among them', async () => {
    await owner.call('POST', '/pin', { pin: '730194' });
    const dump = await rowsOf<{ text: string }>(
      t.connectionString,
      'select p::text as text from pins p union all select a::text from audit_entries a',
    );
    // Hashes have all digits in any order.
    expect(dump.map(({ text }) => text).join()).not.toMatch(/(?<![0-9a-f])730194(?![0-9a-f])/);
  });
});
