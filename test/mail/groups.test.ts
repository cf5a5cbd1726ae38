import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  countFreeInOutbox,
  type MailServer,
  queueMail,
  queueMails,
  sendDueMails,
  wipeOldMails,
} from '../../src/mail/index.ts';
import type { Database } from '../../src/platform/db/database.ts';
import { createJobMonitor } from '../../src/platform/jobs/job-monitor.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { createSecrets } from '../../src/platform/secrets.ts';
import { testClock } from '../support/app.ts';
import { openTestDatabase } from '../support/database.ts';

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
/** Longer than a group waits for the next, and than any pause after a failure. */
const LATER_MS = 31 * 60_000;

const logger = createLogger('silent');
const secrets = createSecrets('a pepper of thirty-two characters', Buffer.alloc(32, 7).toString('base64'));
const clock = testClock();
const jobs = createJobMonitor({ clock, logger });
let database: Database;
let drop: () => Promise<void>;
beforeAll(async () => {
  ({ database, drop } = await openTestDatabase());
});
afterAll(() => drop());

let sent: string[] = [];
let down = false;
beforeEach(async () => {
  await database.pool.query('delete from mails');
  [sent, down] = [[], false];
});
const server: MailServer = {
  send: async ({ subject, text }) => {
    if (down) throw Object.assign(new Error('down'), { code: 'ECONNREFUSED' });
    sent.push(`${subject}: ${text}`);
  },
  close: () => undefined,
};

const deps = () => ({ database, secrets, clock, logger, jobs });
const mailOf = (subject: string) => ({
  to: 'owner@adire.example',
  subject,
  text: `About ${subject}.`,
  link: null,
  group: 'security',
});
const put = (subject: string) => queueMail({ queries: database, secrets, clock }, mailOf(subject));
async function look(times = 1): Promise<void> {
  for (let at = 0; at < times; at += 1) {
    await sendDueMails(deps(), server, 'first');
    await sendDueMails(deps(), server, 'again');
    clock.advance(LATER_MS);
  }
}
async function statesOf(): Promise<Record<string, string>> {
  const { rows } = await database.pool.query('select subject, sent_at, abandoned_at from mails order by id');
  const stateOf = ({ sent_at, abandoned_at }: (typeof rows)[number]) =>
    sent_at !== null ? 'SENT' : abandoned_at !== null ? 'ABANDONED' : 'WAITS';
  return Object.fromEntries(rows.map((row) => [row.subject, stateOf(row)]));
}

