import type { Walk } from './walk.ts';

interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects.
  data: any;
}

/** Asks the service as an integrator does, with the demo merchant's sandbox key: what the pages did, seen from outside. */
export async function askApi(
  walk: Walk,
  method: string,
  path: string,
  body?: object,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const answer = await fetch(`${walk.baseUrl}${path}`, {
    method,
    headers: {
      ...headers,
      authorization: `Bearer ${walk.demo.secretKey}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const { data } = (await answer.json()) as { data?: unknown };
  return { status: answer.status, data };
}

/** What a store of the demo merchant has to move, in naira. */
export async function storeBalance(walk: Walk, storeId: string): Promise<number> {
  return (await askApi(walk, 'GET', `/branch/store/${storeId}`)).data.availableBalance;
}
