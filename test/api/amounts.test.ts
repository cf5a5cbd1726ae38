import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../support/app.ts';
import { FAILURE, misfits } from './shape.ts';

let t: TestApp;
let operations: { path: string; body: Record<string, unknown> }[];

beforeAll(async () => {
  t = await createTestApp();
  const { pin, walletId, storeIds, subaccountIds } = t.merchant;
  operations = [
    { path: '/branch/store/debit', body: { pin, amount: 1, storeId: storeIds[0], narration: 'x' } },
    { path: '/subaccount/credit', body: { amount: 1, subaccountId: subaccountIds[0], narration: 'x' } },
    { path: '/subaccount/debit', body: { pin, amount: 1, subaccountId: subaccountIds[0], narration: 'x' } },
    { path: '/sandbox/wallet/fund', body: { walletId, amount: 1 } },
  ];
});
afterAll(() => t.close());

const AMOUNTS = [undefined, null, '1', '1.00', true, 0, -1, 1.005, 0.001, 1e20, 1e-7, [1], {}];
const OTHERS = [
  { colour: 'red' },
  { narration: 'a\u0000b' },
  { narration: 'x'.repeat(101) },
  { narration: 7 },
  { narration: '' },
  { narration: '   ' },
];

describe('every operation that moves money', () => {
  it.each(AMOUNTS)('refuses the amount %j, says which field, and moves nothing', async (amount) => {
    const before = (await t.call('GET', '/wallet/merchant')).text;
    for (const { path, body } of operations) {
      const answer = await t.call('POST', path, { ...body, amount });
      expect([path, answer.status, answer.body.code]).toEqual([path, 400, 'VALIDATION_FAILED']);
      expect(misfits(answer.body, FAILURE, { mayHaveMore: true })).toEqual([]);
      expect(answer.body.errors[0].field).toBe('amount');
    }
    expect((await t.call('GET', '/wallet/merchant')).text).toBe(before);
  });

  it.each(OTHERS)('refuses %j', async (wrong) => {
    for (const { path, body } of operations) {
      expect([path, (await t.call('POST', path, { ...body, ...wrong })).status]).toEqual([path, 400]);
    }
  });

  it.each(['', '[]', '"x"', '1', 'null', '{"amount":'])('refuses the body %s', async (body) => {
    for (const { path } of operations) expect([path, (await t.call('POST', path, body)).status]).toEqual([path, 400]);
  });

  it('names a wrong amount beside every other wrong field, and counts no attempt at the PIN for it', async () => {
    const wrongAmounts: [amount: number, message: string][] = [
      [0, 'must be greater than 0'],
      [-1, 'must be greater than 0'],
      [1.005, 'must have at most two decimals'],
      [1e20, 'must be at most 9999999999999.99'],
    ];
    const withPin = operations.filter(({ body: { pin } }) => pin !== undefined);
    for (const [amount, message] of wrongAmounts) {
      for (const { path, body } of withPin) {
        const { errors } = (await t.call('POST', path, { ...body, pin: '0000', amount, narration: 7 })).body;
        expect(errors).toHaveLength(2);
        expect(errors).toContainEqual({ field: 'amount', message });
        expect(errors).toContainEqual({ field: 'narration', message: 'must be a string' });
      }
    }
    const [{ path, body }] = withPin as [(typeof withPin)[0]];
    const refused = await t.call('POST', path, { ...body, pin: '0000' });
    expect(refused.body.message).toContain('4 attempts left');
  });

  it('says so where no body was sent, with or without a type of content', async () => {
    for (const { path } of operations) {
      const answers = [await t.call('POST', path), await t.call('POST', path, ''), await t.call('POST', path, 'null')];
      expect(answers.map(({ body: { code } }) => code)).toEqual(Array(3).fill('BODY_MISSING'));
    }
  });

  it('refuses ids that are not UUIDs, and finds nothing for those that are nobody’s', async () => {
    const ids = ['storeId', 'subaccountId', 'walletId'];
    for (const { path, body } of operations) {
      const field = ids.find((id) => id in body) as string;
      expect((await t.call('POST', path, { ...body, [field]: "1' or '1'='1" })).status).toBe(400);
      const nobodys = await t.call('POST', path, { ...body, [field]: '0193f3f0-0000-7000-8000-000000000000' });
      expect([path, nobodys.status]).toEqual([path, 404]);
    }
  });

  it('takes amounts that binary fractions cannot hold exactly', async () => {
    const { walletId } = t.merchant;
    for (const amount of [0.01, 0.1, 0.29, 1.1, 4.35, 1.15, 8.95, 16.4, 999_999.99]) {
      const { status, body } = await t.call('POST', '/sandbox/wallet/fund', { walletId, amount });
      expect([status, body.data?.amount]).toEqual([200, amount]);
    }
  });
});
