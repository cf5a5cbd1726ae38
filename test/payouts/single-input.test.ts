import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPayoutFixture, type Merchant, type PayoutFixture, payment } from './payout-fixture.ts';

let fixture: PayoutFixture;
let merchant: Merchant;
beforeAll(async () => {
  fixture = await createPayoutFixture();
  merchant = await fixture.addMerchant();
});
afterAll(() => fixture.close());

const HIDDEN = ['Rent\u202e', 'Re\u200bnt', 'Re\nnt', 'Rent\u007f', '\ufeffRent'];

describe('a single payout', () => {
  it.each(['/payout/single', '/payout/single/schedule'])(
    '%s refuses characters that nobody sees, in words',
    async (url) => {
      const scheduledFor = new Date(fixture.clock.now().getTime() + 60_000).toISOString();
      for (const narration of HIDDEN) {
        const body = payment({ narration, ...(url.endsWith('schedule') ? { scheduledFor } : {}) });
        const reply = await merchant.call('POST', url, body);
        expect([reply.status, reply.body.errors]).toEqual([
          400,
          [{ field: 'narration', message: 'must not contain invisible characters' }],
        ]);
      }
      for (const [field, value] of [
        ['reference', 'INV\u200b-1'],
        ['phoneNumber', '234801\u202e2345678'],
      ] as const) {
        const reply = await merchant.call('POST', '/payout/single', payment({ [field]: value }));
        expect([reply.status, reply.body.errors?.[0]?.field]).toEqual([400, field]);
      }
    },
  );

  it('is quoted charge by charge, with who bears each and by which rule', async () => {
    const quote = async (body: object) => (await merchant.call('POST', '/payout/quote', body)).body.data;
    const general = await quote({ amount: 100_000 });
    expect(general).toMatchObject({ fee: 50, vat: 3.75, stampDuty: 50, charges: 103.75, total: 100_103.75 });
    expect(general.lines).toEqual([
      {
        kind: 'TRANSFER_FEE',
        amount: 50,
        payer: 'SENDER',
        ruleId: 'ngn-transfer-fee-2020-large',
        effectiveFrom: '2019-12-31T23:00:00.000Z',
        rounding: 'HALF_UP',
        source: expect.stringContaining('CBN'),
        reason: null,
      },
      expect.objectContaining({ kind: 'VAT', amount: 3.75, ruleId: 'ngn-vat-2020' }),
      expect.objectContaining({ kind: 'STAMP_DUTY', amount: 50, payer: 'SENDER', reason: null }),
    ]);
    const salary = await quote({ amount: 100_000, purpose: 'SALARY' });
    expect(salary).toMatchObject({ stampDuty: 0, charges: 53.75 });
    expect(salary.lines[2]).toMatchObject({ amount: 0, reason: expect.stringContaining('SALARY') });
    const small = await quote({ amount: 100 });
    expect(small.lines[2]).toMatchObject({ kind: 'STAMP_DUTY', amount: 0, payer: null, ruleId: null });
  });
});
