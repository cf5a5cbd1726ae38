import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { issueApiKey, storePin } from '../../src/access/index.ts';
import { readReceivables } from '../../src/daily-close/index.ts';
import { setContactsShared } from '../../src/merchants/index.ts';
import { decimalText, formatMoney } from '../../src/money/index.ts';
import { lagosDay } from '../../src/platform/clock.ts';
import { lumpOf } from '../rails/providers/settlement-books.ts';
import type { CreditRow } from '../rails/providers/wallet-books.ts';
import { collectionFee } from '../support/collection-fees.ts';
import { brokenChecks } from '../support/proof.ts';
import {
  approve,
  disputeWebhook,
  LIVE_RAIL,
  newestNumber,
  prepareLiveProvider,
  refundWebhook,
} from './support/live-provider.ts';
import { makeMerchant, type NewMerchant } from './support/new-merchant.ts';
import { takePicture } from './support/pictures.ts';
import { signInOverHttp } from './support/session.ts';
import { chooseFile, createBatch } from './support/uploads.ts';
import { expectAccessible, prepareWalks } from './support/walk.ts';

/*
 * The whole way of money with real money's rules, as people see it: in by transfer and card, to a store and a subaccount, out
 * as a payroll, back as a refund and a lost dispute, home to the merchant's bank, and settled by the provider until it owes nothing.
 */
const walk = prepareWalks();
const live = prepareLiveProvider(walk);

const PIN = '4826';
const DAY_MS = 24 * 60 * 60_000;
const HALF_AN_HOUR_MS = 30 * 60_000;
const SERVICES = ['COLLECTION', 'BRANCH', 'CHILD_ACCOUNT', 'CARD'];
const PROOF = { name: 'waybill.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7 signed for') };
const TRANSFER = 150_000_00n;
const CARD = 80_000_00n;
const STORE = 30_000_00n;
const REFUND = 10_000_00n;
const CONTESTED = 25_000_00n;
const DISPUTED = 15_000_00n;

const WAIT = { timeout: 30_000 };
const dialog = (page: Page) => page.getByRole('dialog').last();
/** What an address says to one who comes by it, in this merchant's live mode. */
const at = (path: string) => `/dashboard${path}${path.includes('?') ? '&' : '?'}mode=live`;
const rows = async <Row extends object>(sql: string, values: unknown[] = []) =>
  (await walk.runtime.database.pool.query<Row>(sql, values)).rows;
const sumOf = async (sql: string, values: unknown[] = []): Promise<bigint> =>
  BigInt((await rows<{ sum: string | null }>(sql, values))[0]?.sum ?? 0);
const paymentsIn = () => sumOf(`select count(*)::text as sum from inbound_payments where status = 'CREDITED'`);

/** The provider takes in a payment, says so twice, and it is in a wallet. */
async function comesIn(credit: CreditRow): Promise<CreditRow> {
  const before = await paymentsIn();
  await live.report(live.server.wallets.chargeSuccess(credit));
  await expect.poll(paymentsIn, WAIT).toBe(before + 1n);
  return credit;
}

async function setUpSettlements(page: Page): Promise<void> {
  await page.goto(at('/collections/settlements'));
  await page.getByRole('button', { name: 'Set up settlements' }).first().click();
  await dialog(page).getByLabel('Settle').selectOption('DAILY');
  await dialog(page).getByLabel('Stays in the wallet').fill('5000');
  await dialog(page).getByLabel('PIN').fill(PIN);
  await dialog(page).getByRole('button', { name: 'Save settings' }).click();
  await page.getByText('Saved. The owners are notified by mail.').waitFor();
}

