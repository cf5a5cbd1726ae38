import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { askApi } from './support/api.ts';
import { type HttpSession, signInOverHttp } from './support/session.ts';
import { expectAccessible, prepareWalks } from './support/walk.ts';

const walk = prepareWalks();

const NOTE = 'Letter of the bank of 20 November, signed by the head of operations';
/** The sandbox rail says "pending" of it until somebody else decides. */
const PENDING_FOREVER = '0123999934';

const dialog = (page: Page) => page.getByRole('dialog');
const available = async () => (await askApi(walk, 'GET', '/wallet/merchant')).data.wallet.availableBalance;
const statusOf = async (id: string) => (await askApi(walk, 'GET', `/transaction/${id}`)).data.status;

/** A payout that nobody knows the outcome of, once it stands in the queue. */
async function payIntoSilence(
  operator: HttpSession,
  amount: number,
): Promise<{ transactionId: string; payoutId: string }> {
  const payee = { bankCode: '058', accountNumber: PENDING_FOREVER, narration: 'Invoice 1042' };
  const { data } = await askApi(walk, 'POST', '/payout/single', { ...payee, pin: walk.demo.pin, amount });
  for (let tries = 0; tries < 100; tries += 1) {
    const queue = await operator.ask('GET', '/operator/outcome?all=true');
    const found = queue.data.records.find((one: { amount: number }) => one.amount === amount);
    if (found !== undefined) {
      // Asked once here, the rail says nothing new later: what becomes known voids a proposal.
      await askApi(walk, 'POST', '/transaction/requery', { transactionId: data.transactionId });
      return { transactionId: data.transactionId, payoutId: found.payoutId };
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('the payout did not come into the queue');
}

async function propose(page: Page): Promise<void> {
  await page.getByRole('switch', { name: 'Show every payout without an outcome' }).focus();
  await page.keyboard.press('Space');
  await page.getByRole('button', { name: /^Propose an outcome/ }).click();
  await dialog(page).getByRole('button', { name: 'Propose' }).click();
  for (const complaint of ['Choose what became of it.', 'Choose how you know.', 'Write what you saw.']) {
    await dialog(page).getByText(complaint).waitFor();
  }
  await expectAccessible(page);
  // What the rail said stands above the question, and whom the money was to reach.
  await dialog(page).getByText('Sent to the rail: does not say').waitFor();
  await dialog(page).getByText(PENDING_FOREVER, { exact: true }).waitFor();
  await dialog(page).getByLabel('It was not paid').check();
  await dialog(page).getByLabel('How do you know?').selectOption('BANK_LETTER');
  await dialog(page).getByLabel('What you saw').fill(NOTE);
  await dialog(page).getByRole('button', { name: 'Propose' }).click();
  await page.getByText('Another person has to confirm it.').waitFor();
}

describe("the operator's desk", () => {
  it('resolves an unknown payout by the word of two people, and not of one', async () => {
    const before = await available();
    const ada = await signInOverHttp(walk.baseUrl, walk.demo.operator);
    const { transactionId, payoutId } = await payIntoSilence(ada, 7_500);
    expect(await available()).toBeLessThan(before);
    const first = await walk.openAs(walk.demo.operator);
    await first.getByRole('link', { name: 'Unknown outcomes' }).click();
    await first.getByText('Nothing waits for a decision').waitFor();
    await propose(first);
    await expectAccessible(first);
    const known = first.getByRole('link', { name: /^All that is known of it/ });
    expect(await known.getAttribute('href')).toContain(`/operator/payouts/${payoutId}`);
    await expect.poll(() => first.getByRole('button', { name: 'Look and confirm' }).count()).toBe(0);
    const { data: queue } = await ada.ask('GET', '/operator/outcome?all=true');
    const { proposal } = queue.records.find((one: { payoutId: string }) => one.payoutId === payoutId);
    const tenant = { merchantId: walk.demo.merchantId, mode: 'SANDBOX' };
    const { proposalId, digest } = proposal;
    const alone = await ada.ask('POST', '/operator/outcome/confirm', { ...tenant, proposalId, digest });
    expect([alone.status, alone.code]).toEqual([403, 'SECOND_PERSON_NEEDED']);
    expect(await statusOf(transactionId)).toBe('PROCESSING');

    const second = await walk.openAs(walk.demo.colleagues.operator);
    // Also who goes by the navigation finds it, though no payout is before the operator yet.
    await second.getByRole('link', { name: 'Unknown outcomes' }).click();
    await second.getByText('One proposed outcome waits for you').waitFor();
    await expectAccessible(second);
    await second.getByRole('button', { name: 'Show it' }).click();
    await second.getByText(NOTE).waitFor();
    await second.goBack();
    // And beside a payout that is before the operator, which needs a day of silence: its list is played.
    const one = {
      ...queue.records[0],
      payoutId: crypto.randomUUID(),
      operatorReason: 'UNKNOWN_TOO_LONG',
      proposal: null,
    };
    const before24h = { ...queue, records: [one], totalRecords: 1, totalPages: 1 };
    const isShort = ({ pathname, searchParams }: URL) =>
      pathname.endsWith('/operator/outcome') &&
      searchParams.get('all') !== 'true' &&
      searchParams.get('proposed') !== 'true';
    await second.route(isShort, (route) =>
      route.fulfill({ json: { status: true, message: 'Success', data: before24h } }),
    );
    await second.reload();
    await second.getByText('One more proposed outcome waits for you, of a payout that is not on this page.').waitFor();
    await expectAccessible(second);
    await second
      .getByRole('list')
      .getByRole('button', { name: /^Propose an outcome/ })
      .waitFor();
    await second.getByRole('button', { name: 'Show what is proposed' }).click();
    await second.getByText(NOTE).waitFor();
    await expectAccessible(second);
    await second.unroute(isShort);
    await second.getByRole('link', { name: 'Overview' }).click();
    await second.getByRole('link', { name: 'Decide: One proposed outcome waits for you' }).click();
    await second.getByText(NOTE).waitFor();
    await second.getByText('Payee and evidence').click();
    await second.getByText('The rail was asked: does not say').waitFor();
    await expectAccessible(second);
    await second.getByRole('button', { name: 'Look and confirm' }).click();
    await dialog(second).getByText('Sent to the rail: does not say').waitFor();
    await dialog(second).getByText('This cannot be undone.').waitFor();
    await expectAccessible(second);
    await dialog(second).getByRole('button', { name: 'Confirm the outcome' }).click();
    await second.getByText('No outcome is proposed').waitFor();
    expect(await statusOf(transactionId)).toBe('FAILED');
    expect(await available()).toBe(before);
  });

  it('decides about a payout on its own page, and says of one that was paid that it came back', async () => {
    const before = await available();
    const { transactionId } = await payIntoSilence(await signInOverHttp(walk.baseUrl, walk.demo.operator), 7_600);
    const [first, second] = await Promise.all([
      walk.openAs(walk.demo.operator),
      walk.openAs(walk.demo.colleagues.operator),
    ]);
    for (const page of [first, second]) await page.goto(`${walk.baseUrl}/dashboard/operator/payouts/${transactionId}`);
    for (const { word, status } of [
      { word: 'It was paid', status: 'SUCCESS' },
      { word: 'It was paid and came back', status: 'REVERSED' },
    ]) {
      await first.getByRole('button', { name: 'Propose an outcome' }).click();
      await dialog(first).getByText('Sent to the rail: does not say').waitFor();
      await expect.poll(() => dialog(first).getByRole('radio').count()).toBe(status === 'SUCCESS' ? 3 : 1);
      await dialog(first).getByLabel(word, { exact: true }).check();
      await dialog(first).getByLabel('How do you know?').selectOption('BANK_LETTER');
      await dialog(first).getByLabel('What you saw').fill(NOTE);
      await dialog(first).getByRole('button', { name: 'Propose' }).click();
      await first.getByText('Another person has to confirm it.').waitFor();
      await expectAccessible(first);
      await second.reload();
      await second.getByRole('button', { name: 'Look and confirm' }).click();
      await dialog(second).getByText('This cannot be undone.').waitFor();
      await dialog(second).getByRole('button', { name: 'Confirm the outcome' }).click();
      await expect.poll(() => statusOf(transactionId)).toBe(status);
      await first.reload();
    }
    await first.getByText('Returned', { exact: true }).first().waitFor();
    await expect.poll(() => first.getByRole('button', { name: 'Propose an outcome' }).count()).toBe(0);
    expect(await available()).toBe(before);
  });

  it('plans a fee for next month that is looked at in figures first, and a quote of today stays', async () => {
    const quote = async () => (await askApi(walk, 'POST', '/payout/quote', { amount: 20_000 })).data;
    const today = await quote();
    const page = await walk.openAs(walk.demo.operator);
    await page.getByRole('link', { name: 'Fees', exact: true }).click();
    await page.getByRole('button', { name: 'Plan a change' }).click();
    const rule = dialog(page).getByLabel('Replaces');
    const option = rule.locator('option', { hasText: '₦5,000.01 to ₦50,000.00' });
    await rule.selectOption((await option.getAttribute('value')) ?? '');
    await expect.poll(() => dialog(page).getByLabel('Fixed charge').inputValue()).toBe('25.00');
    await dialog(page).getByLabel('Fixed charge').fill('40');
    await dialog(page).getByLabel('Begins').fill(inAMonth());
    await dialog(page).getByRole('button', { name: 'Show what changes' }).click();
    await dialog(page).getByText('Write the reason.').waitFor();
    await dialog(page)
      .getByLabel(/^By which law/)
      .fill('CBN circular of the month');
    await dialog(page).getByLabel('Amounts to look at').fill('5000 20000');
    await dialog(page).getByRole('button', { name: 'Show what changes' }).click();
    // ₦15 more, and 7.5 % VAT: ₦3.00 instead of ₦1.88.
    await dialog(page).getByText('₦16.12').waitFor();
    await expectAccessible(page);
    // What was looked at is what is planned: another figure has to be looked at again.
    await dialog(page).getByLabel('Fixed charge').fill('35');
    await dialog(page).getByRole('button', { name: 'Show what changes' }).click();
    await dialog(page).getByText('₦87.63').waitFor();
    await dialog(page).getByRole('button', { name: 'Plan this change' }).click();
    const planned = page.getByRole('row', { name: /₦35\.00/ });
    await planned.getByText('Scheduled').waitFor();
    await expectAccessible(page);
    expect(await quote()).toEqual(today);
  });

  it('ends a rule after its effect was seen, and never one that every payout needs', async () => {
    const quote = async () => (await askApi(walk, 'POST', '/payout/quote', { amount: 20_000 })).data;
    const today = await quote();
    const page = await walk.openAs(walk.demo.operator);
    await page.goto('/dashboard/operator/fees');
    await page.getByRole('button', { name: 'End From ₦10,000.00: ₦50.00' }).click();
    await dialog(page).getByRole('button', { name: 'Show what changes' }).click();
    await dialog(page).getByText('Say when it ends.').waitFor();
    await dialog(page).getByLabel('Ends').fill('2020-01-01T00:00');
    await dialog(page).getByRole('button', { name: 'Show what changes' }).click();
    await dialog(page)
      .getByText(/at least 2 minutes/)
      .first()
      .waitFor();
    await dialog(page).getByLabel('Ends').fill(inAMonth());
    await dialog(page).getByRole('button', { name: 'Show what changes' }).click();
    await dialog(page).getByText('−₦50.00').first().waitFor();
    await expectAccessible(page);
    await dialog(page).getByRole('button', { name: 'End this rule' }).click();
    await page.getByText('The end is planned.').waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'End From ₦10,000.00: ₦50.00' }).count()).toBe(0);
    expect(await quote()).toEqual(today);

    await page.getByRole('button', { name: 'End ₦0.00 to ₦5,000.00: ₦10.00' }).click();
    await dialog(page).getByLabel('Ends').fill(inAMonth());
    await dialog(page).getByRole('button', { name: 'Show what changes' }).click();
    await dialog(page)
      .getByText(/no transfer fee would be set/)
      .first()
      .waitFor();
    expect(await dialog(page).getByRole('button', { name: 'End this rule' }).count()).toBe(0);
  });

  it('plans a fee on payments in, and sees what is left of each', async () => {
    const page = await walk.openAs(walk.demo.operator);
    await page.goto('/dashboard/operator/fees');
    await page.getByRole('button', { name: 'Plan a change' }).click();
    await dialog(page).getByLabel('Kind').selectOption('COLLECTION_FEE');
    await dialog(page).getByLabel('And percent').fill('1');
    await dialog(page)
      .getByLabel(/^At most/)
      .fill('300');
    await dialog(page).getByLabel('Begins').fill(inAMonth());
    await dialog(page)
      .getByLabel(/^By which law/)
      .fill('Our price list');
    await dialog(page).getByLabel('Amounts to look at').fill('1000 100000');
    await dialog(page).getByRole('button', { name: 'Show what changes' }).click();
    await dialog(page).getByText('₦99,677.50').waitFor();
    await expectAccessible(page);
    await dialog(page).getByRole('button', { name: 'Plan this change' }).click();
    await page
      .getByRole('row', { name: /1 %, at most ₦300\.00/ })
      .getByText('Scheduled')
      .waitFor();
    await page.getByRole('button', { name: 'End Any amount: 1 %, at most ₦300.00' }).click();
    await dialog(page).getByLabel('Ends').fill(inAMonth());
    await dialog(page).getByRole('button', { name: 'Show what changes' }).click();
    await dialog(page).getByRole('button', { name: 'End this rule' }).click();
    await page.getByText('The end is planned.').waitFor();
  });

  it('finds a payout of any merchant, with all that is known of it, and sees how the rails stand', async () => {
    const ada = await signInOverHttp(walk.baseUrl, walk.demo.operator);
    const { payoutId } = await payIntoSilence(ada, 7_700);
    // The directory follows by seconds, and the page looks again after thirty.
    const known = async (path: string, of: string) => (await ada.ask('GET', path)).data[of].length;
    await expect.poll(() => known('/operator/overview/figures', 'rails')).toBeGreaterThan(0);
    const ofReference = `/operator/payout?reference=MNL${payoutId.replaceAll('-', '')}`;
    await expect.poll(() => known(ofReference, 'records')).toBe(1);
    const page = await walk.openAs(walk.demo.operator);
    await page.getByText('Since when the first of each is due.').waitFor();
    await page.getByRole('table', { name: 'What each rail paid' }).waitFor();
    await page.getByText('Oldest payout without an outcome').waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Payouts', exact: true }).click();
    await page.getByRole('searchbox', { name: 'Search' }).fill(`MNL${payoutId.replaceAll('-', '')}`);
    await expect.poll(() => page.getByRole('row').count()).toBe(2);
    await expect.poll(() => page.locator('table[aria-busy=true]').count()).toBe(0);
    const merchant = page.getByRole('combobox', { name: 'Merchant' });
    await merchant.fill('no such');
    await page.getByText('No merchant fits.').first().waitFor();
    await expectAccessible(page);
    await merchant.press('Escape');
    await page.getByRole('table').getByRole('link').click();
    await page.getByText('Sent to the bank: no clear answer').waitFor();
    await page.getByText('Payout: ₦7,700.00 held').waitFor();
    await page.getByRole('button', { name: 'Copy for the provider' }).waitFor();
    await expectAccessible(page);
  });

  it('compares a settlement file with the books, and somebody accepts what differs with a note', async () => {
    const payment = { bankCode: '058', accountNumber: '0123456785', amount: 7_800, narration: 'Invoice 1043' };
    const { data: paid } = await askApi(walk, 'POST', '/payout/single', { ...payment, pin: walk.demo.pin });
    await expect.poll(() => statusOf(paid.transactionId)).toBe('SUCCESS');
    const reference = `${paid.transactionId}`.replaceAll('-', '');
    const page = await walk.openAs(walk.demo.operator);
    await page.getByRole('link', { name: 'Reconciliation' }).click();
    await page.getByRole('button', { name: 'Import a file' }).first().click();
    await dialog(page).getByLabel('Rail').selectOption('sandbox');
    // By the keyboard alone: the beginning of a word, and the first that fits.
    const merchant = dialog(page).getByRole('combobox', { name: 'Merchant' });
    await merchant.fill('adi');
    await dialog(page)
      .getByRole('option', { name: /^Adire & Co/ })
      .waitFor();
    await merchant.press('Enter');
    await expect.poll(() => merchant.inputValue()).toBe('Adire & Co');
    await dialog(page).getByRole('button', { name: 'Import' }).click();
    await dialog(page).getByText('Choose a file.').waitFor();
    await expectAccessible(page);
    const lines = [1, 2].map(
      (at) => `01a1fa8e01a1fa8e01a1fa8e01a1fa${at}e,400.00,${new Date().toISOString()},successful`,
    );
    lines.push(`${reference},7800.00,${new Date().toISOString()},successful`);
    const csv = ['Reference,Amount,Completed At,Status', ...lines, ''].join('\n');
    const chosen = { name: 'november.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) };
    await dialog(page).locator('input[type=file]').setInputFiles(chosen);
    await dialog(page).getByRole('button', { name: 'Import' }).click();
    await page.getByRole('heading', { level: 1, name: 'Settlement file' }).waitFor();
    await page.getByLabel('State').selectOption('OPEN');
    await page.getByLabel('Result').selectOption('MISSING_HERE');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Decide about all 2' }).click();
    await dialog(page).getByRole('button', { name: 'Decide about all' }).click();
    await dialog(page).getByText('Say what you found out.').waitFor();
    await dialog(page).getByLabel('Note').fill(NOTE);
    await expectAccessible(page);
    await dialog(page).getByRole('button', { name: 'Decide about all' }).click();
    await page.getByText('Everything that differed is decided.').waitFor();
    const file = page.url().split('?')[0] ?? '';
    const ada = await signInOverHttp(walk.baseUrl, walk.demo.operator);
    const settled = async () =>
      (await ada.ask('GET', `/operator/payout/${paid.transactionId}`)).data.settlements.length;
    await expect.poll(settled).toBe(1);
    await page.goto(file);
    await page.getByRole('link', { name: reference }).click();
    await page.waitForURL(`**/operator/payouts/${paid.transactionId}`);
    await page.getByRole('link', { name: file.split('/').at(-1) ?? '' }).click();
    await page.waitForURL(file);
  });

  it('proves the books from the page, and the overview says so', async () => {
    const page = await walk.openAs(walk.demo.operator);
    await page.getByRole('link', { name: 'Run the first check' }).click();
    await page.getByText('Not checked yet').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Run the checks' }).click();
    await page.getByText('The books are right', { exact: true }).waitFor({ timeout: 60_000 });
    await expectAccessible(page);
    for (const bad of ['Wrong:', 'Something went wrong.']) expect(await page.getByText(bad).count(), bad).toBe(0);
    await page.getByRole('link', { name: 'Overview', exact: true }).click();
    await page.getByText('The books are right', { exact: true }).waitFor();
  });
});

/** As a `datetime-local` field takes it, at midnight of the first of the month after next. */
function inAMonth(): string {
  const now = new Date();
  const then = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 2, 1));
  return `${then.toISOString().slice(0, 10)}T00:00`;
}
