import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { askApi } from './support/api.ts';
import { expectAccessible, prepareWalks } from './support/walk.ts';
import { settled } from './support/watch.ts';

const walk = prepareWalks();
const dialog = (page: Page) => page.getByRole('dialog').last();
const PROOF = { name: 'delivery-note.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7 signed for') };

/** A payment in of somebody. @returns its id */
async function paidBy(name: string, amount: number): Promise<string> {
  const { wallet } = (await askApi(walk, 'GET', '/wallet/merchant')).data;
  const { accountNumber } = (await askApi(walk, 'GET', `/wallet/${wallet.id}/account`)).data.accounts[0];
  const [last] = (await askApi(walk, 'GET', '/collection/payment?size=1')).data.records;
  await askApi(walk, 'POST', '/sandbox/collection/pay', { accountNumber, amount, payer: { name } });
  const newest = async () => (await askApi(walk, 'GET', '/collection/payment?size=1')).data.records[0]?.paymentId;
  await expect.poll(newest, { timeout: 30_000 }).not.toBe(last?.paymentId);
  return newest();
}

/** @returns the id of a dispute of a payment, as it is opened here */
async function disputeOf(paymentId: string, given: object = {}): Promise<string> {
  expect((await askApi(walk, 'POST', '/sandbox/collection/dispute', { paymentId, ...given })).status).toBe(200);
  const opened = async () => (await askApi(walk, 'GET', `/collection/dispute?paymentId=${paymentId}`)).data.records;
  await expect.poll(async () => (await opened()).length, { timeout: 30_000 }).toBe(1);
  return (await opened())[0].disputeId;
}

/** As the service has it, in kobo. */
async function setDisputed(disputeId: string, minor: number): Promise<void> {
  await walk.runtime.database.pool.query('update disputes set disputed_minor = $2, held_minor = $2 where id = $1', [
    disputeId,
    minor,
  ]);
}

/** Lets time go by for the sandbox, again until it is as expected. */
async function passUntil(disputeId: string, seconds: number, status: string): Promise<void> {
  const stands = async () => {
    await askApi(walk, 'POST', '/sandbox/clock/advance', { seconds });
    return (await askApi(walk, 'GET', `/collection/dispute/${disputeId}`)).data.dispute.status;
  };
  await expect.poll(stands, { timeout: 60_000, interval: 1_000 }).toBe(status);
}

async function expectFitsPhone(page: Page): Promise<void> {
  await page.setViewportSize({ width: 390, height: 844 });
  // What is drawn anew for the phone, while somebody clicks it, is not clicked.
  await settled(page);
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
}

/** In the page: its clock is put forward until it is loaded anew. */
const putForward = (ms: number): string => `{
  const Right = Date;
  window.Date = class extends Right {
    constructor(...given) {
      if (given.length === 0) super(Right.now() + ${ms});
      else super(...given);
    }
    static now = () => Right.now() + ${ms};
  };
}`;

/** All that the main wallet has goes elsewhere. */
async function emptyWallet(): Promise<void> {
  const { availableBalance } = (await askApi(walk, 'GET', '/wallet/merchant')).data.wallet;
  const { subaccountId } = (await askApi(walk, 'POST', '/subaccount', { name: `Elsewhere ${Date.now()}` })).data;
  const body = { subaccountId, amount: availableBalance };
  expect((await askApi(walk, 'POST', '/subaccount/credit', body)).status).toBe(200);
}

