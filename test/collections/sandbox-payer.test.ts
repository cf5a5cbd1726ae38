import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { collectionRoutes, pollCredits, retryOpenCredits } from '../../src/collections/index.ts';
import type { Container } from '../../src/container.ts';
import { readRefundsOfPayment } from '../../src/refunds/index.ts';
import { advanceWrites } from '../../src/routes.ts';
import { sandboxRoutes } from '../../src/sandbox/index.ts';
import { virtualAccountRoutes } from '../../src/virtual-accounts/index.ts';
import { containerOf, createTestBase, serveRoutes, type TestBase, type TestServer } from '../support/base.ts';
import { brokenChecks } from '../support/proof.ts';

let base: TestBase;
let container: Container;
let served: TestServer;

beforeAll(async () => {
  base = await createTestBase();
  container = containerOf(base);
  served = await serveRoutes(base, container, async (api) => {
    await api.register(virtualAccountRoutes(container));
    await api.register(collectionRoutes({ ...container, readRefundsOfPayment }));
    await api.register(sandboxRoutes({ ...container, advanceWrites }));
  });
});
afterAll(async () => {
  expect(await brokenChecks(base.database)).toEqual([]);
  await served.close();
  await base.close();
});

/** What a worker does from time to time, some minutes on. */
async function work(minutes: number) {
  for (let minute = 0; minute < minutes; minute += 1) {
    await container.sandbox.deliverAllDueWebhooks(container.jobs);
    await retryOpenCredits(container, 'SANDBOX');
    await pollCredits(container, 'SANDBOX');
    base.clock.advance(60_000);
  }
}

async function payee() {
  const merchant = await base.addMerchant();
  const call = served.callAs(merchant.secretKey);
  const { wallet } = await container.wallets.requireTenantAccounts(merchant.tenant);
  const { body } = await call('GET', `/wallet/${wallet.id}/account`);
  const { accountNumber } = body.data.accounts[0];
  const pay = (scenario: string, more: object = {}) =>
    call('POST', '/sandbox/collection/pay', { accountNumber, amount: 250.25, scenario, ...more });
  const balance = async () => Number((await container.ledger.readBalance(merchant.tenant, wallet.id)).bookedMinor);
  const payments = async () => (await call('GET', '/collection/payment')).body.data.records;
  return { ...merchant, call, pay, balance, payments };
}

describe('a simulated payer', () => {
  it.each([
    ['paid', 25_025],
    ['notified_twice', 25_025],
    ['notified_late', 25_025],
    ['pending_first', 25_025],
    ['not_found_first', 25_025],
    ['never_notified', 25_025],
    ['wrong_amount_in_webhook', 25_025],
    ['out_of_order', 25_025],
    ['failed', 0],
    ['forged', 0],
  ])('%s comes to the wallet as %i kobo, once', async (scenario, expected) => {
    const merchant = await payee();
    expect((await merchant.pay(scenario)).status).toBe(200);
    await work(3);
    expect(await merchant.balance()).toBe(expected);
    expect(await merchant.payments()).toHaveLength(expected === 0 ? 0 : 1);
  });

  it('whose money goes back after it was credited is before the operator, and nobody is debited by a webhook', async () => {
    const merchant = await payee();
    await merchant.pay('reversed');
    await work(4);
    expect(await merchant.balance()).toBe(25_025);
    const { rows } = await base.database.pool.query(
      "select status, reason from open_credits where credit_key like 'reversal:%'",
    );
    expect(rows).toEqual([{ status: 'CONTRADICTED', reason: 'REVERSED' }]);
  });

  it('is in the file for a spreadsheet, where its words are no formula and its digits are text', async () => {
    const merchant = await payee();
    const payer = { name: '=HYPERLINK("x")', accountNumber: '0123456785', bankName: 'Zenith Bank' };
    await merchant.pay('paid', { payer, narration: '+234 rent' });
    await work(2);
    const file = async (query = '') => {
      const { text } = await merchant.call('GET', `/collection/payment.csv${query}`);
      return parse<Record<string, string>>(text, { columns: true, bom: true });
    };
    const [row, ...more] = await file();
    expect(more).toEqual([]);
    expect(row).toMatchObject({
      Amount: '250.25',
      Status: 'CREDITED',
      Payer: `'=HYPERLINK("x")`,
      'Payer Account Number': '="0123456785"',
      Narration: `'+234 rent`,
    });
    expect(row?.['Payment ID']).toBe((await merchant.payments())[0].paymentId);
    expect(await file('?status=SUSPENSE')).toEqual([]);
  });

  it('pays as often as is asked, and each is a payment of its own with its evidence', async () => {
    const merchant = await payee();
    await merchant.pay('paid', {
      times: 20,
      payer: { name: 'NGOZI EZE', accountNumber: '0123456789', bankName: 'UBA' },
    });
    await work(2);
    expect(await merchant.balance()).toBe(20 * 25_025);
    const payments = await merchant.payments();
    expect(payments).toHaveLength(20);
    const { body } = await merchant.call('GET', `/collection/payment/${payments[0].paymentId}`);
    expect(body.data).toMatchObject({
      payment: { status: 'CREDITED', amount: 250.25, payer: { name: 'NGOZI EZE', bankName: 'UBA' } },
      evidence: [{ outcome: 'confirmed' }],
    });
    const other = await payee();
    expect((await other.call('GET', `/collection/payment/${payments[0].paymentId}`)).body.code).toBe(
      'INBOUND_PAYMENT_NOT_FOUND',
    );
  });
});
