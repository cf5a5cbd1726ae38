import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { passedOver } from '../../src/ledger/index.ts';
import type { Database } from '../../src/platform/db/database.ts';
import { arrayOf, columnArrays, rowsFor } from '../../src/platform/db/statement.ts';
import { newId } from '../../src/platform/ids.ts';
import { createJobMonitor } from '../../src/platform/jobs/job-monitor.ts';
import { createLogger } from '../../src/platform/logger.ts';
import type { Tenant } from '../../src/platform/tenant.ts';
import { fillIndex, fillIndexes, indexFiller, rebuildIndexes } from '../../src/search/index.ts';
import { upsertDocuments } from '../../src/search/queries.ts';
import { STORE_DEBITS } from '../../src/search/source-queries.ts';
import { verifyBooks } from '../../src/verify/index.ts';
import { bearerOf, createTestApp, type TestApp, type TestMerchant } from '../support/app.ts';
import { stillClock } from '../support/clock.ts';
import { dyingAt } from '../support/dying-database.ts';
import { signedInMember, signedInOperator, type TestPerson } from '../support/people.ts';
import { issueKey, rowsOf } from '../support/world.ts';

let t: TestApp;
let shop: TestMerchant;
let other: TestMerchant;
let owner: TestPerson;
let operator: TestPerson;
const made: Record<string, string> = {};

interface Hit {
  type: string;
  id: string;
  title: string;
  reference: string | null;
  exact: boolean;
}

const must = async (merchant: TestMerchant, method: 'GET' | 'POST' | 'PATCH', path: string, body?: unknown) => {
  const reply = await t.call(method, path, body, bearerOf(merchant));
  if (reply.status !== 200) throw new Error(`${method} ${path}: ${reply.status} ${reply.text}`);
  return reply.body.data;
};
const tenantOf = ({ merchantId }: TestMerchant): Tenant => ({ merchantId, mode: 'SANDBOX' });
const fill = (merchant: TestMerchant) => fillIndex({ database: t.database }, tenantOf(merchant));
const ask = (q: string, merchant = shop) =>
  t.call('GET', `/search?q=${encodeURIComponent(q)}`, undefined, bearerOf(merchant));
const hits = async (q: string, merchant = shop): Promise<Hit[]> => {
  const reply = await ask(q, merchant);
  expect(reply.status, `${q}: ${reply.text}`).toBe(200);
  return reply.body.data.hits;
};
const found = async (q: string, type: string, merchant = shop): Promise<string[]> =>
  (await hits(q, merchant)).filter((hit) => hit.type === type).map(({ id }) => id);

const payout = (accountNumber: string, amount: number, more = {}) => ({
  pin: shop.pin,
  amount,
  bankCode: '058',
  accountNumber,
  narration: 'Rent',
  allowDuplicate: true,
  ...more,
});

async function makeOneOfEach(): Promise<void> {
  const single = payout('0000999901', 25_000.5, { reference: 'INV-2024/0077' });
  made['payout'] = (await must(shop, 'POST', '/payout/single', single)).transactionId;
  made['payee'] = (await must(shop, 'GET', `/transaction/${made['payout']}`)).beneficiaryAccountName;
  const items = [
    { amount: 777, bankCode: '058', accountNumber: '0123456785', narration: 'Pay', accountName: 'Zoë Ángström' },
  ];
  made['batch'] = (await must(shop, 'POST', '/payout/bulk', { items })).batchReference;
  await t.app.worker.runOnce();
  await must(shop, 'POST', '/payout/bulk/dispatch', { pin: shop.pin, batchReference: made['batch'] });
  made['customer'] = (
    await must(shop, 'POST', '/customer', { name: "Ada O'Neil", email: 'ada@fabric.example' })
  ).customerId;
  const account = { bankCode: '058', accountNumber: '0000999901', nickname: 'Landlord' };
  made['beneficiary'] = (await must(shop, 'POST', '/beneficiary', account)).beneficiaryId;
  made['debit'] = (
    await must(shop, 'POST', '/branch/store/debit', {
      pin: shop.pin,
      amount: 12,
      storeId: shop.storeIds[0],
      narration: 'Sweep',
    })
  ).transactionId;
  const credit = { amount: 4_321, subaccountId: shop.subaccountIds[0], narration: 'Deposit of March' };
  made['transfer'] = (await must(shop, 'POST', '/subaccount/credit', credit)).transactionId;
  const { accounts } = await must(shop, 'GET', `/wallet/${shop.walletId}/account`);
  const paid = { accountNumber: accounts[0].accountNumber, amount: 650.25 };
  await must(shop, 'POST', '/sandbox/collection/pay', paid);
  for (let runs = 0; runs < 10; runs += 1) await t.app.worker.runOnce();
  const payments = await must(shop, 'GET', '/collection/payment');
  made['payment'] = payments.records[0].paymentId;
  made['paymentSession'] = payments.records[0].sessionId;
  made['payer'] = payments.records[0].payer.name;
  const refund = { pin: shop.pin, amount: 123.45, note: 'Broken chair', reference: 'RET-7' };
  made['refund'] = (await must(shop, 'POST', `/collection/payment/${made['payment']}/refund`, refund)).refundId;
  await t.app.worker.runOnce();
}

