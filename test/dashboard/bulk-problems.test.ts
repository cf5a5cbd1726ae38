import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { askWith } from './approval-steps.ts';
import { uploadList } from './support/uploads.ts';
import { expectAccessible, prepareWalks } from './support/walk.ts';
import { settled } from './support/watch.ts';

const walk = prepareWalks();

const HEADER = 'Amount,Bank,Account Number,Account Name,Narration';

async function upload(page: Page, name: string, rows: readonly string[]): Promise<void> {
  await uploadList(page, name, [HEADER, ...rows, ''].join('\r\n'));
  await page
    .getByText(/^(Ready|Needs correction)$/)
    .first()
    .waitFor();
}

const FIELDS = ['accountNumber', 'bankCode', 'givenName', 'amount', 'narration', 'phoneNumber'] as const;
const HEADERS = ['Account number', 'Bank', 'Name', 'Amount (₦)', 'Narration', 'Phone'];
type Item = { position: number; givenAmount: string | null } & Record<(typeof FIELDS)[number], unknown>;

/** As the service has them, whatever the page shows. */
async function itemsOf(page: Page): Promise<Item[]> {
  const reference = new URL(page.url()).pathname.split('/').at(-1);
  const { body } = await askWith(walk.baseUrl, walk.demo.secretKey, 'GET', `/payout/bulk/${reference}/item`);
  return body.data?.['records'] as Item[];
}
const group = (page: Page, title: RegExp) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: title }) });

describe('the problems of a list', () => {
  it('are edited in groups, with another person’s name the loudest, and undone', async () => {
    const page = await walk.openAs(walk.demo.dashboard);
    await upload(page, 'groups.csv', [
      ...[1, 2, 3].map((at) => `1000,ALAT,010000000${at},,Bank ${at}`),
      ...[4, 5].map((at) => `2000,058,010000000${at},Somebody Else Entirely,Name ${at}`),
      '3000,058,12345678,,Short',
      '9999999999999,058,0100000007,,Too much',
    ]);
    const headings = page.getByRole('region', { name: 'Problems' }).getByRole('heading', { level: 3 });
    await expect.poll(() => headings.first().innerText()).toBe('2 names differ from the name at the bank');
    await page.getByText('1 account number with 8 characters, not 10 digits').waitFor();
    await expectAccessible(page);
    // Nobody is called valid whose account is another person's.
    expect((await page.locator('#item-3-7').innerText()).trim()).toMatch(/^Name differs/);
    await group(page, /did you mean Wema Bank/)
      .getByRole('button', { name: 'Use Wema Bank' })
      .click();
    await page.getByText('3 rows edited.').waitFor();
    await expect
      .poll(async () => (await itemsOf(page)).slice(0, 3).map(({ bankCode }) => bankCode))
      .toEqual(['035', '035', '035']);
    await settled(page);
    await page.getByRole('button', { name: 'Undo the last action (3 rows)' }).click();
    await expect.poll(async () => (await itemsOf(page))[0]?.bankCode).toBe('ALAT');
    // Another bank for all of them, searched in the list of banks.
    await group(page, /did you mean Wema Bank/)
      .getByRole('button', { name: 'Choose the bank' })
      .click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('combobox', { name: 'Bank for all' }).fill('zenith');
    await dialog.getByRole('option', { name: /Zenith Bank/ }).click();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Set for all' }).click();
    await expect
      .poll(async () => (await itemsOf(page)).slice(0, 3).map(({ bankCode }) => bankCode))
      .toEqual(['057', '057', '057']);
    await settled(page);
    await page.getByRole('button', { name: 'Undo the last action (3 rows)' }).click();
    await expect.poll(async () => (await itemsOf(page))[0]?.bankCode).toBe('ALAT');
    // The buttons of a problem stand under its name: another has one that is called the same.
    await page
      .getByRole('group', { name: /did you mean Wema Bank/ })
      .getByRole('button', { name: 'Leave out' })
      .click();
    await page.getByText('3 rows removed from the list.').waitFor();
    await group(page, /names differ/)
      .getByRole('button', { name: 'Accept all 2' })
      .click();
    await page.getByText('2 rows accepted.').waitFor();
    await expect.poll(() => page.locator('#item-0-7').innerText()).toMatch(/^Name accepted/);
    const bar = page.getByRole('region', { name: 'Before you pay' });
    await bar.getByText('2 rows cannot be paid.').waitFor();
    await bar.getByText('Available in the wallet').waitFor();
    // An amount of thirteen digits is not cut.
    const amount = page.locator('#item-3-4 span span');
    expect(await amount.first().evaluate((cell) => cell.scrollWidth <= cell.clientWidth + 1)).toBe(true);
    await expectAccessible(page);
  });

  it('are seen by who may change nothing, with no button that does nothing and no word to edit', async () => {
    const page = await walk.openAs(walk.demo.dashboard);
    await upload(page, 'looked-at.csv', ['1000,ALAT,0100000001,,Bank', '3000,058,0211223348,,Right']);
    const problem = 'did you mean Wema Bank';
    await group(page, new RegExp(problem)).getByRole('button', { name: 'Leave out' }).waitFor();
    const approver = await walk.openAs(walk.demo.colleagues.approver, { at: page.url() });
    await settled(approver);
    await approver.getByText('1 row cannot be paid yet.', { exact: true }).waitFor();
    const shown = group(approver, new RegExp(problem));
    await shown.getByRole('link', { name: 'Show the row' }).waitFor();
    expect(await shown.getByRole('button').count()).toBe(0);
    await expectAccessible(approver);
  });

  it('stand on cards on a phone, with amount and state in sight, below the bar of the page', async () => {
    const page = await walk.openAs(walk.demo.dashboard, { phone: true });
    await upload(page, 'phone.csv', [
      '9999999999999,058,0100000011,,Too much',
      '2000,058,0100000012,Somebody Else Entirely,Name',
      ...Array.from({ length: 20 }, (_, at) => `${3000 + at},058,0100000013,,Salary`),
    ]);
    await page.getByRole('region', { name: 'Rows of the bulk payout' }).waitFor();
    expect(await page.getByRole('grid').count()).toBe(0);
    await page.getByText('₦9,999,999,999,999').last().scrollIntoViewIfNeeded();
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
    await page.getByRole('button', { name: 'Edit row 2' }).click();
    const dialog = page.getByRole('dialog', { name: 'Row 2' });
    await dialog.getByLabel('Amount (₦)').fill('1500');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect.poll(async () => (await itemsOf(page))[0]?.amount).toBe(1_500);
    await expectAccessible(page);
  });
});

