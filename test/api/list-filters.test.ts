import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { payoutDetails } from '../../src/payouts/index.ts';
import { statement } from '../../src/platform/db/statement.ts';
import { makeExport } from '../../src/platform/exports.ts';
import { addUpList, lookThrough } from '../../src/platform/lists/totals.ts';
import { transactionList } from '../../src/transactions/list-queries.ts';
import { createTestApp, type TestApp, type TestMerchant } from '../support/app.ts';
import { bearer, rowsOf } from '../support/world.ts';

let t: TestApp;
let merchant: TestMerchant;
let other: TestMerchant;

const DAY_MS = 86_400_000;
/** A moment in the day of Lagos: from 23:00 UTC on it is the next one. */
const FIRST = Date.parse('2026-10-01T22:00:00.000Z');
const STATUSES = ['SUCCESS', 'FAILED', 'REVERSED', 'QUEUED'] as const;
const CATEGORIES = ['PAYOUT', 'STORE_TO_MERCHANT', 'COLLECTION'] as const;
const NAMES = ['ADA OBI', 'Chidi Obiora', '=cmd|A1', 'Bola_100% Ade', 'Ngozi "Zee", Eze'];
const RAILS = ['sandbox', 'north-bank'];
const INBOUND = ['CREDITED', 'SUSPENSE', 'RETURNED', 'PENDING_SETTLEMENT', 'KEPT'] as const;
const ROWS = 240;
/** On a machine that does much else, a request has come within this. */
const MEANWHILE = { timeout: 20_000 };

/** The same numbers on every run: a made-up row differs by its place alone. */
const pick = <T>(values: readonly T[], at: number): T => values[(at * 7 + (at >> 3)) % values.length] as T;
const idOf = (at: number, kind: string) =>
  `${(FIRST + at * 3_600_000)
    .toString(16)
    .padStart(12, '0')
    .replace(/^(.{8})/, '$1-')}-7${kind}00-8000-${String(at).padStart(12, '0')}`;
const amountOf = (at: number) => ((at * 7919) % 100_000) + 1;

function madeUp(at: number) {
  const category = pick(CATEGORIES, at);
  const status = category === 'PAYOUT' ? pick(STATUSES, at >> 1) : 'SUCCESS';
  const name = pick(NAMES, at);
  const side = category === 'PAYOUT' ? 'beneficiary' : 'originator';
  return {
    id: idOf(at, '1'),
    category,
    status,
    amount_minor: amountOf(at),
    charges_minor: at % 50,
    [`${side}_account_name`]: name,
    [`${side}_account_number`]: String(1_000_000_000 + at),
    created_at: new Date(FIRST + at * 3_600_000).toISOString(),
  };
}

function madeUpPayment(at: number) {
  const status = pick(INBOUND, at);
  return {
    id: idOf(at, '2'),
    provider_transaction_id: `p${at}`,
    status,
    reason: status === 'SUSPENSE' ? 'ACCOUNT_CLOSED' : null,
    amount_minor: amountOf(at) + 100,
    fee_minor: at % 7,
    vat_minor: at % 5,
    payer_name: at % 11 === 0 ? null : pick(NAMES, at),
    payer_account_number: String(2_000_000_000 + at),
    account_number: at % 3 === 0 ? idOf(at, '3').replaceAll('-', '') : '0123456785',
    confirmed_at: new Date(FIRST + at * 3_600_000 + 5).toISOString(),
  };
}

/** Copies the one row that there is, each time with other values. */
const copy = (table: string, where: string, values: unknown[], changes: object[]) =>
  rowsOf(
    t.connectionString,
    `insert into ${table} select copies.* from (select * from ${table} where ${where} limit 1) t
      cross join jsonb_array_elements($${values.length + 1}::jsonb) changed (row)
      cross join lateral jsonb_populate_record(null::${table}, to_jsonb(t) || changed.row) copies`,
    [...values, JSON.stringify(changes)],
  );

