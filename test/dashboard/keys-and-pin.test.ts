import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { askApi } from './support/api.ts';
import { expectAccessible, giveFreshPassword, prepareWalks } from './support/walk.ts';

const walk = prepareWalks();

const openDialog = (page: Page) => page.getByRole('dialog');

async function askWith(key: string): Promise<{ status: number; code: string | undefined }> {
  const answer = await fetch(`${walk.baseUrl}/wallet/merchant`, { headers: { authorization: `Bearer ${key}` } });
  const { code } = (await answer.json()) as { code?: string };
  return { status: answer.status, code };
}

/** Fills the dialog for a new key and gives the key that it shows once. */
async function makeKey(page: Page, name: string): Promise<string> {
  await page.getByRole('button', { name: 'New key' }).click();
  await openDialog(page).getByLabel('Name').fill(name);
  await openDialog(page).getByRole('button', { name: 'Create the key' }).click();
  await openDialog(page).getByText('Copy the key now').waitFor();
  return shownKey(page);
}

const shownKey = (page: Page) => page.locator('[data-secret=key]').innerText();

async function chooseFor(page: Page, name: string, action: string): Promise<void> {
  await page
    .getByRole('button', { name: `Actions for ${name}` })
    .first()
    .click();
  await page.getByRole('menuitem', { name: action }).click();
}

describe('API keys', () => {
  it('are made, shown once, used over the API, revoked and refused', async () => {
    const page = await walk.openAs(walk.demo.dashboard, { at: '/dashboard/developers/keys' });
    const key = await makeKey(page, 'Till server');
    await expectAccessible(page);
    const line = await page.locator('[data-secret=command]').innerText();
    expect(line).toBe(`curl ${walk.baseUrl}/wallet/merchant -H "Authorization: Bearer ${key}"`);
    await page.keyboard.press('Escape');
    expect(await shownKey(page)).toBe(key);
    await openDialog(page).getByRole('button', { name: 'Copy the key' }).click();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(key);
    await openDialog(page).getByRole('button', { name: 'I have saved it' }).click();
    expect(await page.content()).not.toContain(key);

    expect((await askWith(key)).status).toBe(200);
    await page.reload();
    const row = page.getByRole('row', { name: /Till server/ });
    await row
      .getByText(/ago|just now/)
      .last()
      .waitFor();
    await expectAccessible(page);

    await chooseFor(page, 'Till server', 'Revoke');
    await openDialog(page).getByRole('button', { name: 'Revoke key' }).click();
    await row.getByText('Revoked').waitFor();
    await expect.poll(() => askWith(key)).toEqual({ status: 401, code: 'TOKEN_EXPIRED' });
  });

  it('complain next to the field about what cannot be, keep what was typed, and give only what was chosen', async () => {
    const page = await walk.openAs(walk.demo.dashboard, { at: '/dashboard/developers/keys' });
    await page.getByRole('button', { name: 'New key' }).click();
    const dialog = openDialog(page);
    await dialog.getByRole('button', { name: 'Create the key' }).click();
    await dialog.getByText('Give the key a name').waitFor();
    await dialog.getByLabel('Name').fill('Reader');
    await dialog.getByLabel('Only from these IP addresses').fill('127.0.0.1\n300.1.1.1');
    await dialog.getByLabel('Ends on').fill('2020-01-01');
    await dialog.getByLabel('Only what I choose').check();
    await dialog.getByRole('button', { name: 'Create the key' }).click();
    await dialog.getByText('300.1.1.1 is not an IP address or range.').waitFor();
    await dialog.getByText('Choose a day after today.').waitFor();
    await expectAccessible(page);
    await dialog.getByLabel('Only from these IP addresses').fill('127.0.0.1');
    await dialog.getByLabel('Ends on').fill('');
    await dialog.getByRole('button', { name: 'Create the key' }).click();
    await dialog.getByText('Choose at least one thing that the key may do.').waitFor();
    await expect.poll(() => dialog.getByLabel('Name').inputValue()).toBe('Reader');
    await dialog.getByLabel('payout:read').check();
    await dialog.getByRole('button', { name: 'Create the key' }).click();
    await dialog.getByText('Copy the key now').waitFor();
    expect(await askWith(await shownKey(page))).toEqual({ status: 403, code: 'SCOPE_NOT_GRANTED' });
  });

  it('ask for the password again where it was given long ago, and go on with what was typed', async () => {
    const page = await walk.openAs(walk.demo.dashboard, { at: '/dashboard/developers/keys' });
    await page.getByRole('button', { name: 'New key' }).click();
    await openDialog(page).getByLabel('Name').fill('Late key');
    await walk.letPasswordsGrowOld();
    await openDialog(page).getByRole('button', { name: 'Create the key' }).click();
    const asked = page.getByRole('dialog', { name: 'Confirm that it is you' });
    await asked.getByLabel('Password', { exact: true }).fill('not the password');
    await asked.getByRole('button', { name: 'Continue' }).click();
    await asked.getByText('It is wrong.').waitFor();
    await expectAccessible(page);
    await giveFreshPassword(page, walk.demo.dashboard);
    await page.getByText('Copy the key now').waitFor();
    expect((await askWith(await shownKey(page))).status).toBe(200);
  });

  it('rotate: the new key and the old one work side by side', async () => {
    const page = await walk.openAs(walk.demo.dashboard, { phone: true, dark: true, at: '/dashboard/developers/keys' });
    const old = await makeKey(page, 'Payroll');
    await openDialog(page).getByRole('button', { name: 'I have saved it' }).click();
    await chooseFor(page, 'Payroll', 'Rotate');
    await expectAccessible(page);
    await openDialog(page).getByRole('button', { name: 'Create the new key' }).click();
    await openDialog(page).getByText('Copy the key now').waitFor();
    const fresh = await shownKey(page);
    expect([(await askWith(old)).status, (await askWith(fresh)).status]).toEqual([200, 200]);
    // To its end: the old one of two by one name is revoked, by its last figures and by when it was used.
    await openDialog(page).getByRole('button', { name: 'I have saved it' }).click();
    await chooseFor(page, `Payroll, …${old.slice(-4)}`, 'Revoke');
    await openDialog(page)
      .getByText(/^It was last used: /)
      .waitFor();
    await expectAccessible(page);
    await openDialog(page).getByRole('button', { name: 'Revoke key' }).click();
    await page.getByText('Payroll is revoked.').waitFor();
    walk.clock.advance(2_100);
    await expect.poll(async () => (await askWith(old)).status).toBe(401);
    expect((await askWith(fresh)).status).toBe(200);
  });

  it('that are rotated without a time for both are not said to work on', async () => {
    const page = await walk.openAs(walk.demo.dashboard, { at: '/dashboard/developers/keys' });
    await makeKey(page, 'Leaked');
    await openDialog(page).getByRole('button', { name: 'I have saved it' }).click();
    await chooseFor(page, 'Leaked', 'Rotate');
    await openDialog(page).getByLabel('The old key keeps working for').selectOption('0');
    await openDialog(page).getByRole('button', { name: 'Create the new key' }).click();
    await openDialog(page).getByText('The old key has ended: put the new one in place now.').waitFor();
    await expectAccessible(page);
  });

  it('lead to the API reference with a sandbox key filled in that lasts a day', async () => {
    const page = await walk.openAs(walk.demo.dashboard, { at: '/dashboard/developers/keys' });
    const opened = page.waitForEvent('popup');
    await page.getByRole('button', { name: 'API reference', exact: true }).click();
    const reference = await opened;
    await reference.waitForURL('**/docs');
    await reference.locator('#reference').getByText('Manilla').first().waitFor();
    expect(await reference.evaluate(() => localStorage.getItem('manilla.reference-key'))).toBeNull();
    await page.reload();
    await page
      .getByRole('row', { name: /API reference/ })
      .getByText('Active')
      .waitFor();
    await reference.close();
  });

  it('lead to the guides of this installation, in a tab of their own', async () => {
    const page = await walk.openAs(walk.demo.dashboard, { at: '/dashboard/developers/keys' });
    const opened = page.waitForEvent('popup');
    await page.getByRole('link', { name: 'Guides' }).click();
    const guides = await opened;
    await guides.waitForURL('**/docs/guides');
    await guides.getByRole('heading', { name: 'Guides', level: 1 }).waitFor();
    await guides.close();
  });
});

