import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  connectMailServer,
  type MailServer,
  queueMail,
  readOutbox,
  sendDueMails,
  wipeOldMails,
} from '../../src/mail/index.ts';
import { type Database, openDatabase } from '../../src/platform/db/database.ts';
import { createJobMonitor } from '../../src/platform/jobs/job-monitor.ts';
import { createLogger, type Logger } from '../../src/platform/logger.ts';
import { createSecrets } from '../../src/platform/secrets.ts';
import { testClock } from '../support/app.ts';
import { createTestDatabase } from '../support/database.ts';

const logger = createLogger('silent');
const secrets = createSecrets('a pepper of thirty-two characters', Buffer.alloc(32, 7).toString('base64'));
const clock = testClock();
let connectionString: string;
let drop: () => Promise<void>;
let database: Database;
beforeAll(async () => {
  ({ connectionString, drop } = await createTestDatabase());
  database = openDatabase({ connectionString, maxConnections: 8, logger });
});
afterAll(async () => {
  await database.close();
  await drop();
});

interface Received {
  to: string[];
  text: string;
}
let received: Received[] = [];
let receiver: SMTPServer | undefined;
/** How long the server looks through a mail before it takes it. */
let answerAfterMs = 0;
let mailer: MailServer | undefined;
beforeEach(async () => {
  received = [];
  answerAfterMs = 0;
  await database.pool.query('delete from mails');
});
afterEach(async () => {
  mailer?.close();
  await stop();
});

/** A mail server as there are many; it knows no address that begins with `unknown`. */
async function start(port = 0): Promise<number> {
  receiver = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    logger: false,
    onRcptTo({ address }, _session, done) {
      const [name = ''] = address.split('@');
      const responseCode = { unknown: 550, full: 452 }[name];
      done(responseCode === undefined ? null : Object.assign(new Error(`Not for ${address}`), { responseCode }));
    },
    onData(stream, { envelope }, done) {
      let text = '';
      stream.setEncoding('utf8');
      stream.on('data', (chunk: string) => (text += chunk));
      stream.on('end', () => {
        received.push({ to: envelope.rcptTo.map(({ address }) => address), text });
        setTimeout(done, answerAfterMs);
      });
    },
  });
  receiver.listen(port, '127.0.0.1');
  await once(receiver.server, 'listening');
  return (receiver.server.address() as AddressInfo).port;
}

async function stop(): Promise<void> {
  const stopping = receiver;
  receiver = undefined;
  if (stopping !== undefined) await new Promise<void>((resolve) => stopping.close(resolve));
}

function mailerFor(port: number): MailServer {
  mailer = connectMailServer({ url: `smtp://127.0.0.1:${port}`, from: 'Manilla <no-reply@manilla.example>' });
  return mailer;
}

const jobs = createJobMonitor({ clock, logger });
const deps = () => ({ database, secrets, clock, logger, jobs });
const put = (to: string, text = 'Open the link.\n\n.\nIt is the naira: ₦1.') =>
  database.transaction((tx) =>
    queueMail({ queries: tx, secrets, clock }, { to, subject: 'A word — ₦', text, link: null }),
  );
async function rows() {
  const { rows: found } = await database.pool.query('select * from mails order by id');
  return found;
}

async function sendAll(server: MailServer): Promise<number> {
  let sent = 0;
  for (let now = -1; now !== 0; sent += now) {
    now = (await sendDueMails(deps(), server, 'first')) + (await sendDueMails(deps(), server, 'again'));
  }
  return sent;
}

