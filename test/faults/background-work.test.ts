import pg from 'pg';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { bearerOf, createTestApp, type TestApp } from '../support/app.ts';
import { lockWaits } from '../support/lock-waits.ts';

/** Of a process, half of them for background work. */
const CONNECTIONS = 10;
const ENDPOINTS = 12;
const NOBODY_LISTENS = 'http://127.0.0.1:49151/events';

let t: TestApp;
let holder: pg.Client;

beforeAll(async () => {
  t = await createTestApp({ WEBHOOK_ALLOW_LOOPBACK: 'true', DATABASE_POOL_SIZE: String(CONNECTIONS) });
  holder = new pg.Client({ connectionString: t.connectionString });
  await holder.connect();
});
afterAll(async () => {
  await holder.end();
  await t.close();
});

it('debits are answered while webhooks of more merchants than there are connections are stuck in the database', async () => {
  for (let at = 0; at < ENDPOINTS; at += 1) {
    const merchant = await t.addMerchant({ name: `Shop ${at}` });
    const as = bearerOf(merchant);
    const reply = await t.call('PATCH', '/merchant/info', { sandboxWebhookURL: NOBODY_LISTENS }, as);
    expect(reply.status).toBe(200);
  }
  await holder.query('begin; select id from webhook_endpoints for update');
  t.app.webhookWorker.start();
  await vi.waitFor(async () => expect(await lockWaits(t.connectionString)).toBe(CONNECTIONS / 2), {
    timeout: 60_000,
    interval: 50,
  });
  for (let debits = 0; debits < 10; debits += 1) {
    const debit = { pin: t.merchant.pin, amount: 10, storeId: t.merchant.storeIds[0], narration: 'Sweep' };
    expect((await t.call('POST', '/branch/store/debit', debit)).status).toBe(200);
  }
  expect(await lockWaits(t.connectionString)).toBe(CONNECTIONS / 2);
  await holder.query('rollback');
});