describe('the PIN', () => {
  it('refuses what is guessed first, is changed, and says in words that five wrong ones locked it', async () => {
    const page = await walk.openAs(walk.demo.dashboard, { at: '/dashboard/settings/pin' });
    await page.getByRole('button', { name: 'Change the PIN' }).click();
    const dialog = openDialog(page);
    const change = dialog.getByRole('button', { name: 'Change the PIN' });
    await dialog.getByLabel('New PIN', { exact: true }).fill('1234');
    await dialog.getByLabel('New PIN again').fill('1235');
    await change.click();
    await dialog.getByText('The two PINs differ.').waitFor();
    await dialog.getByLabel('New PIN again').fill('1234');
    await change.click();
    await dialog.getByText('This PIN is too easy to guess.').waitFor();
    await expectAccessible(page);
    for (const field of ['New PIN', 'New PIN again']) await dialog.getByLabel(field, { exact: true }).fill('80417');
    await change.click();
    await page.getByText('The sandbox PIN is changed. The old one no longer works.').waitFor();

    const storeId = walk.demo.storeIds[0];
    const debit = (pin: string) =>
      askApi(walk, 'POST', '/branch/store/debit', { pin, amount: 10, storeId, narration: 'Sweep' });
    expect((await debit('80417')).status).toBe(200);
    const statuses: number[] = [];
    for (const wrong of ['70401', '70402', '70403', '70404', '70405']) statuses.push((await debit(wrong)).status);
    expect(statuses).toEqual([422, 422, 422, 422, 423]);
    await page.reload();
    await page.getByText('Five wrong PINs: PIN operations of this mode are locked').waitFor();
    await expectAccessible(page);
  });

  it('is another one for live money, set apart from that of the sandbox', async () => {
    const page = await walk.openAs(walk.demo.dashboard, { at: '/dashboard/settings/pin?mode=live' });
    await page.getByText('No live PIN yet').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Set the PIN' }).click();
    for (const field of ['New PIN', 'New PIN again'])
      await openDialog(page).getByLabel(field, { exact: true }).fill('902715');
    await openDialog(page).getByRole('button', { name: 'Set the PIN' }).click();
    await page.getByText('The live PIN is set.').waitFor();
    await page.getByRole('heading', { name: 'Live PIN' }).waitFor();
  });

  it('is unlocked by the operator in the mode in which it was locked', async () => {
    const debit = { pin: '80417', amount: 10, storeId: walk.demo.storeIds[0], narration: 'Sweep' };
    expect((await askApi(walk, 'POST', '/branch/store/debit', debit)).status).toBe(423);
    const page = await walk.openAs(walk.demo.operator, {
      at: `/dashboard/operator/merchants/${walk.demo.merchantId}?tab=people`,
    });
    await page.getByText(/Locked until/).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Unlock the sandbox PIN' }).click();
    await openDialog(page).getByRole('button', { name: 'Unlock' }).click();
    await page.getByText('The sandbox PIN is unlocked.').waitFor();
    await expect.poll(async () => (await askApi(walk, 'POST', '/branch/store/debit', debit)).status).toBe(200);
  });
});
