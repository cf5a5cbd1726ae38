import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { workbookWith } from '../support/payroll-files.ts';
import { chooseFile } from './support/uploads.ts';
import { expectAccessible, prepareWalks } from './support/walk.ts';

const walk = prepareWalks();

const NAME = 'NOV PAYROLL FINAL (2).xlsx';

/** Two months, titles, gross beside net pay, a total, somebody without an account, signatures, and no narration at all. */
const month = (name: string, staff = 'Staff Name') => ({
  name,
  merged: ['A1:F1'],
  rows: [
    [`ADIRE STUDIO LTD: PAYROLL FOR ${name.toUpperCase()} 2026`],
    [],
    ['S/N', staff, 'Bank', 'A/C No', 'Gross Pay', 'Net Pay (₦)'],
    [1, 'Ada Obi', 'GTBank', '0123456785', 180_000, { formula: 'E4*0.9', result: 150_000.5 }],
    [2, 'Musa Bello', 'Garanty Trust', '0123456786', 90_000, 62_500],
    [3, 'Ngozi Udoh', 'UBA', 123_456_787, 60_000, '40,000/='],
    [null, 'Total Cleaners', 'UBA', null, 30_000, 25_000],
    [null, 'GRAND TOTAL', null, null, 360_000, { formula: 'SUM(F4:F7)', result: 277_500.5 }],
    ['Prepared by: Chidi'],
  ],
});
const fileOf = (staff?: string) => workbookWith([month('October', staff), month('November', staff)]);

/** A person's actions, counted: a file chosen, a choice made, a text typed, a button pressed. */
function counting(page: Page) {
  const done: string[] = [];
  const act = async (what: string, work: () => Promise<unknown>) => {
    done.push(what);
    await work();
  };
  return { page, done, act };
}

async function settle({ page, act }: ReturnType<typeof counting>, file: Buffer): Promise<void> {
  const preview = page.getByRole('region', { name: `How ${NAME} is read` });
  await act('choose the file', () => chooseFile(page, NAME, file));
  await preview.getByText('Several sheets could be the list: "October", "November".').waitFor();
  await act('choose the sheet', () => preview.getByLabel('Sheet').selectOption('November'));
  await preview.getByText(/Two columns would both be the Amount/).waitFor();
  await preview.getByText('Could be the amount').first().waitFor({ state: 'attached' });
  await act('say which column is paid', () => preview.getByLabel('Net Pay (₦)').selectOption('Amount'));
  await act('write one narration', () => preview.getByLabel('One narration for all').fill('November salary'));
  await preview.getByText('Row 7: Total Cleaners · UBA · 30000 · 25000').waitFor();
  await act('take a row back', () => preview.getByRole('button', { name: 'Include row 7' }).click());
  await preview.getByText('Row 7 is included').waitFor();
}

describe('a payroll as people have it', () => {
  it('becomes a batch with one upload and at most ten actions, and the next one of its kind needs fewer', async () => {
    const page = await walk.openAs(walk.demo.dashboard, { at: '/dashboard/bulk' });
    const first = counting(page);
    await settle(first, fileOf());
    const preview = page.getByRole('region', { name: `How ${NAME} is read` });
    await preview.getByText('Header in row 3 · 4 rows, ₦277,500.50').waitFor();
    await preview.getByText(/Row 5: The bank "Garanty Trust" could be/).waitFor();
    await preview.getByText('Row 8: GRAND TOTAL').waitFor();
    await preview.getByRole('cell', { name: '₦150,000.50' }).waitFor();
    await expectAccessible(page);
    await first.act('create the batch', () =>
      preview.getByRole('button', { name: 'Create a batch of 4 rows' }).click(),
    );
    await page.getByRole('heading', { level: 1, name: NAME }).waitFor();
    await page.getByText('Needs correction').first().waitFor();
    expect(first.done).toHaveLength(6);

    await page.goto('/dashboard/bulk');
    const next = counting(page);
    await next.act('choose the file', () => chooseFile(page, 'december.xlsx', workbookWith([month('December')])));
    const again = page.getByRole('region', { name: 'How december.xlsx is read' });
    await again.getByText('As in your last file with this header.').waitFor();
    await next.act('write one narration', () => again.getByLabel('One narration for all').fill('December salary'));
    await next.act('create the batch', () => again.getByRole('button', { name: 'Create a batch of 3 rows' }).click());
    await page.getByRole('heading', { level: 1, name: 'december.xlsx' }).waitFor();
    expect(next.done).toHaveLength(3);

    await page.goto('/dashboard/bulk');
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Excel template' }).click(),
    ]);
    expect(file.suggestedFilename()).toBe('bulk-payout-template.xlsx');
  });

  it('is gone through by keyboard on a phone in the dark, where nothing goes beyond the screen', async () => {
    const page = await walk.openAs(walk.demo.dashboard, { at: '/dashboard/bulk', phone: true, dark: true });
    // Another header, so that nothing of it is remembered.
    await settle(counting(page), fileOf('Employee Name'));
    await expectAccessible(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    const preview = page.getByRole('region', { name: `How ${NAME} is read` });
    await preview.getByLabel('Gross Pay').focus();
    await page.keyboard.type('Amount');
    await expect.poll(() => preview.getByLabel('Net Pay (₦)').inputValue()).toBe('none');
    await preview.getByText('₦360,000.00').first().waitFor();
    await preview.getByLabel('Net Pay (₦)').focus();
    await page.keyboard.type('Amount');
    await preview.getByText('₦277,500.50').first().waitFor();
    await preview.getByRole('button', { name: /^Create a batch/ }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: NAME }).waitFor();
  });
});
