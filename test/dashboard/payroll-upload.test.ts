import { describe, expect, it } from 'vitest';
import { workbookWith } from '../support/payroll-files.ts';
import { counting, fileOf, month, NAME, settle } from './payroll-steps.ts';
import { chooseFile } from './support/uploads.ts';
import { expectAccessible, prepareWalks } from './support/walk.ts';

const walk = prepareWalks();

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
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Excel template' }).click(),
    ]);
    expect(file.suggestedFilename()).toBe('bulk-payout-template.xlsx');
    const next = counting(page);
    await next.act('choose the file', () => chooseFile(page, 'december.xlsx', workbookWith([month('December')])));
    const again = page.getByRole('region', { name: 'How december.xlsx is read' });
    await again.getByText('As in your last file with this header.').waitFor();
    await next.act('write one narration', () => again.getByLabel('One narration for all').fill('December salary'));
    await next.act('create the batch', () => again.getByRole('button', { name: 'Create a batch of 3 rows' }).click());
    await page.getByRole('heading', { level: 1, name: 'december.xlsx' }).waitFor();
    expect(next.done).toHaveLength(3);
  });
});
