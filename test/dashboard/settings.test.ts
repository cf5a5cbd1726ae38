import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { askApi } from './support/api.ts';
import { signInOverHttp } from './support/session.ts';
import { expectAccessible, prepareWalks } from './support/walk.ts';

const walk = prepareWalks();

const openDialog = (page: Page) => page.getByRole('dialog');

describe('settings', () => {
  it("limit the business below the operator's limits, after a word about what is no amount", async () => {
    const page = await walk.openAs(walk.demo.dashboard, { at: '/dashboard/settings/limits' });
    await page.getByLabel('One payout').fill('12.345');
    await page.getByLabel('All payouts of a day').fill('1,000,000');
    await page.getByRole('button', { name: 'Save limits' }).click();
    await page.getByText('Use at most two decimals').waitFor();
    await expect.poll(() => page.getByLabel('All payouts of a day').inputValue()).toBe('1,000,000.00');
    await expectAccessible(page);
    await page.getByLabel('One payout').fill('25,000');
    await page.getByRole('button', { name: 'Save limits' }).click();
    await page.getByText('Saved. It is in force everywhere within a minute.').waitFor();
    const { data } = await askApi(walk, 'GET', '/payout/limit');
    expect(data.own).toEqual({ perPayout: 25_000, perDay: 1_000_000 });
    await page
      .getByRole('row', { name: /One payout/ })
      .getByText('₦25,000.00')
      .first()
      .waitFor();
    await expectAccessible(page);
  });

  it('tell two sessions of one browser apart on a phone, by when each was last seen', async () => {
    await walk.openAs(walk.demo.dashboard);
    const page = await walk.openAs(walk.demo.dashboard, { phone: true, at: '/dashboard/settings/security' });
    const sessions = page.getByRole('table', { name: 'Sessions' });
    await sessions.getByRole('button', { name: /^End/ }).first().waitFor();
    const [other] = await sessions.getByRole('row').filter({ hasNotText: 'This one' }).filter({ hasText: 'End' }).all();
    await other?.getByText(/^Last seen/).waitFor();
    expect(await other?.getByText(/^Last seen/).isVisible()).toBe(true);
    await expectAccessible(page);
  });

  it('keep the profile of the business, with the complaint next to its field, and lead nobody where they may not go', async () => {
    const page = await walk.openAs(walk.demo.dashboard, { phone: true, dark: true, at: '/dashboard/settings/profile' });
    await page.getByLabel('City').fill('Abeokuta');
    await page.getByLabel('Phone number').fill('call me');
    await page.getByRole('button', { name: 'Save' }).click();
    await page
      .getByText('Must be a phone number of 7 to 15 digits, such as 0803 123 4567 or +234 803 123 4567.')
      .waitFor();
    await expect.poll(() => page.getByLabel('City').inputValue()).toBe('Abeokuta');
    await page.getByLabel('Phone number').fill('2348035550123');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.', { exact: true }).waitFor();
    expect((await askApi(walk, 'GET', '/merchant/info')).data.city).toBe('Abeokuta');
    await expectAccessible(page);

    // The review is not for who may not look at it: a viewer.
    const review = page.getByRole('main').getByRole('link', { name: 'Business profile' });
    expect(await review.count()).toBe(1);
    await page.route('**/session', async (route) => {
      const response = await route.fetch();
      const json = await response.json();
      json.data.permissions = json.data.permissions.filter((one: string) => one !== 'member:read');
      await route.fulfill({ response, json });
    });
    await page.reload();
    await page.getByLabel('City').waitFor();
    expect(await review.count()).toBe(0);
    await page.goto('/dashboard/settings/approval-rules');
    await page.getByText(/may approve now/).waitFor();
    expect(await page.getByRole('main').getByRole('link', { name: 'See people' }).count()).toBe(0);
  });

  it('keep what a colleague saved of the profile while something else was typed', async () => {
    const page = await walk.openAs(walk.demo.dashboard, { at: '/dashboard/settings/profile' });
    await page.getByLabel('Postal code').fill('101 241');
    const colleague = await signInOverHttp(walk.baseUrl, walk.demo.dashboard);
    expect((await colleague.ask('PATCH', '/merchant/info', { city: 'Ibadan' })).status).toBe(200);
    // As who comes back to the tab.
    const read = page.waitForResponse(/\/merchant\/info$/);
    await page.clock.install();
    await page.clock.fastForward(60_000);
    await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
    await read;
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.', { exact: true }).waitFor();
    expect((await askApi(walk, 'GET', '/merchant/info')).data).toMatchObject({ city: 'Ibadan', postalCode: '101 241' });
    await expect.poll(() => page.getByLabel('City').inputValue()).toBe('Ibadan');
  });

  it('switch approvals on only where a second person can decide, and a change of them then waits', async () => {
    const page = await walk.openAs(walk.demo.dashboard, { at: '/dashboard/settings/approval-rules' });
    await page.getByRole('switch', { name: 'A second person approves' }).click();
    await openDialog(page).getByRole('button', { name: 'Switch on' }).click();
    await page.getByText('Saved. It is in force at once.').waitFor();
    await page.getByRole('switch', { checked: true }).waitFor();
    await expectAccessible(page);

    await page.getByRole('button', { name: 'Add a rule' }).click();
    await page.getByLabel('From').nth(1).fill('0');
    await page.getByRole('button', { name: 'Save rules' }).click();
    await page.getByText('There is another rule from this amount.').first().waitFor();
    await page.getByLabel('From').nth(1).fill('500,000');
    await page.getByLabel('Needs').nth(1).selectOption('5');
    await page.getByRole('button', { name: 'Save rules' }).click();
    await page.getByRole('main').getByRole('alert').waitFor();
    await expect.poll(() => page.getByLabel('From').nth(1).inputValue()).toBe('500,000.00');
    // Every digit of an amount is seen on the narrowest screen.
    await page.setViewportSize({ width: 320, height: 700 });
    const isCut = (field: Element) => field.scrollWidth > field.clientWidth;
    expect(await page.getByLabel('From').nth(1).evaluate(isCut)).toBe(false);
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.getByLabel('Needs').nth(1).selectOption('1');
    await page.getByRole('button', { name: 'Save rules' }).click();
    await page.getByText('A change waits for approval').waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Save rules' }).count()).toBe(0);
    await expectAccessible(page);
    await page.getByRole('link', { name: 'See the change' }).click();
    await page.waitForURL(/\/approvals\//);
  });

  it('write down who did what, to look at, to filter and to download', async () => {
    const page = await walk.openAs(walk.demo.dashboard, { at: '/dashboard/settings/audit' });
    await page.getByLabel('What was done').fill('Signed in with');
    await page.waitForURL(/action=Signed/);
    await page
      .getByRole('button', { name: /Signed in/ })
      .first()
      .click();
    await openDialog(page).getByText('127.0.0.1').waitFor();
    await openDialog(page).getByText('Amaka Obi').waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download CSV' }).click();
    expect((await saved).suggestedFilename()).toMatch(/^audit-\d{4}-\d\d-\d\d\.csv$/);
    await page.getByLabel('Kind').selectOption('Signing in');
    await page.waitForURL(/category=SIGN_IN/);
    await page
      .getByRole('button', { name: /Signed in/ })
      .first()
      .waitFor();
    await page.getByLabel('What was done').fill('no such action');
    await page.getByText('Nothing matches these filters').waitFor();
    await expectAccessible(page);
    await page.goto('/dashboard/settings/audit?mode=live');
    await page
      .getByRole('button', { name: /Signed in/ })
      .first()
      .waitFor();
  });
});
