import type { Page } from 'playwright-core';
import { workbookWith } from '../support/payroll-files.ts';
import { chooseFile } from './support/uploads.ts';

export const NAME = 'NOV PAYROLL FINAL (2).xlsx';

/** Two months, titles, gross beside net pay, a total, somebody without an account, signatures, and no narration at all. */
export const month = (name: string) => ({
  name,
  merged: ['A1:F1'],
  rows: [
    [`ADIRE STUDIO LTD: PAYROLL FOR ${name.toUpperCase()} 2026`],
    [],
    ['S/N', 'Staff Name', 'Bank', 'A/C No', 'Gross Pay', 'Net Pay (₦)'],
    [1, 'Ada Obi', 'GTBank', '0123456785', 180_000, { formula: 'E4*0.9', result: 150_000.5 }],
    [2, 'Musa Bello', 'Garanty Trust', '0123456786', 90_000, 62_500],
    [3, 'Ngozi Udoh', 'UBA', 123_456_787, 60_000, '40,000/='],
    [null, 'Total Cleaners', 'UBA', null, 30_000, 25_000],
    [null, 'GRAND TOTAL', null, null, 360_000, { formula: 'SUM(F4:F7)', result: 277_500.5 }],
    ['Prepared by: Chidi'],
  ],
});
export const fileOf = () => workbookWith([month('October'), month('November')]);

/** A person's actions, counted: a file chosen, a choice made, a text typed, a button pressed. */
export function counting(page: Page) {
  const done: string[] = [];
  const act = async (what: string, work: () => Promise<unknown>) => {
    done.push(what);
    await work();
  };
  return { page, done, act };
}

export async function settle({ page, act }: ReturnType<typeof counting>, file: Buffer): Promise<void> {
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
