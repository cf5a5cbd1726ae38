import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestApp, type Reply, type TestApp } from '../support/app.ts';
import { signedInMember, signedInOperator, type TestPerson } from '../support/people.ts';
import { rowsOf } from '../support/world.ts';
import { checked } from './operator-operations.ts';

let t: TestApp;
let merchantId: string;
let otherId: string;
let operator: TestPerson;
let owner: TestPerson;
let viewer: TestPerson;
let stranger: TestPerson;

beforeAll(async () => {
  t = await createTestApp();
  merchantId = t.merchant.merchantId;
  otherId = (await t.addMerchant({ name: 'Other Foods' })).merchantId;
  operator = checked(t.app, await signedInOperator(t));
  owner = checked(t.app, await signedInMember(t, merchantId, 'OWNER'));
  viewer = await signedInMember(t, merchantId, 'VIEWER');
  stranger = await signedInMember(t, otherId, 'OWNER');
});
afterAll(() => t.close());
beforeEach(async () => {
  await t.database.pool.query('truncate announcements, announcement_merchants, announcement_dismissals');
  await operator.refresh();
});

const MINUTE = 60_000;
const soon = (minutes: number) => new Date(t.clock.now().getTime() + minutes * MINUTE).toISOString();
const told = ({ status, body }: Reply) => [status, body.code];

/** Shown from now on for twenty minutes, to all. */
const fields = (more: object = {}) => ({
  title: 'Transfers to Kuda are slow',
  text: 'Kuda answers late.\nNothing is paid twice.',
  severity: 'WARNING',
  startsAt: soon(0),
  endsAt: soon(20),
  merchantIds: null,
  ...more,
});

async function write(more: object = {}): Promise<string> {
  const reply = await operator.call('POST', '/operator/announcement', fields(more));
  expect(reply.status, reply.text).toBe(200);
  return reply.body.data.announcementId;
}

async function publish(more: object = {}): Promise<string> {
  const id = await write(more);
  expect((await operator.call('POST', `/operator/announcement/${id}/publish`)).status).toBe(200);
  return id;
}

const shownTo = async (person: TestPerson) =>
  ((await person.call('GET', '/announcement')).body.data as { announcementId: string }[]).map(
    (each) => each.announcementId,
  );
const change = (id: string, more: object) => operator.call('PATCH', `/operator/announcement/${id}`, fields(more));

