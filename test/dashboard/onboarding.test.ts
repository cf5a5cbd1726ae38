import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { signInOverHttp } from './support/session.ts';
import { expectAccessible, prepareWalks } from './support/walk.ts';

const walk = prepareWalks();

const EMAIL = 'ngozi@kolanut.example';
const PDF = Buffer.from('%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>\nendobj\ntrailer\n<< /Root 1 0 R >>\n%%EOF\n');

/** The step's form is the only one in sight; the others keep what was typed in them. */
const shown = (page: Page) => page.locator('main form:visible');
const save = (page: Page) => shown(page).getByRole('button', { name: 'Save' }).click();
const goTo = (page: Page, step: string) =>
  page.getByRole('navigation', { name: 'Steps' }).getByRole('link', { name: step }).click();

async function signUp(): Promise<Page> {
  const page = await walk.open();
  await page.goto('/dashboard/sign-up');
  await page.getByLabel('E-mail').fill(EMAIL);
  await page.getByRole('button', { name: 'Send the link' }).click();
  await page.getByText('Check your e-mail').waitFor();
  const { link } = await walk.readMail(EMAIL);
  await page.goto(link ?? '');
  await page.getByLabel('Business name').fill('Kolanut Traders');
  await page.getByLabel('First name').fill('Ngozi');
  await page.getByLabel('Last name').fill('Eze');
  await page.getByLabel('Phone number').fill('2348031234567');
  await page.getByLabel('Password', { exact: true }).fill('seven green kola baskets');
  await page.getByRole('button', { name: 'Open the account' }).click();
  await page.getByRole('button', { name: 'Account of Ngozi Eze' }).waitFor();
  return page;
}

/** Chooses a file for one kind of document. */
async function give(page: Page, kind: string, name: string, content: Buffer): Promise<void> {
  await page
    .getByLabel(`Choose a file for ${kind}`)
    .setInputFiles({ name, mimeType: 'application/pdf', buffer: content });
}

async function fillBasics(page: Page): Promise<void> {
  await shown(page).getByLabel('Line of business').fill('Kola nuts');
  await shown(page).getByLabel('Kind of business').selectOption('REGISTERED');
  await shown(page).getByLabel('Phone number').fill('not a number');
  await save(page);
  await page.getByText('Must be a phone number of 7 to 15 digits').waitFor();
  await expect.poll(() => shown(page).getByLabel('Line of business').inputValue()).toBe('Kola nuts');
  await page.getByRole('heading', { name: 'Before the first live money' }).waitFor();
  await page.getByText('The business is not approved yet').first().waitFor();
  await page.getByText('No PIN is set for live payouts').waitFor();
  await expectAccessible(page);
  await shown(page).getByLabel('Phone number').fill('0803 123 4567');
  await save(page);
  await page.getByRole('heading', { level: 2, name: 'Registration and address' }).waitFor();
  await expect.poll(() => heldBy(page)).toBe('Registration and address');
}

/** Where the keyboard is, by the name of the step. */
const heldBy = (page: Page) => page.evaluate(() => document.activeElement?.closest('section')?.ariaLabel);

async function fillAddress(page: Page): Promise<void> {
  const form = shown(page);
  await form.getByLabel('Registration number').fill('twelve');
  await form.getByLabel('Street address').fill('4 Balogun Street');
  await form.getByLabel('City').fill('Lagos');
  await save(page);
  await page.getByText('Must be the number on your CAC certificate').waitFor();
  await expect.poll(() => form.getByLabel('Street address').inputValue()).toBe('4 Balogun Street');
  await form.getByLabel('Registration number').fill('RC 1234567');
  await save(page);
  await page.getByText('Saved. The state is missing.').waitFor();
  await expect.poll(() => form.getByLabel('Registration number').inputValue()).toBe('RC1234567');
  await form.getByLabel('State').fill('Lagos');
  await save(page);
  await page.getByRole('heading', { level: 2, name: 'A director' }).waitFor();
}

