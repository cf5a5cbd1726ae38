import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bearerOf, createTestApp, type TestApp } from '../support/app.ts';
import { misfits } from './shape.ts';

let t: TestApp;

beforeAll(async () => {
  t = await createTestApp();
});
afterAll(() => t.close());

const MERCHANT = {
  id: 'uuid',
  logo: 'textOrNull',
  city: 'textOrEmpty',
  state: 'textOrEmpty',
  address: 'textOrEmpty',
  country: 'text',
  postalCode: 'textOrNull',
  email: 'text',
  phoneNumber: 'digits',
  status: 'text',
  initialStatus: 'text',
  reviewStatus: 'text',
  businessName: 'text',
  businessType: 'text',
  businessCategory: 'textOrEmpty',
  registrationNumber: 'textOrEmpty',
  directorDateOfBirth: 'textOrEmpty',
  bvn: 'text',
  consentForm: 'textOrNull',
  agencyNetworkConsentForm: 'textOrNull',
  ownerDetails: 'anything',
  cacDocuments: 'texts',
  autoSettlement: 'boolean',
  autoInstantSettlement: 'boolean',
  isRefundEnabled: 'boolean',
  isMakerCheckerEnabled: 'boolean',
  isConsentFormApproved: 'boolean',
  isAgencyNetworkConsentFormApproved: 'boolean',
  enableSameBVNOrPhoneNumberForWalletCreation: 'boolean',
  sandboxWebhookURL: 'textOrEmpty',
  productionWebhookURL: 'textOrEmpty',
  createdAt: 'utcTime',
  owner: 'object',
  kycCompletedFields: 'texts',
  wallet: 'object',
  merchantEnabledServices: 'array',
} as const;

describe('GET /merchant/info', () => {
  it('answers with exactly the documented Merchant object', async () => {
    const { status, body } = await t.call('GET', '/merchant/info');
    expect([status, body.status, body.message]).toEqual([200, true, 'Success']);
    expect(misfits(body.data, MERCHANT)).toEqual([]);
    const person = {
      id: 'uuid',
      email: 'text',
      firstName: 'textOrEmpty',
      lastName: 'textOrEmpty',
      phoneNumber: 'digits',
    } as const;
    expect(misfits(body.data.owner, person)).toEqual([]);
    const wallet = {
      id: 'uuid',
      bankName: 'text',
      accountName: 'text',
      accountNumber: 'digits',
      bookedBalance: 'number',
      availableBalance: 'number',
    } as const;
    expect(misfits(body.data.wallet, wallet)).toEqual([]);
    expect(body.data.wallet.id).toBe(t.merchant.walletId);
    for (const service of body.data.merchantEnabledServices) {
      expect(misfits(service, { id: 'uuid', name: 'text', key: 'text', description: 'text' })).toEqual([]);
    }
  });

  it('hides the middle of the BVN', async () => {
    const { text, body } = await t.call('GET', '/merchant/info');
    expect(body.data.bvn).toBe('222*****901');
    expect(text).not.toContain('22212345901');
  });

  it('is open to a merchant that is not approved yet', async () => {
    const pending = await t.addMerchant({ approved: false });
    const { status, body } = await t.call('GET', '/merchant/info', undefined, bearerOf(pending));
    expect([status, body.data.status]).toEqual([200, 'PENDING']);
  });
});

