import { afterAll, beforeAll, expect, it } from 'vitest';
import { type MailServer, queueMail, sendDueMails } from '../../src/mail/index.ts';
import type { Database } from '../../src/platform/db/database.ts';
import { createJobMonitor } from '../../src/platform/jobs/job-monitor.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { createSecrets } from '../../src/platform/secrets.ts';
import { testClock } from '../support/app.ts';
import { openTestDatabase } from '../support/database.ts';

const POISONED = 20;
const HEALTHY = 50;

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

const deps = () => ({ database, secrets, clock, logger, jobs });

async function put(count: number, name: string): Promise<void> {
  for (let at = 0; at < count; at += 1) {
    const mail = { to: `${name}${at}@adire.example`, subject: 'A word', text: 'Open the link.', link: null };
    await database.transaction((tx) => queueMail({ queries: tx, secrets, clock }, mail));
  }
}

/** Until there is nothing more that was not sent before. */
async function sendFirst(server: MailServer, rounds = 20): Promise<number> {
  let sent = 0;
  for (let round = 0; round < rounds; round += 1) sent += await sendDueMails(deps(), server, 'first');
  return sent;
}

/** Takes the mails of the healthy and does with others as told. */
function serverThat(poison: () => Promise<void>): MailServer {
  return { send: ({ to }) => (to.startsWith('poison') ? poison() : Promise.resolve()), close: () => undefined };
}

it('20 mails at which the mail server hangs again hold up none of 50 others', async () => {
  await put(POISONED, 'poison');
  expect(await sendFirst(serverThat(() => Promise.reject(new Error('greylisted'))))).toBe(0);
  clock.advance(15_000);
  const hanging = serverThat(() => new Promise(() => undefined));
  // As many as are sent at once never come back.
  void sendDueMails(deps(), hanging, 'again');
  await put(HEALTHY, 'healthy');
  expect(await sendFirst(hanging)).toBe(HEALTHY);
  await database.pool.query('delete from mails');
});

it('mails of which it cannot be noted what became of them fail alone, and are not sent again at once', async () => {
  await database.pool.query(
    `alter table mails add constraint poison check (last_error is distinct from 'EPOISON') not valid`,
  );
  await put(POISONED, 'poison');
  await put(HEALTHY, 'healthy');
  let attempts = 0;
  const server = serverThat(() => {
    attempts += 1;
    return Promise.reject(Object.assign(new Error('no'), { code: 'EPOISON' }));
  });
  expect(await sendFirst(server)).toBe(HEALTHY);
  expect(attempts).toBe(POISONED);
  clock.advance(60_000);
  expect(await sendDueMails(deps(), server, 'again')).toBe(0);
  expect(attempts).toBe(POISONED);
});