async function fillDirector(page: Page): Promise<void> {
  const form = shown(page);
  await form.getByLabel('First name').fill('Ngozi');
  await form.getByLabel('Last name').fill('Eze');
  await form.getByLabel('Date of birth').fill('2020-01-01');
  await form.getByLabel(/BVN/).fill('2221234');
  await save(page);
  await page.getByText('Must be 11 digits.').waitFor();
  await form.getByLabel(/BVN/).fill('222 1234 5901');
  await save(page);
  await page.getByText('Must be of somebody who is 18 or older').waitFor();
  await expect.poll(() => form.getByLabel(/BVN/).inputValue()).toBe('222 1234 5901');
  await form.getByLabel('Date of birth').fill('1984-05-06');
  await save(page);
  await page.getByRole('heading', { level: 2, name: 'Documents' }).waitFor();
}

async function giveDocuments(page: Page): Promise<void> {
  await give(page, 'CAC certificate', 'certificate.pdf', Buffer.from('MZ\u0090 this is a program'));
  await page.getByText('certificate.pdf is not a PDF, PNG or JPEG, whatever its name says.').waitFor();
  await expectAccessible(page);
  await give(page, 'CAC certificate', 'scan.pdf', Buffer.concat([PDF, Buffer.alloc(5 * 1024 * 1024)]));
  await page.getByText('at most 5 MB are taken').waitFor();
  await give(page, 'CAC certificate', 'certificate.pdf', PDF);
  await page.getByRole('button', { name: 'Remove certificate.pdf' }).waitFor();
  await give(page, "Director's identity document", 'passport.pdf', Buffer.concat([PDF, Buffer.from('%1')]));
  await page.getByRole('button', { name: 'Remove passport.pdf' }).waitFor();
  await give(page, 'Proof of address', 'bill.pdf', Buffer.concat([PDF, Buffer.from('%2')]));
  await page.getByRole('button', { name: 'Remove bill.pdf' }).waitFor();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download certificate.pdf' }).click();
  expect((await download).suggestedFilename()).toBe('certificate.pdf');
}

async function giveAccount(page: Page): Promise<void> {
  await goTo(page, 'Settlement account');
  const form = shown(page);
  await form.getByRole('combobox', { name: 'Bank' }).fill('Guaranty');
  await page.getByRole('option', { name: /Guaranty/ }).click();
  await form.getByLabel('Account number').fill('12345');
  await form.getByRole('button', { name: 'Ask the bank and save' }).click();
  await page.getByText('Must be 10 digits.').waitFor();
  await form.getByLabel('Account number').fill('012 345 6785');
  await form.getByRole('button', { name: 'Ask the bank and save' }).click();
  await page.getByText(/The sandbox made up the name|No bank could be asked/).waitFor();
}