/** The shop's server asks for a payment, and its customer pays with a card, on the provider's own page. */
async function payByCard({ merchantId }: NewMerchant): Promise<CreditRow> {
  const { runtime, clock } = walk;
  const { key } = await issueApiKey({ ...runtime, clock }, { merchantId, mode: 'LIVE', kind: 'SECRET' });
  const answer = await fetch(`${walk.baseUrl}/collection/session`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      ...{ amount: Number(decimalText(CARD)), customer: { name: 'Ngozi Eze', email: 'ngozi@example.com' } },
      ...{ channels: ['CARD', 'BANK_TRANSFER'], returnUrl: 'https://shop.example/paid' },
    }),
  });
  expect(answer.status).toBe(200);
  const { data } = (await answer.json()) as { data: { checkoutUrl: string } };
  const payer = await walk.open({ phone: true });
  await payer.goto(data.checkoutUrl);
  const way = payer.getByRole('link', { name: 'Pay with a card or in another way' });
  await way.waitFor();
  await expectAccessible(payer);
  expect(await way.getAttribute('href')).toContain('https://checkout.paystack.com/');
  const { payments } = live.server.wallets;
  const { reference } = payments.opened.find(({ kind }) => kind === 'page') ?? { reference: '' };
  const credit = await comesIn(payments.payPage(reference, { channel: 'CARD' }));
  await payer.getByRole('heading', { name: 'Thank you. We have received your payment.' }).waitFor();
  return credit;
}

async function openStore(page: Page, merchant: NewMerchant): Promise<CreditRow> {
  await page.goto(at('/stores'));
  await page.getByRole('button', { name: 'Open a store' }).first().click();
  await dialog(page).getByLabel('Name').fill('Ikeja');
  await dialog(page).getByRole('button', { name: 'Open store' }).click();
  await page.getByRole('heading', { level: 1, name: 'Ikeja' }).waitFor();
  await page.getByText("the merchant's own is not used for this wallet", { exact: false }).waitFor();
  await setContactsShared({ queries: walk.runtime.database }, { merchantId: merchant.merchantId, isEnabled: true });
  await page.getByRole('button', { name: 'Ask again' }).click();
  const accountNumber = await newestNumber(walk, merchant, 2);
  await page.getByText(accountNumber).first().waitFor();
  const credit = await comesIn(live.server.wallets.books.deposit({ accountNumber, amountMinor: STORE }));
  await page.reload();
  await page.getByRole('button', { name: 'Move to the main wallet' }).click();
  await dialog(page).getByLabel('Amount').fill('12000');
  await dialog(page).getByLabel('Narration').fill('Evening sweep');
  await dialog(page).getByRole('button', { name: 'Continue' }).click();
  await dialog(page).getByLabel('PIN', { exact: true }).fill(PIN);
  await dialog(page)
    .getByRole('button', { name: /^Move ₦/ })
    .click();
  await page.getByText('₦12,000.00 moved from Ikeja to the main wallet.').waitFor();
  await expectAccessible(page);
  return credit;
}

async function creditSubaccount(page: Page): Promise<void> {
  await page.goto(at('/subaccounts'));
  await page.getByRole('button', { name: 'Open a subaccount' }).first().click();
  await dialog(page).getByLabel('Name').fill('Taxes');
  await dialog(page).getByRole('button', { name: 'Open subaccount' }).click();
  await page.getByRole('heading', { level: 1, name: 'Taxes' }).waitFor();
  await page.getByRole('button', { name: 'Credit', exact: true }).click();
  await dialog(page).getByLabel('Amount').fill('20000');
  await dialog(page).getByRole('button', { name: 'Credit' }).click();
  await page.getByText('₦20,000.00 moved from the main wallet to Taxes.').waitFor();
}

async function payPayroll(page: Page): Promise<void> {
  await page.goto(at('/bulk'));
  const list = [
    'Amount,Bank Code,Account Number,Narration',
    '60000,058,0123456785,Salary',
    '45000,058,9876543216,Salary',
  ];
  await chooseFile(page, 'salaries.csv', [...list, ''].join('\r\n'));
  await createBatch(page, 'salaries.csv');
  await page.getByRole('heading', { level: 1, name: 'salaries.csv' }).waitFor();
  await page.getByText('Ready', { exact: true }).and(page.locator(':not(option)')).first().waitFor();
  await page.getByRole('main').getByRole('button', { name: /^Pay/ }).click();
  await dialog(page).getByLabel('PIN').fill(PIN);
  await page.keyboard.press('Enter');
  await dialog(page).waitFor({ state: 'detached' });
  await expect.poll(() => live.server.transfers.size, WAIT).toBe(2);
}

