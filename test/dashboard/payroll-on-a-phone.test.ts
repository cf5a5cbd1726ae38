import { describe, expect, it } from 'vitest';
import { counting, fileOf, NAME, settle } from './payroll-steps.ts';
import { expectAccessible, prepareWalks } from './support/walk.ts';

const walk = prepareWalks();

describe('a payroll as people have it', () => {
  it('is gone through by keyboard on a phone in the dark, where nothing goes beyond the screen', async () => {
    const page = await walk.openAs(walk.demo.dashboard, { at: '/dashboard/bulk', phone: true, dark: true });
    await settle(counting(page), fileOf());
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
