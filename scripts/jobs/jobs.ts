import type { Hand } from './hand.ts';
import { nextPayrollFile, payrollFile } from './payroll.ts';
import type { World } from './world.ts';

/** Who does it, and from where. Everybody begins at the home page, signed in within the last five minutes. */
export interface Job {
  title: string;
  /** What it takes, in the words of the pages. */
  how: string;
  as: 'owner' | 'approver';
  /** The page that one is on already where that is not the home page. */
  at?: (world: World) => string;
  /** What it took before: nothing is known of most. */
  before: string;
  /** At most so many actions; undefined: no number was agreed. */
  allowed?: number;
  work: (hand: Hand, world: World) => Promise<void>;
}

async function goTo({ page, click }: Hand, name: string): Promise<void> {
  await click(page.getByRole('link', { name, exact: true }));
  await page.getByRole('heading', { level: 1, name }).waitFor();
}

/** Pays the list that is open, with the PIN. */
async function payList(hand: Hand, { demo }: World, isRepeated = false): Promise<void> {
  const { page } = hand;
  await hand.click(page.getByRole('main').getByRole('button', { name: /^Pay/ }));
  // Asked of what repeats a payment of the same day, and of nothing a month later: it does not count.
  if (isRepeated)
    await page
      .getByRole('dialog')
      .getByLabel(/^Pay 3 rows again/)
      .check();
  await hand.type(page.getByRole('dialog').getByLabel('PIN'), demo.pin);
  await hand.press('Enter');
  await page.getByText('All 3 rows were paid.').waitFor();
}

/** The bank that is misspelt, as the page proposes it. */
async function takeProposal(hand: Hand): Promise<void> {
  const problems = hand.page.getByRole('region', { name: 'Problems' });
  await hand.click(problems.getByRole('button', { name: /Guaranty/ }));
  await hand.page.getByText('All 3 rows can be paid.').waitFor();
}

async function payroll(hand: Hand, world: World): Promise<void> {
  const { page } = hand;
  await goTo(hand, 'Bulk payouts');
  const file = payrollFile(world.staff);
  const preview = page.getByRole('region', { name: `How ${file.name} is read` });
  await hand.upload(file);
  await hand.choose(preview.getByLabel('Sheet'), 'November');
  await preview.getByText(/Two columns would both be the Amount/).waitFor();
  await hand.choose(preview.getByLabel('Net Pay (₦)'), 'Amount');
  await hand.click(preview.getByRole('button', { name: 'Use “November salary”' }));
  await hand.click(preview.getByRole('button', { name: 'Create a batch of 3 rows' }));
  await takeProposal(hand);
  await payList(hand, world);
}

async function nextPayroll(hand: Hand, world: World): Promise<void> {
  const { page } = hand;
  await goTo(hand, 'Bulk payouts');
  const file = nextPayrollFile(world.staff);
  const preview = page.getByRole('region', { name: `How ${file.name} is read` });
  await hand.upload(file);
  await hand.click(preview.getByRole('button', { name: 'Use “December salary”' }));
  await hand.click(preview.getByRole('button', { name: 'Create a batch of 3 rows' }));
  await takeProposal(hand);
  await payList(hand, world);
}

async function repeatPayroll(hand: Hand, world: World): Promise<void> {
  const { page } = hand;
  await goTo(hand, 'Bulk payouts');
  await hand.click(page.getByRole('button', { name: 'Same as last month' }));
  await page.getByRole('dialog').getByLabel('Narration for all rows').waitFor();
  await hand.press('Enter');
  await page.getByText('All 3 rows can be paid.').waitFor();
  await payList(hand, world, true);
}

async function payOne(hand: Hand, { demo }: World): Promise<void> {
  const { page } = hand;
  await hand.click(page.getByRole('link', { name: 'New payout', exact: true }).first());
  await hand.type(page.getByLabel('Bank', { exact: true }), 'guaranty');
  await page.getByRole('option').first().waitFor();
  await hand.press('Tab');
  await hand.type(page.getByLabel('Account number'), '0123456783');
  await hand.press('Tab');
  await hand.type(page.getByLabel('Amount'), '12500');
  await hand.type(page.getByLabel('Narration'), 'Invoice 77');
  await hand.press('Enter');
  await hand.type(page.getByRole('dialog').getByLabel('PIN'), demo.pin);
  await hand.press('Enter');
  await page.getByText('The bank has confirmed it.').waitFor();
}

