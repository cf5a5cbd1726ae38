import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../src/platform/ids.ts';
import { fillEverything, pdf, upload } from '../onboarding/upload.ts';
import { createTestApp, type TestApp, type TestMerchant } from '../support/app.ts';
import { signedInMember, signedInOperator, type TestPerson } from '../support/people.ts';
import { bearer } from '../support/world.ts';
import { checked } from './operator-operations.ts';

let t: TestApp;
let operator: TestPerson;

beforeAll(async () => {
  t = await createTestApp();
  operator = checked(t.app, await signedInOperator(t));
});
afterAll(() => t.close());

const at = (merchant: { merchantId: string }, rest = '') => `/operator/merchant/${merchant.merchantId}${rest}`;
const detail = async (merchant: TestMerchant) => (await operator.call('GET', at(merchant))).body.data;
/** Keys know a change of their merchant within two seconds. */
const soon = () => t.clock.advance(2_000);

describe('the register of merchants', () => {
  it('is searched by part of a name, by address, by id, by status and by review, page by page', async () => {
    const kano = await t.addMerchant({ name: 'Kano 100% Textiles' });
    const pending = await t.addMerchant({ name: 'Kano Shoes', approved: false });
    const names = async (query: string) => {
      const { body } = await operator.call('GET', `/operator/merchant?${query}`);
      return (body.data.records as { businessName: string }[]).map(({ businessName }) => businessName);
    };
    expect(await names('search=kano')).toEqual(['Kano Shoes', 'Kano 100% Textiles']);
    expect(await names('search=100%25%20t')).toEqual(['Kano 100% Textiles']);
    expect(await names('search=_ano')).toEqual([]);
    expect(await names(`search=${kano.merchantId}`)).toEqual(['Kano 100% Textiles']);
    expect(await names('search=kano&status=PENDING')).toEqual(['Kano Shoes']);
    expect(await names('search=kano&review=ACCEPTED')).toEqual(['Kano 100% Textiles']);
    expect(await names('search=kano&size=1&page=2')).toEqual(['Kano 100% Textiles']);
    expect(await names('review=SUBMITTED')).toEqual([]);
    await t.database.pool.query('update merchants set submitted_at = now() where id = $1', [pending.merchantId]);
    expect(await names('review=SUBMITTED')).toEqual(['Kano Shoes']);
    expect((await operator.call('GET', '/operator/overview')).body.data.merchantsToReview).toBe(1);
    // Newest first everywhere else; here whoever waits longest.
    const hour = "now() - interval '1 hour'";
    await t.database.pool.query(`update merchants set submitted_at = ${hour} where id = $1`, [kano.merchantId]);
    expect(await names('review=SUBMITTED')).toEqual(['Kano 100% Textiles', 'Kano Shoes']);
    await t.database.pool.query('update merchants set submitted_at = null where submitted_at is not null');
  });

  it('shows of one merchant all that a decision needs, and nothing that opens a door', async () => {
    const merchant = await t.addMerchant();
    await signedInMember(t, merchant.merchantId, 'OWNER');
    const data = await detail(merchant);
    expect(data).toMatchObject({
      merchantId: merchant.merchantId,
      status: 'ACTIVE',
      profile: { bvn: '222*****901' },
      onboarding: { status: 'ACTIVE' },
      keys: [
        { mode: 'SANDBOX', active: 2, rotationDue: 0 },
        { mode: 'LIVE', active: 0 },
      ],
      pins: [
        { mode: 'SANDBOX', isSet: true, lockedUntil: null },
        { mode: 'LIVE', isSet: true, lockedUntil: null },
      ],
      people: [{ role: 'OWNER', status: 'ACTIVE' }],
      rails: [
        { mode: 'SANDBOX', first: { name: 'sandbox' } },
        { mode: 'LIVE', first: null },
      ],
    });
    expect(data.wallets).toMatchObject([
      { mode: 'SANDBOX', bookedBalance: 1_000_000, availableBalance: 1_000_000, subaccounts: 1 },
      { mode: 'LIVE', bookedBalance: 0 },
    ]);
    expect(data.services.filter((each: { enabled: boolean }) => each.enabled)).toHaveLength(5);
    expect(JSON.stringify(data)).not.toMatch(/22212345901|sk_test|hash|sealed/);
    expect((await operator.call('GET', at({ merchantId: newId() }))).body.code).toBe('MERCHANT_NOT_FOUND');
  });
});

