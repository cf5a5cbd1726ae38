import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { askApi } from './support/api.ts';
import { expectAccessible, prepareWalks, signIn } from './support/walk.ts';
import { settled } from './support/watch.ts';

const walk = prepareWalks();

/** Account numbers of the sandbox rail, at bank 058. */
const PAYS = '0000999901';
const FAILS = '0009999911';
const NEVER_SAYS = '0006999934';

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name });
const searchOf = (page: Page) => new URL(page.url()).searchParams;

async function pay(accountNumber: string, amount: number, narration: string): Promise<string> {
  const body = { pin: walk.demo.pin, amount, bankCode: '058', accountNumber, narration };
  const { data } = await askApi(walk, 'POST', '/payout/single', body);
  return data.transactionId;
}

async function endOf(transactionId: string): Promise<string> {
  for (;;) {
    const { data } = await askApi(walk, 'GET', `/transaction/${transactionId}`);
    if (data.conclusive === true) return data.status;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

describe('a name that was kept before names were looked at', () => {
  it('shows where a mark turns it around, and not what the mark makes of it', async () => {
    const page = await walk.openAs(walk.demo.dashboard);
    await page.route('**/branch/store?*', async (route) => {
      const answer = await route.fetch();
      const body = await answer.json();
      body.data.records[0].name = 'Ikeja \u202eynnaF\u200b';
      await route.fulfill({ response: answer, json: body });
    });
    await page.goto('/dashboard/stores');
    await page.getByText('Ikeja \ufffdynnaF\ufffd').first().waitFor();
  });
});

describe('the statement', () => {
  it('opens as its link says, and puts what is chosen into the link', async () => {
    const page = await walk.openAs(walk.demo.dashboard, { at: '/dashboard/wallet?from=2020-01-01&to=2020-01-31' });
    await page.getByText('Nothing moved in this period').waitFor();
    await expect.poll(() => page.getByLabel('From').inputValue()).toBe('2020-01-01');
    await expect.poll(() => page.getByLabel('Period').inputValue()).toBe('own');
    await expectAccessible(page);
    await page.getByLabel('Period').selectOption('Today');
    await page.getByRole('cell', { name: '+₦10,000,000.00' }).waitFor();
    const today = searchOf(page).get('from');
    expect(today).toMatch(/^\d{4}-\d\d-\d\d$/);
    expect(searchOf(page).get('to')).toBe(today);
    await page.reload();
    await page.getByRole('cell', { name: '+₦10,000,000.00' }).waitFor();
    await expect.poll(() => page.getByLabel('Period').inputValue()).toBe('today');
    await page.goBack();
    await page.getByText('Nothing moved in this period').waitFor();
  });

  it('says at the field that To is before From, and asks for no period that can only be refused', async () => {
    const page = await walk.openAs(walk.demo.dashboard, { at: '/dashboard/wallet?from=2026-11-20&to=2026-11-01' });
    const asked: string[] = [];
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url());
      if (pathname.endsWith('/statement')) asked.push(`${searchParams.get('from')} ${searchParams.get('to')}`);
    });
    // A link with such an end opens without it.
    await page.getByRole('cell', { name: '+₦10,000,000.00' }).waitFor();
    expect(await page.getByLabel('To', { exact: true }).inputValue()).toBe('');
    await page.getByLabel('To', { exact: true }).fill('2026-11-01');
    await page.getByText('To is before From: choose a later day.').waitFor();
    await expectAccessible(page);
    await page.getByLabel('From', { exact: true }).focus();
    expect(await page.getByLabel('To', { exact: true }).inputValue()).toBe('2026-11-01');
    await page.getByLabel('From', { exact: true }).fill('2026-10-20');
    await page.getByText('Nothing moved in this period').waitFor();
    await page.getByText('To is before From').waitFor({ state: 'detached' });
    expect([searchOf(page).get('from'), searchOf(page).get('to')]).toEqual(['2026-10-20', '2026-11-01']);
    // Another span takes what was only typed away.
    await page.getByLabel('To', { exact: true }).fill('2026-10-01');
    await page.getByText('To is before From').waitFor();
    await page.getByLabel('Period').selectOption('Today');
    await page.getByText('To is before From').waitFor({ state: 'detached' });
    await page.getByRole('cell', { name: '+₦10,000,000.00' }).waitFor();
    expect(new Set(asked)).not.toContain('2026-11-20 2026-11-01');
    expect(new Set(asked)).not.toContain('2026-10-20 2026-10-01');
    expect(await page.getByRole('button', { name: 'Retry' }).count()).toBe(0);
  });

  it('comes as the same CSV that the interface gives, and the account number goes to the clipboard', async () => {
    const page = await walk.openAs(walk.demo.dashboard, { at: '/dashboard/wallet' });
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download CSV' }).click(),
    ]);
    // Of the last thirty days, which nobody has chosen.
    const [, from, to] =
      /^statement-wallet-sandbox-(\d{4}-\d\d-\d\d)-(\d{4}-\d\d-\d\d)\.csv$/.exec(file.suggestedFilename()) ?? [];
    expect((Date.parse(to ?? '') - Date.parse(from ?? '')) / 86_400_000).toBe(30);
    const asked = await fetch(`${walk.baseUrl}/wallet/merchant/statement?format=csv`, {
      headers: { authorization: `Bearer ${walk.demo.secretKey}` },
    });
    // Byte for byte, the mark at its beginning too.
    expect(readFileSync(await file.path())).toEqual(Buffer.from(await asked.arrayBuffer()));
    await page.getByRole('button', { name: 'Copy the account number' }).click();
    const { data } = await askApi(walk, 'GET', '/wallet/merchant');
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(data.wallet.accountNumber);
  });

  it('comes as a file once somebody has signed in again, where the session has ended', async () => {
    const page = await walk.openAs(walk.demo.dashboard, { at: '/dashboard/wallet' });
    await page.getByRole('button', { name: 'Download CSV' }).waitFor();
    // With the request itself: before it, whatever the page reads by itself would find out first.
    const asked = /\/wallet\/[^/]+\/statement\?.*format=csv/;
    await page.route(
      asked,
      async (route) => {
        await page.context().clearCookies();
        await route.continue();
      },
      { times: 1 },
    );
    const file = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download CSV' }).click();
    await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor();
    await signIn(page, walk.demo.dashboard);
    expect((await file).suggestedFilename()).toMatch(/^statement-wallet-sandbox-.*\.csv$/);
  });

  it('draws the balance and says the same as a table', async () => {
    const page = await walk.openAs(walk.demo.dashboard, { dark: true, at: '/dashboard/wallet' });
    await page.getByRole('img', { name: /^Line chart of the balance/ }).waitFor();
    await page.getByText('Show the figures as a table').click();
    const table = page.getByRole('table', { name: 'Balance at the end of each day' });
    const { data } = await askApi(walk, 'GET', '/wallet/merchant');
    const [whole = '', kobo = ''] = data.wallet.bookedBalance.toFixed(2).split('.');
    const shown = `₦${whole.replace(/\B(?=(\d{3})+$)/g, ',')}.${kobo}`;
    await expect.poll(() => table.getByRole('row').nth(1).innerText()).toContain(shown);
    await expectAccessible(page);
  });

  it('draws the balance anew as money comes, without being asked', async () => {
    const page = await walk.openAs(walk.demo.dashboard, { at: '/dashboard/wallet' });
    await page.getByRole('img', { name: /^Line chart of the balance/ }).waitFor();
    await page.getByText('Show the figures as a table').click();
    const newest = page.getByRole('table', { name: 'Balance at the end of each day' }).getByRole('row').nth(1);
    const before = await newest.innerText();
    const { data } = await askApi(walk, 'GET', '/wallet/merchant');
    await askApi(walk, 'POST', '/sandbox/wallet/fund', { walletId: data.wallet.id, amount: 4_321.09 });
    await expect.poll(() => newest.innerText()).not.toBe(before);
    await expect.poll(() => newest.innerText()).toContain('.');
  });

  it('says on paper too whose it is, and which money it is about', async () => {
    const page = await walk.openAs(walk.demo.dashboard, { at: '/dashboard/wallet' });
    await page.emulateMedia({ media: 'print' });
    const onPaper = (text: string) => page.getByText(text, { exact: true }).filter({ visible: true }).count();
    expect([await onPaper('Sandbox: test money'), await onPaper('Live')]).toEqual([1, 0]);
    expect(await page.getByRole('paragraph').filter({ hasText: 'Adire & Co', visible: true }).count()).toBeGreaterThan(
      0,
    );
    await page.emulateMedia({ media: null });
  });

  it('is dark on paper, which is white, also for who has chosen the dark theme', async () => {
    const page = await walk.openAs(walk.demo.dashboard, { at: '/dashboard/wallet' });
    const ink = () => page.evaluate('getComputedStyle(document.body).color');
    const onLight = await ink();
    await page.evaluate("localStorage.setItem('manilla.theme', 'dark')");
    await page.reload();
    await expect.poll(ink).not.toBe(onLight);
    await page.emulateMedia({ media: 'print' });
    await expect.poll(ink).toBe(onLight);
    await page.emulateMedia({ media: null });
  });
});