/** On a phone: part of the transfer goes back, by the provider that took it. */
async function refundOnPhone(merchant: NewMerchant, credit: CreditRow): Promise<void> {
  const page = await walk.openAs(merchant, { at: at('/collections'), phone: true });
  await page
    .getByRole('button', { name: /RANDALL AKANBI HORTON/ })
    .last()
    .click();
  await dialog(page).getByRole('button', { name: 'Refund' }).click();
  await dialog(page).getByLabel('Amount').fill(decimalText(REFUND));
  await dialog(page).getByLabel('Reason').fill('One chair was broken');
  live.server.wallets.refunds.next = 'pending-then-processed';
  await dialog(page).getByLabel('PIN').fill(PIN);
  await dialog(page).getByRole('button', { name: 'Refund' }).click();
  const { rows } = live.server.wallets.refunds;
  await expect.poll(() => rows.length, WAIT).toBe(1);
  for (const refund of rows) {
    refund.play = 'processed';
    await live.report(refundWebhook(refund, credit.reference));
  }
  await page.getByText('Refunded', { exact: true }).waitFor();
  await expectAccessible(page);
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  await takePicture(page, 'circle-1-refund-phone');
}

async function openDispute(page: Page, credit: CreditRow, amountMinor: bigint) {
  const dispute = live.server.wallets.disputes.open({ amountMinor, transactionId: String(credit.id) });
  await live.report(disputeWebhook('create', dispute));
  const title = `Dispute of ${formatMoney(amountMinor, 'NGN')}`;
  await expect
    .poll(() => sumOf('select count(*)::text as sum from disputes where amount_minor = $1', [amountMinor]), WAIT)
    .toBe(1n);
  await page.goto(at('/collections/disputes'));
  await page.getByRole('link', { name: 'I did not get it' }).first().click();
  await page.getByRole('heading', { level: 1, name: title }).waitFor();
  return dispute;
}

/** The payer's bank wants part of the card payment back: contested with a file, and won. */
async function winDispute(page: Page, credit: CreditRow): Promise<void> {
  const { disputes } = live.server.wallets;
  const dispute = await openDispute(page, credit, CONTESTED);
  await page.getByRole('button', { name: 'Contest' }).click();
  await dialog(page).getByLabel('Why the payment is yours').fill('Delivered on Monday and signed for.');
  await dialog(page).getByLabel('Customer’s name').fill('Ngozi Eze');
  await dialog(page).getByLabel('Customer’s e-mail').fill('ngozi@example.com');
  await dialog(page).getByLabel('Customer’s phone').fill('08031234567');
  await dialog(page).getByLabel('What was sold').fill('Two chairs');
  await dialog(page).locator('input[type=file]').setInputFiles(PROOF);
  await dialog(page).getByText('waybill.pdf').waitFor();
  await dialog(page).getByRole('button', { name: 'Send the evidence' }).click();
  await expect.poll(() => dispute.answers, WAIT).toBe(1);
  expect([...disputes.uploads.values()]).toEqual([expect.stringContaining('signed for')]);
  await page.getByText('The provider has your evidence', { exact: false }).waitFor();
  dispute.state = 'won';
  await live.report(disputeWebhook('resolve', dispute));
  await page.getByText('The payment stays yours.', { exact: false }).waitFor();
  await expectAccessible(page);
}

/** One that nobody answers is over after sixteen hours: the payer's bank has it. @returns its number at the provider */
async function loseDispute(page: Page, credit: CreditRow): Promise<number> {
  const dispute = await openDispute(page, credit, DISPUTED);
  dispute.state = 'silence';
  await live.report(disputeWebhook('resolve', dispute));
  await page.getByText('Nobody answered in time.', { exact: false }).waitFor();
  await expectAccessible(page);
  await takePicture(page, 'circle-2-dispute-lost');
  return dispute.id;
}