async function fill(to: TestMerchant): Promise<void> {
  const as = bearer(to.secretKey);
  const payout = { pin: to.pin, amount: 1, bankCode: '058', accountNumber: '0123456785', narration: 'Rent' };
  const { transactionId } = (await t.call('POST', '/payout/single', payout, as)).body.data;
  const { accounts } = (await t.call('GET', `/wallet/${to.walletId}/account`, undefined, as)).body.data;
  await t.call('POST', '/sandbox/collection/pay', { accountNumber: accounts[0].accountNumber, amount: 5 }, as);
  await t.app.worker.runOnce();
  const rows = Array.from({ length: ROWS }, (_, at) => madeUp(at));
  await copy('transactions', 'id = $1', [transactionId], rows);
  const payouts = rows.filter(({ category }) => category === 'PAYOUT');
  const rails = payouts.map(({ id }, at) => ({
    id,
    rail: pick(RAILS, at),
    rail_reference: id,
    due_at: null,
    ended_by: null,
    next_step: 'FIRE',
  }));
  await copy('payouts', 'id = $1', [transactionId], rails);
  const payments = Array.from({ length: ROWS }, (_, at) => madeUpPayment(at));
  await copy('inbound_payments', 'merchant_id = $1', [to.merchantId], payments);
}

beforeAll(async () => {
  t = await createTestApp();
  [merchant, other] = [await t.addMerchant(), await t.addMerchant()];
  for (const each of [merchant, other]) await fill(each);
});
afterAll(() => t.close());

const ask = (path: string, query = '', of = merchant) =>
  t.call('GET', `${path}${query}`, undefined, bearer(of.secretKey));
const search = (filter: Record<string, string>) => new URLSearchParams(filter).toString();

/** All of a list, in a few pages. */
async function walk(
  path: string,
  query: string,
  { size = ROWS / 3, between }: { size?: number; between?: () => Promise<unknown> } = {},
): Promise<Record<string, unknown>[]> {
  const found: Record<string, unknown>[] = [];
  for (let after = ''; ; ) {
    const { status, body, text } = await ask(path, `?size=${size}&${query}${after}`);
    expect(status, text).toBe(200);
    found.push(...body.data.records);
    if (body.data.nextCursor === null) return found;
    after = `&after=${body.data.nextCursor}`;
    await between?.();
  }
}

type Row = Record<string, unknown>;
type Model = Record<string, readonly [filter: Record<string, string>, fits: (row: Row) => boolean]>;

const day = (text: string) => Date.parse(`${text}T00:00:00+01:00`);
const at = (row: Row, name: string) => Date.parse(new Date(row[name] as string).toISOString());
const has = (text: unknown, part: string) =>
  typeof text === 'string' && text.toLowerCase().includes(part.toLowerCase());
const otherSide = (row: Row, name: string) =>
  row[
    `${row['category'] === 'PAYOUT' || row['category'] === 'SUBACCOUNT' ? 'beneficiary' : 'originator'}_account_${name}`
  ];
/** Wide enough for every row, so that filters without an index look beyond 90 days. */
const WIDE = { from: '2026-09-01' };

const TRANSACTIONS: Model = {
  none: [{}, () => true],
  from: [{ from: '2026-10-04' }, (row) => at(row, 'created_at') >= day('2026-10-04')],
  to: [{ to: '2026-10-06' }, (row) => at(row, 'created_at') < day('2026-10-06') + DAY_MS],
  status: [{ status: 'FAILED' }, (row) => row['status'] === 'FAILED'],
  statuses: [{ status: 'REVERSED,FAILED' }, (row) => ['FAILED', 'REVERSED'].includes(row['status'] as string)],
  most: [{ status: 'SUCCESS,QUEUED' }, (row) => ['SUCCESS', 'QUEUED'].includes(row['status'] as string)],
  category: [{ category: 'PAYOUT' }, (row) => row['category'] === 'PAYOUT'],
  amountFrom: [{ amountFrom: '200.01', ...WIDE }, (row) => Number(row['amount_minor']) >= 20_001],
  amountTo: [{ amountTo: '700.39', ...WIDE }, (row) => Number(row['amount_minor']) <= 70_039],
  counterparty: [{ counterparty: 'obi', ...WIDE }, (row) => has(otherSide(row, 'name'), 'obi')],
  wildcard: [{ counterparty: '_100%', ...WIDE }, (row) => has(otherSide(row, 'name'), '_100%')],
  number: [{ counterparty: '00012', ...WIDE }, (row) => has(otherSide(row, 'number'), '00012')],
  rail: [{ rail: 'north-bank', ...WIDE }, (row) => row['rail'] === 'north-bank'],
  oldest: [{ order: 'OLDEST' }, () => true],
};

