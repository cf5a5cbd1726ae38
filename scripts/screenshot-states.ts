import type { Page } from 'playwright-core';
import { chooseFile } from '../test/dashboard/support/uploads.ts';
import type { ShownRoute } from './screenshot-routes.ts';

/** A page after something was done on it: what no address leads to. */
export interface ShownState extends ShownRoute {
  /** What is open, as a part of the picture's name. */
  name: string;
  open(page: Page): Promise<void>;
}

const click = (name: string | RegExp) => async (page: Page) => {
  await page.getByRole('button', { name }).first().click();
  await page.getByRole('dialog').waitFor();
};

/** A title, a header below it, amounts as people type them, and a total. */
const PAYROLL = [
  'ADIRE & CO,,,,',
  'Salaries for November 2026,,,,',
  'S/N,Name of staff,Account No.,Bank,Net pay',
  '1,Halima Bello,0123456789,GTB,"120,000/="',
  '2,Emeka Obi,0987654321,ALAT,"98,500.50"',
  '3,Ngozi Eze,12345678,Zenith,143000',
  ',TOTAL,,,"361,500.50"',
  '',
].join('\n');

export const SHOWN_STATES: readonly ShownState[] = [
  {
    path: '/',
    as: 'member',
    name: 'search',
    open: async (page) => {
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'What to find' }).fill('adire');
      await page.getByRole('option').first().waitFor();
    },
  },
  {
    path: '/payouts',
    as: 'member',
    name: 'columns',
    open: async (page) => page.getByRole('button', { name: 'Columns' }).click(),
  },
  {
    path: '/payouts',
    as: 'member',
    name: 'views',
    open: async (page) => page.getByRole('button', { name: 'Views' }).click(),
  },
  { path: '/payouts/:transactionId', as: 'member', name: 'share', open: click(/^Share/) },
  { path: '/collections/disputes/:disputeId', as: 'member', name: 'contest', open: click('Contest') },
  { path: '/collections/disputes/:disputeId', as: 'member', name: 'accept', open: click('Accept') },
  {
    path: '/bulk',
    as: 'member',
    name: 'preview',
    open: async (page) => {
      await chooseFile(page, 'november.csv', PAYROLL);
      await page.getByRole('region', { name: 'How november.csv is read' }).waitFor();
    },
  },
  { path: '/bulk/:problemsReference', as: 'member', name: 'bank-for-all', open: click('Choose the bank') },
  {
    path: '/approvals',
    as: 'approver',
    name: 'ticked',
    open: async (page) => {
      for (const box of (await page.getByRole('checkbox', { name: /^Select ₦/ }).all()).slice(0, 2)) await box.check();
      await page.getByRole('region', { name: 'What is selected' }).waitFor();
    },
  },
  { path: '/approvals/:approvalId', as: 'approver', name: 'approve', open: click(/^Approve/) },
  { path: '/collections/links', as: 'member', name: 'new', open: click(/link/i) },
  { path: '/collections/customers', as: 'member', name: 'new', open: click(/customer/i) },
  { path: '/beneficiaries', as: 'member', name: 'new', open: click('Save a beneficiary') },
  { path: '/wallet', as: 'member', name: 'add-money', open: click('Add test money') },
  { path: '/developers/keys', as: 'member', name: 'new', open: click(/key/i) },
  {
    path: '/operator/payouts',
    as: 'operator',
    name: 'merchant-picker',
    open: async (page) => {
      await page.getByRole('combobox', { name: 'Merchant' }).fill('adi');
      await page.getByRole('option').first().waitFor();
    },
  },
  { path: '/operator/announcements', as: 'operator', name: 'new', open: click('Write an announcement') },
  { path: '/operator/manual-credits', as: 'operator', name: 'new', open: click('Propose a credit') },
  { path: '/operator/provider-settlements', as: 'operator', name: 'new', open: click('Record a settlement') },
  { path: '/operator/merchants/:demoMerchantId', as: 'operator', name: 'support-view', open: click('Support view') },
];