describe('a payment that its payer disputes', () => {
  it('is disputed from its own page in the sandbox, contested with words and a file, and won', async () => {
    await paidBy('Ngozi Eze', 8_000);
    const page = await walk.openAs(walk.demo.dashboard, { at: '/dashboard/collections' });
    await page
      .getByRole('button', { name: /Ngozi Eze/ })
      .first()
      .click();
    await dialog(page).getByRole('button', { name: 'Dispute it as the payer’s bank' }).click();
    await dialog(page).getByText('Only in the sandbox').waitFor();
    await expectAccessible(page);
    await dialog(page).getByLabel('What it wants back').fill('5000');
    await dialog(page).getByLabel('What the payer says').fill('I never got the chairs');
    await dialog(page).getByRole('button', { name: 'Dispute it' }).click();
    await dialog(page)
      .getByRole('link', { name: /Dispute of ₦5,000.00/ })
      .click();
    await page.getByRole('heading', { level: 1, name: 'Dispute of ₦5,000.00' }).waitFor();
    await page.getByText(/^15 h 59 min left$/).waitFor();
    await page.getByText('Held in the wallet').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Contest' }).click();
    await dialog(page).getByRole('button', { name: 'Send the evidence' }).click();
    await dialog(page).getByText('Say why the payment is yours.').waitFor();
    await dialog(page).getByLabel('Why the payment is yours').fill('They were delivered on Monday and signed for.');
    await dialog(page).locator('input[type=file]').setInputFiles(PROOF);
    await dialog(page).getByText('delivery-note.pdf').waitFor();
    await expectAccessible(page);
    await dialog(page).getByRole('button', { name: 'Send the evidence' }).click();
    await page.getByText('The provider has your evidence, and the payer’s bank decides.', { exact: false }).waitFor();
    await page.getByText('You contested it: the provider has it').waitFor();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: /delivery-note.pdf/ }).click(),
    ]);
    expect(file.suggestedFilename()).toBe('delivery-note.pdf');
    await passUntil(new URL(page.url()).pathname.split('/').at(-1) ?? '', 120, 'WON');
    await page.getByText('The payment stays yours.', { exact: false }).waitFor();
    await page.getByText('Won', { exact: true }).first().waitFor();
    await expectAccessible(page);
    await expectFitsPhone(page);
    await page.getByRole('link', { name: 'See the payment' }).click();
    await page.waitForURL(/payment=/);
    await dialog(page)
      .getByRole('link', { name: /Dispute of ₦5,000.00/ })
      .waitFor();
  });

  it('waits on the first page with the time that is left, and is accepted with the PIN on a phone', async () => {
    const disputeId = await disputeOf(await paidBy('Bola Ade', 3_000), { message: 'Paid twice' });
    const page = await walk.openAs(walk.demo.dashboard, { phone: true });
    await page.getByText('One dispute waits for your answer').waitFor();
    // An approver can answer none, and is not told to.
    const approver = await walk.openAs(walk.demo.colleagues.approver, { at: '/dashboard/' });
    await settled(approver);
    expect(await approver.getByText('waits for your answer').count()).toBe(0);
    await page.getByText('The time is over in 16 hours.', { exact: false }).waitFor();
    // A phone whose clock is a day ahead: what is over is so by the clock of the service.
    await page.evaluate(putForward(24 * 3_600_000));
    await page.getByRole('link', { name: /^Answer/ }).click();
    await page.getByRole('heading', { level: 1, name: 'Dispute of ₦3,000.00' }).waitFor();
    await page.getByText(/^15 h 5\d min left$/).waitFor();
    await page.getByRole('button', { name: 'Accept', exact: true }).click();
    await dialog(page).getByText('The payer gets ₦3,000.00 back, taken from your wallet.', { exact: false }).waitFor();
    await expectAccessible(page);
    // What it takes becomes another amount while somebody reads.
    await setDisputed(disputeId, 250_000);
    await page.locator('main dl').getByText('₦2,500.00').first().waitFor({ state: 'attached' });
    await dialog(page).getByLabel('PIN').fill(walk.demo.pin);
    await dialog(page).getByRole('button', { name: 'Give ₦3,000.00 back' }).click();
    await dialog(page)
      .getByText('The payer would get ₦2,500.00 now. Nothing was accepted.', { exact: false })
      .waitFor();
    await setDisputed(disputeId, 300_000);
    await expect.poll(() => page.locator('main dl').getByText('₦2,500.00').count()).toBe(0);
    await dialog(page).getByLabel('PIN').fill('0001');
    await dialog(page).getByRole('button', { name: 'Give ₦3,000.00 back' }).click();
    await dialog(page)
      .getByText(/PIN is wrong|wrong PIN|not right/i)
      .waitFor();
    await dialog(page).getByLabel('PIN').fill(walk.demo.pin);
    await dialog(page).getByRole('button', { name: 'Give ₦3,000.00 back' }).click();
    await page.getByText('You accepted it. ₦3,000.00 was taken from the wallet.', { exact: false }).waitFor();
    expect((await askApi(walk, 'GET', `/collection/dispute/${disputeId}`)).data.dispute.status).toBe('ACCEPTED');
    await expectAccessible(page);
    await expectFitsPhone(page);
    // The longest label beside an amount, as after a refund, on the narrowest screen.
    await page.setViewportSize({ width: 320, height: 700 });
    const term = page.getByText('Taken from the wallet', { exact: true });
    await term.evaluate((label) => label.replaceChildren('Of that at most, as the rest went back before'));
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  });

  it('leaves a debt where the wallet does not have it, which later money pays', async () => {
    const paymentId = await paidBy('Chidi Obi', 4_000);
    await emptyWallet();
    const disputeId = await disputeOf(paymentId, { message: 'The wrong colour', answerWithinSeconds: 3_600 });
    const page = await walk.openAs(walk.demo.dashboard, { at: '/dashboard/collections/disputes' });
    await page.getByRole('link', { name: 'The wrong colour' }).waitFor();
    await expectAccessible(page);
    await passUntil(disputeId, 3_600, 'LOST');
    await page.getByLabel('Status').selectOption('LOST');
    await page.getByText('Lost, not answered').last().waitFor();
    await page.getByRole('link', { name: 'The wrong colour' }).click();
    await page.getByText('Nobody answered in time.', { exact: false }).waitFor();
    await page.getByText('You still owe').waitFor();
    await expectAccessible(page);
    await page.goto('/dashboard/wallet');
    await page.getByText('You owe', { exact: true }).waitFor();
    await expectAccessible(page);
    await page.goto('/dashboard/');
    await page.getByText('You owe', { exact: true }).waitFor();
    await paidBy('Ngozi Eze', 6_000);
    await expect
      .poll(async () => (await askApi(walk, 'GET', '/collection/owed')).data.owed, { timeout: 30_000 })
      .toBe(0);
    await page.getByText('You owe', { exact: true }).waitFor({ state: 'detached' });
    await page.goto(`/dashboard/collections/disputes/${disputeId}`);
    await page.getByText('₦4,000.00 of what you owe was paid').waitFor();
    await expectFitsPhone(page);
    await page.goto('/dashboard/collections/disputes');
    await page.getByRole('link', { name: 'The wrong colour' }).waitFor();
    await expectFitsPhone(page);
    await expectAccessible(page);
  });
});
