import { readOutbox, sendDueMails } from '../../src/mail/index.ts';
import { createJobMonitor } from '../../src/platform/jobs/job-monitor.ts';
import { createLogger } from '../../src/platform/logger.ts';
import type { TestApp } from '../support/app.ts';

/** What waits for an address, newest first. */
export async function mailsTo(t: TestApp, email: string) {
  const all = await readOutbox({ queries: t.database, secrets: t.secrets, showsTexts: true });
  return all.filter(({ to }) => to === email.toLowerCase());
}

/** The newest mail to an address with a subject. */
export async function mailAbout(t: TestApp, email: string, subject: string) {
  return (await mailsTo(t, email)).find((mail) => mail.subject === subject);
}

/** The token of the newest link that was mailed to an address. */
export async function newestLink(t: TestApp, email: string): Promise<string> {
  const mail = (await mailsTo(t, email)).find(({ link }) => link?.includes('#token='));
  const token = mail?.link?.split('#token=')[1];
  if (token === undefined) throw new Error(`no link was mailed to ${email}`);
  return token;
}

/** To whom one run of the job sends mails that were not sent before. */
export async function sentInOneRun(t: TestApp): Promise<string[]> {
  const to: string[] = [];
  const server = { send: async (mail: { to: string }) => void to.push(mail.to), close: () => undefined };
  const logger = createLogger('silent');
  await sendDueMails({ ...t, logger, jobs: createJobMonitor({ ...t, logger }) }, server, 'first');
  return to;
}
