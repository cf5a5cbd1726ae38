import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../support/app.ts';
import { sampleRequest } from '../support/operations.ts';
import { browser, signedInMember, signedInOperator, type TestPerson } from '../support/people.ts';
import { checked, pageOperations } from './operator-operations.ts';

let t: TestApp;
let owner: TestPerson;
let operator: TestPerson;

beforeAll(async () => {
  t = await createTestApp();
  owner = await signedInMember(t, t.merchant.merchantId, 'OWNER');
  operator = checked(t.app, await signedInOperator(t));
});
afterAll(() => t.close());

/** Each with a request that is whole: what its path, its query and its body need. */
const operations = () =>
  pageOperations(t.app, 'Operator').map((operation) => {
    const { merchantId } = t.merchant;
    const accountNumber = '0000000000';
    const reference = 'MNL01a1fa8edbd378299ee86656ed63ba41';
    const days = { firstDay: '2026-11-01', lastDay: '2026-11-30', from: '2026-11-01', to: '2026-11-30' };
    const named = { merchantId, accountNumber, reference, ...days };
    const known: Record<string, string> = { ...named, railId: 'sandbox', mode: 'SANDBOX' };
    return { operation, ...sampleRequest(operation, known) };
  });

describe('every operation of the operator', () => {
  it('stands under /operator, and there are as many as we think', () => {
    const names = operations().map(({ operation }) => operation.name);
    expect(names.length).toBeGreaterThanOrEqual(34);
    expect(names.filter((name) => !/^[A-Z]+ \/operator\//.test(name))).toEqual([]);
  });

  it('refuses an owner of a merchant, a key and a stranger, and tells them nothing', async () => {
    for (const { operation, method, url, body } of operations()) {
      const asOwner = await owner.call(method, url, body);
      const asKey = await t.call(method, url, body);
      const asStranger = await browser(t).call(method, url, body);
      expect([operation.name, asOwner.status, asKey.status, asStranger.status]).toEqual([
        operation.name,
        403,
        403,
        401,
      ]);
      expect(asKey.body.code).toBe('PERSON_REQUIRED');
      expect(Object.keys(asOwner.body)).toEqual(['status', 'message', 'code', 'requestId', 'docUrl']);
    }
  });

  it('refuses a change without the token of our page', async () => {
    for (const { operation, method, url, body } of operations().filter((each) => each.method !== 'GET')) {
      const reply = await operator.call(method, url, body, { 'x-csrf-token': 'guessed' });
      expect([operation.name, reply.status, reply.body.code]).toEqual([operation.name, 403, 'CSRF_REFUSED']);
    }
  });

  it('answers every read with what it documents', async () => {
    const known = new Set([
      'accountNumber',
      'importId',
      'settlementId',
      'lineId',
      'documentId',
      'changeId',
      'manualCreditId',
      'payoutId',
      'reference',
      'paymentId',
      'freezeId',
      'closeId',
      'disputeId',
      'refundId',
    ]);
    for (const { operation, method, url, body } of operations().filter((each) => each.method === 'GET')) {
      const reply = await operator.call(method, url, body);
      const needsMore =
        operation.parameters.some(({ in: where, name }) => where === 'path' && known.has(name)) ||
        url.includes('/balance') ||
        // No threshold is set here.
        url.includes('/large-transaction.csv');
      expect([operation.name, reply.status], reply.text).toEqual([operation.name, needsMore ? 404 : 200]);
    }
  });
});

describe('what changes a merchant, its money or its rails', () => {
  it('asks for a password that was just given', async () => {
    const lasting = await signedInOperator(t);
    t.clock.advance(6 * 60_000);
    const refused: string[] = [];
    for (const { operation, method, url, body } of operations().filter((each) => each.method !== 'GET')) {
      const reply = await lasting.call(method, url, body);
      if (reply.body.code === 'STEP_UP_REQUIRED') refused.push(operation.name);
    }
    expect(refused).toEqual(
      expect.arrayContaining([
        'POST /operator/merchant/{merchantId}/approve',
        'POST /operator/merchant/{merchantId}/reject',
        'POST /operator/merchant/{merchantId}/suspend',
        'POST /operator/merchant/{merchantId}/reinstate',
        'POST /operator/merchant/{merchantId}/service',
        'POST /operator/merchant/{merchantId}/unlock-pin',
        'POST /operator/merchant/{merchantId}/rail',
        'POST /operator/limit',
        'POST /operator/limit/end',
        'POST /operator/fee',
        'POST /operator/availability',
        'POST /operator/provider-settlement/{settlementId}/apply',
        'POST /operator/provider-settlement/{settlementId}/discard',
        'POST /operator/provider-settlement/{settlementId}/line/{lineId}/accept',
        'PATCH /operator/rail/{railId}',
        'POST /operator/rail/default',
        'POST /operator/outcome/confirm',
        'POST /operator/dispute/confirm',
        'POST /operator/suspense/payment/confirm',
        'POST /operator/suspense/credit/confirm',
        'POST /operator/settlement/{importId}/line/{lineId}/resolve',
        'POST /operator/settlement/{importId}/resolve',
      ]),
    );
  });
});
