import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DemoFile } from '../../src/demo/index.ts';
import {
  makeDataDir,
  readDemo,
  removeDataDir,
  runCommand,
  type ServiceProcess,
  startService,
  terminalPlayer,
} from '../support/service.ts';

/** An integrator's first day: start it, paste the line, read, move, retry, reconcile. Over real HTTP, from nothing. */
const dataDir = makeDataDir();
let service: ServiceProcess;
let demo: DemoFile;

beforeAll(async () => {
  service = await startService({ dataDir });
  demo = readDemo(dataDir);
});
afterAll(() => removeDataDir(dataDir, [service]));

interface Called {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: an integrator looks into whatever comes
  body: any;
}

async function call(
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Called> {
  const answer = await fetch(`${service.baseUrl}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${demo.secretKey}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    body: body === undefined ? null : JSON.stringify(body),
  });
  return { status: answer.status, headers: answer.headers, body: await answer.json() };
}

const kobo = (naira: number) => Math.round(naira * 100);
const walletNow = async () => (await call('GET', '/wallet/merchant')).body.data.wallet;

describe('the first start', () => {
  it('leaves demo.json with every field, for its owner only', () => {
    expect(Object.keys(demo).sort()).toEqual([
      'baseUrl',
      'colleagues',
      'dashboard',
      'merchantId',
      'operator',
      'pendingMerchant',
      'pin',
      'publicKey',
      'secretKey',
      'storeIds',
      'subaccountIds',
    ]);
    expect(demo).toMatchObject({
      baseUrl: service.baseUrl,
      merchantId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      secretKey: expect.stringMatching(/^sk_test_/),
      publicKey: expect.stringMatching(/^pk_test_/),
      pin: expect.stringMatching(/^\d{4,6}$/),
      dashboard: { email: expect.stringContaining('@'), password: expect.any(String) },
      operator: { email: expect.stringContaining('@'), password: expect.any(String) },
      pendingMerchant: { merchantId: expect.any(String), secretKey: expect.stringMatching(/^sk_live_/) },
    });
    expect([demo.storeIds.length, demo.subaccountIds.length]).toEqual([3, 3]);
    if (process.platform !== 'win32') expect(statSync(join(dataDir, 'demo.json')).mode & 0o777).toBe(0o600);
  });

  it('writes no key, PIN or password where nobody sits: a pipe ends in a log that is kept', () => {
    const written = service.output();
    expect(written).toContain(join(dataDir, 'demo.json'));
    const { dashboard, operator, colleagues, pendingMerchant } = demo;
    const passwords = [dashboard, operator, colleagues.approver, colleagues.operator].map(({ password }) => password);
    for (const secret of [demo.secretKey, demo.publicKey, pendingMerchant.secretKey, ...passwords])
      expect(written).not.toContain(secret);
    expect(written).not.toContain(`"${demo.pin}"`);
  });

  it('is alive, ready and measured', async () => {
    for (const path of ['/healthz', '/readyz', '/metrics', '/openapi.json', '/docs']) {
      expect((await fetch(`${service.baseUrl}${path}`)).status, path).toBe(200);
    }
  });

  it('has made the wallets and money that are promised', async () => {
    expect(await walletNow()).toMatchObject({
      bookedBalance: 10_000_000,
      availableBalance: 10_000_000,
      totalChildAccounts: 3,
    });
    const stores = (await call('GET', '/branch/store')).body.data.records;
    expect(stores.map(({ storeId }: { storeId: string }) => storeId).sort()).toEqual([...demo.storeIds].sort());
    expect(stores.map(({ bookedBalance }: { bookedBalance: number }) => bookedBalance)).toEqual([
      1_000_000, 1_000_000, 1_000_000,
    ]);
    const info = (await call('GET', '/merchant/info')).body.data;
    expect(info).toMatchObject({ id: demo.merchantId, status: 'ACTIVE', reviewStatus: 'ACCEPTED' });
    expect(info.merchantEnabledServices).toHaveLength(5);
  });

  it('refuses the merchant that is not approved, in the documented words and shape', async () => {
    const refused = await call('GET', '/wallet/merchant', undefined, {
      authorization: `Bearer ${demo.pendingMerchant.secretKey}`,
    });
    expect(refused.status).toBe(403);
    expect(refused.body).toEqual({ status: false, message: expect.stringMatching(/must be approved before/) });
  });
});

describe('the first money', () => {
  it('moves from a store, to a subaccount, and once only for a retried key', async () => {
    const before = await walletNow();
    const debit = { pin: demo.pin, amount: 2_000.75, storeId: demo.storeIds[1], narration: 'Evening sweep' };
    const debited = await call('POST', '/branch/store/debit', debit, { 'idempotency-key': 'day-1-sweep' });
    const retried = await call('POST', '/branch/store/debit', debit, { 'idempotency-key': 'day-1-sweep' });
    expect([debited.status, retried.status]).toEqual([200, 200]);
    expect(retried.body).toEqual(debited.body);
    expect([debited.headers.get('idempotency-replayed'), retried.headers.get('idempotency-replayed')]).toEqual([
      null,
      'true',
    ]);

    const metadata = { orderId: 'A-1009', lines: [{ sku: 'X', count: 2 }], note: 'ọjà' };
    const credit = { amount: 300.25, subaccountId: demo.subaccountIds[0], narration: 'Rent, November', metadata };
    const credited = await call('POST', '/subaccount/credit', credit);
    expect(credited.body.data).toMatchObject({
      amount: 300.25,
      metadata,
      status: 'SUCCESS',
      category: 'SUBACCOUNT',
      mode: 'SANDBOX',
    });

    const after = await walletNow();
    expect(kobo(after.bookedBalance) - kobo(before.bookedBalance)).toBe(2_000_75 - 300_25);
    expect(kobo(after.totalBalance) - kobo(before.totalBalance)).toBe(2_000_75);
    expect(kobo(after.totalChildAccountBalance)).toBe(300_25);
  });

  it('is refused with what is wrong: too much, too fine, a wrong PIN, a public key', async () => {
    const debit = { pin: demo.pin, amount: 1, storeId: demo.storeIds[2], narration: 'Try' };
    const refusals = [
      await call('POST', '/branch/store/debit', { ...debit, amount: 5_000_000 }),
      await call('POST', '/branch/store/debit', { ...debit, amount: 0.001 }),
      await call('POST', '/branch/store/debit', { ...debit, pin: demo.pin === '9372' ? '9381' : '9372' }),
      await call('POST', '/branch/store/debit', debit, { authorization: `Bearer ${demo.publicKey}` }),
    ];
    expect(refusals.map(({ status, body }) => [status, body.code])).toEqual([
      [422, 'INSUFFICIENT_FUNDS'],
      [400, 'VALIDATION_FAILED'],
      [422, 'PIN_INVALID'],
      [403, 'KEY_TYPE_NOT_ALLOWED'],
    ]);
    expect(refusals[0]?.body.message).toContain('₦1,000,000.00');
    expect((await call('GET', `/branch/store/${demo.storeIds[2]}`)).body.data.bookedBalance).toBe(1_000_000);
  });

  it('pays out to a bank account, and the payout comes to its end by itself', async () => {
    const quote = (await call('POST', '/payout/quote', { amount: 5_000 })).body.data;
    const before = await walletNow();
    const payout = {
      pin: demo.pin,
      amount: 5_000,
      bankCode: '058',
      accountNumber: '0123456785',
      narration: 'Supplier',
    };
    const accepted = await call('POST', '/payout/single', payout, { 'idempotency-key': 'day-1-payout' });
    expect(accepted.status, JSON.stringify(accepted.body)).toBe(200);
    let paid: Called = accepted;
    for (
      const deadline = Date.now() + 20_000;
      paid.body.data.conclusive !== true && paid.body.data.status !== 'SUCCESS';
    ) {
      expect(Date.now(), JSON.stringify(paid.body)).toBeLessThan(deadline);
      await new Promise((resolve) => setTimeout(resolve, 100));
      paid = await call('GET', `/transaction/${accepted.body.data.transactionId}`);
    }
    expect(paid.body.data.status).toBe('SUCCESS');
    expect(kobo(before.bookedBalance) - kobo((await walletNow()).bookedBalance)).toBe(kobo(quote.total));
  });
});

describe('the evening', () => {
  it('the statement adds up to the balance, entry by entry', async () => {
    const wallet = await walletNow();
    const { records, totalRecords } = (await call('GET', '/wallet/merchant/statement?size=200')).body.data;
    expect(records).toHaveLength(totalRecords);
    const oldestFirst = records.toReversed() as {
      type: string;
      amount: number;
      balanceAfter: number;
      createdAt: string;
    }[];
    let balance = 0;
    for (const entry of oldestFirst) {
      balance += kobo(entry.amount) * (entry.type === 'CREDIT' ? 1 : -1);
      expect(kobo(entry.balanceAfter)).toBe(balance);
    }
    expect(balance).toBe(kobo(wallet.bookedBalance));
  });

  it('the statement as CSV says the same', async () => {
    const answer = await fetch(`${service.baseUrl}/wallet/merchant/statement?format=csv`, {
      headers: { authorization: `Bearer ${demo.secretKey}` },
    });
    expect(answer.headers.get('content-type')).toContain('text/csv');
    const lines = (await answer.text()).trim().split('\r\n');
    const { totalRecords } = (await call('GET', '/wallet/merchant/statement')).body.data;
    expect(lines).toHaveLength(totalRecords + 1);
    expect(lines.at(-1)).toContain((await walletNow()).bookedBalance.toFixed(2));
  });

  it('verify proves the books beside the running service', async () => {
    const { code, output } = await runCommand(dataDir, ['verify']);
    expect(code, output).toBe(0);
  });

  it('a restart finds everything as it was', async () => {
    const before = await walletNow();
    expect(await service.end('SIGTERM')).toBe(0);
    service = await startService({ dataDir });
    const again = readDemo(dataDir);
    expect({ ...again, baseUrl: '' }).toEqual({ ...demo, baseUrl: '' });
    demo = again;
    expect(await walletNow()).toEqual(before);
    const debit = { pin: demo.pin, amount: 2_000.75, storeId: demo.storeIds[1], narration: 'Evening sweep' };
    const retried = await call('POST', '/branch/store/debit', debit, { 'idempotency-key': 'day-1-sweep' });
    expect([retried.status, retried.headers.get('idempotency-replayed')]).toEqual([200, 'true']);
    expect(await walletNow()).toEqual(before);
  });

  it.skipIf(terminalPlayer === undefined)(
    'at a terminal a line is shown that moves money as it is pasted',
    async () => {
      await service.end('SIGTERM');
      service = await startService({ dataDir, atTerminal: true });
      const shown = () => /^curl -X POST .*'(?=\r?$)/m.exec(service.output())?.[0] ?? '';
      await expect.poll(shown).toContain('/branch/store/debit');
      const before = await walletNow();
      const answer = JSON.parse(
        execFileSync('bash', ['-c', shown()], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
      );
      const { storeIds, merchantId } = demo;
      const data = {
        amount: 1500.5,
        status: 'SUCCESS',
        category: 'STORE_TO_MERCHANT',
        storeId: storeIds[0],
        merchantId,
      };
      expect(answer).toMatchObject({ status: true, data });
      expect(kobo((await walletNow()).bookedBalance) - kobo(before.bookedBalance)).toBe(1500_50);
    },
  );
});
