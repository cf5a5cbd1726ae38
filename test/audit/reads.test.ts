import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pageOperations } from '../operator/operator-operations.ts';
import { createTestApp, type TestApp } from '../support/app.ts';
import { sampleRequest } from '../support/operations.ts';
import { browser, signedInMember, signedInOperator, TEST_PASSWORD, type TestPerson } from '../support/people.ts';
import { bearer, issueKey, rowsOf } from '../support/world.ts';

let t: TestApp;
let owner: TestPerson;

beforeAll(async () => {
  t = await createTestApp();
  owner = await signedInMember(t, t.merchant.merchantId, 'OWNER');
  await owner.refresh();
});
afterAll(() => t.close());

interface Entry {
  merchant_id: string;
  actor_kind: string;
  actor_id: string;
  outcome: string;
  category: string | null;
  action: string;
  subject: string;
}

const entriesOf = (requestId: unknown) =>
  rowsOf<Entry>(t.connectionString, 'select * from audit_entries where request_id = $1 order by id', [requestId]);

async function traceOf(reply: { headers: Record<string, unknown> }) {
  const entries = await entriesOf(reply.headers['x-request-id']);
  return entries.map(({ actor_kind, actor_id, outcome, category }) => [actor_kind, actor_id, outcome, category]);
}

/** What holds nobody's details: counts, prices, rails and their health, the proof. */
const IMPERSONAL = [
  'GET /operator/announcement',
  'GET /operator/bank',
  'GET /operator/overview',
  'GET /operator/overview/figures',
  'GET /operator/fee',
  'GET /operator/rail',
  'GET /operator/rail/{railId}/balance',
  'GET /operator/float',
  'GET /operator/verify',
  'GET /operator/webhook/failing',
];