async function find({ page, press, type }: Hand, { payee }: World): Promise<void> {
  await press('/');
  await type(page.getByRole('dialog').getByRole('combobox'), payee.slice(0, 6).toLowerCase());
  await page
    .getByRole('dialog')
    .getByRole('option', { name: /48,250\.75/ })
    .waitFor();
}

async function failedRows({ page, click }: Hand): Promise<void> {
  await click(page.getByRole('link', { name: /1 failed/ }));
  await page.getByText('39,000.00').first().waitFor();
}

async function approve(hand: Hand): Promise<void> {
  const { page } = hand;
  await hand.click(page.getByRole('link', { name: 'Look at them' }));
  await hand.click(page.getByRole('main').getByRole('row').getByRole('link').first());
  await hand.click(page.getByRole('button', { name: 'Approve', exact: true }));
  await hand.click(page.getByRole('dialog').getByRole('button', { name: 'Approve', exact: true }));
  await page.getByText('Approved.').first().waitFor();
}

async function addMoney({ page, click }: Hand): Promise<void> {
  await click(page.getByRole('button', { name: 'Copy the account number of the main wallet' }));
}

async function receipt(hand: Hand, world: World): Promise<void> {
  const { page } = hand;
  await find(hand, world);
  await hand.press('Enter');
  const download = page.waitForEvent('download');
  await hand.click(page.getByRole('button', { name: 'Receipt', exact: true }));
  await download;
}

async function invite(hand: Hand): Promise<void> {
  const { page } = hand;
  await goTo(hand, 'People');
  await hand.click(page.getByRole('button', { name: 'Invite somebody' }).first());
  await hand.type(page.getByRole('dialog').getByLabel('E-mail'), 'chidi@adire.example');
  await hand.press('Enter');
  await page.getByText('An invitation is on its way').waitFor();
}

async function makeKey(hand: Hand): Promise<void> {
  const { page } = hand;
  await goTo(hand, 'API keys');
  await hand.click(page.getByRole('button', { name: 'New key' }).first());
  await hand.type(page.getByRole('dialog').getByLabel('Name'), 'Accounting');
  await hand.press('Enter');
  await hand.click(page.getByRole('dialog').getByRole('button', { name: /^Copy/ }).first());
}

/** In the order in which they are done: what one leaves is what a later one begins with. */
export const JOBS: readonly Job[] = [
  {
    title: 'Find a payout by its payee',
    how: '`/` and the beginning of the name; Enter opens it',
    as: 'owner',
    before: '-',
    allowed: 2,
    work: find,
  },
  {
    title: 'Download a receipt',
    how: 'find the payout, *Receipt*',
    as: 'owner',
    before: 'there was none',
    work: receipt,
  },
  {
    title: 'See the failed rows of a batch',
    how: 'a click on *1 failed*',
    as: 'owner',
    at: ({ partlyPaid }) => `/dashboard/bulk/${partlyPaid}`,
    before: '-',
    allowed: 1,
    work: failedRows,
  },
  {
    title: 'Pay salaries from a file, the first time',
    how: 'choose sheet and column, take the narration and the bank that are proposed, PIN',
    as: 'owner',
    before: 'refused whole, one reason an upload, and corrected in a spreadsheet',
    allowed: 10,
    work: payroll,
  },
  {
    title: 'Pay salaries from the next file of its kind',
    how: 'the columns are remembered',
    as: 'owner',
    before: '-',
    allowed: 10,
    work: nextPayroll,
  },
  {
    title: 'Repeat last month’s salaries',
    how: '*Same as last month*, PIN',
    as: 'owner',
    before: 'a file again',
    allowed: 10,
    work: repeatPayroll,
  },
  { title: 'Pay one person', how: '*New payout*, four fields, PIN', as: 'owner', before: '-', work: payOne },
  {
    title: 'Add money',
    how: 'copy the account number on the home page',
    as: 'owner',
    before: '-',
    work: addMoney,
  },
  { title: 'Invite a colleague', how: '*People*, address, role as proposed', as: 'owner', before: '-', work: invite },
  { title: 'Create an API key', how: '*API keys*, a name, copy', as: 'owner', before: '-', work: makeKey },
  {
    title: 'Approve a payout',
    how: 'from *What needs you*, look at it, *Approve*',
    as: 'approver',
    before: '-',
    work: approve,
  },
];