beforeAll(async () => {
  t = await createTestApp();
  shop = t.merchant;
  other = await t.addMerchant({ name: 'Kente House' });
  owner = await signedInMember(t, shop.merchantId, 'OWNER');
  operator = await signedInOperator(t);
  await makeOneOfEach();
  await fill(shop);
  await fill(other);
});
afterAll(() => t.close());

const hexOf = (id: string) => id.replaceAll('-', '');

describe('GET /search', () => {
  it('finds a payout by the name that the bank gave, by any part of it and in any order', async () => {
    const words = (made['payee'] as string).toLowerCase().split(' ');
    for (const q of [made['payee'] as string, words.toReversed().join(' '), (words[0] as string).slice(0, 3)])
      expect(await found(q, 'PAYOUT'), q).toContain(made['payout']);
  });

  it('finds a payout by the name that a list gave, without its accents', async () => {
    const [id] = await found('zoe angstrom', 'PAYOUT');
    const one = await must(shop, 'GET', `/transaction/${id}`);
    expect(one.batchReference).toBe(made['batch']);
    expect(await found('ZOË ÁNG', 'PAYOUT')).toEqual([id]);
  });

  it('finds a payout by the beginning, the middle and the end of its reference, and by its id', async () => {
    const hex = hexOf(made['payout'] as string);
    for (const part of [hex, `MNL${hex}`, made['payout'] as string, hex.slice(0, 12), hex.slice(11, 20), hex.slice(-6)])
      expect(await found(part, 'PAYOUT'), part).toContain(made['payout']);
    for (const part of ['INV-2024/0077', 'inv2024', '2024/0077', '0077', 'v-20240'])
      expect(await found(part, 'PAYOUT'), part).toContain(made['payout']);
  });

  it('finds a payout by its amount however it is written, and says that this is exact', async () => {
    for (const q of ['25000.50', '25,000.5', '₦25,000.50', 'NGN 25000.50']) {
      const [hit] = await hits(q);
      expect(hit, q).toMatchObject({ type: 'PAYOUT', id: made['payout'], exact: true });
    }
    expect(await found('25,000', 'PAYOUT')).toEqual([]);
  });

  it('finds a payout by account number and by the session id that the bank answered', async () => {
    const [row] = await rowsOf<{ session_id: string }>(
      t.connectionString,
      'select session_id from payouts where id = $1',
      [made['payout']],
    );
    const sessionId = row?.session_id ?? '';
    expect(sessionId).toMatch(/^\d{30}$/);
    for (const q of ['0000999901', '9999', sessionId, sessionId.slice(-8)])
      expect(await found(q, 'PAYOUT'), q).toContain(made['payout']);
  });

  it('finds payments in, batches, beneficiaries, customers, stores, subaccounts, transfers and people', async () => {
    const expected: [string, string, string][] = [
      [made['payer'] as string, 'PAYMENT', made['payment'] as string],
      ['650.25', 'PAYMENT', made['payment'] as string],
      [made['paymentSession'] as string, 'PAYMENT', made['payment'] as string],
      [
        made['batch'] as string,
        'BATCH',
        (made['batch'] as string).replace(/^MNB(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'),
      ],
      ['broken chair', 'REFUND', made['refund'] as string],
      ['RET-7', 'REFUND', made['refund'] as string],
      ['123.45', 'REFUND', made['refund'] as string],
      [made['payer'] as string, 'REFUND', made['refund'] as string],
      [made['refund'] as string, 'REFUND', made['refund'] as string],
      ['landlord', 'BENEFICIARY', made['beneficiary'] as string],
      ['oneil', 'CUSTOMER', made['customer'] as string],
      ["ADA O'NEIL", 'CUSTOMER', made['customer'] as string],
      ['ada@fab', 'CUSTOMER', made['customer'] as string],
      ['ike', 'STORE', shop.storeIds[0] as string],
      ['rent', 'SUBACCOUNT', shop.subaccountIds[0] as string],
      ['march', 'TRANSACTION', made['transfer'] as string],
      ['4321', 'TRANSACTION', made['transfer'] as string],
      [`MNL${hexOf(made['debit'] as string)}`, 'TRANSACTION', made['debit'] as string],
    ];
    for (const [q, type, id] of expected) expect(await found(q, type), `${type} by ${q}`).toContain(id);
    const people = await owner.call('GET', `/search?q=${encodeURIComponent('owner per')}`);
    expect(people.body.data.hits[0]).toMatchObject({ type: 'PERSON', id: owner.personId, status: 'OWNER' });
  });

  it('lists at most eight of a type, exact ones first and then the newest, and says that there is more', async () => {
    const names = Array.from({ length: 10 }, (_, at) => `Obi Number ${at}`);
    for (const name of ['Obi', ...names]) await must(other, 'POST', '/customer', { name, email: 'obi@x.example' });
    await fill(other);
    const { hits: all, more } = (await ask('obi', other)).body.data;
    expect(all.map(({ title }: Hit) => title)).toEqual(['Obi', ...names.toReversed().slice(0, 7)]);
    expect(more).toEqual(['CUSTOMER']);
  });

  it('finds nothing of another merchant, or of the other mode', async () => {
    const known = [
      made['payee'],
      'angstrom',
      hexOf(made['payout'] as string),
      made['payer'],
      'landlord',
      '25000.50',
      '4321.00',
    ];
    for (const q of [...known, made['paymentSession'], 'INV-2024/0077', made['debit'], made['batch'], 'owner'])
      expect(await hits(q as string, other), q).toEqual([]);
    const live = await owner.call('GET', `/search?q=${made['payment']}`, undefined, { 'x-mode': 'LIVE' });
    expect(live.body.data.hits).toEqual([]);
  });

  it('finds only what the caller may read', async () => {
    const types = async (scopes: string[]) => {
      const { key } = await issueKey(t, shop.merchantId, 'SANDBOX', { scopes });
      const answers = await Promise.all(
        [
          '0000999901',
          'INV-2024/0077',
          'landlord',
          'ike',
          '650.25',
          made['batch'] as string,
          made['debit'] as string,
          made['payment'] as string,
        ].map((q) =>
          t.call('GET', `/search?q=${encodeURIComponent(q)}`, undefined, { authorization: `Bearer ${key}` }),
        ),
      );
      const found = answers.flatMap(({ body }) => body.data.hits.map(({ type }: Hit) => type) as string[]);
      return [...new Set(found)].toSorted((a, b) => a.localeCompare(b));
    };
    expect(await types(['transaction:read'])).toEqual(['PAYOUT', 'TRANSACTION']);
    expect(await types(['transaction:read', 'store:read'])).toEqual(['PAYOUT', 'STORE', 'TRANSACTION']);
    expect(await types(['transaction:read', 'payout:read'])).toEqual(['BATCH', 'BENEFICIARY', 'PAYOUT', 'TRANSACTION']);
    const viewer = await signedInMember(t, shop.merchantId, 'VIEWER');
    expect((await viewer.call('GET', '/search?q=viewer')).body.data.hits).toEqual([]);
    const open = await t.call('GET', '/search?q=ada', undefined, { authorization: `Bearer ${shop.publicKey}` });
    expect([open.status, open.body.code]).toEqual([403, 'KEY_TYPE_NOT_ALLOWED']);
  });

  it('answers whatever is typed, soon and with a clear word', async () => {
    for (const q of ['%', '_', '%%%', "'", '"', '\\', 'a', '👍', '…', ' ', '李'])
      expect([q, (await ask(q)).body.code]).toEqual([q, 'SEARCH_TOO_SHORT']);
    expect((await ask('\u0000ada')).body.code).toBe('NUL_CHARACTER');
    expect((await ask('')).status).toBe(400);
    expect((await ask('a'.repeat(10_000))).status).toBeGreaterThanOrEqual(400);
    expect((await t.call('GET', '/search')).status).toBe(400);
    const odd = [
      "%' or 1=1 --",
      'ad%a',
      'a_a b_b',
      'ﺍﻟﻌﺮﺑﻴﺔ',
      '李明 王',
      'ẹ̀kọ́ ọmọ',
      '\\ab\\',
      'a'.repeat(100),
      '1'.repeat(100),
    ];
    for (const q of odd) expect([q, (await ask(q)).status]).toEqual([q, 200]);
    expect(await hits('%%%ada')).toEqual(await hits('ada'));
  });
});

describe('the index behind the books', () => {
  const documents = () =>
    rowsOf(t.connectionString, 'select * from search_documents where merchant_id = $1 order by kind, subject_id', [
      shop.merchantId,
    ]);
  const texts = async () =>
    await rowsOf<{ text: string }>(
      t.connectionString,
      'select kind, subject_id, text from search_documents where merchant_id = $1 order by kind, subject_id',
      [shop.merchantId],
    );

  it('says how far it is, and is complete once the worker has run', async () => {
    await must(shop, 'POST', '/customer', { name: 'Nkem Late', email: 'n@late.example' });
    expect((await ask('late')).body.data).toMatchObject({ hits: [], index: { complete: false, waitingEvents: 1 } });
    await fillIndexes(t, 'SANDBOX');
    const { hits: late, index } = (await ask('late')).body.data;
    expect(late).toHaveLength(1);
    expect(index).toEqual({ complete: true, filling: false, waitingEvents: 0 });
  });

  it('is the same after a crash in any step, after events that are read twice, and after a rebuild', async () => {
    const before = await texts();
    // Also the order in which it is filled anew is another one than that of the events.
    await rebuildIndexes({ database: t.database }, shop.merchantId);
    expect((await ask('landlord')).body.data.index.filling).toBe(true);
    for (let step = 0; step < 60; step += 1) {
      const dying = dyingAt(t.database, step);
      await fillIndex({ database: dying }, tenantOf(shop)).catch((error: Error) => expect(error.message).toBe('died'));
    }
    await fill(shop);
    expect(await texts()).toEqual(before);
    const settled = await documents();
    await t.database.pool.query('update search_cursors set event_sequence = 0 where merchant_id = $1', [
      shop.merchantId,
    ]);
    expect(await fill(shop)).toBe(0);
    expect(await documents()).toEqual(settled);
  });

  it('gives each document its own tokens where several are written at once, also one that has none', async () => {
    const place = { merchant_id: newId(), mode: 'SANDBOX', kind: 'STORE', era: 0, created_at: new Date() } as const;
    const document = (text: string, tokens_from: number, tokens_to: number) => ({
      ...{ ...place, subject_id: newId(), amount_minor: null, text, tokens_from, tokens_to },
    });
    const rows = [document('a', 1, 2), document('b', 3, 2), document('c', 3, 3)];
    const columns = columnArrays(...rowsFor(upsertDocuments, rows));
    await t.database.query(upsertDocuments, [...columns, arrayOf('integer', [7, -8, 9])]);
    const written = 'select text, tokens from search_documents where merchant_id = $1 order by text';
    expect(await rowsOf(t.connectionString, written, [place.merchant_id])).toEqual([
      { text: 'a', tokens: [7, -8] },
      { text: 'b', tokens: [] },
      { text: 'c', tokens: [9] },
    ]);
    await t.database.pool.query('delete from search_documents where merchant_id = $1', [place.merchant_id]);
  });

  it('passes the events of store debits over, and no other', async () => {
    const rows = await rowsOf<{ subject_id: string }>(
      t.connectionString,
      'select subject_id from events where merchant_id = $1 and type = $2 and data like $3',
      [shop.merchantId, ...passedOver(STORE_DEBITS).slice(0, 2)],
    );
    expect(rows.map(({ subject_id: id }) => id)).toEqual([made['debit']]);
  });

  it('passes merchants who only had debits of stores together, without a transaction for each', async () => {
    await fillIndexes(t, 'SANDBOX');
    const debits = [shop, other].flatMap((merchant) => [merchant, merchant]);
    for (const merchant of debits) {
      const debit = { pin: merchant.pin, amount: 3, storeId: merchant.storeIds[0], narration: 'Sweep' };
      await must(merchant, 'POST', '/branch/store/debit', debit);
    }
    const waiting = async (merchant: TestMerchant) => (await ask('sweep', merchant)).body.data.index.waitingEvents;
    expect([await waiting(shop), await waiting(other)]).toEqual([2, 2]);
    const { database, counted } = counting(t.database);
    await fillIndexes({ ...t, database }, 'SANDBOX');
    // Whom to look at, who has something new, and one that passes them.
    expect(counted).toEqual({ transactions: 0, statements: 3 });
    expect([await waiting(shop), await waiting(other)]).toEqual([0, 0]);
  });

  it('leaves many merchants alone for two seconds who only had debits of stores, and looks at the others each time', async () => {
    const many = Array.from({ length: 120 }, () => newId()).sort();
    const books = (sql: string) => t.database.pool.query(sql, [many]);
    await books(`insert into books (merchant_id, mode, event_sequence) select unnest($1::uuid[]), 'SANDBOX', 0`);
    await books(
      `insert into search_cursors (merchant_id, mode, event_sequence) select unnest($1::uuid[]), 'SANDBOX', 0`,
    );
    const goOn = (by: number, ids = many) =>
      t.database.pool.query(
        'update books set event_sequence = event_sequence + $2 where merchant_id = any($1::uuid[])',
        [ids, by],
      );
    const behind = async () =>
      (
        await rowsOf<{ merchant_id: string }>(
          t.connectionString,
          `select merchant_id from books b join search_cursors c using (merchant_id, mode)
            where merchant_id = any($1::uuid[]) and b.event_sequence > c.event_sequence order by 1`,
          [many],
        )
      ).map(({ merchant_id }) => merchant_id);
    let ms = 0;
    const run = indexFiller({ ...t, clock: { ...t.clock, elapsedMs: () => ms } }, 'SANDBOX');
    // Of the first one more happens than may wait.
    await goOn(2);
    await goOn(30, many.slice(0, 1));
    await run();
    expect(await behind()).toEqual([]);
    await goOn(2);
    await must(shop, 'POST', '/customer', { name: 'Ife Sooner', email: 'i@sooner.example' });
    ms = 1_999;
    await run();
    expect(await behind()).toEqual(many.slice(1));
    expect((await ask('sooner')).body.data.hits).toHaveLength(1);
    ms = 2_000;
    await run();
    expect(await behind()).toEqual([]);
    await books('delete from search_cursors where merchant_id = any($1::uuid[])');
    await books('delete from books where merchant_id = any($1::uuid[])');
  });

  it('is filled for a new merchant, who has few rows, in one transaction, and then read on once', async () => {
    const late = await t.addMerchant({ name: 'Late Comers' });
    const { database, counted } = counting(t.database);
    await fillIndex({ database }, tenantOf(late));
    // What it wrote is merged into the index of tokens beside that.
    expect(counted).toEqual({ transactions: 2, statements: 1 });
    expect((await ask('late', late)).body.data.index).toEqual({ complete: true, filling: false, waitingEvents: 0 });
  });

  it.each([
    ['few', {}],
    ['many', { fewBooks: 0 }],
  ])(
    'goes on for everybody else where it cannot be written for one of %s merchants, who is left alone for a while',
    async (_, options) => {
      const clock = stillClock();
      const jobs = createJobMonitor({ clock, logger: createLogger('silent') });
      const run = indexFiller({ ...t, clock, jobs }, 'SANDBOX', options);
      await run();
      const unread = () =>
        rowsOf(
          t.connectionString,
          `select merchant_id from books b join search_cursors c using (merchant_id, mode)
          where mode = 'SANDBOX' and c.event_sequence < b.event_sequence`,
        );
      const constraint = `add constraint poison check (merchant_id <> '${shop.merchantId}') not valid`;
      await t.database.pool.query(`alter table search_cursors ${constraint}`);
      try {
        for (const name of ['Uche One', 'Uche Two', 'Uche Three']) {
          // What is written, and what is passed in a set.
          for (const merchant of [shop, other])
            await must(merchant, 'POST', '/customer', { name, email: 'poison@x.example' });
          await run();
          expect(await unread()).toEqual([{ merchant_id: shop.merchantId }]);
          expect(jobs.backingOff()).toEqual([{ job: 'search.fill', mode: 'SANDBOX', count: 1 }]);
          for (const merchant of [shop, other]) {
            const debit = { pin: merchant.pin, amount: 3, storeId: merchant.storeIds[0], narration: 'Sweep' };
            await must(merchant, 'POST', '/branch/store/debit', debit);
          }
          await run();
          expect(await unread()).toEqual([{ merchant_id: shop.merchantId }]);
        }
      } finally {
        await t.database.pool.query('alter table search_cursors drop constraint poison');
      }
      clock.advance(1_000);
      await run();
      expect(await unread()).toEqual([]);
      expect(jobs.backingOff()).toEqual([]);
    },
  );

  it('is read from the first table again where another release left off in one that is unknown here', async () => {
    const before = await texts();
    await t.database.pool.query(
      `update search_cursors set filling = 'a_table_of_another_release', filled_to = null
        where merchant_id = $1 and mode = 'SANDBOX'`,
      [shop.merchantId],
    );
    await t.database.pool.query('delete from search_documents where subject_id = $1', [made['payment']]);
    await fill(shop);
    expect(await texts()).toEqual(before);
    expect((await ask('landlord')).body.data.index).toEqual({ complete: true, filling: false, waitingEvents: 0 });
  });

  it('lets a beneficiary go that was removed', async () => {
    await must(other, 'POST', '/beneficiary', { bankCode: '058', accountNumber: '0000999901', nickname: 'Gone Soon' });
    await fill(other);
    const [id] = await found('gone soon', 'BENEFICIARY', other);
    await t.call('DELETE', `/beneficiary/${id}`, undefined, bearerOf(other));
    expect(await found('gone soon', 'BENEFICIARY', other)).toEqual([]);
    await fill(other);
    expect(await rowsOf(t.connectionString, 'select 1 from search_documents where subject_id = $1', [id])).toEqual([]);
  });

  it('is held against the books by the proof', async () => {
    const wrong = async () =>
      (await verifyBooks(t.database)).checks.filter(({ ok }) => !ok).map(({ name, violations }) => [name, violations]);
    expect(await wrong()).toEqual([]);
    const taken = `delete from search_documents where subject_id = $1 returning *`;
    await t.database.pool.query(taken, [made['payment']]);
    expect(await wrong()).toEqual([['what-is-searched-is-what-is-there', 1]]);
    await rebuildIndexes({ database: t.database }, shop.merchantId);
    await fill(shop);
    expect(await wrong()).toEqual([]);
  });

  it('finds what is rare and what is frequent over several eras', async () => {
    await t.database.pool.query(
      `update search_counts set documents = documents + 50000 where merchant_id = $1 and mode = 'SANDBOX'`,
      [shop.merchantId],
    );
    await must(shop, 'POST', '/customer', { name: 'Ada Later', email: 'later@x.example' });
    await fill(shop);
    // The id of any customer may have these three digits, too.
    const named = (await hits('ada')).filter(({ type, title }) => type === 'CUSTOMER' && title.startsWith('Ada'));
    expect(named.map(({ title }) => title)).toEqual(['Ada Later', "Ada O'Neil"]);
  });
});

describe('GET /operator/search', () => {
  const seek = async (q: string) =>
    (await operator.call('GET', `/operator/search?q=${encodeURIComponent(q)}`)).body.data.hits;

  it('finds merchants, people, and whole references of any merchant with the merchant named', async () => {
    expect(await seek('kente')).toMatchObject([
      { type: 'MERCHANT', id: other.merchantId, merchantName: 'Kente House' },
    ]);
    expect(await seek(owner.email)).toMatchObject([{ type: 'PERSON', id: owner.personId, merchantName: 'Adire & Co' }]);
    expect(await seek(operator.email)).toMatchObject([{ type: 'PERSON', merchantId: null }]);
    for (const [q, type, id] of [
      [made['payout'], 'PAYOUT', made['payout']],
      [`MNL${hexOf(made['debit'] as string)}`, 'TRANSACTION', made['debit']],
      ['INV-2024/0077', 'PAYOUT', made['payout']],
      [made['paymentSession'], 'PAYMENT', made['payment']],
    ] as string[][])
      expect(await seek(q as string), q).toMatchObject([
        { type, id, merchantName: 'Adire & Co', mode: 'SANDBOX', exact: true },
      ]);
    expect(await seek('landlord')).toEqual([]);
  });

  it('is for the operator alone', async () => {
    expect((await owner.call('GET', '/operator/search?q=kente')).status).toBe(403);
    expect((await t.call('GET', '/operator/search?q=kente')).status).toBe(403);
    expect((await operator.call('GET', '/operator/search?q=%25%25')).body.code).toBe('SEARCH_TOO_SHORT');
  });
});

/** Counts what is asked of it. */
function counting(database: Database): { database: Database; counted: { transactions: number; statements: number } } {
  const counted = { transactions: 0, statements: 0 };
  const counts: Database = {
    ...database,
    transaction(work, options) {
      counted.transactions += 1;
      return database.transaction(work, options);
    },
    query(statement, values) {
      counted.statements += 1;
      return database.query(statement, values);
    },
    run(into, rows) {
      counted.statements += 1;
      return database.run(into, rows);
    },
  };
  return { database: counts, counted };
}