describe('a read of the operator’s staff', () => {
  const reads = () => pageOperations(t.app, 'Operator').filter(({ method }) => method === 'GET');

  it('leaves who looked at what, unless nobody’s details are in the answer', async () => {
    const operator = await signedInOperator(t);
    const { merchantId } = t.merchant;
    for (const operation of reads()) {
      const known = { merchantId, railId: 'sandbox', mode: 'SANDBOX' };
      const { method, url } = sampleRequest(operation, known);
      const reply = await operator.call(method, url);
      const of = ['OPERATOR', operator.personId];
      const asked = [...of, 'ASKED', 'PERSONAL_DATA'];
      const end = [...of, reply.status < 400 ? 'DONE' : 'REFUSED', 'PERSONAL_DATA'];
      // What is wrong with a request is said before it is asked for.
      const trace = reply.status === 400 ? [end] : [asked, end];
      expect(await traceOf(reply), operation.name).toEqual(IMPERSONAL.includes(operation.name) ? [] : trace);
    }
    const seen = await owner.call('GET', '/audit?category=PERSONAL_DATA');
    expect(seen.body.data.records[0]).toMatchObject({
      actor: { kind: 'OPERATOR', personId: null },
      category: 'PERSONAL_DATA',
    });
  });

  it('is one entry again and again, and another reader is always another', async () => {
    const [ada, ngozi] = [await signedInOperator(t), await signedInOperator(t)];
    const { merchantId } = await t.addMerchant();
    const look = (who: TestPerson) => who.call('GET', `/operator/merchant/${merchantId}`);
    for (let at = 0; at < 20; at += 1) expect((await look(ada)).status).toBe(200);
    await look(ngozi);
    const again = browser(t);
    await again.call('POST', '/session', { email: ada.email, password: TEST_PASSWORD });
    await again.call('GET', `/operator/merchant/${merchantId}`);
    const rows = await rowsOf<{ actor_id: string; session_id: string }>(
      t.connectionString,
      `select actor_id, session_id from audit_entries where merchant_id = $1 and outcome = 'DONE' order by id`,
      [merchantId],
    );
    expect(rows.map(({ actor_id }) => actor_id)).toEqual([ada.personId, ngozi.personId, ada.personId]);
    expect(new Set(rows.map(({ session_id }) => session_id)).size).toBe(3);
    t.clock.advance(15 * 60_000);
    await look(ada);
    expect(
      (await rowsOf(t.connectionString, 'select 1 from audit_entries where merchant_id = $1', [merchantId])).length,
    ).toBe(8);
  });

  it('shows nothing where it cannot be recorded', async () => {
    const operator = await signedInOperator(t);
    await t.database.pool.query('alter table audit_entries rename to audit_entries_away');
    try {
      const reply = await operator.call('GET', `/operator/merchant/${t.merchant.merchantId}`);
      expect([reply.status, reply.body.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
    } finally {
      await t.database.pool.query('alter table audit_entries_away rename to audit_entries');
    }
  });
});

describe('a secret or a document that is opened', () => {
  it('leaves who opened it: a person, or a program by its key', async () => {
    const developer = await signedInMember(t, t.merchant.merchantId, 'DEVELOPER');
    const byHand = await developer.call('GET', '/webhook/secret');
    expect(byHand.status).toBe(200);
    expect(await traceOf(byHand)).toEqual([
      ['PERSON', developer.personId, 'ASKED', 'KEYS'],
      ['PERSON', developer.personId, 'DONE', 'KEYS'],
    ]);
    for (const method of ['GET', 'POST'] as const) {
      const { key, keyId } = await issueKey(t, t.merchant.merchantId, 'SANDBOX');
      const path = method === 'GET' ? '/webhook/secret' : '/webhook/secret/rotate';
      const byKey = await t.call(method, path, method === 'GET' ? undefined : {}, bearer(key));
      expect([byKey.status, byKey.text]).toEqual([200, expect.stringContaining('whsec_')]);
      expect(await traceOf(byKey)).toEqual([
        ['KEY', keyId, 'ASKED', 'KEYS'],
        ['KEY', keyId, 'DONE', 'KEYS'],
      ]);
    }
    const whole = await rowsOf<{ text: string }>(t.connectionString, 'select e::text as text from audit_entries e');
    expect(whole.map(({ text }) => text).join()).not.toContain('whsec_');
  });

  it('leaves which document it was, also where there is none', async () => {
    const id = '01930000-0000-7000-8000-00000000dead';
    const reply = await owner.call('GET', `/onboarding/document/${id}/content`);
    const entries = await entriesOf(reply.headers['x-request-id']);
    expect(entries.map(({ outcome, category }) => [outcome, category])).toEqual([
      ['ASKED', 'PERSONAL_DATA'],
      ['REFUSED', 'PERSONAL_DATA'],
    ]);
    expect(JSON.parse(entries[0]?.subject ?? '')).toEqual({ documentId: id });
  });

  it('is changed by a program under its key: a webhook address', async () => {
    const { key, keyId } = await issueKey(t, t.merchant.merchantId, 'SANDBOX');
    const body = { sandboxWebhookURL: 'https://adire.example/hooks/secret-path' };
    const entries = await entriesOf(
      (await t.call('PATCH', '/merchant/info', body, bearer(key))).headers['x-request-id'],
    );
    expect(entries.at(-1)).toMatchObject({ actor_kind: 'KEY', actor_id: keyId, category: 'SETTINGS', outcome: 'DONE' });
    expect(entries.at(-1)?.subject).toBe('{"sandboxWebhookURL":"adire.example"}');
  });
});

describe('a key', () => {
  beforeAll(() => owner.refresh());

  it('leaves its making, changing, rotating and revoking, with its id', async () => {
    const made = await owner.call('POST', '/key', { name: 'Till', kind: 'SECRET' });
    const { keyId } = made.body.data;
    const changed = await owner.call('PATCH', `/key/${keyId}`, { name: 'Till 2' });
    const rotated = await owner.call('POST', `/key/${keyId}/rotate`, {});
    const revoked = await owner.call('POST', `/key/${keyId}/revoke`);
    const ends = [];
    for (const reply of [made, changed, rotated, revoked]) {
      const end = (await entriesOf(reply.headers['x-request-id'])).at(-1);
      ends.push([end?.outcome, end?.category, JSON.parse(end?.subject ?? '{}')]);
    }
    expect(ends).toEqual([
      ['DONE', 'KEYS', { name: 'Till', kind: 'SECRET', keyId }],
      ['DONE', 'KEYS', { name: 'Till 2', keyId }],
      ['DONE', 'KEYS', { keyId, overlapSeconds: 86_400, newKeyId: rotated.body.data.keyId }],
      ['DONE', 'KEYS', { keyId }],
    ]);
  });

  it('is found among ten thousand other actions, by its kind and on the first page', async () => {
    const { keyId } = (await owner.call('POST', '/key', { name: 'Hidden?', kind: 'SECRET' })).body.data;
    await t.database.pool.query(
      `insert into audit_entries (merchant_id, id, mode, at, action, summary, outcome, subject, actor_kind, actor_name)
       select $1, gen_random_uuid(), 'SANDBOX', now() + make_interval(secs => n), 'POST /branch/store', 'Make a store',
              'DONE', '{}', 'PERSON', 'Somebody busy'
         from generate_series(1, 10000) n`,
      [t.merchant.merchantId],
    );
    const { body } = await owner.call('GET', '/audit?category=KEYS&size=2');
    expect(body.data.records[0]).toMatchObject({ action: 'POST /key', subject: { keyId } });
    const file = (await owner.call('GET', '/audit.csv?category=KEYS')).text;
    expect(file).toContain('Hidden?');
    expect(file).not.toContain('POST /branch/store');
    const operator = await signedInOperator(t);
    const all = await operator.call('GET', '/operator/audit?category=KEYS&size=2');
    expect(all.body.data.records[0]).toMatchObject({ action: 'POST /key', subject: { keyId } });
  });
});
