import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pageOperations } from '../operator/operator-operations.ts';
import { createTestApp, type TestApp } from '../support/app.ts';
import { type Operation, operationsOf, sampleRequest } from '../support/operations.ts';
import { signedInMember, signedInOperator, type TestPerson } from '../support/people.ts';
import { rowsOf } from '../support/world.ts';

let t: TestApp;

beforeAll(async () => {
  t = await createTestApp();
});
afterAll(() => t.close());

interface Entry {
  outcome: string;
  code: string | null;
  action: string;
  subject: string;
  whole: string;
}

const entriesOf = (requestId: unknown) =>
  rowsOf<Entry>(
    t.connectionString,
    `select outcome, code, action, subject, e::text as whole from audit_entries e where request_id = $1 order by id`,
    [requestId],
  );

/** What must never stand in a log, by the field that carries it. */
const SECRETS: Record<string, string> = {
  pin: '739518',
  bvn: '22299988877',
  password: 'a password that nobody may read 1',
  newPassword: 'another password that nobody may read 2',
  token: 'a-token-that-nobody-may-read-0123456789',
  code: '918273',
};

async function leavesItsTrace(person: TestPerson, operation: Operation): Promise<void> {
  const known = { merchantId: t.merchant.merchantId, railId: 'sandbox', mode: 'SANDBOX', ...SECRETS };
  const { method, url, body } = sampleRequest(operation, known);
  const reply = await person.call(method, url, body);
  const entries = await entriesOf(reply.headers['x-request-id']);
  const said = `${operation.name} answered ${reply.status} ${reply.text.slice(0, 200)}`;
  expect(entries.length, said).toBeGreaterThan(0);
  const last = entries.at(-1);
  expect(last?.outcome, said).toBe(reply.status < 400 ? 'DONE' : 'REFUSED');
  expect(last?.code ?? null, said).toBe(reply.status < 400 ? null : reply.body.code);
  if (reply.status < 400) expect(entries[0]?.outcome, said).toBe('ASKED');
  for (const { whole } of entries) {
    for (const secret of Object.values(SECRETS)) expect(whole).not.toContain(secret);
  }
}

