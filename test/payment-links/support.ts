import { expect } from 'vitest';
import { type PlainBrowser, plainBrowser } from '../checkout/support.ts';
import { bearerOf, type TestApp, type TestMerchant } from '../support/app.ts';

export const PATH = '/collection/link';
export const PAYER = { name: 'Zainab Quux', email: 'zainab@payer.example' };

export interface MadeLink {
  linkId: string;
  url: string;
  /** Of its page. */
  path: string;
}

/** A link of a merchant, the first one unless said otherwise. */
export async function makeLink(t: TestApp, more: object = {}, merchant?: TestMerchant): Promise<MadeLink> {
  const body = { title: 'School fees', ...('minAmount' in more ? {} : { amount: 5_000 }), ...more };
  const { status, text, body: answer } = await t.call('POST', PATH, body, merchant && bearerOf(merchant));
  expect(status, text).toBe(200);
  const { linkId, url } = answer.data;
  return { linkId, url, path: new URL(url).pathname };
}

export const attemptOf = (page: string): string => /name="attempt" value="([^"]+)"/.exec(page)?.[1] ?? '';

let payers = 0;
/** The browser of a payer whom no other shares a network with. */
function payersBrowser(t: TestApp): PlainBrowser {
  payers += 1;
  return plainBrowser(t, `10.${payers >> 16}.${(payers >> 8) & 255}.${payers & 255}`);
}

/** What a payer does: opens the link, fills in the form, and is led on. */
export async function openUnder(
  t: TestApp,
  { path }: Pick<MadeLink, 'path'>,
  { browser = payersBrowser(t), ...fields }: { browser?: PlainBrowser } & Record<string, unknown> = {},
) {
  const page = await browser.get(path);
  const form = { attempt: attemptOf(page.text), ...PAYER, ...(fields as Record<string, string>) };
  const answer = await browser.submit(path, form);
  const [, sessionId = ''] = /^\/checkout\/([0-9a-f-]{36})\?s=/.exec(String(answer.headers['location'])) ?? [];
  return { answer, sessionId, browser, form };
}

/** Pays a session in the sandbox, whose money a check finds. */
export async function paySession(t: TestApp, sessionId: string, amount: number, merchant?: TestMerchant) {
  const as = merchant && bearerOf(merchant);
  const { accounts } = (await t.call('GET', `/collection/session/${sessionId}`, undefined, as)).body.data;
  const pay = { accountNumber: accounts[0].accountNumber, amount, scenario: 'never_notified' };
  expect((await t.call('POST', '/sandbox/collection/pay', pay, as)).status).toBe(200);
  const { body } = await t.call('POST', `/collection/session/${sessionId}/check`, {}, as);
  return body.data.session;
}
