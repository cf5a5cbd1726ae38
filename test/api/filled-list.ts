import { randomBytes } from 'node:crypto';
import { recordAudit } from '../../src/audit/index.ts';
import { firstIdOf, newId } from '../../src/platform/ids.ts';
import type { Reply, TestApp, TestMerchant } from '../support/app.ts';
import { bearer, rowsOf } from '../support/world.ts';

// biome-ignore lint/suspicious/noExplicitAny: records of every shape
export type Listed = any;

/** How a list of the API is read, what its rows are called, and how rows come to be in it. */
export interface FilledList {
  get: (address: string) => Promise<Reply>;
  /** With its placeholders filled. */
  path: string;
  key: (record: Listed) => string;
  /** Adds rows, at the end where the list begins and, where rows can, among those that are there. */
  add: (count: number) => Promise<void>;
  /** Without rows of its own that are written while it is read, what else happens to it. */
  disturb?: () => Promise<void>;
  /** What a filter means that is not sent, where that is neither everything nor the first of its words. */
  unsent?: Readonly<Record<string, string>>;
}

export type Filler = (t: TestApp, merchant: TestMerchant) => Promise<FilledList>;

export const MINUTE_MS = 60_000;

/** A moment of the last quarter of an hour, and an id as one that was made then: what commits late comes in among others. */
export function earlier(): { at: string; id: string } {
  const at = new Date(Date.now() - Math.floor(Math.random() * 15 * MINUTE_MS));
  return { at: at.toISOString(), id: firstIdOf(at).slice(0, 19) + madeUp().slice(19) };
}

export function madeUp(): string {
  const hex = randomBytes(16).toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-7${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
}

/** An id and its moment for so many rows: every other one as it is now, the others as if they came late. */
export const moments = (count: number): { id: string; at: string }[] =>
  times(count, (at) => (at % 2 === 0 ? { id: newId(), at: new Date().toISOString() } : earlier()));

/** Copies the last row of a table, each time with other values. */
export function copier(t: TestApp, table: string, where: string, values: unknown[]) {
  const sql = `insert into ${table} select copies.*
    from (select * from ${table} where ${where} limit 1) t
   cross join jsonb_array_elements($${values.length + 1}::jsonb) changed (row)
   cross join lateral jsonb_populate_record(null::${table}, to_jsonb(t) || changed.row) copies`;
  return (changes: object[]) => rowsOf(t.connectionString, sql, [...values, JSON.stringify(changes)]);
}

export const times = <T>(count: number, make: (at: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => make(at));

export function asMerchant(t: TestApp, merchant: TestMerchant) {
  const as = bearer(merchant.secretKey);
  const get = (address: string) => t.call('GET', address, undefined, as);
  const post = async (path: string, body: object): Promise<Listed> => {
    const reply = await t.call('POST', path, body, as);
    if (reply.status !== 200) throw new Error(`${path}: ${reply.text}`);
    return reply.body.data;
  };
  const each = (path: string, body: (at: number) => object) => async (count: number) => {
    await Promise.all(times(count, (at) => post(path, body(at))));
  };
  return { get, post, each };
}

export const byField = (field: string) => (record: Listed) => String(record[field]);

export const audit = async (t: TestApp, merchantId: string | null, count: number) => {
  const actor = { kind: 'PERSON', id: newId(), name: 'Ada', role: 'MAKER', sessionId: null } as const;
  const entry = { mode: null, action: 'POST /x', summary: 'x', outcome: 'DONE', code: null, subject: {} } as const;
  for (let at = 0; at < count; at += 1) {
    const visitor = { ip: null, userAgent: null, requestId: newId() };
    await recordAudit(t.database, { ...entry, ...visitor, merchantId, at: new Date(), actor });
  }
};

/** One payment from outside, and as many like it as are asked for. */
export async function paymentsIn(
  t: TestApp,
  merchant: TestMerchant,
  change: (id: string, at: Date | string) => object,
) {
  const { get, post } = asMerchant(t, merchant);
  const { accounts } = (await get(`/wallet/${merchant.walletId}/account`)).body.data;
  await post('/sandbox/collection/pay', { accountNumber: accounts[0].accountNumber, amount: 5 });
  await t.app.worker.runOnce();
  const copy = copier(t, 'inbound_payments', 'merchant_id = $1', [merchant.merchantId]);
  return async (count: number) => {
    const made = moments(count);
    await copy(made.map(({ id, at }) => ({ provider_transaction_id: id, ...change(id, at) })));
  };
}

/** One dispute, and as many like it as are asked for. */
export async function disputesOf(t: TestApp, merchant: TestMerchant) {
  const { get, post } = asMerchant(t, merchant);
  const { accounts } = (await get(`/wallet/${merchant.walletId}/account`)).body.data;
  await post('/sandbox/collection/pay', { accountNumber: accounts[0].accountNumber, amount: 5 });
  await t.app.worker.runOnce();
  const [{ paymentId }] = (await get('/collection/payment')).body.data.records;
  await post('/sandbox/collection/dispute', { paymentId });
  await t.app.worker.runOnce();
  const copy = copier(t, 'disputes', 'merchant_id = $1', [merchant.merchantId]);
  const add = async (count: number) => {
    const made = moments(count);
    await copy(made.map(({ id, at }) => ({ id, provider_dispute_id: id, opened_at: at })));
  };
  return { get, add };
}