describe('deciding about a merchant', () => {
  it('approves, suspends, reinstates and keeps who and why', async () => {
    const merchant = await t.addMerchant({ approved: false });
    expect((await operator.call('POST', at(merchant, '/approve'))).status).toBe(200);
    expect((await operator.call('POST', at(merchant, '/approve'))).body.code).toBe('MERCHANT_STATUS_CONFLICT');
    expect((await operator.call('POST', at(merchant, '/suspend'), { reason: 'as the police asked' })).status).toBe(200);
    soon();
    expect((await t.call('GET', '/transaction', undefined, bearer(merchant.secretKey))).status).toBe(403);
    expect((await operator.call('POST', at(merchant, '/reinstate'))).status).toBe(200);
    const { history, status } = await detail(merchant);
    expect(status).toBe('ACTIVE');
    const decided = history.map(({ action, actor, reason }: Record<string, unknown>) => [action, actor, reason]);
    expect(decided).toEqual([
      ['reinstate', operator.email, null],
      ['suspend', operator.email, 'as the police asked'],
      ['approve', operator.email, null],
    ]);
  });

  it('rejects with a reason that the merchant reads, and not without one', async () => {
    const merchant = await t.addMerchant({ approved: false });
    for (const body of [{}, { reason: '' }, { reason: '  ' }, { reason: 7 }, { reason: 'x'.repeat(501) }]) {
      const reply = await operator.call('POST', at(merchant, '/reject'), body);
      expect([reply.status, reply.body.errors?.[0].field]).toEqual([400, 'reason']);
    }
    await operator.call('POST', at(merchant, '/reject'), { reason: 'The certificate cannot be read.' });
    const owner = await signedInMember(t, merchant.merchantId, 'OWNER');
    const { body } = await owner.call('GET', '/onboarding');
    expect(body.data).toMatchObject({ reviewStatus: 'REJECTED', rejectedReason: 'The certificate cannot be read.' });
  });

  it('switches one service off and on', async () => {
    const merchant = await t.addMerchant();
    const has = async () =>
      (await detail(merchant)).services.find((each: { key: string }) => each.key === 'BRANCH').enabled;
    expect(await has()).toBe(true);
    await operator.call('POST', at(merchant, '/service'), { key: 'BRANCH', enabled: false });
    expect(await has()).toBe(false);
    await operator.call('POST', at(merchant, '/service'), { key: 'BRANCH', enabled: true });
    await operator.call('POST', at(merchant, '/service'), { key: 'BRANCH', enabled: true });
    expect(await has()).toBe(true);
    expect((await operator.call('POST', at(merchant, '/service'), { key: 'MOON', enabled: true })).status).toBe(400);
  });

  it('unlocks a PIN that five wrong attempts locked', async () => {
    const merchant = await t.addMerchant();
    const body = { amount: 1, storeId: merchant.storeIds[0], narration: 'sweep' };
    const debit = (pin: string) => t.call('POST', '/branch/store/debit', { pin, ...body }, bearer(merchant.secretKey));
    for (let tries = 0; tries < 5; tries += 1) await debit('9173');
    expect((await debit(merchant.pin)).status).toBe(423);
    expect((await detail(merchant)).pins[0].lockedUntil).not.toBeNull();
    const unlock = (mode: string, of: { merchantId: string } = merchant) =>
      operator.call('POST', at(of, '/unlock-pin'), { mode });
    expect((await unlock('LIVE')).status).toBe(200);
    expect((await detail(merchant)).pins[0].lockedUntil).not.toBeNull();
    expect((await unlock('SANDBOX')).status).toBe(200);
    expect((await detail(merchant)).pins[0].lockedUntil).toBeNull();
    expect((await unlock('SANDBOX', { merchantId: newId() })).body.code).toBe('PIN_NOT_SET');
  });
});

