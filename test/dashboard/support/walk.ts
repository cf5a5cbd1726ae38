import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import type { DemoFile } from '../../../src/demo/index.ts';
import type { Runtime } from '../../../src/runtime.ts';
import type { TestClock } from '../../support/clock.ts';
import { letGo } from '../../support/let-go.ts';
import { buttonsOfManyRows, seriousFindings } from './axe.ts';
import { type Browsers, openBrowsers } from './browsers.ts';
import { type RunningService, startServiceHere } from './running-service.ts';
import { watchPage } from './watch.ts';

export interface Person {
  email: string;
  password: string;
}

export interface Mail {
  to: string;
  subject: string;
  text: string;
  link: string | null;
}

export interface OpenOptions {
  phone?: boolean;
  dark?: boolean;
}

export interface SignedInOptions extends OpenOptions {
  /** Where they go first, if not to their own first page. */
  at?: string;
}

export interface Walk {
  readonly baseUrl: string;
  readonly demo: DemoFile;
  /** The database and the secrets of the service, for what people do at a terminal. */
  readonly runtime: Runtime;
  /** Of the service: a walk moves it, and workers find that time has passed. */
  readonly clock: TestClock;
  /** A browser of its own: no cookie, no memory. What goes wrong on its pages fails the walk. */
  open(options?: OpenOptions): Promise<Page>;
  /**
   * A browser in which the person is signed in, with a session of its own, and on a page. The form is not filled in for
   * it: that has its own walks, and each of the others draws a page less.
   */
  openAs(person: Person, options?: SignedInOptions): Promise<Page>;
  /** The newest mail to somebody, out of the local outbox, read as whoever may; waits for it. */
  readMail(to: string, subject?: RegExp): Promise<Mail>;
  /** As if everybody had given their password long ago: what asks for a fresh one asks again. */
  letPasswordsGrowOld(): Promise<void>;
}

/** Until something comes into sight, on a machine that does three other things. */
const SIGHT_MS = 60_000;
const MAIL_MS = 10_000;
/** The service remembers what it read of a session for two seconds. */
const REMEMBERED_MS = 2_100;

/**
 * The real service with its workers on a database of its own, in the process of the walks (`test/faults` starts processes),
 * and a real browser. Call it once at the top of a file of walks; it starts before them and stops after them, and each
 * walk fails of what its pages threw or logged.
 */
export function prepareWalks(env: Record<string, string> = {}): Walk {
  const problems: string[] = [];
  let service: RunningService;
  let browsers: Browsers;

  beforeAll(async () => {
    service = await startAtUsualPort(env);
    browsers = await openBrowsers();
  });
  afterEach(async () => {
    await browsers.release();
    expect(problems.splice(0)).toEqual([]);
  });
  afterAll(async () => {
    await service?.stop();
    letGo(service ?? {});
  });

  async function open({ phone, dark }: OpenOptions = {}): Promise<Page> {
    const page = await browsers.take({
      baseURL: service.baseUrl,
      viewport: phone === true ? { width: 390, height: 844 } : { width: 1280, height: 900 },
      colorScheme: dark === true ? 'dark' : 'light',
      // What is judged while it moves is judged by chance.
      reducedMotion: 'reduce',
      locale: 'en-GB',
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    page.context().setDefaultTimeout(SIGHT_MS);
    watchPage(page, problems);
    return page;
  }

  return {
    get baseUrl() {
      return service.baseUrl;
    },
    get demo() {
      return service.demo;
    },
    get runtime() {
      return service.runtime;
    },
    get clock() {
      return service.clock;
    },
    open,
    async openAs({ email, password }, { at = '/dashboard/', ...look } = {}) {
      const page = await open(look);
      const answer = await page.context().request.post('/session', { data: { email, password } });
      if (!answer.ok()) throw new Error(`${email} could not sign in: ${await answer.text()}`);
      await page.goto(at);
      await page.getByRole('heading', { level: 1 }).waitFor();
      return page;
    },
    readMail: (to, subject) => readMail({ baseUrl: service.baseUrl, operator: service.demo.operator }, to, subject),
    async letPasswordsGrowOld() {
      const { database } = service.runtime;
      await database.pool.query('update sessions set step_up_until = null');
      service.clock.advance(REMEMBERED_MS);
    },
  };
}

/** At which the services of this process are found, one after the other: a browser knows the pages of the one before. */
let usualPort = '0';

async function startAtUsualPort(env: Record<string, string>): Promise<RunningService> {
  const service = await startServiceHere({ ...env, PORT: usualPort }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE') throw error;
    return startServiceHere(env);
  });
  usualPort = new URL(service.baseUrl).port;
  return service;
}

/** Fills the sign-in, on its page or in the dialog over another, and sends it. */
export async function signIn(page: Page, { email, password }: Person): Promise<void> {
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** Gives the password where the page asks whether it is still the same person. */
export async function giveFreshPassword(page: Page, person: Person): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' });
  await dialog.getByLabel('Password', { exact: true }).fill(person.password);
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await dialog.waitFor({ state: 'detached' });
}

/**
 * Nothing serious by the rules of WCAG 2.2 AA on the page as it stands, and each button of a row says which row it is of: a
 * screen reader reads the buttons of a page one by one.
 */
export async function expectAccessible(page: Page): Promise<void> {
  expect(await seriousFindings(page), page.url()).toEqual([]);
  expect(await buttonsOfManyRows(page), page.url()).toEqual([]);
}

async function readMail(service: { baseUrl: string; operator: Person }, to: string, subject?: RegExp): Promise<Mail> {
  let seen: Mail[] = [];
  let cookie = '';
  for (const deadline = Date.now() + MAIL_MS; Date.now() < deadline; ) {
    const answer = await fetch(`${service.baseUrl}/mail`, { headers: { cookie } });
    // Once a merchant is live, only the operator reads the mails.
    if (answer.status === 401) cookie = await sessionOf(service.baseUrl, service.operator);
    const { data } = (await answer.json()) as { data?: Mail[] };
    seen = data ?? [];
    const found = seen.find((mail) => mail.to === to && (subject === undefined || subject.test(mail.subject)));
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`no mail to ${to}${subject === undefined ? '' : ` about ${subject.source}`} among ${seen.length}`);
}

async function sessionOf(baseUrl: string, { email, password }: Person): Promise<string> {
  const body = JSON.stringify({ email, password });
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${baseUrl}/session`, { method: 'POST', headers, body });
  return answer.headers.get('set-cookie')?.split(';')[0] ?? '';
}