const PAYMENTS: Model = {
  none: [{}, () => true],
  from: [{ from: '2026-10-04' }, (row) => at(row, 'confirmed_at') >= day('2026-10-04')],
  to: [{ to: '2026-10-06' }, (row) => at(row, 'confirmed_at') < day('2026-10-06') + DAY_MS],
  status: [{ status: 'SUSPENSE' }, (row) => row['status'] === 'SUSPENSE'],
  statuses: [{ status: 'RETURNED,CREDITED' }, (row) => ['CREDITED', 'RETURNED'].includes(row['status'] as string)],
  amountFrom: [{ amountFrom: '200.01', ...WIDE }, (row) => Number(row['amount_minor']) >= 20_001],
  amountTo: [{ amountTo: '700.39', ...WIDE }, (row) => Number(row['amount_minor']) <= 70_039],
  payer: [{ payer: 'OBI', ...WIDE }, (row) => has(row['payer_name'], 'obi')],
  number: [{ payer: '00012', ...WIDE }, (row) => has(row['payer_account_number'], '00012')],
  channel: [{ channel: 'PAGE', ...WIDE }, (row) => !/^\d{10}$/.test(row['account_number'] as string)],
  account: [{ channel: 'ACCOUNT', ...WIDE }, (row) => /^\d{10}$/.test(row['account_number'] as string)],
  oldest: [{ order: 'OLDEST' }, () => true],
};

/** Every filter by itself, and each with each: what two say of one field, the later one says. */
function pairsOf(model: Model) {
  const names = Object.keys(model);
  return names.flatMap((one, place) =>
    names.slice(place).map((two) => {
      const [first, second] = [model[one], model[two]] as [Model[string], Model[string]];
      const filter = { ...first[0], ...second[0] };
      const still = (names_: Record<string, string>) =>
        Object.entries(names_).every(([key, value]) => filter[key] === value);
      // A beginning that another filter names as well is that filter's.
      const fits = (row: Row) => [first, second].every(([given, holds]) => !still(given) || holds(row));
      return { name: `${one} and ${two}`, filter, fits };
    }),
  );
}

const LISTS = [
  {
    path: '/transaction',
    id: 'transactionId',
    model: TRANSACTIONS,
    time: 'created_at',
    fees: ['charges_minor'],
    sums: { charges: 'charges', total: 'totalAmount' },
  },
  {
    path: '/collection/payment',
    id: 'paymentId',
    model: PAYMENTS,
    time: 'id',
    fees: ['fee_minor', 'vat_minor'],
    sums: { fee: 'fee', vat: 'vat', net: 'net' },
  },
];

async function rowsOfList(path: string): Promise<Row[]> {
  const sql =
    path === '/transaction'
      ? `select t.*, p.rail from transactions t left join payouts p using (merchant_id, mode, id)
          where t.merchant_id = $1 order by t.created_at desc, t.id desc`
      : 'select * from inbound_payments where merchant_id = $1 order by id desc';
  return rowsOf<Row>(t.connectionString, sql, [merchant.merchantId]);
}

const naira = (minor: bigint) => Number(minor) / 100;