describe('limits', () => {
  const inForce = async (merchant: TestMerchant) =>
    (await detail(merchant)).limits.find((each: { mode: string }) => each.mode === 'SANDBOX');

  it('are set for one merchant from now on, and end for those of all', async () => {
    const merchant = await t.addMerchant();
    const own = { merchantId: merchant.merchantId, mode: 'SANDBOX', reason: 'a new shop' };
    const set = await operator.call('POST', '/operator/limit', { ...own, perPayout: 1_500.5, perDay: 10_000 });
    expect(set.body.data).toMatchObject({
      perPayout: 1_500.5,
      perDay: 10_000,
      source: `a new shop, ${operator.email}`,
      state: 'IN_FORCE',
    });
    expect(await inForce(merchant)).toMatchObject({ perPayout: 1_500.5, perDay: 10_000, isOwn: true });
    const none = await operator.call('POST', '/operator/limit', { ...own, perDay: null });
    expect(none.body.data).toMatchObject({ perPayout: 1_500.5, perDay: null });
    const { body } = await operator.call('GET', `/operator/limit?merchantId=${merchant.merchantId}`);
    expect(body.data.records.filter((each: { merchantId: string }) => each.merchantId !== null)).toHaveLength(2);
    const end = { merchantId: merchant.merchantId, mode: 'SANDBOX' };
    expect((await operator.call('POST', '/operator/limit/end', end)).body.data).toEqual({ ended: true });
    expect((await inForce(merchant)).isOwn).toBe(false);
    expect((await operator.call('POST', '/operator/limit/end', end)).body.data).toEqual({ ended: false });
  });

  it('begin at a moment ahead, never in the past and in no year that the database has not', async () => {
    const merchant = await t.addMerchant();
    const own = { merchantId: merchant.merchantId, mode: 'SANDBOX', reason: 'from next month' };
    const day = (days: number) => new Date(t.clock.now().getTime() + days * 86_400_000).toISOString();
    const ahead = await operator.call('POST', '/operator/limit', { ...own, perPayout: 5, effectiveFrom: day(30) });
    expect(ahead.body.data.state).toBe('AHEAD');
    expect((await inForce(merchant)).isOwn).toBe(false);
    for (const wrong of [
      { effectiveFrom: day(-1) },
      { effectiveFrom: day(2), effectiveTo: day(1) },
      { effectiveFrom: '9999-12-31T23:59:59-23:59' },
      { effectiveTo: '9999-12-31T23:59:59-23:59' },
      { perPayout: -1 },
      { perPayout: '5' },
      { perPayout: 1.234 },
      { perPayout: 0 },
      { mode: 'MOON' },
      { unknown: 1 },
      { reason: '' },
    ]) {
      const reply = await operator.call('POST', '/operator/limit', { ...own, perPayout: 5, ...wrong });
      expect([JSON.stringify(wrong), reply.status]).toEqual([JSON.stringify(wrong), 400]);
    }
    const nobody = await operator.call('POST', '/operator/limit', { ...own, merchantId: newId() });
    expect(nobody.body.code).toBe('MERCHANT_NOT_FOUND');
  });
});

describe('the documents of a merchant', () => {
  it('are served to the operator as they were uploaded, to save and not to open, and only with their merchant', async () => {
    const merchant = await t.addMerchant({ approved: false });
    const owner = await signedInMember(t, merchant.merchantId, 'OWNER');
    const content = pdf();
    const { documentId } = (await upload(t, owner, 'CAC_CERTIFICATE', content)).body.data;
    const reply = await operator.call('GET', at(merchant, `/document/${documentId}/content`));
    expect([reply.status, reply.text]).toEqual([200, content.toString()]);
    expect(reply.headers['content-disposition']).toMatch(/^attachment/);
    const other = await operator.call('GET', at(t.merchant, `/document/${documentId}/content`));
    expect(other.status).toBe(404);
  });

  it('and what was submitted is approved or turned down from the operator’s pages', async () => {
    const merchant = await t.addMerchant({ approved: false });
    const owner = await signedInMember(t, merchant.merchantId, 'OWNER');
    await fillEverything(t, owner);
    expect((await owner.call('POST', '/onboarding/submit')).status).toBe(200);
    const { body } = await operator.call('GET', '/operator/merchant?review=SUBMITTED');
    expect(body.data.records).toMatchObject([{ merchantId: merchant.merchantId }]);
    const seen = encodeURIComponent((await detail(merchant)).submittedAt);
    // A colleague turns it down, the merchant corrects and submits: who still has the old page open approves nothing.
    await operator.call('POST', at(merchant, '/reject'), { reason: 'The bill is too old.' });
    t.clock.advance(1_000);
    expect((await owner.call('POST', '/onboarding/submit')).status).toBe(200);
    const stale = await operator.call('POST', at(merchant, `/approve?submittedAt=${seen}`));
    expect([stale.status, stale.body.code]).toEqual([409, 'ONBOARDING_SUBMITTED_ANEW']);
    expect(await detail(merchant)).toMatchObject({ status: 'PENDING' });
    const now = encodeURIComponent((await detail(merchant)).submittedAt);
    expect((await operator.call('POST', at(merchant, `/approve?submittedAt=${now}`))).status).toBe(200);
    expect(await detail(merchant)).toMatchObject({ status: 'ACTIVE', reviewStatus: 'ACCEPTED', submittedAt: null });
  });
});
