import { afterAll, beforeAll, expect, it } from 'vitest';
import { actionWords } from '../../src/audit/action-words.ts';
import { createTestApp, type TestApp } from '../support/app.ts';
import { allOperationsOf } from '../support/operations.ts';
import { signedInMember } from '../support/people.ts';

let t: TestApp;
beforeAll(async () => {
  t = await createTestApp();
});
afterAll(() => t.close());

it('says in the audit log of everything that can be done that it was done, and not what an operation is for', () => {
  const writing = allOperationsOf(t.app).filter(({ method }) => method !== 'GET');
  expect(writing.length).toBeGreaterThan(100);
  const actions = writing.map(({ method, path }) => `${method} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`);
  actions.push('sign-in', 'sign-up', 'join', 'password-reset', 'revoke-key');
  expect(actions.filter((action) => actionWords(action, '') === '')).toEqual([]);
});

it('says of what the operator did about a business nothing that its own people would read as being about another', async () => {
  const owner = await signedInMember(t, t.merchant.merchantId, 'OWNER');
  const about = allOperationsOf(t.app)
    .filter(({ path }) => path.startsWith('/operator/merchant/{merchantId}'))
    .map(({ method, path }) => `${method} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`);
  expect(about.length).toBeGreaterThan(10);
  const words = [...about, 'POST /operator/limit', 'POST /operator/limit/end'].map((action) => actionWords(action, ''));
  expect(words.filter((said) => /\b(a|the) merchants?\b/.test(said))).toEqual([]);
  const opened = `insert into audit_entries select (jsonb_populate_record(a, jsonb_build_object('id', gen_random_uuid(),
    'action', 'GET /operator/merchant/:merchantId', 'summary', 'One merchant', 'actor_kind', 'OPERATOR'))).*
    from audit_entries a where merchant_id = $1 limit 1`;
  await owner.call('POST', '/branch/store', { name: 'Ojota' });
  expect((await t.database.pool.query(opened, [t.merchant.merchantId])).rowCount).toBe(1);
  const { records } = (await owner.call('GET', '/audit?action=page%20of%20the%20business')).body.data;
  expect(records).toEqual([
    expect.objectContaining({
      summary: 'Opened the page of the business',
      actor: expect.objectContaining({ name: 'The operator' }),
    }),
  ]);
});

it('finds an entry of the audit log by the words that its reader sees, in any order, and by none that it does not see', async () => {
  const owner = await signedInMember(t, t.merchant.merchantId, 'OWNER');
  const maker = await signedInMember(t, t.merchant.merchantId, 'MAKER');
  await maker.call('POST', '/branch/store', { name: 'Ajah' });
  const found = async (words: string) => {
    const query = new URLSearchParams({ person: maker.personId, action: words, once: 'true' }).toString();
    const { body, text } = await owner.call('GET', `/audit?${query}`);
    expect(body.status, text).toBe(true);
    const file = await owner.call('GET', `/audit.csv?${query}`);
    return [body.data.records.map((each: { summary: string }) => each.summary), file.text.includes('Opened a store')];
  };
  const one = [['Opened a store'], true];
  for (const words of ['Opened a store', 'opened', ' STORE  opened ', 'POST /branch/store']) {
    expect(await found(words), words).toEqual(one);
  }
  // What the operation is for, as the entry keeps it for good.
  const [kept] = (await t.database.pool.query(`select summary from audit_entries where action = 'POST /branch/store'`))
    .rows;
  expect(kept.summary).not.toBe('Opened a store');
  for (const words of [kept.summary, 'opened an account', '%']) expect(await found(words), words).toEqual([[], false]);
});

it('finds by its own words what the log has no others for', async () => {
  const owner = await signedInMember(t, t.merchant.merchantId, 'OWNER');
  const former = `insert into audit_entries select (jsonb_populate_record(a, jsonb_build_object('id', gen_random_uuid(),
    'action', 'POST /former', 'summary', 'Do what is not here any more'))).* from audit_entries a
    where merchant_id = $1 limit 1`;
  expect((await t.database.pool.query(former, [t.merchant.merchantId])).rowCount).toBe(1);
  const { records } = (await owner.call('GET', '/audit?action=not%20here%20any')).body.data;
  expect(records.map((each: { summary: string }) => each.summary)).toEqual(['Do what is not here any more']);
});