describe.each(LISTS)('the filters of GET $path', ({ path, id, model, fees, sums }) => {
  it('give what a model in memory gives, each and each with each, in pages, in totals and in the file', async () => {
    const all = await rowsOfList(path);
    for (const { name, filter, fits } of pairsOf(model)) {
      const expected = all.filter(fits);
      if (filter['order'] === 'OLDEST') expected.reverse();
      const found = await walk(path, search(filter));
      expect([name, found.map((row) => row[id])]).toEqual([name, expected.map((row) => row['id'])]);

      const { order: _, ...counted } = filter;
      const { body } = await ask(`${path}/total`, `?${search(counted)}`);
      const totals = [...Map.groupBy(expected, (row) => String(row['status']))]
        .sort(([one], [two]) => (one < two ? -1 : 1))
        .map(([status, rows]) => ({
          status,
          currency: 'NGN',
          count: rows.length,
          amount: naira(rows.reduce((sum, row) => sum + BigInt(String(row['amount_minor'])), 0n)),
          fees: naira(rows.reduce((sum, row) => fees.reduce((of, fee) => of + BigInt(String(row[fee])), sum), 0n)),
        }));
      expect([name, body.data]).toEqual([name, { isComplete: true, count: expected.length, totals }]);

      const file = await ask(
        `${path}.csv`,
        `?${search({ ...filter, columns: [id, 'amount', ...Object.keys(sums)].join() })}`,
      );
      const lines = parse(file.text, { bom: true });
      expect([name, lines.slice(1)]).toEqual([
        name,
        found.map((row) => [
          row[id],
          ...['amount', ...Object.values(sums)].map((sum) => (row[sum] as number).toFixed(2)),
        ]),
      ]);
    }
  });

  it('miss no row and repeat none while rows come in', async () => {
    const query = search({ status: path === '/transaction' ? 'FAILED,QUEUED' : 'SUSPENSE,KEPT' });
    const before = (await walk(path, query)).map((row) => row[id]);
    let made = ROWS * 10;
    const table = path === '/transaction' ? 'transactions' : 'inbound_payments';
    const between = async () => {
      const from = await rowsOf<{ id: string }>(
        t.connectionString,
        `select id from ${table} where merchant_id = $1 and status = any ($2) limit 1`,
        [merchant.merchantId, ['FAILED', 'SUSPENSE']],
      );
      const now = {
        id: idOf(made, '4'),
        created_at: new Date(FIRST + made * 3_600_000),
        provider_transaction_id: `n${made}`,
      };
      made += 1;
      await copy(table, 'id = $1', [from[0]?.id], [now]);
    };
    const seen = await walk(path, query, { size: 10, between });
    expect(made).toBeGreaterThan(ROWS * 10 + 2);
    expect(new Set(seen.map((row) => row[id])).size).toBe(seen.length);
    expect(before.filter((one) => !seen.some((row) => row[id] === one))).toEqual([]);
    await rowsOf(t.connectionString, `delete from ${table} where merchant_id = $1 and id >= $2`, [
      merchant.merchantId,
      idOf(ROWS * 10, '4'),
    ]);
  });

  it('lead to nothing of another merchant, and a cursor of other filters is refused', async () => {
    const own = (await walk(path, search({ ...WIDE, amountFrom: '1' }))).map((row) => row[id]);
    await rowsOf(
      t.connectionString,
      `delete from ${path === '/transaction' ? 'transactions' : 'inbound_payments'} where merchant_id = $1`,
      [other.merchantId],
    );
    expect((await ask(path, `?${search({ ...WIDE, amountFrom: '1' })}`, other)).body.data.totalRecords).toBe(0);
    expect((await ask(`${path}/total`, '', other)).body.data).toEqual({ isComplete: true, count: 0, totals: [] });
    expect((await walk(path, search({ ...WIDE, amountFrom: '1' }))).map((row) => row[id])).toEqual(own);
    const { nextCursor } = (await ask(path, '?size=5&amountFrom=1&from=2026-09-01')).body.data;
    for (const query of ['amountFrom=1.01&from=2026-09-01', 'amountFrom=1&from=2026-09-01&order=OLDEST']) {
      expect((await ask(path, `?${query}&after=${nextCursor}`)).body.code).toBe('CURSOR_MISMATCH');
    }
  });

  it.each([
    'status=DONE',
    'status=',
    'status=FAILED;drop table transactions',
    'amountFrom=-1',
    'amountFrom=1e3',
    'amountFrom=1.005',
    'amountFrom=99999999999999',
    'amountTo=1&amountFrom=2',
    'from=2026-02-31',
    'from=2026-10-02&to=2026-10-01',
    'order=RANDOM',
    'columns=secret',
    'columns=amount,amount',
    'rail=%27%20or%20true&channel=%27',
    'payer=a&counterparty=a',
    'payer=%00%00&counterparty=%00%00',
  ])('refuse ?%s', async (query) => {
    const replies = [
      await ask(path, `?${query}`),
      await ask(`${path}.csv`, `?${query}`),
      await ask(`${path}/total`, `?${query}`),
    ];
    expect(replies.map(({ status }) => status)).toEqual([400, 400, 400]);
  });

  it('give a file in which nothing is run, whatever somebody is called', async () => {
    const whose = path === '/transaction' ? 'beneficiary,beneficiaryAccount,fee' : 'payer,payerAccount';
    const { text, headers } = await ask(`${path}.csv`, `?columns=${whose}`);
    expect(Number(headers['content-length'])).toBe(Buffer.byteLength(text));
    const rows = parse(text, { bom: true }).slice(1);
    expect(rows.some(([name]) => name === "'=cmd|A1")).toBe(true);
    expect(rows.some(([name]) => /^[=+@-]/.test(name as string))).toBe(false);
    expect(rows.some(([, account]) => /^="\d{10}"$/.test(account as string))).toBe(true);
  });
});

