import type { Page } from 'playwright-core';

const HASTE = 10;

/** Until it is loaded anew, a page gives an answer up in a tenth of the time, so that no walk waits for that. */
export async function makeImpatient(page: Page): Promise<void> {
  await page.evaluate(`{
    const patient = AbortSignal.timeout.bind(AbortSignal);
    AbortSignal.timeout = (ms) => patient(ms / ${HASTE});
  }`);
}
