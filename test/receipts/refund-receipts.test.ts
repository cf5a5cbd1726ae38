import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../support/app.ts';
import { TEST_PIN } from '../support/base.ts';
import { brokenChecks } from '../support/proof.ts';
import { textOfPdf } from './pdf-text.ts';

let t: TestApp;
let paymentId: string;

beforeAll(async () => {
  t = await createTestApp();
  const { accountNumber } = (await t.call('GET', '/wallet/merchant')).body.data.wallet;
  const payer = { name: 'ADAEZE OBI', accountNumber: '0690000031', bankName: 'Access Bank Plc' };
  await t.call('POST', '/sandbox/collection/pay', { accountNumber, amount: 5_000, payer });
  await work();
  paymentId = (await t.call('GET', '/collection/payment')).body.data.records[0].paymentId;
});
afterAll(async () => {
  expect(await brokenChecks(t.database)).toEqual([]);
  await t.close();
});

async function work(): Promise<void> {
  for (let runs = 0; runs < 8; runs += 1) {
    await t.app.worker.runOnce();
    t.clock.advance(6_000);
  }
}

async function refund(given: object, scenario = 'refund-success'): Promise<string> {
  const headers = { 'x-sandbox-scenario': scenario };
  const { body, text } = await t.call(
    'POST',
    `/collection/payment/${paymentId}/refund`,
    { pin: TEST_PIN, allowDuplicate: true, ...given },
    headers,
  );
  if (body.data?.refundId === undefined) throw new Error(text);
  await work();
  return body.data.refundId;
}

async function receiptOf(refundId: string): Promise<{ status: number; name: string; pdf: Buffer }> {
  const answer = await t.app.server.inject({
    method: 'GET',
    url: `/collection/refund/${refundId}/receipt`,
    headers: { authorization: `Bearer ${t.merchant.secretKey}` },
  });
  return {
    status: answer.statusCode,
    name: String(answer.headers['content-disposition']),
    pdf: answer.rawPayload,
  };
}

it('of a refund that was made says what went back, to whom and of which payment, the same bytes each time', async () => {
  const refundId = await refund({ amount: 1_200.5, note: 'One chair came broken', reference: 'RET/7' });
  const { status, name, pdf } = await receiptOf(refundId);
  expect(status).toBe(200);
  expect(name).toContain('test-refund-RET_7.pdf');
  const text = textOfPdf(pdf);
  for (const words of [
    'TEST',
    'Refund',
    '₦1,200.50',
    'ADAEZE OBI',
    'Access Bank Plc',
    '0690000031',
    'One chair came broken',
    '₦5,000.00 of',
    'RET/7',
    refundId.replaceAll('-', ''),
    `SBR`,
  ]) {
    expect(text).toContain(words);
  }
  t.clock.advance(60_000);
  expect((await receiptOf(refundId)).pdf.equals(pdf)).toBe(true);
});

it('of a refund that goes out as a payout has its payout and the session id of the bank', async () => {
  const refundId = await refund({ amount: 700, way: 'PAYOUT' }, 'success');
  const { refund: row } = (await t.call('GET', `/collection/refund/${refundId}`)).body.data;
  expect(row).toMatchObject({ status: 'SUCCESS', way: 'PAYOUT' });
  const text = textOfPdf((await receiptOf(refundId)).pdf);
  expect(text).toContain('₦700.00');
  expect(text).toContain(`MNL${row.payoutTransactionId.replaceAll('-', '')}`);
});

it('is there of none that is not made, failed, or is another merchant’s', async () => {
  const pending = await refund({ amount: 100 }, 'refund-pending-forever');
  const failed = await refund({ amount: 200 }, 'refund-refused');
  for (const id of [pending, failed]) {
    const answer = await t.call('GET', `/collection/refund/${id}/receipt`);
    expect([answer.status, answer.body.code]).toEqual([409, 'RECEIPT_NOT_PAID']);
  }
  const made = await refund({ amount: 300 });
  const other = await t.addMerchant({ name: 'Kente House' });
  const answer = await t.call('GET', `/collection/refund/${made}/receipt`, undefined, {
    authorization: `Bearer ${other.secretKey}`,
  });
  expect([answer.status, answer.body.code]).toEqual([404, 'REFUND_NOT_FOUND']);
});
