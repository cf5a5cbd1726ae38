import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { customerList } from '../../src/customers/queries.ts';
import { newId } from '../../src/platform/ids.ts';
import { rowsBeyond } from '../../src/platform/lists/queries.ts';
import { bearerOf, createTestApp, type TestApp, type TestMerchant } from '../support/app.ts';
import { planOf } from '../support/plans.ts';
import { brokenChecks } from '../support/proof.ts';

let t: TestApp;
let other: TestMerchant;

beforeAll(async () => {
  t = await createTestApp();
  other = await t.addMerchant();
});
afterAll(async () => {
  expect(await brokenChecks(t.database)).toEqual([]);
  await t.close();
});

const ADA = { name: 'Ada Obi', email: 'Ada@Example.com', phoneNumber: '2348012345678', metadata: { since: 2019 } };
const add = async (body: object = ADA) => (await t.call('POST', '/customer', body)).body.data;

describe('a customer', () => {
  it('is kept as it was written, and found by how its name or address begins', async () => {
    const { customerId, ...made } = await add();
    expect(made).toMatchObject({ ...ADA, version: 1 });
    await add({ name: 'Bola Ige', email: 'bola@example.com' });
    expect((await t.call('GET', `/customer/${customerId}`)).body.data.email).toBe('Ada@Example.com');
    const found = async (search: string) =>
      (await t.call('GET', `/customer?search=${encodeURIComponent(search)}`)).body.data.records.map(
        (one: { name: string }) => one.name,
      );
    expect(await found('ada o')).toEqual(['Ada Obi']);
    expect(await found('ADA@EXAMPLE.COM')).toEqual(['Ada Obi']);
    expect(await found('bola@')).toEqual(['Bola Ige']);
    expect(await found('Obi')).toEqual([]);
    for (const nobody of ['%', '_', 'ada_', 'adb', 'ad\\']) expect([nobody, await found(nobody)]).toEqual([nobody, []]);
    // Both begin with it: one customer all the same.
    expect(await found('ada')).toEqual(['Ada Obi']);
    expect(await found('')).toEqual(['Bola Ige', 'Ada Obi']);
  });

  it('is found through an index of names and one of addresses, however many there are', async () => {
    const { merchantId } = await t.addMerchant();
    await t.database.pool.query(
      `insert into customers
       select $1, 'SANDBOX', gen_random_uuid(), 'Name ' || n, n || '@example.com', null, null, 1, now(), now()
         from generate_series(1, 5000) n`,
      [merchantId],
    );
    await t.database.pool.query('analyze customers');
    const list = customerList({ merchantId, mode: 'SANDBOX' }, 'ada');
    for (const key of [undefined, [newId()]]) {
      const plan = await planOf(t.database, rowsBeyond(list, { direction: 'after', key, limit: 51 }));
      for (const column of ['name', 'email']) {
        expect(plan).toMatch(
          new RegExp(`using customers_by_${column} on .*\\n *Index Cond: .*lower\\(${column}\\) ~>=~ \\$3`),
        );
      }
      expect(plan).not.toMatch(/Seq Scan|customers_pk/);
    }
    await t.database.pool.query('delete from customers where merchant_id = $1', [merchantId]);
  });

  it('is never merged with another of the same name and address', async () => {
    const twin = { name: 'Taiwo', email: 'twin@example.com' };
    const [one, two] = [await add(twin), await add(twin)];
    expect(one.customerId).not.toBe(two.customerId);
  });

  it('changes in what is named, also where two change it at once', async () => {
    const { customerId } = await add();
    const change = (body: object) => t.call('PATCH', `/customer/${customerId}`, body);
    const answers = await Promise.all([
      change({ name: 'Ada Eze' }),
      change({ email: 'eze@example.com' }),
      change({ phoneNumber: null }),
      change({ metadata: null }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((await t.call('GET', `/customer/${customerId}`)).body.data).toMatchObject({
      ...{ name: 'Ada Eze', email: 'eze@example.com', phoneNumber: null, metadata: null, version: 5 },
    });
  });

  it('is nobody else’s: not read, not changed, not named by a session', async () => {
    const { customerId } = await add();
    const as = bearerOf(other);
    const answers = [
      await t.call('GET', `/customer/${customerId}`, undefined, as),
      await t.call('PATCH', `/customer/${customerId}`, { name: 'Mine' }, as),
      await t.call('POST', '/collection/session', { amount: 5, customerId }, as),
    ];
    for (const answer of answers) expect(answer).toMatchObject({ status: 404, body: { code: 'CUSTOMER_NOT_FOUND' } });
    expect((await t.call('GET', '/customer', undefined, as)).body.data.records).toEqual([]);
  });

  it.each([
    ['no address', { name: 'Ada' }],
    ['half an address', { name: 'Ada', email: 'ada@' }],
    ['an invisible name', { name: 'A\u200bda', email: 'a@b.co' }],
    ['a letter in the phone number', { name: 'Ada', email: 'a@b.co', phoneNumber: '080x' }],
    ['a field that there is not', { name: 'Ada', email: 'a@b.co', accounts: [] }],
  ])('with %s is refused', async (_what, body) => {
    expect(await t.call('POST', '/customer', body)).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_FAILED' },
    });
  });
});

describe('a payment session of a customer', () => {
  it('has the customer’s name and address of that moment, and is listed by the customer', async () => {
    const { customerId } = await add();
    const opened = await t.call('POST', '/collection/session', { amount: 5, customerId });
    const { metadata: _, ...person } = ADA;
    expect(opened.body.data).toMatchObject({ customerId, linkId: null, customer: person });
    await t.call('PATCH', `/customer/${customerId}`, { name: 'Ada Eze' });
    const { records } = (await t.call('GET', `/collection/session?customerId=${customerId}`)).body.data;
    expect(records).toMatchObject([{ sessionId: opened.body.data.sessionId, customer: person }]);
  });

  it('may name somebody else as its payer, and belongs to the customer all the same', async () => {
    const { customerId } = await add();
    const customer = { name: 'Her Brother', email: 'brother@example.com' };
    const { body } = await t.call('POST', '/collection/session', { amount: 5, customerId, customer });
    expect(body.data).toMatchObject({ customerId, customer });
  });

  it('is of no customer because of a name or address', async () => {
    const { customerId: _, ...known } = await add();
    const customer = { name: known.name, email: known.email };
    expect((await t.call('POST', '/collection/session', { amount: 5, customer })).body.data.customerId).toBeNull();
  });

  it('needs a payer or a customer', async () => {
    expect(await t.call('POST', '/collection/session', { amount: 5 })).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'customer' }] },
    });
  });

  it('is opened by no public key in a customer’s name', async () => {
    const { customerId } = await add();
    const settings = { publicKeys: true, allowedOrigins: ['https://shop.example'], maxAmount: 100 };
    await t.call('PATCH', '/collection/settings', settings);
    const publicly = { authorization: `Bearer ${t.merchant.publicKey}`, origin: 'https://shop.example' };
    expect(await t.call('POST', '/collection/session', { amount: 5, customerId }, publicly)).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'customerId' }] },
    });
  });
});
