import pg from 'pg';
import { issueApiKey } from '../../src/access/index.ts';
import type { Mode } from '../../src/platform/tenant.ts';
import { type Reply, TEST_PIN, type TestApp, type TestMerchant } from './app.ts';
import { type Known, type Operation, operationsOf, sampleRequest } from './operations.ts';

/** Sends an operation's sample with some values of its own. */
export async function callWith(
  app: TestApp,
  operation: Operation,
  known: Known,
  headers: Record<string, string> = {},
): Promise<Reply> {
  const { method, url, body } = sampleRequest(operation, known);
  return app.call(method, url, body, headers);
}

/** What an answer says but for which request it was: two callers get the same where they get no more. */
export const saidBy = ({ text }: Pick<Reply, 'text'>): string => text.replace(/,"requestId":"[^"]*"/, '');

export const bearer = (key: string): Record<string, string> => ({ authorization: `Bearer ${key}` });

/** The sandbox rail answers a plain success for this account. */
const GOOD_ACCOUNT = { bankCode: '058', accountNumber: '0123456785' };

/**
 * What a merchant of the test app has, by field name, so that a sample request meets something that is there: a store, a
 * subaccount, a transaction, and whatever else the routes of this version can make.
 * @param asked for a request of this operation alone: nothing is made that it does not name
 */
export async function knownOf(app: TestApp, merchant: TestMerchant, asked?: Operation): Promise<Known> {
  const fields = asked && JSON.stringify([asked.parameters, asked.body]);
  const takes = (...names: string[]) => fields === undefined || names.some((name) => fields.includes(`"${name}"`));
  const operations = new Map(operationsOf(app.app).map((operation) => [operation.name, operation]));
  const known: Known = {
    ...GOOD_ACCOUNT,
    pin: TEST_PIN,
    amount: 1,
    // Samples are sent again and again, and each is meant.
    allowDuplicate: true,
    // The schedule beside it may be for another day, which repeats nothing, or for today: shown or not, it is meant.
    duplicates: 1,
    seconds: 1,
    customer: { name: 'Ada Obi', email: 'ada@example.com' },
    storeId: merchant.storeIds[0],
    subaccountId: merchant.subaccountIds[0],
    walletId: merchant.walletId,
    sandboxWebhookURL: 'https://adire.example/hooks',
    scheduledFor: new Date(app.clock.now().getTime() + 3_600_000).toISOString(),
  };
  const make = async (name: string, extra: Known = {}): Promise<Record<string, unknown> | undefined> => {
    const operation = operations.get(name);
    if (operation === undefined) return undefined;
    const reply = await callWith(app, operation, { ...known, ...extra }, bearer(merchant.secretKey));
    if (reply.status !== 200) throw new Error(`${name}: ${reply.status} ${reply.text}`);
    return reply.body.data;
  };
  if (takes('childWalletId')) known['childWalletId'] = (await make('GET /branch/store/{storeId}'))?.['walletId'];
  if (takes('subaccountId')) await make('POST /subaccount/credit', { amount: 100 });
  if (takes('transactionId')) known['transactionId'] = (await make('POST /branch/store/debit'))?.['transactionId'];
  if (takes('scheduleId')) known['scheduleId'] = (await make('POST /payout/single/schedule'))?.['scheduleId'];
  const needsBatch = takes('batchReference', 'bulkPayoutItemId', 'id');
  const batch = needsBatch
    ? await make('POST /payout/bulk', { defaults: { narration: 'November salary' } })
    : undefined;
  if (batch !== undefined) {
    known['batchReference'] = batch['batchReference'];
    const list = operations.get('GET /payout/bulk/{batchReference}/item') as Operation;
    const items = await callWith(app, list, known, bearer(merchant.secretKey));
    known['bulkPayoutItemId'] = items.body.data.records[0].id;
    known['id'] = known['bulkPayoutItemId'];
  }
  if (takes('linkId')) known['linkId'] = (await make('POST /collection/link'))?.['linkId'];
  if (takes('customerId', 'virtualAccountId')) {
    known['customerId'] = (await make('POST /customer', { name: 'Ada Obi' }))?.['customerId'];
    const account = { customerId: known['customerId'], walletId: known['walletId'] };
    known['virtualAccountId'] = (await make('POST /collection/account', account))?.['virtualAccountId'];
  }
  if (takes('sessionId')) known['sessionId'] = (await make('POST /collection/session'))?.['sessionId'];
  if (takes('paymentId')) known['paymentId'] = await payIn(app, merchant);
  return Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined));
}

/** Somebody pays to the merchant's account number. @returns the id of the payment */
export async function payIn(app: TestApp, merchant: TestMerchant, amount = 12): Promise<string> {
  const as = bearer(merchant.secretKey);
  const { body } = await app.call('GET', `/wallet/${merchant.walletId}/account`, undefined, as);
  const { accountNumber } = body.data.accounts[0];
  await app.call('POST', '/sandbox/collection/pay', { accountNumber, amount }, as);
  await app.app.worker.runOnce();
  const payments = await app.call('GET', '/collection/payment', undefined, as);
  return payments.body.data.records[0].paymentId;
}

export async function issueKey(
  { database, secrets, clock }: TestApp,
  merchantId: string,
  mode: Mode,
  options: { expiresAt?: Date; scopes?: string[]; kind?: 'SECRET' | 'PUBLIC' } = {},
) {
  return issueApiKey({ database, secrets, clock }, { merchantId, mode, kind: 'SECRET', ...options });
}

/** Everything that a refused request must leave as it was. */
export interface Books {
  accounts: string;
  transfers: number;
  transactions: number;
  events: number;
}

export async function readBooks(connectionString: string): Promise<Books> {
  const [row] = await rowsOf<Books>(
    connectionString,
    `select (select count(*)::int from transfers) as transfers,
            (select count(*)::int from transactions) as transactions,
            (select count(*)::int from events) as events,
            (select md5(string_agg(a::text, ';' order by a.merchant_id, a.id)) from accounts a) as accounts`,
    [],
    'books',
  );
  if (row === undefined) throw new Error('there are no books');
  return row;
}

const pools = new Map<string, pg.Pool>();

/**
 * Reads the database behind the service's back, on connections that wait a moment for the next to read.
 * @param name of a statement that is read again and again: its plan is kept.
 */
export async function rowsOf<Row extends object>(
  connectionString: string,
  sql: string,
  values: unknown[] = [],
  name?: string,
) {
  let pool = pools.get(connectionString);
  if (pool === undefined) {
    pool = new pg.Pool({ connectionString, idleTimeoutMillis: 1_000, allowExitOnIdle: true });
    // One that waits ends with its database.
    pool.on('error', () => undefined);
    pools.set(connectionString, pool);
  }
  return (await pool.query<Row & pg.QueryResultRow>({ text: sql, values, ...(name && { name }) })).rows as Row[];
}
