import type { Person, Walk } from './walk.ts';

/** Signs the operator in without a browser, for what a walk needs of them, and sends one request. */
export async function askOperator(
  walk: Walk,
  person: Person,
  method: string,
  path: string,
  body?: object,
): Promise<void> {
  const json = { 'content-type': 'application/json' };
  const signedIn = await fetch(`${walk.baseUrl}/session`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify(person),
  });
  const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? '';
  const session = await fetch(`${walk.baseUrl}/session`, { headers: { cookie } });
  const { data } = (await session.json()) as { data: { csrfToken: string } };
  const answer = await fetch(`${walk.baseUrl}${path}`, {
    method,
    headers: { cookie, 'x-csrf-token': data.csrfToken, ...(body === undefined ? {} : json) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`);
}
