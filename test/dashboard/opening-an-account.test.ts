import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { expectAccessible, prepareWalks, signIn } from './support/walk.ts';

const walk = prepareWalks();
const PASSWORD = 'umbrella harmattan ledger nine';

async function beginSignUp(page: Page, email: string): Promise<void> {
  await page.goto('/dashboard/sign-up');
  await page.getByLabel('E-mail').fill(email);
  await page.getByRole('button', { name: 'Send the link' }).click();
}

async function fillAccount(page: Page, password: string): Promise<void> {
  await page.getByLabel('Business name').fill('Okrika Traders');
  await page.getByLabel('First name').fill('Tonye');
  await page.getByLabel('Last name').fill('Briggs');
  await page.getByLabel('Phone number').fill('08031234567');
  await page.getByLabel('Password', { exact: true }).fill(password);
}

describe('opening an account', () => {
  it('takes an address, a mail and a form, and the sandbox is there', async () => {
    const page = await walk.open();
    await page.goto('/dashboard/sign-up');
    await expectAccessible(page);
    await beginSignUp(page, 'tonye@okrika.example');
    await page.getByText('Check your e-mail').waitFor();
    const { link } = await walk.readMail('tonye@okrika.example');
    // Opening the link uses nothing up: mail programs do.
    const early = await walk.open();
    await early.goto(link ?? '');
    await early.getByText('tonye@okrika.example is confirmed.').waitFor();
    await page.goto(link ?? '');
    await page.getByText('tonye@okrika.example is confirmed.').waitFor();
    expect(page.url()).not.toContain('token');
    await fillAccount(page, 'short');
    await page.getByRole('button', { name: 'Open the account' }).click();
    await page.getByText('Use at least 12 characters.').waitFor();
    await expectAccessible(page);
    await expect.poll(() => page.getByLabel('Business name').inputValue()).toBe('Okrika Traders');
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Open the account' }).click();
    await page.getByRole('button', { name: 'Account of Tonye Briggs' }).waitFor();
    await page.getByText('Sandbox: test money').waitFor();

    // The link counts once, also on a page that was open before.
    await fillAccount(early, PASSWORD);
    await early.getByRole('button', { name: 'Open the account' }).click();
    await early.getByText('This link was used already').waitFor();
    const other = await walk.open();
    await other.goto(link ?? '');
    await other.getByText('This link was used already').waitFor();
    await expectAccessible(other);
    await other.getByRole('link', { name: 'Sign in' }).click();
    await signIn(other, { email: 'tonye@okrika.example', password: PASSWORD });
    await other.getByRole('button', { name: 'Account of Tonye Briggs' }).waitFor();
  });

  it('lets a mistyped address be corrected after sending, and tells who signs in too early of the mail', async () => {
    const page = await walk.open();
    await beginSignUp(page, 'bisi@adire');
    await page.getByText('Write the whole address').waitFor();
    await page.getByLabel('E-mail').fill('bisi@adirre.example');
    await page.getByRole('button', { name: 'Send the link' }).click();
    await page.getByText('If bisi@adirre.example can be used').waitFor();
    await page.getByRole('button', { name: 'Change the address or send again' }).click();
    await expect.poll(() => page.getByLabel('E-mail').inputValue()).toBe('bisi@adirre.example');
    await page.getByLabel('E-mail').fill('bisi@adire.example');
    await page.getByRole('button', { name: 'Send the link' }).click();
    await page.getByText('If bisi@adire.example can be used').waitFor();
    await page.getByRole('link', { name: 'Open the local outbox' }).waitFor();
    await expectAccessible(page);
    await walk.readMail('bisi@adire.example');

    await page.getByRole('link', { name: 'Sign in' }).click();
    await signIn(page, { email: 'bisi@adire.example', password: PASSWORD });
    await page.getByText('If you have just signed up, open the link in our mail first.').waitFor();
  });

  it('says nothing of who is here already', async () => {
    const page = await walk.open();
    await beginSignUp(page, walk.demo.dashboard.email);
    await page.getByText('Check your e-mail').waitFor();
    const { subject } = await walk.readMail(walk.demo.dashboard.email);
    expect(subject).toBe('You have an account already');
  });

  it('lets somebody who forgot the password choose another, and the one before is dead', async () => {
    const page = await walk.open();
    const { email } = walk.demo.colleagues.approver;
    await page.goto('/dashboard/forgot');
    await page.getByLabel('E-mail').fill(email);
    await page.getByRole('button', { name: 'Send the link' }).click();
    await page.getByText('Check your e-mail').waitFor();
    const { link } = await walk.readMail(email);
    // Opening the link uses nothing up, and says whose password it is.
    const early = await walk.open();
    await early.goto(link ?? '');
    await early.getByText(`For ${email}.`).waitFor();
    await page.goto(link ?? '');
    await page.getByLabel('New password', { exact: true }).fill(PASSWORD);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Save the password' }).click();
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
    await signIn(page, walk.demo.colleagues.approver);
    await page.getByRole('alert').waitFor();
    await signIn(page, { email, password: PASSWORD });
    await page.getByRole('button', { name: /^Account of/ }).waitFor();

    // A link that was used says so before a password is typed, and on a page that was open before afterwards.
    await early.getByLabel('New password', { exact: true }).fill(`${PASSWORD} again`);
    await early.getByRole('button', { name: 'Save the password' }).click();
    const late = await walk.open();
    await late.goto(link ?? '');
    for (const one of [early, late]) {
      await one.getByText('This link was used already or is too old.').waitFor();
      expect(await one.getByLabel('New password', { exact: true }).count()).toBe(0);
      await one.getByRole('link', { name: 'Request a new link' }).waitFor();
    }
    await expectAccessible(late);
  });

  it('says of a page that a mail leads to, opened without its link, where the link is', async () => {
    const page = await walk.open();
    for (const path of ['confirm', 'reset', 'join']) {
      await page.goto(`/dashboard/${path}`);
      await page.getByText('Open it from the mail').waitFor();
    }
  });

  it('shows the local outbox where no mail server is set up', async () => {
    const page = await walk.open();
    await page.goto('/dashboard/outbox');
    await page.getByRole('heading', { level: 1, name: 'Local outbox' }).waitFor();
    await expectAccessible(page);
  });

  it('keeps the local outbox to the operator’s staff once a merchant is approved', async () => {
    const operator = await walk.openAs(walk.demo.operator, { at: '/dashboard/operator' });
    const { merchantId } = walk.demo.pendingMerchant;
    const session = await operator.context().request.get('/session');
    const headers = { 'x-csrf-token': (await session.json()).data.csrfToken as string };
    const approved = await operator.context().request.post(`/operator/merchant/${merchantId}/approve`, { headers });
    expect(approved.status()).toBe(200);
    const page = await walk.open();
    // What was read a moment ago counts for a moment.
    await expect.poll(async () => (await page.context().request.get('/mail')).status()).toBe(401);
    await page.goto('/dashboard/outbox');
    await page.getByText('The operator’s staff read these mails').waitFor();
    await expectAccessible(page);
    await operator.goto('/dashboard/outbox');
    await operator.getByRole('article').first().waitFor();
  });
});