describe('a mail', () => {
  it('goes out once, whole, from whom it should, and says when', async () => {
    const server = mailerFor(await start());
    await put('amaka@adire.example');
    expect(await sendAll(server)).toBe(1);
    expect(received).toHaveLength(1);
    expect(received[0]?.to).toEqual(['amaka@adire.example']);
    expect(received[0]?.text).toMatch(/^From: Manilla <no-reply@manilla\.example>/m);
    expect(received[0]?.text).toMatch(/^Message-ID: <[0-9a-f-]{36}@manilla\.example>/m);
    expect((await rows())[0]).toMatchObject({ attempts: 1, sent_at: expect.any(Date), abandoned_at: null });
    expect(await sendAll(server)).toBe(0);
  });

  it('that was rolled back with what it tells of is never sent', async () => {
    const work = database.transaction(async (tx) => {
      await queueMail({ queries: tx, secrets, clock }, { to: 'a@b.example', subject: 'x', text: 'x', link: null });
      throw new Error('changed its mind');
    });
    await expect(work).rejects.toThrow('changed its mind');
    expect(await rows()).toEqual([]);
  });

  it('waits while the server is down, and goes out when it is up', async () => {
    const port = await start();
    const server = mailerFor(port);
    await stop();
    await put('amaka@adire.example');
    expect(await sendAll(server)).toBe(0);
    expect((await rows())[0]).toMatchObject({ sent_at: null, abandoned_at: null });
    // Which server, and why: the code of the library alone is the same for a refusal, a certificate and a cut line.
    expect((await rows())[0].last_error).toBe(`ESOCKET: connect ECONNREFUSED 127.0.0.1:${port}`);
    await start(port);
    expect(await sendAll(server)).toBe(0);
    clock.advance(15_000);
    expect(await sendAll(server)).toBe(1);
    expect(received).toHaveLength(1);
  });

  it('is tried ever less often, and abandoned after a day', async () => {
    const port = await start();
    await stop();
    const server = mailerFor(port);
    await put('amaka@adire.example');
    let minutes = 0;
    for (let minute = 0; minute < 26 * 60; minute += 5) {
      clock.advance(5 * 60_000);
      await sendAll(server);
      if ((await rows())[0].abandoned_at !== null) break;
      minutes = minute;
    }
    const [row] = await rows();
    expect(row.abandoned_at).not.toBe(null);
    expect(row.attempts).toBeLessThan(70);
    expect(minutes).toBeGreaterThan(23 * 60);
  });

  it('to an address that the server does not know is not tried again, and holds up no other', async () => {
    const server = mailerFor(await start());
    await put('unknown@adire.example');
    await put('amaka@adire.example');
    expect(await sendAll(server)).toBe(1);
    expect((await rows()).map((row) => row.abandoned_at !== null)).toEqual([true, false]);
    expect((await rows())[0].last_error).not.toContain('adire');
  });

  it('that the server does not take of its own accord for a while is tried again, and nothing of its words is kept', async () => {
    const server = mailerFor(await start());
    await put('full@adire.example');
    const lines: string[] = [];
    const listening = { ...logger, warn: (about: object) => lines.push(JSON.stringify(about)) } as unknown as Logger;
    for (const attempts of [1, 2]) {
      await sendDueMails({ ...deps(), logger: listening }, server, attempts === 1 ? 'first' : 'again');
      expect(await rows()).toMatchObject([{ attempts, abandoned_at: null, last_error: 'EENVELOPE 452' }]);
      clock.advance(15_000 * attempts);
    }
    expect(lines).toHaveLength(2);
    expect(lines.join()).not.toContain('full@');
  });

  it('is sent once by two processes that look at the same moment', async () => {
    const server = mailerFor(await start());
    for (let at = 0; at < 30; at += 1) await put(`person${at}@adire.example`);
    const other = openDatabase({ connectionString, maxConnections: 4, logger });
    const looks = Array.from({ length: 20 }, (_, at) =>
      sendDueMails({ ...deps(), database: at % 2 === 0 ? database : other }, server, 'first'),
    );
    await Promise.all(looks);
    await other.close();
    const addresses = received.map(({ to }) => to[0]);
    expect(addresses).toHaveLength(30);
    expect(new Set(addresses).size).toBe(30);
  });

  it('whose sender died with it is sent by another, ten minutes later', async () => {
    const server = mailerFor(await start());
    await put('amaka@adire.example');
    // It was leased, and nobody came back.
    const dead: MailServer = { send: () => new Promise(() => undefined), close: () => undefined };
    void sendDueMails(deps(), dead, 'first');
    await expect.poll(async () => (await rows())[0].attempts).toBe(1);
    expect(await sendAll(server)).toBe(0);
    clock.advance(10 * 60_000);
    expect(await sendAll(server)).toBe(1);
  });

  it('that a server takes only after 21 seconds is sent once', async () => {
    const port = await start();
    answerAfterMs = 21_000;
    const server = mailerFor(port);
    await put('amaka@adire.example');
    expect(await sendAll(server)).toBe(1);
    clock.advance(30 * 60_000);
    expect(await sendAll(server)).toBe(0);
    expect(received).toHaveLength(1);
  });

  it('that hangs is not waited for by a worker that stops', async () => {
    const hanging: MailServer = { send: () => new Promise(() => undefined), close: () => undefined };
    await put('amaka@adire.example');
    const stopping = new AbortController();
    const sending = sendDueMails(deps(), hanging, 'first', stopping.signal, 1);
    await expect.poll(async () => (await rows())[0].attempts).toBe(1);
    stopping.abort();
    expect(await sending).toBe(0);
  });

  it('is sealed while it waits, and without its text a week later', async () => {
    await put('amaka@adire.example', 'https://manilla.example/dashboard/reset#token=very-secret');
    expect(JSON.stringify(await rows())).not.toContain('very-secret');
    expect(await wipeOldMails(deps())).toBe(0);
    clock.advance(7 * 24 * 60 * 60_000 + 1);
    expect(await wipeOldMails(deps())).toBe(1);
    expect((await rows())[0].body_sealed).toBe(null);
  });

  it('has a text that opens as no other mail: moved to another address, it goes to nobody', async () => {
    const server = mailerFor(await start());
    await put('ada@adire.example', 'https://manilla.example/dashboard/reset#token=of-ada');
    await put('thief@elsewhere.example', 'Your own text.');
    await database.pool.query(
      `update mails m set body_sealed = other.body_sealed from mails other where other.recipient <> m.recipient`,
    );
    expect(await sendAll(server)).toBe(0);
    expect(received).toEqual([]);
    const shown = { queries: database, secrets, showsTexts: true };
    await expect(readOutbox(shown)).rejects.toThrow();
  });

  it('is not handed to a server elsewhere that offers no encryption', async () => {
    const port = await start();
    // The same server, by a name that is not this machine's own.
    const server = connectMailServer({ url: `smtp://0.0.0.0:${port}`, from: 'Manilla <no-reply@manilla.example>' });
    mailer = server;
    await put('amaka@adire.example');
    expect(await sendAll(server)).toBe(0);
    expect(received).toEqual([]);
  });
});