describe('finding', () => {
  const field = (page: Page) => page.getByRole('combobox', { name: 'What to find' });
  const option = (page: Page, name: string | RegExp) => page.getByRole('option', { name });

  it('opens a payout by its payee in two actions, and pages, actions and what was searched for by keyboard alone', async () => {
    const id = await pay(PAYS, 4_321.5, 'Roof');
    const { data } = await askApi(walk, 'GET', `/transaction/${id}`);
    const page = await walk.openAs(walk.demo.dashboard, { at: '/dashboard/stores' });
    await heading(page, 'Stores').waitFor();
    await page.keyboard.press('Control+k');
    // At once: what is typed before the dialog has been fetched is not lost.
    await page.keyboard.type(`${data.beneficiaryAccountName}`.toLowerCase());
    await expect.poll(() => field(page).inputValue()).toBe(`${data.beneficiaryAccountName}`.toLowerCase());
    await option(page, /4,321.50/).waitFor();
    await page.getByRole('status').filter({ hasText: /found/ }).waitFor({ state: 'attached' });
    await expectAccessible(page);
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/payouts/${id}`);
    await page.keyboard.press('/');
    await option(page, data.beneficiaryAccountName.toLowerCase()).waitFor();
    await page.keyboard.type('new key');
    await option(page, /Make a new key/).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/developers/keys');
    await page.getByRole('button', { name: 'Find' }).click();
    await field(page).fill('4321.50');
    await option(page, /4,321.50/)
      .first()
      .waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    expect(await field(page).getAttribute('aria-activedescendant')).toBe(
      await option(page, /4,321.50/)
        .first()
        .getAttribute('id'),
    );
    await field(page).fill('nobody is called so');
    await page.getByText('Nothing is like this.').waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
  });

  it('opens with Enter what fits all that was typed, however fast that was', async () => {
    const [first, second] = [await pay(PAYS, 5_101, 'Sand'), await pay(FAILS, 5_102, 'Gravel')];
    const page = await walk.openAs(walk.demo.dashboard, { at: '/dashboard/stores' });
    await heading(page, 'Stores').waitFor();
    await page.keyboard.press('Control+k');
    await field(page).fill(first);
    await option(page, /5,101.00/).waitFor();
    await field(page).fill(second);
    await field(page).press('Enter');
    await page.waitForURL(/\/payouts\//);
    expect(page.url()).toContain(second);
  });

  it('says what went wrong, and takes the last of what was typed', async () => {
    const page = await walk.openAs(walk.demo.dashboard, { at: '/dashboard/stores' });
    await heading(page, 'Stores').waitFor();
    const asked: string[] = [];
    await page.route('**/search?*', (route) => {
      asked.push(new URL(route.request().url()).searchParams.get('q') ?? '');
      const body = { status: false, code: 'OVERLOADED', message: 'The service is busy.' };
      return route.fulfill({ status: 429, json: body });
    });
    await page.keyboard.press('Control+k');
    await field(page).pressSequentially('ikeja road');
    await page.getByText('The search did not work.').waitFor();
    // A pause between two letters asks for what stands there by then.
    await expect.poll(() => asked.at(-1)).toBe('ikeja road');
    await page.unroute('**/search?*');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('Nothing is like this.').waitFor();
  });

  it('finds a merchant for the operator', async () => {
    const page = await walk.openAs(walk.demo.operator, { at: '/dashboard/operator' });
    await heading(page, 'Overview').waitFor();
    await page.keyboard.press('Control+k');
    await field(page).fill(walk.demo.dashboard.email);
    await option(page, new RegExp(walk.demo.dashboard.email)).first().waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/operator/merchants/${walk.demo.merchantId}`);
  });

  it('opens for the operator the payout of any merchant that a reference names', async () => {
    const id = await pay(PAYS, 5_103, 'Cement');
    const page = await walk.openAs(walk.demo.operator, { at: '/dashboard/operator' });
    await heading(page, 'Overview').waitFor();
    await page.keyboard.press('Control+k');
    await field(page).fill(id);
    await option(page, /5,103.00/).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/operator/payouts/${id}`);
    await page.getByText('What was sent').waitFor();
  });
});

describe('transactions', () => {
  it('are found by account number, reference and id, by a link that can be sent on', async () => {
    const paid = await pay(PAYS, 2_500, 'Rent for the shop');
    const page = await walk.openAs(walk.demo.dashboard, { at: '/dashboard/transactions' });
    await heading(page, 'Transactions').waitFor();
    await page.getByLabel('Search').fill(PAYS);
    await page.getByText(`Payouts to account ${PAYS}, of the last 90 days.`).waitFor();
    await page.getByText('Rent for the shop').waitFor();
    expect(searchOf(page).get('search')).toBe(PAYS);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'It is a reference' }).click();
    await page.getByText('No matches').waitFor();
    await page.getByRole('button', { name: 'Clear the filters' }).first().click();
    await page.getByText('Rent for the shop').waitFor();
    await expect.poll(() => page.getByLabel('Search').inputValue()).toBe('');
    expect(searchOf(page).get('search')).toBeNull();
    await page.goto(`/dashboard/transactions?search=${paid}`);
    await page.getByText('Rent for the shop').waitFor();
    const { data } = await askApi(walk, 'GET', `/transaction/${paid}`);
    await page.goto(`/dashboard/transactions?search=${data.reference}&category=PAYOUT&status=NONSENSE&page=0`);
    await page.getByText('Rent for the shop').waitFor();
    await expect.poll(() => page.getByLabel('Kind').inputValue()).toBe('PAYOUT');
  });

  it('show all that is known of a payout in order, part by part, and hand it out', async () => {
    const paid = await pay(PAYS, 1_800, 'Diesel');
    expect(await endOf(paid)).toBe('SUCCESS');
    const page = await walk.openAs(walk.demo.dashboard, { at: `/dashboard/transactions/${paid}` });
    await heading(page, /^₦1,800\.00/).waitFor();
    const evidence = page.getByRole('listitem');
    await evidence.filter({ hasText: 'named the account’s owner' }).waitFor();
    await evidence.filter({ hasText: 'Sent to the bank: paid' }).filter({ hasText: 'Session id' }).waitFor();
    await evidence.filter({ hasText: 'Payout: ₦1,800.00 held' }).waitFor();
    await evidence.filter({ hasText: 'Event payout.succeeded' }).waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Ask the bank again' }).count()).toBe(0);
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Books' }).click();
    await evidence.filter({ hasText: 'Event payout.succeeded' }).waitFor({ state: 'detached' });
    expect(searchOf(page).get('show')).toBe('books');
    await page.getByRole('button', { name: 'Evidence' }).click();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'Download as JSON' }).click(),
    ]);
    const { data } = await askApi(walk, 'GET', `/transaction/${paid}/evidence`);
    expect(JSON.parse(readFileSync(await file.path(), 'utf8'))).toEqual(data);
  });

  it('say what an unknown outcome means, ask the bank again, why a payout failed, and that it may have arrived after all', async () => {
    const open = await pay(NEVER_SAYS, 700, 'Nobody knows');
    const failed = await pay(FAILS, 600, 'Declined');
    const page = await walk.openAs(walk.demo.dashboard, {
      phone: true,
      dark: true,
      at: `/dashboard/transactions/${open}`,
    });
    await page.getByRole('button', { name: 'Ask the bank again' }).click();
    await page.getByText('The bank was asked and does not say yet.').waitFor();
    await page.getByText('Asked the bank what became of it').first().waitFor();
    await expectAccessible(page);
    expect(await endOf(failed)).toBe('FAILED');
    await page.goto(`/dashboard/transactions/${failed}`);
    await page.getByText('Amount and charges were returned.').waitFor();
    await expectAccessible(page);
    await page.route('**/transaction/*/evidence*', async (route) => {
      const answer = await route.fetch();
      const body = await answer.json();
      await route.fulfill({
        response: answer,
        json: { ...body, data: { ...body.data, operatorReason: 'RAIL_CONTRADICTS' } },
      });
    });
    await page.reload();
    await page.getByText('Do not pay it again before that is known.').waitFor();
    await expectAccessible(page);
  });

  it('say in words that one does not exist', async () => {
    const page = await walk.openAs(walk.demo.dashboard, {
      at: '/dashboard/transactions/01930000-0000-7000-8000-00000000dead',
    });
    await page.getByText('There is no transaction with this id.').waitFor();
    await expectAccessible(page);
  });
});

describe('beneficiaries', () => {
  it('are saved with the name that the bank gives, refused twice, removed and put back', async () => {
    const page = await walk.openAs(walk.demo.dashboard, { at: '/dashboard/beneficiaries' });
    await page.getByText('No beneficiaries yet').waitFor();
    await expectAccessible(page);
    for (const expected of ['is saved.', 'already']) {
      await page.getByRole('button', { name: 'Save a beneficiary' }).first().click();
      const dialog = page.getByRole('dialog', { name: 'Save a beneficiary' });
      await dialog.getByLabel('Bank').fill('Guaranty');
      await dialog.getByRole('option').first().click();
      await dialog.getByLabel('Account number').fill('12345');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await dialog.getByText('An account number has ten digits.').waitFor();
      await dialog.getByLabel('Account number').fill(PAYS);
      await dialog.getByText(/at Guaranty/).waitFor();
      await dialog.getByLabel('Nickname').fill('Landlord');
      await expectAccessible(page);
      await dialog.getByRole('button', { name: 'Save' }).click();
      await page.getByText(expected).first().waitFor();
    }
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Remove Landlord' }).click();
    await page.getByText('Landlord is off the list.').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Landlord is back.').waitFor();
    await page.getByRole('link', { name: 'Pay Landlord' }).waitFor();
    await expectAccessible(page);
  });
});

describe('each page about money', () => {
  const PAGES = ['/', '/wallet', '/stores', '/subaccounts', '/transactions', '/beneficiaries'];

  it.each([
    ['light', false],
    ['dark', true],
  ])('fits a phone and is for everyone, in %s', async (_name, dark) => {
    const page = await walk.openAs(walk.demo.dashboard, { phone: true, dark });
    for (const path of PAGES) {
      await page.goto(`/dashboard${path}`);
      await settled(page);
      const isTooWide = await page.evaluate(
        'document.documentElement.scrollWidth > document.documentElement.clientWidth',
      );
      expect(isTooWide, path).toBe(false);
      await expectAccessible(page);
    }
  });

  it('offers an approver nothing that an approver may not do', async () => {
    const page = await walk.openAs(walk.demo.colleagues.approver);
    for (const [path, refused] of [
      ['/stores', 'Open a store'],
      [`/stores/${walk.demo.storeIds[0]}`, 'Move to the main wallet'],
      [`/subaccounts/${walk.demo.subaccountIds[0]}`, 'Credit'],
      ['/beneficiaries', 'Save a beneficiary'],
      ['/payouts/new', 'Continue to the PIN'],
    ] as const) {
      await page.goto(`/dashboard${path}`);
      await settled(page);
      await heading(page, /./).waitFor();
      expect(await page.getByRole('button', { name: refused, exact: true }).count(), path).toBe(0);
    }
  });
});
