import type { Role } from '../../src/access/index.ts';
import { slowHashUnder } from '../../src/access/pin-hash.ts';
import { keepPerson } from '../../src/people/add-operator.ts';
import type { PeopleDeps } from '../../src/people/index.ts';
import { newId } from '../../src/platform/ids.ts';
import type { Reply, TestApp } from './app.ts';

export const TEST_PASSWORD = 'four words and a number 7';
/**
 * A hash says how it was made, so this one is made and checked in a thousandth of the time that others take: half of all
 * passwords of a run are those of people who are only needed.
 */
const QUICKLY = '$argon2id$v=19$m=8,t=1,p=1$c2FsdHNhbHRzYWx0c2FsdA';
let hashed: Promise<string> | undefined;

type Who = { email: string } & (
  | { kind: 'OPERATOR' }
  | { kind: 'MEMBER'; merchantId: string; role: Role; firstName?: string; lastName?: string }
);

/** Somebody who is there, and whose password is `TEST_PASSWORD`. @returns the id. */
export async function addPerson(
  { database, clock }: Pick<PeopleDeps, 'database' | 'clock'>,
  who: Who,
): Promise<string> {
  hashed ??= slowHashUnder(QUICKLY, TEST_PASSWORD);
  const personId = newId();
  await keepPerson({ database, clock }, { ...who, personId, passwordHash: `${QUICKLY}$${await hashed}` });
  return personId;
}

/** Somebody who is signed in, as a browser that keeps its cookie. */
export interface TestPerson {
  personId: string;
  email: string;
  /** The cookie as it stands, `name=value`. */
  cookie(): string;
  csrfToken(): Promise<string>;
  call(
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Reply>;
  /** Gives the password again, so that what needs it may be done. */
  refresh(): Promise<void>;
}

let made = 0;

/** A merchant's person with a role, signed in. @param mode of the requests, unless they say otherwise. */
export async function signedInMember(
  t: TestApp,
  merchantId: string,
  role: Role,
  mode: 'SANDBOX' | 'LIVE' = 'SANDBOX',
): Promise<TestPerson> {
  made += 1;
  const email = `${role.toLowerCase()}${made}.${Date.now().toString(36)}@shop.example`;
  const who = { kind: 'MEMBER', merchantId, role, email, firstName: role, lastName: 'Person' } as const;
  const personId = await addPerson(t, who);
  return signIn(t, { personId, email, mode });
}

/** One of the operator's staff, signed in. */
export async function signedInOperator(t: TestApp): Promise<TestPerson> {
  made += 1;
  const email = `operator${made}.${Date.now().toString(36)}@manilla.example`;
  const personId = await addPerson(t, { kind: 'OPERATOR', email });
  return signIn(t, { personId, email, mode: 'SANDBOX' });
}

/** A browser without a session yet. */
export function browser(t: TestApp, mode: 'SANDBOX' | 'LIVE' = 'SANDBOX'): Omit<TestPerson, 'personId' | 'email'> {
  let cookie = '';
  let token: string | undefined;
  const send: TestPerson['call'] = async (method, path, body, headers = {}) => {
    const answer = await t.app.server.inject({
      method,
      url: path,
      headers: {
        ...(cookie === '' ? {} : { cookie }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        'x-mode': mode,
        ...headers,
      },
      ...(body === undefined ? {} : { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const set = answer.headers['set-cookie'];
    if (set !== undefined) cookie = String(set).split(';')[0] as string;
    const text = answer.body;
    const isJson = String(answer.headers['content-type']).startsWith('application/json');
    return { status: answer.statusCode, headers: answer.headers, body: isJson ? JSON.parse(text) : text, text };
  };
  const csrfToken = async () => {
    token ??= (await send('GET', '/session')).body.data?.csrfToken as string | undefined;
    return token ?? '';
  };
  return {
    cookie: () => cookie,
    csrfToken,
    async call(method, path, body, headers = {}) {
      if (method === 'GET' || cookie === '') return send(method, path, body, headers);
      return send(method, path, body, { 'x-csrf-token': await csrfToken(), ...headers });
    },
    async refresh() {
      const token = await csrfToken();
      const reply = await send('POST', '/session/step-up', { password: TEST_PASSWORD }, { 'x-csrf-token': token });
      if (reply.status !== 200) throw new Error(reply.text);
    },
  };
}

async function signIn(
  t: TestApp,
  { personId, email, mode }: { personId: string; email: string; mode: 'SANDBOX' | 'LIVE' },
): Promise<TestPerson> {
  const page = browser(t, mode);
  const reply = await page.call('POST', '/session', { email, password: TEST_PASSWORD });
  if (reply.status !== 200) throw new Error(`${email} could not sign in: ${reply.text}`);
  return { personId, email, ...page };
}