async function settleToBank(page: Page): Promise<void> {
  await page.goto(at('/collections/settlements'));
  await page.getByRole('button', { name: 'Settle now' }).click();
  await dialog(page).getByLabel('PIN').fill(PIN);
  await dialog(page).getByRole('button', { name: 'Settle now' }).click();
  await page.getByRole('link', { name: 'No. 1' }).click();
  await page.getByText('From gross to net').waitFor();
  await page.getByText('Paid', { exact: true }).first().waitFor();
  await expectAccessible(page);
  await takePicture(page, 'circle-3-settled');
}

/** One of the operator's people fetches what the provider settled, another applies it. */
async function applySettlement(reference: string, lumpMinor: bigint): Promise<void> {
  const first = await walk.openAs(walk.demo.operator, { at: '/dashboard/operator/provider-settlements/fetched' });
  await first.getByRole('button', { name: 'Fetch a settlement' }).first().click();
  await dialog(first).getByLabel('Provider account').selectOption(LIVE_RAIL);
  await dialog(first).getByLabel('Reference').fill(reference);
  await dialog(first).getByLabel('Settled').fill(decimalText(lumpMinor));
  await dialog(first).getByLabel('On', { exact: true }).fill(lagosDay(walk.clock.now()));
  await expectAccessible(first);
  await dialog(first).getByRole('button', { name: 'Fetch' }).click();
  await first.getByText('Its lines are being asked for.').waitFor();

  const ready = () => sumOf("select count(*)::text as sum from provider_settlements where status = 'READY'");
  await expect.poll(ready, WAIT).toBe(1n);
  const second = await walk.openAs(walk.demo.colleagues.operator, { at: '/dashboard/operator/provider-settlements' });
  await second.getByRole('link', { name: reference }).click();
  await second.getByRole('button', { name: 'Apply' }).click();
  await takePicture(second, 'circle-4-apply');
  await dialog(second).getByRole('button', { name: 'Apply' }).click();
  await second.getByText('The settlement is applied.').waitFor();
  await expectAccessible(second);
  await takePicture(second, 'circle-5-applied');
}

async function signDay(day: string): Promise<void> {
  for (const [person, button] of [
    [walk.demo.operator, 'Sign'],
    [walk.demo.colleagues.operator, 'Sign as the second'],
  ] as const) {
    const page = await walk.openAs(person, { at: `/dashboard/operator/daily-close?day=${day}` });
    await page.getByRole('button', { name: button, exact: true }).click();
    await dialog(page).getByRole('button', { name: 'Sign' }).click();
    await page.getByText(button === 'Sign' ? 'Signed' : 'Signed by two', { exact: true }).waitFor();
    await expectAccessible(page);
    await takePicture(page, 'circle-6-close');
  }
}

/** The day is over for everybody; who was signed in looks at nothing any more. */
async function endDay(page: Page): Promise<string> {
  const open = page.context().browser()?.contexts() ?? [];
  await Promise.all(open.flatMap((context) => context.pages()).map((each) => each.goto('about:blank')));
  const day = lagosDay(walk.clock.now());
  walk.clock.advance(DAY_MS + HALF_AN_HOUR_MS);
  return day;
}

/** @returns what the provider settles of these payments, less what it paid back for them */
function settleAtProvider(credits: readonly CreditRow[], disputeId: number) {
  const { wallets } = live.server;
  const { refunds } = wallets;
  const payments = credits.map(({ id, amountMinor }) => ({
    ...{ id: String(id), grossMinor: amountMinor, feeMinor: amountMinor / 100n },
  }));
  const row = wallets.settlements.add({
    payments,
    refunds: refunds.rows,
    chargebacks: [{ id: String(disputeId), amountMinor: DISPUTED }],
  });
  return { reference: row.id, lumpMinor: lumpOf(row) };
}

