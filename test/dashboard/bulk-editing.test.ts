import type { Page, Route } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { signInOverHttp } from './support/session.ts';
import { uploadList } from './support/uploads.ts';
import { expectAccessible, prepareWalks } from './support/walk.ts';

const walk = prepareWalks();

const COLUMNS = ['Row', 'Account number', 'Bank', 'Name', 'Amount (₦)', 'Narration', 'Phone', 'State'];
const cell = (page: Page, row: number, column: string) => page.locator(`#item-${row}-${COLUMNS.indexOf(column)}`);
const shows = (page: Page, row: number, column: string, text: string) =>
  expect.poll(() => cell(page, row, column).innerText()).toContain(text);
const focused = (page: Page) => page.evaluate(() => document.activeElement?.id);

async function upload(page: Page, name: string, rows: readonly string[]): Promise<void> {
  await uploadList(page, name, ['Amount,Bank Code,Account Number,Account Name,Narration', ...rows, ''].join('\r\n'));
  await page
    .getByText(/^(Ready|Needs correction)$/)
    .first()
    .waitFor();
}

/** A column of a spreadsheet, on the clipboard and from there into the page. */
async function paste(page: Page, text: string): Promise<void> {
  await page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
  await page.keyboard.press('Control+V');
}

/** Opens a cell, types into it and presses Enter. */
async function type(page: Page, row: number, column: string, text: string): Promise<void> {
  await cell(page, row, column).focus();
  await page.keyboard.press('Enter');
  await page.keyboard.type(text);
  await page.keyboard.press('Enter');
}

/** Somebody else with the same list before them, in a page that is never read anew. */
async function openColleague(page: Page) {
  const session = await signInOverHttp(walk.baseUrl, walk.demo.dashboard);
  const items = `/payout/bulk/${new URL(page.url()).pathname.split('/').at(-1)}/item`;
  const { data } = await session.ask('GET', items);
  const id = data.records[0].id;
  return {
    change: (cells: object) => session.ask('PATCH', '/payout/bulk/item', { bulkPayoutItemId: id, ...cells }),
    row: async () => (await session.ask('GET', items)).data.records[0],
  };
}