describe('a notice to an address', () => {
  it('goes out where an older one of its group has no text any more, which ends alone', async () => {
    await put('old');
    clock.advance(8 * DAY_MS);
    await wipeOldMails(deps());
    await put('new');
    await put('newer');
    await look();
    expect(await statesOf()).toEqual({ old: 'ABANDONED', new: 'SENT', newer: 'SENT' });
    expect(sent).toHaveLength(1);
    expect(sent[0]).toContain('About newer.');
  });

  it('is tried for a week from when it was written, however old the first of its group is', async () => {
    await put('old');
    down = true;
    await look();
    clock.advance(7 * DAY_MS);
    await put('new');
    await look();
    expect(await statesOf()).toEqual({ old: 'ABANDONED', new: 'WAITS' });
    down = false;
    await look();
    expect(sent).toEqual(['new: About new.']);
  });

  it('goes out beside one of its group that cannot be opened, which is tried again by itself', async () => {
    await put('altered');
    await database.pool.query("update mails set body_sealed = 'altered'");
    await put('new');
    await look(2);
    expect(await statesOf()).toEqual({ altered: 'WAITS', new: 'SENT' });
    clock.advance(7 * DAY_MS);
    await look();
    expect(await statesOf()).toEqual({ altered: 'ABANDONED', new: 'SENT' });
  });

  it('does not wait for the moment at which one was sent while the clock was ahead', async () => {
    clock.advance(365 * DAY_MS);
    await put('ahead');
    await sendDueMails(deps(), server, 'first');
    clock.advance(-365 * DAY_MS);
    await put('now');
    await look();
    expect(await statesOf()).toEqual({ ahead: 'SENT', now: 'SENT' });
  });

  it('does not wait for one that is due again by a clock that was ahead', async () => {
    await put('first');
    clock.advance(365 * DAY_MS);
    // It was leased then, and nobody came back.
    const dead: MailServer = { send: () => new Promise(() => undefined), close: () => undefined };
    void sendDueMails(deps(), dead, 'first');
    await expect.poll(async () => (await database.pool.query('select attempts from mails')).rows[0].attempts).toBe(1);
    clock.advance(-365 * DAY_MS);
    await put('second');
    await look();
    expect(await statesOf()).toEqual({ first: 'WAITS', second: 'SENT' });
  });

  it('is not hidden by hundreds of another kind: it is whole in the next mail, and they are counted', async () => {
    for (let at = 0; at < 60; at += 1) await put('limits');
    await put('second factor');
    await sendDueMails(deps(), server, 'first');
    expect(sent).toHaveLength(1);
    expect(sent[0]).toMatch(/^limits, and 60 more: /);
    expect(sent[0]?.match(/About limits\./g)).toHaveLength(49);
    expect(sent[0]).toContain('About second factor.');
    expect(sent[0]).toContain('11 × limits');
    expect((await database.pool.query('select 1 from mails where sent_at is null')).rows).toEqual([]);
  });

  it('that waits behind the first of its group is not written anew with every look, and goes on five minutes later', async () => {
    await put('first');
    await sendDueMails(deps(), server, 'first');
    const many = Array.from({ length: 1_200 }, () => mailOf('many'));
    await queueMails({ queries: database, secrets, clock }, many);
    const looksUntil = async (ms: number) => {
      let written = 0;
      for (const end = clock.now().getTime() + ms; clock.now().getTime() < end; clock.advance(61_000)) {
        const due = 'select count(*)::int as due from mails where sent_at is null and due_at <= $1';
        written += (await database.pool.query(due, [clock.now()])).rows[0].due;
        await sendDueMails(deps(), server, 'first');
      }
      return written;
    };
    // All when they come, those of a second look once more, and from then on one.
    expect(await looksUntil(4 * 60_000)).toBeLessThan(1_500);
    for (const mails of [2, 3]) {
      clock.advance(5 * 60_000);
      await sendDueMails(deps(), server, 'first');
      expect(sent).toHaveLength(mails);
    }
    expect(Object.values(await statesOf())).toEqual(['SENT', 'SENT']);
    expect((await database.pool.query('select 1 from mails where sent_at is null')).rows).toEqual([]);
  });

  it('that the mail server does not take is sent again ever less often, as any mail is', async () => {
    await put('a');
    down = true;
    // Every six minutes for two and a half hours.
    for (let at = 0; at < 25; at += 1) {
      await look(1);
      clock.advance(6 * 60_000 - LATER_MS);
    }
    const { rows } = await database.pool.query('select attempts from mails');
    expect(rows[0].attempts).toBeLessThan(15);
  });

  it('that its group keeps back is not looked at with every mail that is due, and takes no place in the outbox', async () => {
    await put('first');
    await sendDueMails(deps(), server, 'first');
    for (const subject of ['second', 'third', 'fourth']) await put(subject);
    await queueMail(
      { queries: database, secrets, clock },
      { to: 'ada@shop.example', subject: 'alone', text: 'A link.', link: null },
    );
    expect(await countFreeInOutbox(database, { first: 100, again: 100 })).toBe(99);
    await sendDueMails(deps(), server, 'first');
    expect(sent).toEqual(['first: About first.', 'alone: A link.']);
    const { rows } = await database.pool.query('select 1 from mails where sent_at is null and due_at <= $1', [
      clock.now(),
    ]);
    expect(rows).toEqual([]);
    clock.advance(6 * 60_000);
    await sendDueMails(deps(), server, 'first');
    expect(await statesOf()).toEqual({ first: 'SENT', alone: 'SENT', second: 'SENT', third: 'SENT', fourth: 'SENT' });
    expect(sent).toHaveLength(3);
  });
});

describe('notices to many addresses', () => {
  const PLACES = 4;
  const putMany = (count: number) =>
    Promise.all(
      Array.from({ length: count }, (_, at) =>
        queueMail(
          { queries: database, secrets, clock },
          { ...mailOf(`notice ${at}`), to: `owner-${at}@adire.example` },
        ),
      ),
    );

  it('hold up no link that somebody waits for', async () => {
    await putMany(40);
    clock.advance(1_000);
    const { group: _, ...link } = mailOf('link');
    await queueMail({ queries: database, secrets, clock }, link);
    await look();
    const at = sent.findIndex((text) => text.startsWith('link'));
    expect(at).toBeGreaterThanOrEqual(0);
    expect(at).toBeLessThan(PLACES);
  });

  it('go out one after the other in one run, and no more begin once the worker stops', async () => {
    await putMany(40);
    const stopping = new AbortController();
    stopping.abort();
    await sendDueMails(deps(), server, 'first', stopping.signal);
    expect(sent).toHaveLength(PLACES);
    await sendDueMails(deps(), server, 'first');
    expect(sent).toHaveLength(40);
  });
});