async function seeReceivables(day: string): Promise<void> {
  const from = lagosDay(new Date(walk.clock.now().getTime() - 3 * DAY_MS));
  const page = await walk.openAs(walk.demo.operator, {
    at: `/dashboard/operator/receivables?from=${from}&to=${day}`,
  });
  const row = page.getByRole('row').filter({ hasText: LIVE_RAIL }).first();
  await row.getByText('Nothing waits').waitFor();
  await row.getByRole('cell').last().getByText('₦0.00', { exact: true }).waitFor();
  await expectAccessible(page);
  await takePicture(page, 'circle-7-receivables');
}

/** What each step came to, from the ledger and from what the provider and the banks have. */
async function printFigures(day: string, lumpMinor: bigint): Promise<void> {
  const fromDay = lagosDay(new Date(walk.clock.now().getTime() - 3 * DAY_MS));
  const [owed] = await readReceivables(walk.runtime, { mode: 'LIVE', fromDay, toDay: day });
  const { confirmed, settled, kept, refunded, disputed, deducted, closing, differences } = owed ?? {};
  expect({ closing, differences, refunded, disputed }).toEqual({
    ...{ closing: '0', differences: [], refunded: String(REFUND), disputed: String(DISPUTED) },
  });
  expect(BigInt(confirmed ?? 0)).toBe(TRANSFER + CARD + STORE);
  expect(BigInt(settled ?? 0) - BigInt(deducted ?? 0)).toBe(lumpMinor);
  const fees = await sumOf("select sum(fee_minor + vat_minor)::text as sum from inbound_payments where mode = 'LIVE'");
  const home = await sumOf("select sum(amount_minor)::text as sum from merchant_settlements where status = 'PAID'");
  const paid = [...live.server.transfers.values()].reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
  const lines = {
    'came in': confirmed,
    'our fees and VAT': fees,
    'payroll paid': paid - home,
    refunded,
    'lost in a dispute': disputed,
    'settled to the bank': home,
    'settled by the provider': lumpMinor,
    'kept by the provider': kept,
    'receivable left': closing,
  };
  for (const [what, minor] of Object.entries(lines))
    process.stdout.write(`${what.padEnd(24)} ₦${decimalText(BigInt(minor ?? 0))}\n`);
}

describe('the full circle of live money', () => {
  it('comes in, goes out, back and home, and ends with a provider that owes nothing and a day that two people signed', async () => {
    const { runtime, clock } = walk;
    await collectionFee({ database: runtime.database, clock }, { rateBasisPoints: 100 });
    const kola = await makeMerchant(walk, 'Kolanut Traders');
    await approve(walk, kola, SERVICES);
    const operator = await signInOverHttp(walk.baseUrl, walk.demo.operator);
    const allowed = await operator.ask('POST', `/operator/merchant/${kola.merchantId}/refunds`, { enabled: true });
    expect(allowed.status).toBe(200);
    await storePin({ ...runtime, clock }, { merchantId: kola.merchantId, mode: 'LIVE' }, PIN);
    const page = await walk.openAs(kola, { at: at('/wallet') });
    const accountNumber = await newestNumber(walk, kola);
    await setUpSettlements(page);

    const transfer = await comesIn(live.server.wallets.books.deposit({ accountNumber, amountMinor: TRANSFER }));
    const card = await payByCard(kola);
    const store = await openStore(page, kola);
    await creditSubaccount(page);
    await payPayroll(page);
    await refundOnPhone(kola, transfer);
    await winDispute(page, card);
    const disputeId = await loseDispute(page, store);
    await settleToBank(page);

    const { reference, lumpMinor } = settleAtProvider([transfer, card, store], disputeId);
    await applySettlement(reference, lumpMinor);
    const day = await endDay(page);
    await signDay(day);
    await seeReceivables(day);
    expect(await brokenChecks(runtime.database)).toEqual([]);
    await printFigures(day, lumpMinor);
  });
});
