import { afterAll, describe, expect, it } from 'vitest';
import { type App, createApp } from '../../src/app.ts';
import { type Database, openDatabase } from '../../src/platform/db/database.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { verifyBooks } from '../../src/verify/index.ts';
import { createTestApp } from '../support/app.ts';
import { httpClient, listen, tally } from '../support/http-client.ts';
import { availableOf, costOf, leaveWith, moneyRoutes } from '../support/money-routes.ts';
import { sampleRequest } from '../support/operations.ts';
import { bearer, knownOf } from '../support/world.ts';

/** Many at once, over sockets, into one wallet: never one kobo more than there is. */
const t = await createTestApp();
const first = await listen(t.app);
const client = httpClient(first, 100);
const routes = moneyRoutes(t);

afterAll(async () => {
  await client.close();
  await t.close();
});

describe.each(routes.filter(({ payer }) => payer !== null))('$operation.name', (route) => {
  it('200 at once out of a wallet that can pay for 50 succeed exactly 50 times', async () => {
    const merchant = await t.addMerchant();
    const known = { ...(await knownOf(t, merchant, route.operation)), amount: 20.07 };
    const payer = route.payer as NonNullable<typeof route.payer>;
    const cost = await costOf(t, merchant, route, known.amount);
    await leaveWith(t, merchant, known, payer, Math.round(cost * 5_000) / 100);
    const request = sampleRequest(route.operation, known);
    const answers = await Promise.all(
      Array.from({ length: 200 }, () => client.send(request, bearer(merchant.secretKey))),
    );
    expect(tally(answers.map(({ status }) => status))).toEqual({ 200: 50, 422: 150 });
    const refusals = answers.filter(({ status }) => status === 422).map(({ text }) => JSON.parse(text).code);
    expect(tally(refusals)).toEqual({ INSUFFICIENT_FUNDS: 150 });
    expect((await availableOf(t, merchant))[payer]).toBe(0);
    const made = answers.filter(({ status }) => status === 200).map(({ text }) => JSON.parse(text).data.transactionId);
    expect(new Set(made).size).toBe(50);
  });
});

describe('two processes on one database', () => {
  let second: App;
  let database: Database;
  afterAll(async () => {
    await second.close();
    await database.close();
  });

  it('move money of two stores and two subaccounts in and out of one wallet, in any order, and nobody waits for ever', async () => {
    const logger = createLogger('fatal');
    database = openDatabase({ connectionString: t.connectionString, maxConnections: 10, logger });
    second = await createApp({ config: t.config, database, secrets: t.secrets, clock: t.clock, logger });
    await second.server.ready();
    const other = httpClient(await listen(second), 50);
    const merchant = await t.addMerchant();
    const as = bearer(merchant.secretKey);
    const make = async (path: string, name: string) => (await t.call('POST', path, { name }, as)).body.data;
    const store = await make('/branch/store', 'Yaba');
    await t.call('POST', '/sandbox/wallet/fund', { walletId: store.walletId, amount: 100_000 }, as);
    merchant.storeIds.push(store.storeId);
    merchant.subaccountIds.push((await make('/subaccount', 'Payroll')).subaccountId);

    const known = await knownOf(t, merchant);
    const movers = routes.filter(({ operation: { path } }) => /^\/(branch|subaccount)/.test(path));
    const before = await totalOf();
    const sent = Array.from({ length: 600 }, (_, at) => {
      const { operation } = movers[at % movers.length] as (typeof movers)[number];
      const subject = Math.floor(at / movers.length) % 2;
      const ids = { storeId: merchant.storeIds[subject], subaccountId: merchant.subaccountIds[subject] };
      const request = sampleRequest(operation, { ...known, ...ids, amount: (100 + (at % 7) * 11) / 100 });
      return (at % 3 === 0 ? other : client).send(request, as);
    });
    const answers = await Promise.all(sent);
    await other.close();
    const counts = tally(answers.map(({ status }) => status));
    expect(Object.keys(counts).filter((status) => status !== '200' && status !== '422')).toEqual([]);
    expect(counts['200']).toBeGreaterThan(300);
    // Within a merchant money only changes wallets.
    expect(await totalOf()).toBe(before);

    async function totalOf(): Promise<number> {
      const wallet = (await t.call('GET', '/wallet/merchant', undefined, as)).body.data.wallet.totalBalance;
      const stores = (await t.call('GET', '/branch/store', undefined, as)).body.data.records;
      const naira = stores.reduce(
        (sum: number, { bookedBalance }: { bookedBalance: number }) => sum + bookedBalance,
        wallet,
      );
      return Math.round(naira * 100);
    }
  });

  it('and the books are right after all of this', async () => {
    const report = await verifyBooks(t.database);
    expect(report.checks.filter(({ ok }) => !ok)).toEqual([]);
  });
});