describe('PATCH /merchant/info', () => {
  it('changes what is given, leaves the rest, and says so in an event', async () => {
    const before = (await t.call('GET', '/merchant/info')).body.data;
    const changes = { sandboxWebhookURL: 'https://shop.example/hooks', city: 'Ibadan' };
    const { status, body } = await t.call('PATCH', '/merchant/info', changes);
    expect(status).toBe(200);
    expect(body.data).toEqual({ ...before, ...changes });
    expect((await t.call('GET', '/merchant/info')).body.data).toEqual({ ...before, ...changes });
    const { rows } = await t.database.pool.query(`select data from events where type = 'merchant.updated'`);
    expect(rows.map((row) => JSON.parse(row.data))).toEqual([{ merchantId: t.merchant.merchantId, changes }]);
  });

  it.for(['08031234567', '0803 123 4567', '+234 803 123 4567', '2348031234567'])(
    'keeps a phone number with the prefix of its country: %s',
    async (phoneNumber) => {
      const { body } = await t.call('PATCH', '/merchant/info', { phoneNumber });
      expect(body.data.phoneNumber).toBe('2348031234567');
    },
  );

  it('takes a webhook address away with the empty text', async () => {
    await t.call('PATCH', '/merchant/info', { sandboxWebhookURL: 'https://shop.example/hooks' });
    await t.call('PATCH', '/merchant/info', { sandboxWebhookURL: '' });
    expect((await t.call('GET', '/merchant/info')).body.data.sandboxWebhookURL).toBe('');
  });

  it.each([
    String.raw`https://evil.example\@shop.example/logo.png`,
    'https://a:b@shop.example/',
    'https:shop.example/logo.png',
  ])('takes no logo at %s', async (logo) => {
    const { status, body } = await t.call('PATCH', '/merchant/info', { logo });
    expect([status, body.errors[0].field]).toEqual([400, 'logo']);
  });

  it('takes the postal code and the logo away with the empty text', async () => {
    await t.call('PATCH', '/merchant/info', { postalCode: '101241', logo: 'https://shop.example/logo.png' });
    const changed = await t.call('PATCH', '/merchant/info', { postalCode: '', logo: '' });
    expect(changed.body.data).toMatchObject({ postalCode: null, logo: null });
    const stored = await t.call('GET', '/merchant/info');
    expect(stored.body.data).toMatchObject({ postalCode: null, logo: null });
  });

  it('loses none of many changes that arrive together', async () => {
    const changes = [{ city: 'Aba' }, { state: 'Abia' }, { address: '1 Azikiwe Road' }, { postalCode: '450211' }];
    await Promise.all(changes.map((change) => t.call('PATCH', '/merchant/info', change)));
    const { data } = (await t.call('GET', '/merchant/info')).body;
    expect(data).toMatchObject(Object.assign({}, ...changes));
  });

  it('replays its answer for one idempotency key', async () => {
    const key = { 'idempotency-key': 'move-1' };
    const first = await t.call('PATCH', '/merchant/info', { city: 'Jos' }, key);
    await t.call('PATCH', '/merchant/info', { city: 'Kano' });
    const again = await t.call('PATCH', '/merchant/info', { city: 'Jos' }, key);
    expect(again.text).toBe(first.text);
    expect((await t.call('GET', '/merchant/info')).body.data.city).toBe('Kano');
  });

  it('lets a live key only redirect live events', async () => {
    const change = { productionWebhookURL: 'https://shop.example/live' };
    const refused = await t.call('PATCH', '/merchant/info', change);
    expect([refused.status, refused.body.code]).toEqual([403, 'LIVE_KEY_REQUIRED']);
    const live = await t.addMerchant({ mode: 'LIVE' });
    const taken = await t.call('PATCH', '/merchant/info', change, bearerOf(live));
    expect(taken.body.data.productionWebhookURL).toBe(change.productionWebhookURL);
  });

  it.each([
    {},
    { sandboxWebhookURL: 'ftp://shop.example' },
    { sandboxWebhookURL: 'shop.example/hooks' },
    { sandboxWebhookURL: 'javascript:alert(1)' },
    { sandboxWebhookURL: 'https://user:secret@shop.example' },
    { sandboxWebhookURL: 'https://user@shop.example' },
    { sandboxWebhookURL: 'http://' },
    { sandboxWebhookURL: `https://shop.example/${'x'.repeat(2048)}` },
    { sandboxWebhookURL: null },
    { email: 'nobody' },
    { phoneNumber: 2348012345678 },
    { city: ' ' },
    { businessName: 'Other' },
    { status: 'ACTIVE' },
  ])('refuses %j', async (change) => {
    const { status, body } = await t.call('PATCH', '/merchant/info', change);
    expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED']);
  });
});