describe('an announcement', () => {
  it('is seen by nobody while it is a draft, by everybody from its time on, and by nobody after it', async () => {
    const id = await write({ startsAt: soon(5), endsAt: soon(20) });
    t.clock.advance(6 * MINUTE);
    expect(await shownTo(owner)).toEqual([]);
    await operator.refresh();
    const published = await operator.call('POST', `/operator/announcement/${id}/publish`);
    expect(published.body.data).toMatchObject({ status: 'SHOWN', publishedBy: operator.email, merchants: null });
    expect(await shownTo(owner)).toEqual([id]);
    expect(await shownTo(viewer)).toEqual([id]);
    expect(await shownTo(stranger)).toEqual([id]);
    const later = await publish({ title: 'Later', startsAt: soon(2), endsAt: soon(30) });
    expect(await shownTo(owner)).toEqual([id]);
    t.clock.advance(3 * MINUTE);
    expect(await shownTo(owner)).toEqual([later, id]);
    t.clock.advance(12 * MINUTE);
    expect(await shownTo(owner)).toEqual([later]);
    expect((await operator.call('POST', `/operator/announcement/${later}/end`)).body.data.status).toBe('ENDED');
    expect(await shownTo(owner)).toEqual([]);
    const states = (await operator.call('GET', '/operator/announcement')).body.data.records;
    expect(states.map((each: { status: string }) => each.status)).toEqual(['ENDED', 'ENDED']);
  });

  it('for some merchants is seen by their people alone, the gravest first', async () => {
    const calm = await publish({ severity: 'INFO' });
    const mine = await publish({ severity: 'CRITICAL', merchantIds: [merchantId] });
    const theirs = await publish({ merchantIds: [otherId, otherId.toUpperCase()] });
    expect(await shownTo(owner)).toEqual([mine, calm]);
    expect(await shownTo(stranger)).toEqual([theirs, calm]);
    expect(told(await stranger.call('POST', `/announcement/${mine}/dismiss`))).toEqual([404, 'ANNOUNCEMENT_NOT_FOUND']);
    expect((await change(theirs, { merchantIds: [merchantId] })).body.data.merchants).toEqual([
      { merchantId, businessName: 'Adire & Co' },
    ]);
    expect(await shownTo(stranger)).toEqual([calm]);
  });

  it('that somebody dismissed stays away from that person alone, on every browser, until it is changed', async () => {
    const id = await publish();
    for (const _ of ['once', 'twice'])
      expect((await owner.call('POST', `/announcement/${id}/dismiss`)).status).toBe(200);
    expect(await shownTo(owner)).toEqual([]);
    expect(await shownTo(viewer)).toEqual([id]);
    expect((await change(id, { text: 'It is over at noon.' })).body.data).toMatchObject({ revision: 2 });
    expect(await shownTo(owner)).toEqual([id]);
    const draft = await write();
    expect(told(await owner.call('POST', `/announcement/${draft}/dismiss`))).toEqual([404, 'ANNOUNCEMENT_NOT_FOUND']);
    expect((await change(draft, { title: 'Another' })).body.data).toMatchObject({ revision: 1, title: 'Another' });
  });

  it('is plain text as it was written, whatever stands in it', async () => {
    const text = '<img src=x onerror=alert(1)> & **not bold**\n[link](javascript:alert(1))';
    await publish({ title: '<b>Title</b>', text });
    expect((await owner.call('GET', '/announcement')).body.data).toMatchObject([{ title: '<b>Title</b>', text }]);
  });

  it('is refused beyond its bounds, and nothing of it is kept', async () => {
    const id = '01930000-0000-7000-8000-00000000dead';
    const wrong: [object, string][] = [
      [{ title: 'x'.repeat(121) }, 'title'],
      [{ title: '   ' }, 'title'],
      [{ text: 'x'.repeat(2_001) }, 'text'],
      [{ severity: 'LOUD' }, 'severity'],
      [{ endsAt: soon(0) }, 'endsAt'],
      [{ startsAt: soon(-20), endsAt: soon(-10) }, 'endsAt'],
      [{ endsAt: soon(367 * 24 * 60) }, 'endsAt'],
      [{ merchantIds: [] }, 'merchantIds'],
      [{ merchantIds: [merchantId, id] }, 'merchantIds'],
      [{ merchantIds: Array.from({ length: 201 }, () => merchantId) }, 'merchantIds'],
    ];
    for (const [more, field] of wrong) {
      const reply = await operator.call('POST', '/operator/announcement', fields(more));
      expect([field, ...told(reply)], reply.text).toEqual([field, 400, 'VALIDATION_FAILED']);
      expect(reply.body.errors[0].field).toMatch(new RegExp(`^${field}`));
    }
    expect(await rowsOf(t.connectionString, 'select id from announcements')).toEqual([]);
    const copies = `insert into announcements (id, title, body, severity, for_all, starts_at, ends_at, revision, created_by,
        created_at, updated_by, updated_at)
      select gen_random_uuid(), title, body, severity, for_all, starts_at, ends_at, revision, created_by, created_at,
        updated_by, updated_at from announcements cross join generate_series(1, 48)`;
    await write();
    await rowsOf(t.connectionString, copies);
    await write();
    expect(told(await operator.call('POST', '/operator/announcement', fields()))).toEqual([
      422,
      'ANNOUNCEMENTS_TOO_MANY',
    ]);
    expect((await shownTo(owner)).length).toBe(0);
  });

  it('that has ended is not changed, published or ended again, and a publication leaves who did it', async () => {
    const id = await publish();
    expect(told(await operator.call('POST', `/operator/announcement/${id}/publish`))).toEqual([
      409,
      'ANNOUNCEMENT_PUBLISHED',
    ]);
    await operator.call('POST', `/operator/announcement/${id}/end`);
    for (const reply of [
      await operator.call('POST', `/operator/announcement/${id}/end`),
      await operator.call('POST', `/operator/announcement/${id}/publish`),
      await change(id, {}),
    ]) {
      expect(told(reply)).toEqual([409, 'ANNOUNCEMENT_ENDED']);
    }
    const entries = (await operator.call('GET', '/operator/audit?action=announcement&once=true')).body.data.records;
    const done = entries.filter((each: { outcome: string; subject: object }) => {
      return each.outcome === 'DONE' && JSON.stringify(each.subject).includes(id);
    });
    expect(done.map((each: { action: string; actor: { name: string } }) => [each.action, each.actor.name])).toEqual([
      ['POST /operator/announcement/:announcementId/end', operator.email],
      ['POST /operator/announcement/:announcementId/publish', operator.email],
      ['POST /operator/announcement', operator.email],
    ]);
  });
});