describe('what is too much', () => {
  it('is not added up: a part of a sum would be a wrong number', async () => {
    const { merchantId } = merchant;
    const list = transactionList({ merchantId, mode: 'SANDBOX' }, { statuses: ['FAILED', 'QUEUED'] }, payoutDetails);
    const whole = await addUpList(t.database, { owner: merchantId }, list, ['charges_minor']);
    expect(whole.sums?.reduce((sum, { records }) => sum + records, 0)).toBe(whole.records);
    const most = whole.records - 1;
    expect(await addUpList(t.database, { owner: merchantId }, list, ['charges_minor'], most)).toEqual({
      records: most,
      sums: null,
    });
  });

  it('is not looked for any longer than a few seconds, and says so', async () => {
    const slow = lookThrough(
      t.database,
      { owner: 'm' },
      (queries) => queries.query(statement('sleep', 'select pg_sleep(1)')),
      1,
    );
    await expect(slow).rejects.toMatchObject({ code: 'SEARCH_TOO_LONG', kind: 'refused' });
  });

  it('keeps the place of nobody who has left the page', async () => {
    const owner = merchant.merchantId;
    const url = await t.app.server.listen({ port: 0, host: '127.0.0.1' });
    const held = Promise.withResolvers<void>();
    const others = Array.from({ length: 49 }, () => lookThrough(t.app.database, { owner }, () => held.promise));
    const isFull = async () => {
      const asking = new AbortController();
      let refused = false;
      lookThrough(t.app.database, { owner, gone: asking.signal }, async () => undefined).catch(() => {
        refused = !asking.signal.aborted;
      });
      await new Promise((resolve) => setImmediate(resolve));
      asking.abort();
      return refused;
    };
    expect(await isFull()).toBe(false);
    const page = new AbortController();
    const headers = bearer(merchant.secretKey);
    // Refused where it comes just while a look has the last place: then it asks again.
    const open = (): Promise<unknown> =>
      fetch(`${url}/transaction?counterparty=ADA`, { headers, signal: page.signal }).then(
        ({ status }) => (status === 503 ? open() : status),
        () => 'left',
      );
    const left = open();
    await vi.waitFor(async () => expect(await isFull()).toBe(true), MEANWHILE);
    page.abort();
    expect(await left).toBe('left');
    await vi.waitFor(async () => expect(await isFull()).toBe(false), MEANWHILE);
    held.resolve();
    await Promise.all(others);
  });

  it('is not read for somebody who has gone', async () => {
    const gone = new AbortController();
    let pieces = 0;
    const reading = makeExport(
      t.database,
      merchant.merchantId,
      async function* () {
        for (;;) {
          pieces += 1;
          if (pieces === 3) gone.abort();
          yield 'a line';
        }
      },
      { gone: gone.signal },
    );
    await expect(reading).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(pieces).toBe(3);
  });
});