describe('every change that somebody asks for with a session', () => {
  it('is on record with what became of it and without secrets, for a merchant’s person', async () => {
    const operations = [...operationsOf(t.app), ...pageOperations(t.app, 'Dashboard')].filter(
      ({ method, path }) =>
        method !== 'GET' && !/^\/(sign-up|invitation|password|session|auth|second-factor)/.test(path),
    );
    expect(operations.length).toBeGreaterThan(30);
    const owner = await signedInMember(t, t.merchant.merchantId, 'OWNER');
    for (const operation of operations) await leavesItsTrace(owner, operation);
  });

  it('is on record for one of the operator’s staff', async () => {
    const operator = await signedInOperator(t);
    const operations = pageOperations(t.app, 'Operator').filter(({ method }) => method !== 'GET');
    for (const operation of operations) await leavesItsTrace(operator, operation);
  });

  it('is on record where the role does not allow it', async () => {
    const viewer = await signedInMember(t, t.merchant.merchantId, 'VIEWER');
    const reply = await viewer.call('POST', '/branch/store', { name: 'Yaba' });
    expect(reply.status).toBe(403);
    const entries = await entriesOf(reply.headers['x-request-id']);
    expect(entries.map(({ outcome, code }) => [outcome, code])).toEqual([['REFUSED', reply.body.code]]);
  });

  it('is on record where the PIN was wrong', async () => {
    const owner = await signedInMember(t, t.merchant.merchantId, 'OWNER');
    const body = { pin: '9173', amount: 10, storeId: t.merchant.storeIds[0], narration: 'sweep' };
    const reply = await owner.call('POST', '/branch/store/debit', body);
    expect(reply.body.code).toBe('PIN_INVALID');
    const entries = await entriesOf(reply.headers['x-request-id']);
    expect(entries.map(({ outcome, code }) => [outcome, code])).toEqual([
      ['ASKED', null],
      ['REFUSED', 'PIN_INVALID'],
    ]);
    expect(JSON.parse(entries[0]?.subject ?? '')).toEqual({
      amount: 10,
      storeId: t.merchant.storeIds[0],
      narration: 'sweep',
    });
  });

  it('does not happen where it cannot be recorded', async () => {
    const owner = await signedInMember(t, t.merchant.merchantId, 'OWNER');
    const stores = async () => (await owner.call('GET', '/branch/store')).body.data.totalRecords as number;
    const before = await stores();
    await t.database.pool.query('alter table audit_entries rename to audit_entries_away');
    try {
      const reply = await owner.call('POST', '/branch/store', { name: 'Surulere' });
      expect([reply.status, reply.body.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
    } finally {
      await t.database.pool.query('alter table audit_entries_away rename to audit_entries');
    }
    expect(await stores()).toBe(before);
  });
});

describe('a merchant reads its own log', () => {
  it('newest first, with who did it, and by person, by words and by day', async () => {
    const owner = await signedInMember(t, t.merchant.merchantId, 'OWNER');
    const maker = await signedInMember(t, t.merchant.merchantId, 'MAKER');
    await maker.call('POST', '/branch/store', { name: 'Ajah' });
    const { body } = await owner.call('GET', `/audit?person=${maker.personId}&action=store`);
    expect(body.data.records.map((each: { outcome: string }) => each.outcome)).toEqual(['DONE', 'ASKED']);
    expect(body.data.records[0]).toMatchObject({
      actor: { kind: 'PERSON', personId: maker.personId, name: 'MAKER Person', role: 'MAKER' },
      action: 'POST /branch/store',
      code: null,
      subject: { name: 'Ajah' },
      mode: 'SANDBOX',
      ip: '127.0.0.1',
    });
    expect((await owner.call('GET', '/audit?to=2020-01-01')).body.data.records).toEqual([]);
    const pages = await owner.call('GET', '/audit?size=1&page=2');
    expect(pages.body.data.records).toHaveLength(1);
  });

  it('each action once where it is asked for, and then nothing that ended reads as if it had not', async () => {
    const owner = await signedInMember(t, t.merchant.merchantId, 'OWNER');
    const maker = await signedInMember(t, t.merchant.merchantId, 'MAKER');
    for (const name of ['Epe', 'Ikorodu', 'Ikorodu']) await maker.call('POST', '/branch/store', { name });
    const list = async (query: string) => {
      const { body, text } = await owner.call('GET', `/audit?person=${maker.personId}&action=store&${query}`);
      expect(body.status, text).toBe(true);
      return body.data as { totalRecords: number; records: { outcome: string; requestId: string }[] };
    };
    const all = await list('size=50');
    expect(all.totalRecords).toBe(6);
    const once: string[] = [];
    for (const page of [1, 2, 3]) {
      const { totalRecords, records } = await list(`once=true&size=1&page=${page}`);
      expect(totalRecords).toBe(3);
      once.push(...records.map(({ outcome }) => outcome));
    }
    expect(once).not.toContain('ASKED');
    // Cut off between the two: it was asked for, and nobody knows how it ended.
    const { requestId } = all.records[0] ?? { requestId: '' };
    const alone = `insert into audit_entries select (jsonb_populate_record(a, jsonb_build_object('id', gen_random_uuid(),
      'request_id', 'cut-off'))).* from audit_entries a where request_id = $1 and outcome = 'ASKED'`;
    expect((await t.database.pool.query(alone, [requestId])).rowCount).toBe(1);
    expect((await list('once=true')).totalRecords).toBe(4);
    const unfinished = await list('once=true&outcome=ASKED');
    expect(unfinished.records.map((each) => each.requestId)).toEqual(['cut-off']);
    expect((await list('outcome=ASKED')).totalRecords).toBe(4);
    expect((await list('outcome=DONE')).totalRecords + (await list('outcome=REFUSED')).totalRecords).toBe(3);
  });

  it('as a file that a spreadsheet reads as UTF-8 and in which no cell is a formula', async () => {
    const owner = await signedInMember(t, t.merchant.merchantId, 'OWNER');
    await owner.call('POST', '/branch/store', { name: '=cmd|calc' });
    const { text, headers } = await owner.call('GET', '/audit.csv');
    expect(headers['content-type']).toContain('text/csv');
    expect(text.split('\r\n')[0]).toMatch(/^\ufeffat,who,role,/);
    expect(text).toContain('name: =cmd|calc');
    expect(text).not.toMatch(/(^|,)"?=/m);
  });

  it('and never another’s, nor who of the operator’s staff did something, nor what they noted', async () => {
    const other = await t.addMerchant();
    const operator = await signedInOperator(t);
    const limit = { merchantId: other.merchantId, mode: 'LIVE', perPayout: 5, reason: 'as agreed by phone' };
    expect((await operator.call('POST', '/operator/limit', limit)).status).toBe(200);
    const owner = await signedInMember(t, other.merchantId, 'OWNER');
    const { body, text } = await owner.call('GET', '/audit?action=limit');
    expect(body.data.records[0]).toMatchObject({
      actor: { kind: 'OPERATOR', personId: null, name: 'The operator' },
      ip: null,
      subject: { perPayout: 5 },
    });
    expect(text).not.toContain(operator.email);
    const mine = await signedInMember(t, t.merchant.merchantId, 'OWNER');
    expect((await mine.call('GET', '/audit?action=limit&size=200')).text).not.toContain(other.merchantId);
  });

  it('but only with a role that may', async () => {
    for (const role of ['MAKER', 'APPROVER', 'VIEWER', 'DEVELOPER'] as const) {
      const person = await signedInMember(t, t.merchant.merchantId, role);
      expect((await person.call('GET', '/audit')).body.code).toBe('PERMISSION_NOT_GRANTED');
      expect((await person.call('GET', '/audit.csv')).status).toBe(403);
    }
  });
});

describe('the operator reads the logs of all', () => {
  it('with the names of staff and merchants, or of one merchant', async () => {
    const operator = await signedInOperator(t);
    const { merchantId } = await t.addMerchant({ name: 'Kano Textiles' });
    await operator.call('POST', `/operator/merchant/${merchantId}/suspend`, { reason: 'asked by the regulator' });
    const { body } = await operator.call('GET', `/operator/audit?merchantId=${merchantId}`);
    expect(body.data.records.map((each: { outcome: string }) => each.outcome)).toEqual(['DONE', 'ASKED']);
    expect(body.data.records[0]).toMatchObject({
      merchantId,
      businessName: 'Kano Textiles',
      actor: { kind: 'OPERATOR', personId: operator.personId, name: operator.email },
      subject: { reason: 'asked by the regulator', merchantId },
    });
    expect((await operator.call('GET', '/operator/audit')).body.data.totalRecords).toBeGreaterThan(2);
    expect((await operator.call('GET', '/operator/audit.csv')).text).toContain('Kano Textiles');
  });
});
