import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { askAs, askWith, switchApprovalsOn } from './approval-steps.ts';
import { uploadList } from './support/uploads.ts';
import { expectAccessible, prepareWalks } from './support/walk.ts';

const walk = prepareWalks();

const HEADER = 'Amount,Bank Code,Account Number,Account Name,Narration';
/** One that is right, and one for each way in which clerks get a row wrong. */
const WITH_BAD_ROWS = [
  '15000,058,0123456785,,Salary',
  '2000,058,12345,,Short account',
  '3000,058,0009999904,,Unknown account',
  '1500.505,058,0123456786,,Finer than kobo',
  '4000,058,123456789,,Lost zero',
];

async function upload(page: Page, name: string, rows: readonly string[]): Promise<void> {
  await uploadList(page, name, [HEADER, ...rows, ''].join('\r\n'));
  await page
    .getByText(/^(Ready|Needs correction)$/)
    .first()
    .waitFor();
}

/** A cell by its row, from 0, and the heading of its column. */
const COLUMNS = ['Row', 'Account number', 'Bank', 'Name', 'Amount (₦)', 'Narration', 'Phone', 'State'];
const cell = (page: Page, row: number, column: string) => page.locator(`#item-${row}-${COLUMNS.indexOf(column)}`);
const isWrong = async (page: Page, row: number, column: string) =>
  (await cell(page, row, column).getAttribute('aria-invalid')) === 'true';