describe('mails of a group', () => {
  const putOf = (to: string, subject: string, group = 'security') =>
    queueMail({ queries: database, secrets, clock }, { to, subject, text: `About ${subject}.`, link: null, group });
  const OWNER = 'amaka@adire.example';

  it('go out at once, then together every five minutes, and none is lost or sent twice', async () => {
    const server = mailerFor(await start());
    await putOf(OWNER, 'key 0');
    expect(await sendAll(server)).toBe(1);
    for (let at = 1; at <= 20; at += 1) await putOf(OWNER, `key ${at}`);
    expect(await sendAll(server)).toBe(0);
    clock.advance(5 * 60_000 + 1);
    expect(await sendAll(server)).toBe(1);
    expect(received).toHaveLength(2);
    expect(received[1]?.text).toMatch(/^Subject: key 1, and 19 more/m);
    for (let at = 1; at <= 20; at += 1) expect(received[1]?.text).toContain(`About key ${at}.`);
    expect((await rows()).every(({ sent_at }) => sent_at !== null)).toBe(true);
    clock.advance(5 * 60_000 + 1);
    expect(await sendAll(server)).toBe(0);
  });

  it('hold up no other mail to the address, and no other address', async () => {
    const server = mailerFor(await start());
    await putOf(OWNER, 'one');
    await sendAll(server);
    await putOf(OWNER, 'two');
    await putOf('bola@adire.example', 'two');
    await put(OWNER);
    expect(await sendAll(server)).toBe(2);
    expect(received.map(({ to }) => String(to[0])).sort()).toEqual([OWNER, OWNER, 'bola@adire.example']);
  });

  it('are each sent once by many processes that look at the same moment', async () => {
    const server = mailerFor(await start());
    for (let at = 0; at < 40; at += 1) await putOf(OWNER, `(${at})`);
    const other = openDatabase({ connectionString, maxConnections: 4, logger });
    await Promise.all(
      [deps(), { ...deps(), database: other }, deps()].map((each) => sendDueMails(each, server, 'first')),
    );
    clock.advance(10 * 60_000);
    await sendAll(server);
    await other.close();
    const text = received.map((mail) => mail.text).join();
    for (let at = 0; at < 40; at += 1) expect(text.split(`About (${at}).`)).toHaveLength(2);
  });

  it('that a server did not take wait together, for as long as their texts are kept', async () => {
    const port = await start();
    await stop();
    const server = mailerFor(port);
    await putOf(OWNER, 'one');
    await putOf(OWNER, 'two');
    for (let hour = 0; hour < 30; hour += 1) {
      await sendAll(server);
      clock.advance(60 * 60_000);
    }
    expect((await rows()).map(({ abandoned_at }) => abandoned_at)).toEqual([null, null]);
    await start(port);
    await sendAll(server);
    expect(received).toHaveLength(1);
    expect(received[0]?.text).toContain('About two.');
  });
});