describe('a list of which some rows cannot be read', () => {
  it('says which rows its sum is of, and shows an amount that could not be read as it was written', async () => {
    const page = await walk.openAs(walk.demo.dashboard);
    await upload(page, 'sums.csv', [
      '1000,058,0100000001,,Paid',
      '2000,058,0100000002,,Paid',
      'a lot,ALAT,0100000003,,No amount',
      ',ALAT,0100000004,,No amount',
    ]);
    const samples = group(page, /did you mean Wema Bank/);
    await samples.getByText('a lot').waitFor();
    expect(await samples.innerText()).not.toContain('₦0.00');
    await page.getByText('of the 2 rows that can be paid').first().waitFor();
    await page.getByRole('link', { name: 'All bulk payouts' }).click();
    const listed = page.getByRole('row').filter({ hasText: 'sums.csv' });
    await listed.getByText('₦3,000.00').last().waitFor();
    await listed.getByText('of the 2 rows that can be paid').last().waitFor();
  });
});

/** The same numbers for the same seed. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const MOVES = ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'Home', 'End', 'PageDown', 'PageUp', 'F8', 'F8'];
const WRITES = ['1', '9', '0', 'a', 'Z', '.', ',', '-', '=', 'Delete', 'Backspace', 'Space'];
const LEAVES = ['Tab', 'Tab', 'Shift+Tab', 'Escape'];
const OPENS = ['Enter', 'F2'];

describe('the cells of a list', () => {
  it('hold what they held unless somebody opened them, after every sequence of keys of a generated set', async () => {
    const SEED = 20_261_123;
    const next = random(SEED);
    const oneOf = (keys: readonly string[]) => keys[Math.floor(next() * keys.length)] as string;
    const page = await walk.openAs(walk.demo.dashboard);
    await upload(page, 'keys.csv', [
      '1000,058,0100000021,,One',
      '2000,058,12,,Two',
      '0,058,0100000023,,Three',
      '4000,ALAT,0100000024,,Four',
      '5000,058,0100000025,Somebody Else Entirely,Five',
    ]);
    const before = await itemsOf(page);
    const opened = new Set<string>();
    const openCell = () =>
      page.evaluate(() => /^(.+), row (\d+)$/.exec(document.activeElement?.getAttribute('aria-label') ?? '')?.[0]);
    for (let sequence = 0; sequence < 6; sequence += 1) {
      // The first half never opens a cell, and so must not change anything at all.
      const all = sequence < 3 ? [MOVES, WRITES, LEAVES] : [MOVES, WRITES, LEAVES, OPENS];
      await page.locator(`#item-${sequence % 5}-${1 + (sequence % 6)}`).focus();
      for (let press = 0; press < 40; press += 1) {
        const inGrid = await page.evaluate(() => {
          const { activeElement } = document;
          const cell = activeElement?.closest('[role=grid]') === null ? document.querySelector('#item-0-1') : null;
          if (cell instanceof HTMLElement) cell.focus();
          return document.activeElement?.tagName !== 'BUTTON';
        });
        const openBefore = await openCell();
        const key = inGrid ? oneOf(all[Math.floor(next() * all.length)] as string[]) : 'ArrowLeft';
        await page.keyboard.press(key);
        const openAfter = await openCell();
        if (openAfter !== undefined && openAfter !== openBefore) {
          expect(OPENS, `seed ${SEED}: ${key} opened ${openAfter}`).toContain(key);
          opened.add(openAfter);
        }
      }
      await page.keyboard.press('Escape');
      if (sequence === 2) expect(await itemsOf(page)).toEqual(before);
    }
    expect(opened.size).toBeGreaterThan(3);
    const after = new Map((await itemsOf(page)).map((item) => [item.position, item]));
    for (const item of before) {
      for (const [at, field] of FIELDS.entries()) {
        const now = after.get(item.position)?.[field];
        if (now === item[field]) continue;
        expect([...opened], `seed ${SEED}: ${field} of row ${item.position} became ${String(now)}`).toContain(
          `${HEADERS[at]}, row ${item.position}`,
        );
      }
    }
  });
});

describe('a list that was paid in part', () => {
  it('says what happened, shows the failed rows with one click, and begins a list of what was not paid', async () => {
    const page = await walk.openAs(walk.demo.dashboard);
    await upload(page, 'partly.csv', [
      '1000,058,0100000031,,One',
      '2000,058,0009999911,,Two',
      '3000,058,0100000032,,Three',
    ]);
    await page.getByRole('main').getByRole('button', { name: 'Pay', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('PIN').fill(walk.demo.pin);
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('Partly completed').first().waitFor();
    const outcome = page.getByRole('region', { name: 'What happened' });
    await outcome.getByText('2 paid').waitFor();
    await expectAccessible(page);
    await outcome.getByRole('link', { name: /1 failed/ }).click();
    await expect.poll(() => page.locator('[role=row]').count()).toBe(2);
    await page
      .getByRole('gridcell')
      .getByText(/^Not paid: /)
      .waitFor();
    await page.getByRole('link', { name: /^Open the payout of row/ }).waitFor();
    const paid = page.url();
    await outcome.getByRole('button', { name: 'Create a new list of the 1 not paid' }).click();
    await page.getByRole('heading', { level: 1, name: 'Not paid: partly.csv' }).waitFor();
    await page.getByText('1 row can be paid.').waitFor();
    await page.getByRole('link', { name: 'what was not paid of another list' }).waitFor();
    await page
      .getByRole('gridcell')
      .getByText(/^Last time: Not paid: /)
      .waitFor();
    await page.goto(paid);
    await outcome.getByRole('link', { name: 'In a new list, to be paid again: 1 row' }).waitFor();
    expect(await outcome.getByRole('button', { name: /^Create a new list/ }).count()).toBe(0);
    await page.goto('/dashboard/bulk');
    await page.getByText('₦6,000.00').last().waitFor();
    await page.getByText('₦4,000.00').last().waitFor();
    await expectAccessible(page);
  });
});