describe('a new business', () => {
  it('signs up, fills every step past its errors, is sent back once, is approved, and may go live', async () => {
    const page = await signUp();
    await page.getByRole('link', { name: 'Business profile', exact: true }).click();
    await page.getByRole('heading', { level: 2, name: 'The business' }).waitFor();
    await expectAccessible(page);
    await expect.poll(() => page.getByRole('button', { name: 'Submit for review' }).isDisabled()).toBe(true);

    await fillBasics(page);
    await fillAddress(page);
    await fillDirector(page);
    await giveDocuments(page);
    await giveAccount(page);

    await goTo(page, 'A director');
    await page.getByText('Saved: 222*****901. Type to replace it.').waitFor();
    expect(await page.content()).not.toContain('22212345901');

    await page.getByRole('button', { name: 'Submit for review' }).click();
    await page.getByText('With the reviewers').waitFor();
    await expect.poll(() => shown(page).getByRole('button', { name: 'Save' }).count()).toBe(0);
    await expectAccessible(page);

    const merchantId = await ownMerchantId(page);
    const operator = await signInOverHttp(walk.baseUrl, walk.demo.operator);
    const decide = async (decision: string, body?: object) =>
      expect(await operator.ask('POST', `/operator/merchant/${merchantId}/${decision}`, body)).toMatchObject({
        status: 200,
      });
    await decide('reject', { reason: 'The bill is older than three months.' });
    await page.getByText('“The bill is older than three months.”').waitFor();
    await goTo(page, 'Documents');
    await page.getByRole('button', { name: 'Remove bill.pdf' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove document' }).click();
    await give(page, 'Proof of address', 'newer-bill.pdf', Buffer.concat([PDF, Buffer.from('%3')]));
    await page.getByRole('button', { name: 'Remove newer-bill.pdf' }).waitFor();
    await page.getByRole('button', { name: 'Submit for review' }).click();
    await page.getByText('With the reviewers').waitFor();

    await decide('approve');
    await page.getByText('Your account is approved').waitFor();
    await walk.readMail(EMAIL, /live mode is open/);
    await page.getByRole('navigation', { name: 'Mode' }).getByRole('link', { name: 'Live' }).click();
    await page.getByText('Live: real money').waitFor();
  });

  it('keeps what was typed in one step while another is looked at, and through a lost connection', async () => {
    const page = await walk.openAs(walk.demo.dashboard, {
      phone: true,
      at: '/dashboard/onboarding?step=business-details',
    });
    await shown(page).getByLabel('Postal code').fill('101 241');
    await goTo(page, 'A director');
    await expect.poll(() => heldBy(page)).toBe('A director');
    await expect.poll(() => topOf(page, 'A director')).toBeLessThan(844 / 2);
    await goTo(page, 'Registration and address');
    await expect.poll(() => shown(page).getByLabel('Postal code').inputValue()).toBe('101 241');
    await page.route('**/onboarding/business-details', (route) => route.abort());
    await save(page);
    await page.getByText('The connection was lost before a response arrived.').waitFor();
    await expect.poll(() => shown(page).getByLabel('Postal code').inputValue()).toBe('101 241');
    await page.unroute('**/onboarding/business-details');
    await save(page);
    await page.getByText('Saved. Everything is complete.').waitFor();
    await expectAccessible(page);
  });
});

describe('two tabs of a business profile', () => {
  it('write over nothing: what a colleague has saved is shown, and stays where nothing was typed', async () => {
    const page = await walk.openAs(walk.demo.dashboard, { at: '/dashboard/onboarding?step=settlement-account' });
    const account = shown(page).getByLabel('Account number');
    await account.waitFor();
    const before = await account.inputValue();
    const colleague = await signInOverHttp(walk.baseUrl, walk.demo.dashboard);
    const given = { bankCode: '011', accountNumber: '0123456793' };
    expect(before).not.toBe(given.accountNumber);
    expect((await colleague.ask('PATCH', '/onboarding/settlement-account', given)).status).toBe(200);
    // As who comes back to the tab.
    await page.clock.install();
    await page.clock.fastForward(60_000);
    await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
    await page
      .getByText(/0123456793/)
      .first()
      .waitFor();
    await shown(page).getByRole('button', { name: 'Ask the bank and save' }).click();
    await page.getByText(/^Saved\. /).waitFor();
    const { data } = await colleague.ask('GET', '/onboarding');
    const step = data.steps.find(({ key }: { key: string }) => key === 'SETTLEMENT_ACCOUNT');
    expect(step.values).toMatchObject(given);
    expect(await account.inputValue()).toBe(given.accountNumber);
  });
});

/** How far below the top of the screen a step begins. */
const topOf = (page: Page, step: string) =>
  page.getByRole('region', { name: step }).evaluate((region) => region.getBoundingClientRect().top);

async function ownMerchantId(page: Page): Promise<string> {
  const { data } = (await page.evaluate(() => fetch('/session').then((answer) => answer.json()))) as {
    data: { merchant: { merchantId: string } };
  };
  return data.merchant.merchantId;
}
