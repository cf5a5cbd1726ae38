import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { mailAnnouncements } from '../../src/announcements/index.ts';
import { queueMails, sendDueMails } from '../../src/mail/index.ts';
import { createJobMonitor, type JobMonitor } from '../../src/platform/jobs/job-monitor.ts';
import { createLogger } from '../../src/platform/logger.ts';
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
  await t.database.pool.query('truncate announcements, announcement_merchants, announcement_dismissals, mails');
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

describe('an announcement by e-mail', () => {
  const mailed = async (): Promise<[string, string][]> =>
    (
      await rowsOf<{ recipient: string; subject: string }>(
        t.connectionString,
        'select recipient, subject from mails order by recipient',
      )
    ).map(({ recipient, subject }) => [recipient, subject]);
  /** What fails at one is remembered by its process. */
  const processJobs = () => createJobMonitor({ ...t, logger: createLogger('silent') });
  let jobs: JobMonitor;
  beforeEach(() => {
    jobs = processJobs();
  });
  const mailOnce = (hasMailServer = false, by: object = {}) => mailAnnouncements({ ...t, jobs, hasMailServer, ...by });
  const members = async (where = 'true') =>
    (
      await rowsOf<{ email: string }>(
        t.connectionString,
        `select email from people where kind = 'MEMBER' and disabled_at is null and ${where} order by email`,
      )
    ).map(({ email }) => email);
  const state = async (id: string) =>
    (await operator.call('GET', '/operator/announcement')).body.data.records.find(
      (each: { announcementId: string }) => each.announcementId === id,
    );

  /** More people of a merchant than one piece has, one of them removed. */
  async function hire(of: string, count: number): Promise<void> {
    await rowsOf(
      t.connectionString,
      `insert into people (id, kind, merchant_id, email, password_hash, created_at, role, disabled_at)
       select gen_random_uuid(), 'MEMBER', $1, 'hand' || n || '@adire.example', 'none', now(), 'VIEWER',
              case when n = 1 then now() end
         from generate_series(1, $2) n`,
      [of, count],
    );
  }
  afterEach(() => rowsOf(t.connectionString, `delete from people where email like 'hand%@adire.example'`));

  it('goes once to everybody who works for its merchants, also when two write mails at once and one breaks off', async () => {
    await hire(otherId, 230);
    const id = await publish({ byMail: true });
    const broken = new Proxy(t.database, {
      get: (target, name) =>
        name === 'transaction'
          ? (work: (tx: unknown) => Promise<unknown>) =>
              target.transaction(async (tx) => {
                await work(tx);
                throw new Error('the process ends before the commit');
              })
          : Reflect.get(target, name),
    });
    expect(await mailOnce(false, { database: broken, jobs: processJobs() })).toBe(0);
    expect(await mailed()).toEqual([]);
    expect(await state(id)).toMatchObject({ byMail: true, mailedPeople: 0, mailedAt: null });
    expect(await mailOnce()).toBe(100);
    for (let round = 0; round < 4; round += 1) await Promise.all([mailOnce(), mailOnce()]);
    const everybody = await members();
    expect(everybody.length).toBeGreaterThan(229);
    expect(await mailed()).toEqual(everybody.map((email) => [email, 'Transfers to Kuda are slow']));
    expect(await state(id)).toMatchObject({ mailedPeople: everybody.length, mailedAt: expect.any(String) });
    await change(id, { byMail: true, text: 'Changed afterwards.' });
    expect(await mailOnce()).toBe(0);
  });

  it('is written for people of the merchants that it is for alone, as plain text without a link', async () => {
    await publish({ byMail: true, merchantIds: [otherId] });
    await mailOnce();
    expect(await mailed()).toEqual(
      (await members(`merchant_id = '${otherId}'`)).map((email) => [email, 'Transfers to Kuda are slow']),
    );
    const sent: { to: string; text: string }[] = [];
    const server = { send: async (mail: { to: string; text: string }) => void sent.push(mail), close: () => undefined };
    const logger = createLogger('silent');
    await sendDueMails({ ...t, logger, jobs: createJobMonitor({ ...t, logger }) }, server, 'first');
    const [mail] = sent;
    expect(mail?.text).toContain(
      'Kuda answers late.\nNothing is paid twice.\n\nIt is shown above the pages of Other Foods until',
    );
    expect(mail?.text).not.toContain('http');
  });

  it('leaves nothing in the outbox while it is a draft, before its time, after its end, or where nobody asked for it', async () => {
    await write({ byMail: true });
    await publish();
    await publish({ byMail: true, startsAt: soon(5) });
    const ended = await publish({ byMail: true });
    await operator.call('POST', `/operator/announcement/${ended}/end`);
    expect(await mailOnce()).toBe(0);
    expect(await mailed()).toEqual([]);
    t.clock.advance(6 * MINUTE);
    expect(await mailOnce()).toBe((await members()).length);
  });

  it('leaves the outbox free for others: with a hundred mails waiting for the mail server it waits too', async () => {
    await hire(otherId, 230);
    const id = await publish({ byMail: true });
    const waiting = Array.from({ length: 70 }, (_, at) => ({
      to: `new${at}@adire.example`,
      subject: 'Sign up',
      text: 'Open the link.',
      link: null,
    }));
    await t.database.transaction((tx) => queueMails({ ...t, queries: tx }, waiting));
    expect([await mailOnce(true), await mailOnce(true)]).toEqual([30, 0]);
    expect(await state(id)).toMatchObject({ mailedPeople: 30, mailedAt: null });
    await rowsOf(t.connectionString, 'update mails set sent_at = now()');
    expect([await mailOnce(true), await mailOnce(true)]).toEqual([100, 0]);
  });

  it('goes on where hundreds of other mails are not taken by the mail server, each tried again by itself', async () => {
    await hire(otherId, 230);
    await publish({ byMail: true });
    const mail = (at: number) => ({
      to: `gone${at}@adire.example`,
      subject: 'Sign up',
      text: 'Open the link.',
      link: null,
    });
    const refused = Array.from({ length: 300 }, (_, at) => mail(at));
    await t.database.transaction((tx) => queueMails({ ...t, queries: tx }, refused));
    await rowsOf(t.connectionString, 'update mails set attempts = 3');
    expect([await mailOnce(true), await mailOnce(true)]).toEqual([100, 0]);
    // A server that takes nothing at all is not given more and more.
    await rowsOf(t.connectionString, 'update mails set attempts = 1');
    await t.database.transaction((tx) =>
      queueMails(
        { ...t, queries: tx },
        Array.from({ length: 600 }, (_, at) => mail(at)),
      ),
    );
    await rowsOf(t.connectionString, 'update mails set attempts = 1');
    expect(await mailOnce(true)).toBe(0);
  });

  it('goes out where another one cannot be written, and before one to many people has gone to all of them', async () => {
    await hire(otherId, 230);
    await publish({ byMail: true, title: 'Cannot be written' });
    await publish({ byMail: true, title: 'To many' });
    expect(await mailOnce()).toBe(100);
    await rowsOf(
      t.connectionString,
      `alter table mails add constraint unwritable check (subject <> 'Cannot be written') not valid; delete from mails`,
    );
    await publish({ byMail: true, title: 'To one', merchantIds: [merchantId] });
    for (let round = 0; round < 4; round += 1) await mailOnce();
    await rowsOf(t.connectionString, 'alter table mails drop constraint unwritable');
    const subjects = new Set((await mailed()).map(([, subject]) => subject));
    expect([...subjects].sort()).toEqual(['To many', 'To one']);
  });
});
