import { expect } from 'vitest';
import { bearerOf, type TestApp, type TestMerchant } from '../support/app.ts';

interface PageAnswer {
  status: number;
  headers: Record<string, unknown>;
  text: string;
}

/** A browser without scripts: it keeps cookies by their paths, follows no redirect by itself, and sends forms. */
export interface PlainBrowser {
  get(address: string, headers?: Record<string, string>): Promise<PageAnswer>;
  submit(address: string, fields?: Record<string, string>, headers?: Record<string, string>): Promise<PageAnswer>;
  /** Opens an address and follows where it leads. */
  visit(address: string, headers?: Record<string, string>): Promise<PageAnswer>;
}

/** @param from its network address */
export function plainBrowser({ app }: Pick<TestApp, 'app'>, from = '127.0.0.1'): PlainBrowser {
  const cookies = new Map<string, { path: string; pair: string }>();

  async function send(method: 'GET' | 'POST', address: string, given: Record<string, string>, payload?: string) {
    const url = new URL(address, 'http://localhost');
    const cookie = [...cookies.values()].filter(({ path }) => url.pathname.startsWith(path)).map(({ pair }) => pair);
    const headers = { ...(cookie.length > 0 && { cookie: cookie.join('; ') }), ...given };
    const answer = await app.server.inject({
      method,
      url: `${url.pathname}${url.search}`,
      headers,
      remoteAddress: from,
      ...(payload !== undefined && { payload }),
    });
    for (const set of [answer.headers['set-cookie'] ?? []].flat()) {
      const [pair = ''] = set.split(';');
      const path = /Path=([^;]+)/.exec(set)?.[1] ?? '/';
      cookies.set(`${pair.split('=')[0]} ${path}`, { path, pair });
    }
    return { status: answer.statusCode, headers: answer.headers, text: answer.body };
  }

  const get = (address: string, headers: Record<string, string> = {}) => send('GET', address, headers);
  return {
    get,
    submit: (address, fields = {}, headers = {}) =>
      send(
        'POST',
        address,
        { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin', ...headers },
        new URLSearchParams(fields).toString(),
      ),
    async visit(address, headers) {
      let answer = await get(address, headers);
      while (answer.status === 303) answer = await get(String(answer.headers['location']), headers);
      return answer;
    },
  };
}

export const CUSTOMER = { name: 'Zainab Quux', email: 'zainab@payer.example', phoneNumber: '2348099887766' };

export interface OpenedCheckout {
  sessionId: string;
  checkoutUrl: string;
  clientSecret: string;
  accountNumber: string;
  accountName: string;
  reference: string;
  /** Of its page, without the secret. */
  path: string;
}

/** A session of a merchant, the first one unless another is given. */
export async function openCheckout(t: TestApp, more: object = {}, merchant?: TestMerchant): Promise<OpenedCheckout> {
  const body = { amount: 5_000, customer: CUSTOMER, description: 'Two pairs of shoes', ...more };
  const as = merchant === undefined ? {} : bearerOf(merchant);
  const answer = await t.call('POST', '/collection/session', body, as);
  expect(answer.status, answer.text).toBe(200);
  const { sessionId, checkoutUrl, clientSecret, accounts, reference } = answer.body.data;
  const { accountNumber = '', accountName = '' } = accounts[0] ?? {};
  return {
    sessionId,
    checkoutUrl,
    clientSecret,
    accountNumber,
    accountName,
    reference,
    path: `/checkout/${sessionId}`,
  };
}
