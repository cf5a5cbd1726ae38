import type { Person } from './walk.ts';

interface SessionAnswer {
  status: number;
  code: string | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects.
  data: any;
}

/** Somebody's session without a browser: it keeps its cookie and sends the token, as the pages do. */
export interface HttpSession {
  ask(method: string, path: string, body?: object | FormData): Promise<SessionAnswer>;
}

/** A session that nobody has signed in to yet: `POST /session` or a link of a mail does that. */
export function startSession(baseUrl: string): HttpSession {
  let cookie = '';
  let token = '';

  async function send(method: string, path: string, body?: object | FormData): Promise<SessionAnswer> {
    const isJson = body !== undefined && !(body instanceof FormData);
    const answer = await fetch(`${baseUrl}${path}`, {
      method,
      headers: {
        ...(cookie === '' ? {} : { cookie, 'x-csrf-token': token }),
        ...(isJson ? { 'content-type': 'application/json' } : {}),
      },
      ...(body === undefined ? {} : { body: body instanceof FormData ? body : JSON.stringify(body) }),
    });
    const set = answer.headers.get('set-cookie')?.split(';')[0];
    const text = await answer.text();
    const told = answer.headers.get('content-type')?.startsWith('application/json') === true ? JSON.parse(text) : {};
    if (set !== undefined) {
      cookie = set;
      token = (await send('GET', '/session')).data?.csrfToken ?? '';
    }
    return { status: answer.status, code: told.code, data: told.data };
  }
  return { ask: send };
}

/** Signs somebody in over HTTP. @throws Error where the service does not take them. */
export async function signInOverHttp(baseUrl: string, { email, password }: Person): Promise<HttpSession> {
  const session = startSession(baseUrl);
  const { status, code } = await session.ask('POST', '/session', { email, password });
  if (status !== 200) throw new Error(`${email} could not sign in: ${status} ${code}`);
  return session;
}
