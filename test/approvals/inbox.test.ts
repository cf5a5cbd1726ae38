import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bearer, issueKey, rowsOf } from '../support/world.ts';
import {
  approve,
  type Business,
  business,
  type Call,
  callWith,
  codeOf,
  createTestApp,
  expectBooksRight,
  type Person,
  payment,
  personOf,
  reject,
  type TestApp,
  waitingPayout,
} from './approval-fixture.ts';

let t: TestApp;
beforeAll(async () => {
  t = await createTestApp();
});
afterAll(async () => {
  await expectBooksRight(t);
  await t.close();
});

interface Listed {
  approvalId: string;
  status: string;
  kind: string;
  mayDecide: boolean;
  madeFrom: string | null;
}

const pageOf = async (by: Call, query: string) => {
  const reply = await by('GET', `/approval?${query}`);
  expect(reply.status, reply.text).toBe(200);
  return reply.body.data as { records: Listed[]; totalRecords: number; totalPages: number; totalIsExact: boolean };
};
const idsOf = async (by: Call, query: string) => (await pageOf(by, query)).records.map(({ approvalId }) => approvalId);

/** Of everybody something, by hand and by keys, waiting and over. */
async function busy(): Promise<Business & { viewer: Person; ownersKey: Call }> {
  const shop = await business(t, [
    { fromAmount: 0, approvals: 1 },
    { fromAmount: 5_000, approvals: 2 },
  ]);
  const viewer = await personOf(t, shop.merchant, 'VIEWER');
  const { keyId, key } = await issueKey(t, shop.merchant.merchantId, 'SANDBOX');
  await t.database.pool.query('update api_keys set created_by = $2 where id = $1', [keyId, shop.owner.personId]);
  const ownersKey = callWith(t, bearer(key));
  for (const by of [shop.maker.call, shop.owner.call, ownersKey, shop.byKey]) await waitingPayout(by);
  await approve(shop.ann, await waitingPayout(shop.maker.call));
  await reject(shop.ben, await waitingPayout(shop.byKey));
  await approve(shop.ann, await waitingPayout(shop.maker.call, { amount: 6_000 }));
  const scheduledFor = new Date(t.clock.now().getTime() + 60_000).toISOString();
  expect(codeOf(await shop.owner.call('POST', '/payout/single/schedule', payment({ scheduledFor })))).toBe('DONE');
  expect(codeOf(await shop.owner.call('PATCH', '/payout/limit', { perPayout: 9_000, perDay: null }))).toBe('DONE');
  return { ...shop, viewer, ownersKey };
}

