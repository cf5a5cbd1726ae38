import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { personOf } from '../approvals/approval-fixture.ts';
import { createTestApp, type TestApp, type TestMerchant } from '../support/app.ts';
import { bearer } from '../support/world.ts';

let t: TestApp;
let other: TestMerchant;
type Person = Awaited<ReturnType<typeof personOf>>;
let ada: Person;
let bola: Person;
let stranger: Person;

beforeAll(async () => {
  t = await createTestApp();
  other = await t.addMerchant();
  ada = await personOf(t, t.merchant, 'MAKER');
  bola = await personOf(t, t.merchant, 'VIEWER');
  stranger = await personOf(t, other, 'OWNER');
});
afterAll(() => t.close());

const VIEW = {
  list: 'PAYOUTS',
  name: 'Failed',
  filter: { status: 'FAILED', period: 'month' },
  columns: ['to', 'amount'],
};
const save = (person: Person, change: object = {}) => person.call('POST', '/saved-view', { ...VIEW, ...change });
const viewsOf = async (person: Person, list = 'PAYOUTS') =>
  (await person.call('GET', `/saved-view?list=${list}`)).body.data.views as Record<string, unknown>[];
const namesOf = async (person: Person, list?: string) => (await viewsOf(person, list)).map(({ name }) => name);
const codeOf = ({ status, body }: { status: number; body: { code?: string } }) => `${status} ${body.code}`;

async function clear(person: Person, list?: string): Promise<void> {
  for (const view of await viewsOf(person, list)) {
    if (view['isOwn'] === true) await person.call('DELETE', `/saved-view/${String(view['viewId'])}`);
  }
}

describe('a saved view', () => {
  it('is one person’s, in one mode and list, and keeps what it was given', async () => {
    const { status, body } = await save(ada);
    expect([status, body.data.views]).toMatchObject([
      200,
      [{ ...VIEW, isOwn: true, isShared: false, isDefault: false }],
    ]);
    const { viewId } = body.data.views[0];
    expect(await namesOf(ada, 'TRANSACTIONS')).toEqual([]);
    expect(
      (await ada.call('GET', '/saved-view?list=PAYOUTS', undefined, { 'x-mode': 'LIVE' })).body.data.views,
    ).toEqual([]);
    for (const person of [bola, stranger]) {
      expect(await namesOf(person)).toEqual([]);
      expect(codeOf(await person.call('PATCH', `/saved-view/${viewId}`, { name: 'Mine' }))).toBe(
        '404 SAVED_VIEW_NOT_FOUND',
      );
      expect(codeOf(await person.call('DELETE', `/saved-view/${viewId}`))).toBe('404 SAVED_VIEW_NOT_FOUND');
    }
    expect(await namesOf(ada)).toEqual(['Failed']);
    expect((await t.call('GET', '/saved-view?list=PAYOUTS', undefined, bearer(t.merchant.secretKey))).body.code).toBe(
      'PERSON_REQUIRED',
    );
    await clear(ada);
    expect(await namesOf(ada)).toEqual([]);
  });

  it('is shared to be looked at, until its person leaves', async () => {
    await save(ada, { isShared: true, isDefault: true });
    const [seen] = await viewsOf(bola);
    expect(seen).toMatchObject({ name: 'Failed', isOwn: false, isShared: true, isDefault: false });
    expect(codeOf(await bola.call('PATCH', `/saved-view/${String(seen?.['viewId'])}`, { isShared: false }))).toBe(
      '404 SAVED_VIEW_NOT_FOUND',
    );
    expect(await namesOf(stranger)).toEqual([]);
    const gone = await personOf(t, t.merchant, 'MAKER');
    await save(gone, { name: 'Of somebody who leaves', isShared: true });
    expect(await namesOf(bola)).toEqual(['Failed', 'Of somebody who leaves']);
    await t.database.pool.query('update people set disabled_at = now() where id = $1', [gone.personId]);
    expect(await namesOf(bola)).toEqual(['Failed']);
    await clear(ada);
  });

  it('has a name once, whatever its case, and gives way to a new default of its list', async () => {
    await save(ada, { list: 'TRANSACTIONS', isDefault: true });
    await save(ada, { isDefault: true });
    expect(codeOf(await save(ada, { name: ' fAILED ' }))).toBe('409 SAVED_VIEW_NAME_TAKEN');
    const { body } = await save(ada, { name: 'Returned', isDefault: true });
    const defaults = (await viewsOf(ada)).filter(({ isDefault }) => isDefault);
    expect(defaults.map(({ name }) => name)).toEqual(['Returned']);
    const { viewId } = body.data.views.find(({ name }: { name: string }) => name === 'Returned');
    expect(codeOf(await ada.call('PATCH', `/saved-view/${viewId}`, { name: 'failed' }))).toBe(
      '409 SAVED_VIEW_NAME_TAKEN',
    );
    expect((await ada.call('PATCH', `/saved-view/${viewId}`, { isDefault: false, columns: [] })).status).toBe(200);
    expect(await viewsOf(ada)).toMatchObject([
      { name: 'Failed', isDefault: false },
      { name: 'Returned', isDefault: false, columns: [], filter: VIEW.filter },
    ]);
    expect(await viewsOf(ada, 'TRANSACTIONS')).toMatchObject([{ name: 'Failed', isDefault: true }]);
    for (const list of ['TRANSACTIONS', 'PAYOUTS']) await clear(ada, list);
  });

  it('is one of thirty, also where many are saved at one moment', async () => {
    const replies = await Promise.all(Array.from({ length: 34 }, (_, at) => save(ada, { name: `View ${at}` })));
    const taken = replies.filter(({ status }) => status === 200);
    for (let at = taken.length; at < 30; at += 1) await save(ada, { name: `Again ${at}` });
    expect((await namesOf(ada)).length).toBe(30);
    expect(codeOf(await save(ada, { name: 'One more' }))).toBe('409 SAVED_VIEWS_TOO_MANY');
    expect((await save(ada, { list: 'TRANSACTIONS' })).status).toBe(200);
    await clear(ada);
  });

  it.each([
    ['no name', { name: '' }],
    ['a name of spaces', { name: '   ' }],
    ['a name that is too long', { name: 'x'.repeat(61) }],
    ['a mark that turns the direction of writing', { name: 'a\u202eb' }],
    ['a list that there is not', { list: 'MERCHANTS' }],
    ['a field that no list has', { filter: { merchantId: 'x' } }],
    ['a filter that is too long', { filter: { search: 'x'.repeat(201) } }],
    ['a column that is no word', { columns: ['a;drop'] }],
    ['a column twice', { columns: ['to', 'to'] }],
    ['somebody else’s id', { personId: 'x' }],
  ])('is refused with %s', async (_what, change) => {
    expect(codeOf(await save(ada, change))).toBe('400 VALIDATION_FAILED');
  });

  it('is called what it was called, whatever that would be elsewhere', async () => {
    for (const name of ["'; drop table saved_views; --", '<script>alert(1)</script>', '=1+1', 'Ọbáfẹ́mi ₦', '%_']) {
      expect((await save(ada, { name })).status, name).toBe(200);
      expect(await namesOf(ada)).toContain(name.normalize('NFC'));
    }
    await clear(ada);
  });
});
