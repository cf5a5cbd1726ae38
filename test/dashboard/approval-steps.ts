import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Person, Walk } from './support/walk.ts';

export interface Answer {
  status: number;
  body: { status: boolean; code?: string; message: string; data?: Record<string, unknown> };
}

/** A payout of the demo merchant that waits for an approval. */
export const payoutOf = ({ demo }: Walk, accountNumber: string) => ({
  pin: demo.pin,
  amount: 2_500,
  bankCode: '058',
  accountNumber,
  narration: 'Invoice 7',
});

/** Asks the service from inside a page, as the person who is signed in there. */
export function askAs(page: Page, method: string, path: string, body?: object): Promise<Answer> {
  return page.evaluate(
    async (asked) => {
      const session = (await (await fetch('/session')).json()) as { data: { csrfToken: string } };
      const answer = await fetch(asked.path, {
        method: asked.method,
        headers: {
          'X-Mode': 'SANDBOX',
          'X-CSRF-Token': session.data.csrfToken,
          'Idempotency-Key': crypto.randomUUID(),
          ...(asked.body === undefined ? {} : { 'Content-Type': 'application/json' }),
        },
        ...(asked.body === undefined ? {} : { body: JSON.stringify(asked.body) }),
      });
      return { status: answer.status, body: (await answer.json()) as Answer['body'] };
    },
    { method, path, body },
  );
}

/** Asks it as a program does, with a key or a token. */
export async function askWith(
  baseUrl: string,
  bearer: string,
  method: string,
  path: string,
  body?: object,
): Promise<Answer> {
  const answer = await fetch(`${baseUrl}${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${bearer}`,
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: (await answer.json()) as Answer['body'] };
}

/** Gives the password anew, as for what needs a fresh one. */
export async function refresh(page: Page, { password }: Person): Promise<void> {
  expect((await askAs(page, 'POST', '/session/step-up', { password })).status).toBe(200);
}

/** From now on each payout needs one approval. */
export async function switchApprovalsOn(page: Page, owner: Person): Promise<void> {
  await refresh(page, owner);
  const rules = { isMakerCheckerEnabled: true, rules: [{ fromAmount: 0, approvals: 1 }] };
  const answer = await askAs(page, 'PATCH', '/approval/rules', rules);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  // Every process knows it within two seconds; the page shows it from then on.
  const isOn = async () => {
    const { merchant } = ((await askAs(page, 'GET', '/session')).body.data ?? {}) as {
      merchant?: { isMakerCheckerEnabled: boolean };
    };
    return merchant?.isMakerCheckerEnabled === true;
  };
  while (!(await isOn())) await page.waitForTimeout(200);
  await page.reload();
  await page.getByRole('heading', { level: 1 }).waitFor();
}

/** Without scrolling: as whoever holds the phone finds it. */
export async function expectInReach(page: Page, button: Locator): Promise<void> {
  await button.waitFor();
  const box = await button.boundingBox();
  const height = page.viewportSize()?.height ?? 0;
  expect((box?.y ?? height) + (box?.height ?? 0)).toBeLessThanOrEqual(height);
}