describe('the list of approvals', () => {
  it('has for each person exactly what they may decide about, and for a key nothing', async () => {
    const shop = await busy();
    for (const { call } of [shop.owner, shop.maker, shop.ann, shop.ben, shop.viewer]) {
      const { records } = await pageOf(call, 'size=200');
      const may = records.filter(({ mayDecide }) => mayDecide).map(({ approvalId }) => approvalId);
      expect(await idsOf(call, 'inbox=TO_DECIDE&size=200')).toEqual(may);
      expect((await pageOf(call, 'inbox=TO_DECIDE&size=1')).totalRecords).toBe(may.length);
    }
    expect((await pageOf(shop.ann.call, 'inbox=TO_DECIDE')).totalRecords).toBe(6);
    expect((await pageOf(shop.ben.call, 'inbox=TO_DECIDE')).totalRecords).toBe(7);
    expect((await pageOf(shop.owner.call, 'inbox=TO_DECIDE')).totalRecords).toBe(3);
    for (const nobody of [shop.maker.call, shop.viewer.call, shop.byKey, shop.ownersKey]) {
      expect(await pageOf(nobody, 'inbox=TO_DECIDE')).toMatchObject({ totalRecords: 0, records: [] });
    }
  });

  it('has what a person or a key made, by hand or by a key of theirs, and what waits no longer', async () => {
    const shop = await busy();
    const all = (await pageOf(shop.ann.call, 'size=200')).records;
    expect((await pageOf(shop.maker.call, 'inbox=MINE')).totalRecords).toBe(3);
    expect((await pageOf(shop.owner.call, 'inbox=MINE')).totalRecords).toBe(4);
    expect((await pageOf(shop.ownersKey, 'inbox=MINE')).totalRecords).toBe(4);
    expect((await pageOf(shop.byKey, 'inbox=MINE')).totalRecords).toBe(2);
    expect((await pageOf(shop.ann.call, 'inbox=MINE')).totalRecords).toBe(0);
    const { personId } = shop.owner;
    expect(await idsOf(shop.ann.call, `madeBy=${personId}`)).toEqual(await idsOf(shop.owner.call, 'inbox=MINE'));
    expect((await pageOf(shop.maker.call, `inbox=MINE&madeBy=${personId}`)).totalRecords).toBe(0);
    const over = all.filter(({ status }) => status !== 'PENDING').map(({ approvalId }) => approvalId);
    expect(over).toHaveLength(2);
    expect(await idsOf(shop.viewer.call, 'inbox=DECIDED')).toEqual(over);
    expect((await pageOf(shop.viewer.call, 'inbox=DECIDED&status=PENDING')).totalRecords).toBe(0);
    expect((await pageOf(shop.owner.call, 'inbox=MINE&kind=LIMIT&status=PENDING')).totalRecords).toBe(1);
  });

  it('is cut by the day on which things were made, and by page', async () => {
    const shop = await busy();
    const { call } = shop.ann;
    const now = t.clock.now().getTime();
    const at = (ms: number) => encodeURIComponent(new Date(now + ms).toISOString());
    expect((await pageOf(call, `from=${at(-60_000)}&to=${at(60_000)}`)).totalRecords).toBe(9);
    expect((await pageOf(call, `from=${at(60_000)}`)).totalRecords).toBe(0);
    expect((await pageOf(call, `to=${at(-60_000)}`)).totalRecords).toBe(0);
    expect(codeOf(await call('GET', '/approval?from=soon'))).toBe('400 VALIDATION_FAILED');
    expect(codeOf(await call('GET', '/approval?inbox=ALL'))).toBe('400 VALIDATION_FAILED');
    const paged: string[] = [];
    for (const page of [1, 2, 3]) paged.push(...(await idsOf(call, `inbox=TO_DECIDE&size=2&page=${page}`)));
    expect(paged).toEqual(await idsOf(call, 'inbox=TO_DECIDE&size=200'));
  });

  it('finds what waits behind any number of newer ones', async () => {
    const shop = await business(t);
    const old = await waitingPayout(shop.maker.call);
    const columns = await rowsOf<{ name: string }>(
      t.connectionString,
      `select column_name as name from information_schema.columns where table_name = 'approvals'`,
      [],
    );
    const changed: Record<string, string> = {
      id: 'gen_random_uuid()',
      subject_id: 'gen_random_uuid()',
      status: `'WITHDRAWN'`,
      made_by: `'${shop.owner.personId}'`,
    };
    const names = columns.map(({ name }) => name);
    // Ids of theirs sort behind every one of ours.
    changed['id'] = `overlay(gen_random_uuid()::text placing 'ffff' from 1 for 4)::uuid`;
    await t.database.pool.query(
      `insert into approvals (${names.join()}) select ${names.map((name) => changed[name] ?? name).join()}
         from approvals, generate_series(1, 500) where id = $1`,
      [old.approvalId],
    );
    expect((await pageOf(shop.ann.call, '')).totalRecords).toBe(501);
    expect(await idsOf(shop.ann.call, 'inbox=TO_DECIDE')).toEqual([old.approvalId]);
    expect(await idsOf(shop.maker.call, 'inbox=MINE')).toEqual([old.approvalId]);
    expect((await pageOf(shop.owner.call, 'inbox=MINE&size=25&page=20')).records).toHaveLength(25);
    await t.database.pool.query(`delete from approvals where merchant_id = $1 and id <> $2`, [
      shop.merchant.merchantId,
      old.approvalId,
    ]);
  });
});

describe('from where something was asked for', () => {
  it('is shown to those who decide, and to nobody else', async () => {
    const shop = await business(t);
    const viewer = await personOf(t, shop.merchant, 'VIEWER');
    const { approvalId, digest } = await waitingPayout(shop.maker.call);
    const seenBy = async (by: Call) => (await by('GET', `/approval/${approvalId}`)).body.data.madeFrom;
    expect(await seenBy(shop.ann.call)).toBe('127.0.0.1');
    expect((await pageOf(shop.ann.call, 'size=1')).records[0]?.madeFrom).toBe('127.0.0.1');
    for (const by of [shop.maker.call, viewer.call, shop.byKey]) expect(await seenBy(by)).toBeNull();
    expect((await approve(shop.ann, { approvalId, digest })).body.data.madeFrom).toBe('127.0.0.1');
    const told = await rowsOf<{ data: string }>(
      t.connectionString,
      'select data from events where merchant_id = $1 and subject_id = $2',
      [shop.merchant.merchantId, approvalId],
    );
    expect(told).toHaveLength(2);
    for (const { data } of told) expect(JSON.stringify(data)).not.toContain('127.0.0.1');
  });
});