async function dispatch(page: Page, button: RegExp): Promise<void> {
  await page.getByRole('main').getByRole('button', { name: button }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('PIN').fill(walk.demo.pin);
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
}

const digestOn = (page: Page) =>
  page
    .getByText(/^[0-9a-f]{64}$/)
    .first()
    .innerText();

describe('a bulk payout', () => {
  it('is corrected in place by keyboard, waits for a second person, who sees the same totals, and is paid', async () => {
    const maker = await walk.openAs(walk.demo.dashboard);
    await switchApprovalsOn(maker, walk.demo.dashboard);
    await upload(maker, 'salaries.csv', WITH_BAD_ROWS);
    await expectAccessible(maker);
    expect(await isWrong(maker, 1, 'Account number')).toBe(true);
    await expect.poll(() => cell(maker, 1, 'Account number').innerText()).toContain('Needs 10 digits');
    expect(await isWrong(maker, 2, 'Account number')).toBe(true);
    expect(await isWrong(maker, 3, 'Amount (₦)')).toBe(true);
    await expect.poll(() => cell(maker, 4, 'Account number').innerText()).toContain('0123456789');
    expect(await isWrong(maker, 4, 'Account number')).toBe(false);

    // By keyboard: down to the red cell, Enter, the right number, Enter.
    await cell(maker, 0, 'Account number').click();
    await maker.keyboard.press('ArrowDown');
    await maker.getByText('The account number must be 10 digits.').last().waitFor();
    await maker.keyboard.press('Enter');
    await maker.getByLabel('Account number, row 3').fill('0123456787');
    await maker.keyboard.press('Enter');
    await maker.waitForFunction(() => document.getElementById('item-1-1')?.getAttribute('aria-invalid') !== 'true');
    await maker.keyboard.press('ArrowDown');
    await maker.keyboard.press('Enter');
    await maker.getByLabel('Account number, row 4').fill('0123456788');
    await maker.keyboard.press('Enter');
    await maker.waitForFunction(() => document.getElementById('item-2-1')?.getAttribute('aria-invalid') !== 'true');

    // What is refused stays as it was typed, with the reason; Escape undoes it.
    await cell(maker, 3, 'Amount (₦)').click();
    await expect.poll(() => maker.getByLabel('Amount (₦), row 5').inputValue()).toBe('1500.505');
    await maker.getByLabel('Amount (₦), row 5').fill('1500.755');
    await maker.keyboard.press('Enter');
    await maker.getByText('Enter an amount in naira with at most two decimals').first().waitFor();
    await expect.poll(() => cell(maker, 3, 'Amount (₦)').innerText()).toContain('1500.755');
    await maker.keyboard.press('Enter');
    await expectAccessible(maker);
    await maker.keyboard.press('Escape');
    await expect.poll(() => cell(maker, 3, 'Amount (₦)').innerText()).toContain('1500.505');
    await maker.keyboard.press('Enter');
    await maker.getByLabel('Amount (₦), row 5').fill('1,501.05');
    // Tab saves, and goes on to the cell beside it, which stays closed.
    await maker.keyboard.press('Tab');
    await expect.poll(() => maker.evaluate(() => document.activeElement?.id)).toBe('item-3-5');
    expect(await maker.getByLabel('Narration, row 5').count()).toBe(0);
    await maker.getByText('All 5 rows can be paid.').waitFor();
    await expect.poll(() => cell(maker, 3, 'Amount (₦)').innerText()).toContain('1,501.05');

    await maker.waitForFunction(() => /^[0-9a-f]{64}$/m.test(document.body.innerText));
    const digest = await digestOn(maker);
    await dispatch(maker, /^Send for approval/);
    await maker.getByRole('link', { name: 'Open the approval' }).click();
    await maker.getByRole('heading', { level: 1, name: /5 payouts/ }).waitFor();
    await expectAccessible(maker);
    await expectNotApprovable(maker);

    const approver = await walk.openAs(walk.demo.colleagues.approver, { at: '/dashboard/approvals' });
    await approver.getByRole('link', { name: /5 payouts/ }).click();
    await approver.getByRole('heading', { level: 1, name: /5 payouts/ }).waitFor();
    await approver.getByText('Digest', { exact: true }).click();
    await approver.getByText(digest).waitFor();
    await approver.getByText('₦25,501.05').first().waitFor();
    const rows = await approver.getByRole('link', { name: 'Look at the rows' }).getAttribute('href');
    expect(rows).toMatch(/\/dashboard\/bulk\/MNB[0-9a-f]{32}$/);
    await expectAccessible(approver);
    await approver.getByRole('button', { name: 'Approve' }).click();
    const dialog = approver.getByRole('dialog', { name: 'Approve this?' });
    await dialog.getByLabel('Note').fill('Compared with the payroll');
    await expectAccessible(approver);
    await dialog.getByRole('button', { name: 'Approve' }).click();
    await approver.getByText('It was approved and has taken effect.').waitFor();
    await approver.getByText('Compared with the payroll').waitFor();

    await maker.goBack();
    await maker.getByText('All 5 rows were paid.').waitFor();
    const [file] = await Promise.all([
      maker.waitForEvent('download'),
      maker.getByRole('button', { name: 'Results' }).click(),
    ]);
    const lines = readFileSync(await file.path(), 'utf8')
      .trim()
      .split('\r\n');
    expect(file.suggestedFilename()).toMatch(/^MNB.*-result\.csv$/);
    expect(lines.slice(1).every((line) => line.includes('SUCCESS'))).toBe(true);
    expect(lines).toHaveLength(6);
    await expectAccessible(maker);
  });

  it('ends the approval in words when a row was edited after the approver opened it', async () => {
    const maker = await walk.openAs(walk.demo.dashboard);
    await upload(maker, 'edited.csv', ['7000,058,0123456785,,Bonus']);
    await dispatch(maker, /^Send for approval/);
    const approver = await walk.openAs(walk.demo.colleagues.approver, { at: '/dashboard/approvals' });
    await approver.getByRole('link', { name: /One payout/ }).click();
    await approver.getByRole('button', { name: 'Approve' }).click();
    await approver.getByRole('dialog', { name: 'Approve this?' }).waitFor();

    await cell(maker, 0, 'Amount (₦)').click();
    await maker.keyboard.press('Enter');
    await maker.getByLabel('Amount (₦), row 2').fill('70000');
    await maker.keyboard.press('Enter');
    await maker.getByText('1 row can be paid.').waitFor();

    await approver.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
    await approver.getByText('What it was for has changed, so it is void').waitFor();
    await approver.getByText('Void', { exact: true }).waitFor();
    await expect.poll(() => approver.getByRole('button', { name: 'Approve' }).count()).toBe(0);
    await expectAccessible(approver);
    await maker.getByRole('main').getByRole('button', { name: 'Cancel', exact: true }).click();
    await maker.getByRole('dialog').getByRole('button', { name: 'Cancel it' }).click();
    await maker.getByText('It was cancelled.').waitFor();
  });

  it('is dispatched by one of two tabs, and the other says so', async () => {
    const first = await walk.openAs(walk.demo.dashboard);
    await upload(first, 'twice.csv', ['8000,058,0123456785,,Rent']);
    const second = await first.context().newPage();
    await second.goto(first.url());
    await second.getByText('1 row can be paid.').waitFor();
    for (const page of [first, second]) {
      await page
        .getByRole('main')
        .getByRole('button', { name: /^Send for approval/ })
        .click();
      await page.getByRole('dialog').getByLabel('PIN').fill(walk.demo.pin);
    }
    // By Enter: a tab in the background draws no frames, so a click would wait there until the other had won.
    const send = (page: Page) => page.getByRole('dialog').getByLabel('PIN').press('Enter');
    await Promise.all([send(first), send(second)]);
    for (const page of [first, second]) await page.getByText('Waiting for approval').first().waitFor();
    const told = await Promise.all(
      [first, second].map((page) => page.getByText(/Another tab or a colleague was first|changed a row/).count()),
    );
    expect(told.reduce((sum, count) => sum + count, 0)).toBe(1);
  });

  it('marks each cell that is wrong and none beside it', async () => {
    const page = await walk.openAs(walk.demo.dashboard);
    await upload(page, 'all-wrong.csv', [
      '-5,999,12,,',
      '0,058,0123456785,,Zero',
      '300000000,058,0123456785,,Too much',
    ]);
    const wrong = async (row: number) => {
      const marked = [];
      for (const column of COLUMNS.slice(1, 7)) if (await isWrong(page, row, column)) marked.push(column);
      return marked;
    };
    expect(await wrong(0)).toEqual(['Account number', 'Bank', 'Amount (₦)', 'Narration']);
    expect(await wrong(1)).toEqual(['Amount (₦)']);
    expect(await wrong(2)).toEqual(['Amount (₦)']);
    for (const row of [0, 1, 2]) expect((await cell(page, row, 'State').innerText()).trim()).toBe('Invalid');
    // The bank is found by its name, and Tab goes on.
    await cell(page, 0, 'Bank').click();
    await page.getByLabel('Bank, row 2').fill('zenith');
    await page.getByRole('option', { name: /Zenith/ }).waitFor();
    await page.keyboard.press('Tab');
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('item-0-3');
    await page.waitForFunction(() => document.getElementById('item-0-2')?.innerText.includes('Zenith Bank'));
    expect(await wrong(0)).toEqual(['Account number', 'Amount (₦)', 'Narration']);
    await page.getByRole('link', { name: /^To correct/ }).click();
    expect(new URL(page.url()).searchParams.get('show')).toBe('invalid');
    await expectAccessible(page);
  });

  it('takes a row out with a way back, and pays the others without the bad ones when that is ticked', async () => {
    const page = await walk.openAs(walk.demo.dashboard);
    await upload(page, 'left-out.csv', ['100,058,0123456785,,One', '200,058,0123456786,,Two', '300,058,123,,Bad']);
    await page.getByRole('button', { name: 'Remove row 2' }).click();
    await page.getByRole('button', { name: 'Keep row 2' }).click();
    await page.getByRole('button', { name: 'Remove row 3' }).click();
    await page
      .getByRole('main')
      .getByRole('button', { name: /^Send for approval/ })
      .click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('1 row', { exact: true }).waitFor();
    await dialog.getByLabel('PIN').fill(walk.demo.pin);
    await page.keyboard.press('Enter');
    await dialog.getByText(/Tick that they are left out/).waitFor();
    await expectAccessible(page);
    await dialog.getByLabel('Leave 1 row out').check();
    // Nothing was sent, so the PIN is still there.
    expect(await dialog.getByLabel('PIN').inputValue()).toBe(walk.demo.pin);
    await dialog.getByLabel('PIN').press('Enter');
    await page.getByText('Waiting for approval').first().waitFor();
  });
});

/** Neither in the page, nor by the maker's session, nor by a key, nor by a token. */
async function expectNotApprovable(maker: Page): Promise<void> {
  await maker.getByText('You made this, so somebody else has to decide about it.').waitFor();
  await expect.poll(() => maker.getByRole('button', { name: 'Approve' }).count()).toBe(0);
  const approvalId = new URL(maker.url()).pathname.split('/').at(-1) ?? '';
  const path = `/approval/${approvalId}/approve`;
  const { body: shown } = await askAs(maker, 'GET', `/approval/${approvalId}`);
  const body = { digest: shown.data?.['digest'] };
  expect((await askAs(maker, 'POST', path, body)).body.code).toBe('SELF_APPROVAL');
  const { baseUrl, demo } = walk;
  const token = await askWith(baseUrl, demo.secretKey, 'POST', '/auth/token', {});
  for (const bearer of [demo.secretKey, String(token.body.data?.['token'] ?? token.body.data?.['accessToken'])]) {
    expect((await askWith(baseUrl, bearer, 'POST', path, body)).body.code).toBe('PERSON_REQUIRED');
  }
}