describe('correcting a list as in a spreadsheet', () => {
  it('takes a pasted column, corrects what has one meaning, and puts back with Ctrl+Z what was there', async () => {
    const page = await walk.openAs(walk.demo.dashboard);
    await upload(page, 'pasted.csv', ['100,058,77,,One', '200,058,88,,Two', '300,999,0123456787,,Three']);
    await page.getByText('3 rows cannot be paid yet').waitFor();
    await cell(page, 0, 'Account number').focus();
    await paste(page, '0123456785\tGTBank\r\n123456786\tZenith Bank\r\n0123456787\t58\r\n0123456788\t058\r\n');
    await page
      .getByText(
        /^6 cells were pasted\..*1 account number of nine digits got .* zero back\. 1 line had no row to go to\./,
      )
      .waitFor();
    await page.getByText('All 3 rows can be paid.').waitFor();
    await shows(page, 1, 'Account number', '0123456786');
    await shows(page, 1, 'Bank', 'Zenith Bank');
    await shows(page, 2, 'Bank', 'Guaranty Trust Bank');
    await expectAccessible(page);

    await page.keyboard.press('Control+Z');
    await page.getByText('3 rows cannot be paid yet').waitFor();
    await shows(page, 0, 'Account number', '77');
    await shows(page, 2, 'Bank', '999');
    await page.keyboard.press('Control+Z');
    await page.getByText('There is nothing to take back.').waitFor();
  });

  it('goes from one red cell to the next, and edits the one that was opened', async () => {
    const page = await walk.openAs(walk.demo.dashboard);
    await upload(page, 'typed.csv', ['100,058,0123456785,,One', '200,058,12,,Two', '0,058,0123456787,,Three']);
    await page.getByText('2 rows cannot be paid yet').waitFor();
    await page.getByRole('button', { name: 'Next red cell' }).click();
    await expect.poll(() => focused(page)).toBe('item-1-1');
    await page.keyboard.press('F8');
    await expect.poll(() => focused(page)).toBe('item-2-4');
    await page.keyboard.press('F8');
    await expect.poll(() => focused(page)).toBe('item-1-1');
    await page.keyboard.press('Enter');
    await page.keyboard.type('0123456786');
    await expect.poll(() => page.getByLabel('Account number, row 3').inputValue()).toBe('0123456786');
    await page.keyboard.press('Enter');
    await page.getByText('1 row cannot be paid yet').waitFor();
    await page.keyboard.press('F8');
    await page.keyboard.press('Enter');
    await page.keyboard.type('250');
    await page.keyboard.press('Enter');
    await page.getByText('All 3 rows can be paid.').waitFor();
    await shows(page, 2, 'Amount (₦)', '250');
    expect(await page.getByRole('button', { name: 'Next red cell' }).count()).toBe(0);
    // A bank is searched from the first letter on.
    await cell(page, 0, 'Bank').focus();
    await page.keyboard.press('Enter');
    await page.keyboard.type('zenith');
    await page.getByRole('option', { name: /Zenith/ }).waitFor();
    await page.keyboard.press('Enter');
    await shows(page, 0, 'Bank', 'Zenith Bank');
  });

  it('shows the rows to correct alone where the next red cell is too far away', async () => {
    const page = await walk.openAs(walk.demo.dashboard);
    const rows = Array.from({ length: 450 }, (_, at) => `${100 + at},058,0123456785,,Salary ${at}`);
    await upload(page, 'far.csv', [...rows, '100,058,12,,Last']);
    await page.getByText('1 row cannot be paid yet').waitFor();
    await page.getByRole('button', { name: 'Next red cell' }).click();
    await expect.poll(() => new URL(page.url()).searchParams.get('show')).toBe('invalid');
    await expect.poll(() => focused(page)).toBe('item-0-1');
    await shows(page, 0, 'Account number', '12');
  });

  it('pays nothing while a cell shows what was not taken, and what was shown is what is paid', async () => {
    const page = await walk.openAs(walk.demo.dashboard);
    await upload(page, 'shown.csv', ['4100,058,0123456785,,One']);
    await page.getByText('1 row can be paid.').waitFor();
    await cell(page, 0, 'Amount (₦)').focus();
    await page.keyboard.press('Enter');
    await page.keyboard.type('4100.755');
    await page.keyboard.press('Enter');
    await page.getByText('Enter an amount in naira with at most two decimals').first().waitFor();
    const pay = page.getByRole('main').getByRole('button', { name: 'Pay', exact: true });
    await pay.click();
    await page.getByText('One cell shows what was not taken, and not what would be paid.').waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    // A link would lose it: the page asks.
    await page.getByRole('link', { name: 'All bulk payouts' }).click();
    await page.getByRole('dialog', { name: 'Leave without what was not saved?' }).getByText('Stay').click();
    await page.getByText('Enter an amount in naira with at most two decimals').first().waitFor();
    await cell(page, 0, 'Amount (₦)').focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    await pay.click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('₦4,100.00').first().waitFor();
    const digest = await page
      .getByText(/^[0-9a-f]{64}$/)
      .first()
      .innerText();
    await dialog.getByText(`${digest.slice(0, 8)} … ${digest.slice(-8)}`).waitFor();
    await expectAccessible(page);

    // Another tab corrects the row while the PIN is asked for here.
    const other = await page.context().newPage();
    await other.goto(page.url());
    await cell(other, 0, 'Amount (₦)').waitFor();
    await cell(other, 0, 'Amount (₦)').focus();
    await other.keyboard.press('Enter');
    await other.keyboard.type('41000');
    await other.keyboard.press('Enter');
    await other.getByText('₦41,000.00').first().waitFor();
    await expect.poll(() => page.getByRole('main').getByText('₦41,000.00').count()).toBe(1);
    await dialog.getByText('₦4,100.00').first().waitFor();
    await dialog.getByLabel('PIN').fill(walk.demo.pin);
    await page.keyboard.press('Enter');
    await page.getByText('Somebody changed a row or the charges changed since you looked. Nothing was paid.').waitFor();
  });

  it('says that it shows what was, while the service cannot be reached, and recovers by itself', async () => {
    const page = await walk.openAs(walk.demo.dashboard);
    await upload(page, 'stale.csv', ['100,058,0123456785,,One']);
    await page.getByText('1 row can be paid.').waitFor();
    await page.route('**/payout/bulk/MNB**', (route) => route.abort());
    await page.getByText('The service is not reachable right now. You see the list as it was at').waitFor();
    await expectAccessible(page);
    await page.unroute('**/payout/bulk/MNB**');
    await page.getByText('The service is not reachable right now.').waitFor({ state: 'detached' });
  });

  it('writes over nothing that somebody else saved since, neither by typing nor with Ctrl+Z, unless it is said twice', async () => {
    const page = await walk.openAs(walk.demo.dashboard);
    await upload(page, 'two-clerks.csv', ['100,058,0123456785,,One']);
    await page.getByText('1 row can be paid.').waitFor();
    const colleague = await openColleague(page);
    await type(page, 0, 'Amount (₦)', '200');
    await shows(page, 0, 'Amount (₦)', '200');
    await expect.poll(async () => (await colleague.row()).amount).toBe(200);
    await colleague.change({ amount: 41_000 });
    await page.keyboard.press('Control+Z');
    await page
      .getByText(/Somebody else changed it meanwhile/)
      .first()
      .waitFor();
    expect((await colleague.row()).amount).toBe(41_000);
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    await shows(page, 0, 'Amount (₦)', '41,000');

    // While it is typed into: a page that heard of it before would show it, and writing over that is meant.
    await cell(page, 0, 'Account number').focus();
    await page.keyboard.press('Enter');
    await page.keyboard.type('0123456787');
    await colleague.change({ accountNumber: '0123456786' });
    await page.keyboard.press('Enter');
    await page
      .getByText(/Somebody else changed it meanwhile/)
      .first()
      .waitFor();
    expect((await colleague.row()).accountNumber).toBe('0123456786');
    await page.keyboard.press('Enter');
    await page.getByLabel('Account number, row 2').waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(async () => (await colleague.row()).accountNumber).toBe('0123456787');
  });

  it('leaves as it is what somebody else saved while the cell stood open and nothing was typed', async () => {
    const page = await walk.openAs(walk.demo.dashboard);
    await upload(page, 'left-open.csv', ['100,058,0123456785,,One']);
    await page.getByText('1 row can be paid.').waitFor();
    const colleague = await openColleague(page);
    await cell(page, 0, 'Amount (₦)').focus();
    await page.keyboard.press('Enter');
    await colleague.change({ amount: 41_000 });
    const read = page.waitForResponse(/\/item\?/);
    await page.clock.install();
    await page.clock.fastForward(60_000);
    await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
    await read;
    await page.getByRole('heading', { level: 1 }).click();
    await shows(page, 0, 'Amount (₦)', '41,000');
    expect((await colleague.row()).amount).toBe(41_000);
  });

  it('removes a row of which the first answer was lost, and does not say that it is still there', async () => {
    const page = await walk.openAs(walk.demo.dashboard);
    await upload(page, 'removed.csv', ['100,058,0123456785,,One', '200,058,0123456786,,Two']);
    await page.getByText('All 2 rows can be paid.').waitFor();
    const lose = async (route: Route) => {
      await route.fetch();
      await route.abort();
    };
    await page.route('**/payout/bulk/item/*', lose, { times: 1 });
    await page.getByRole('button', { name: 'Remove row 3' }).click();
    await page.getByText('1 row can be paid.').waitFor();
    expect(await page.getByText('was not removed').count()).toBe(0);
  });

  it('asks for no PIN while the answer about a removed row is to come, and says so where the row may still be there', async () => {
    const page = await walk.openAs(walk.demo.dashboard);
    await upload(page, 'still-there.csv', ['100,058,0123456785,,One', '200,058,0123456786,,Two']);
    await page.getByText('All 2 rows can be paid.').waitFor();
    const line = Promise.withResolvers<void>();
    await page.route('**/payout/bulk/item/*', async (route) => {
      await line.promise;
      await route.abort();
    });
    await page.clock.install();
    await page.getByRole('button', { name: 'Remove row 3' }).click();
    const asked = page.waitForRequest('**/payout/bulk/item/*');
    await page.clock.fastForward(6_000);
    await asked;
    await page.getByRole('main').getByRole('button', { name: 'Pay', exact: true }).click();
    line.resolve();
    await page.getByText('A row that you removed may still be in the list').waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  it('sends once more with Enter what could not be sent', async () => {
    const page = await walk.openAs(walk.demo.dashboard);
    await upload(page, 'cut-off.csv', ['100,058,0123456785,,One']);
    await page.getByText('1 row can be paid.').waitFor();
    await page.route('**/payout/bulk/item', (route) => route.abort());
    await type(page, 0, 'Amount (₦)', '250');
    await page
      .getByText(/connection was lost/)
      .first()
      .waitFor();
    await page.unroute('**/payout/bulk/item');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await page.getByText('connection was lost').first().waitFor({ state: 'detached' });
    await shows(page, 0, 'Amount (₦)', '250');
  });

  it('keeps on a phone what somebody else saved, where one wants that, and prints the page without its bar, saying how many rows there are', async () => {
    const page = await walk.openAs(walk.demo.dashboard, { phone: true });
    await upload(page, 'on-a-phone.csv', ['100,058,0123456785,,One']);
    await page.getByText('1 row can be paid.').waitFor();
    const colleague = await openColleague(page);
    const dialog = page.getByRole('dialog', { name: 'Row 2' });
    await page.getByRole('button', { name: 'Edit row 2' }).click();
    await colleague.change({ amount: 41_000 });
    await dialog.getByLabel('Amount (₦)').fill('200');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText(/Somebody else changed it meanwhile/).waitFor();
    await page.getByText('₦41,000.00').first().waitFor();
    await page.getByRole('button', { name: 'Edit row 2' }).click();
    await dialog.getByText(/Somebody else changed it meanwhile/).waitFor();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Undo amount' }).click();
    expect(await dialog.getByLabel('Amount (₦)').inputValue()).toBe('41000');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText(/Somebody else changed it meanwhile/).waitFor({ state: 'detached' });
    expect((await colleague.row()).amount).toBe(41_000);

    await page.emulateMedia({ media: 'print' });
    await page.getByText('The list has 1 row; on paper are those in sight.').waitFor();
    expect(await page.locator('[data-action-bar]').isVisible()).toBe(false);
    await page.emulateMedia({ media: 'screen' });
    expect(await page.locator('[data-action-bar]').isVisible()).toBe(true);
  });
});
