import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { askApi } from './support/api.ts';
import { signInOverHttp } from './support/session.ts';
import { expectAccessible, prepareWalks } from './support/walk.ts';
import { lookAgain, settled } from './support/watch.ts';

const walk = prepareWalks();
const dialog = (page: Page) => page.getByRole('dialog').last();
/** Whoever has this account at the sandbox's bank pays under the name that it gives. */
const PAYER_ACCOUNT = '0123456780';
const BANK = { code: '044', name: 'Access Bank' };

/** @returns the ids of a payment and of its refund, which goes as the scenario says */
async function refundOf(scenario: string, note: string): Promise<string> {
  const { wallet } = (await askApi(walk, 'GET', '/wallet/merchant')).data;
  const { accountNumber } = (await askApi(walk, 'GET', `/wallet/${wallet.id}/account`)).data.accounts[0];
  const count = async () => (await askApi(walk, 'GET', '/collection/payment')).data.records.length;
  const before = await count();
  const payer = { accountNumber: PAYER_ACCOUNT };
  await askApi(walk, 'POST', '/sandbox/collection/pay', { accountNumber, amount: 2_500, payer });
  await expect.poll(count, { timeout: 30_000 }).toBeGreaterThan(before);
  const [{ paymentId }] = (await askApi(walk, 'GET', '/collection/payment')).data.records;
  const asked = await askApi(
    walk,
    'POST',
    `/collection/payment/${paymentId}/refund`,
    { pin: walk.demo.pin, note },
    { 'x-sandbox-scenario': scenario },
  );
  expect(asked.status).toBe(200);
  return asked.data.refundId;
}

const statusOf = (refundId: string) => async () =>
  (await askApi(walk, 'GET', `/collection/refund/${refundId}`)).data.refund.status;

async function expectFitsPhone(page: Page): Promise<void> {
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
}

describe('a payment in', () => {
  it('is refunded in part from its own page, with the PIN, and shows what went back', async () => {
    const { wallet } = (await askApi(walk, 'GET', '/wallet/merchant')).data;
    const { accounts } = (await askApi(walk, 'GET', `/wallet/${wallet.id}/account`)).data;
    const payer = { name: 'Ngozi Eze' };
    const { accountNumber } = accounts[0];
    await askApi(walk, 'POST', '/sandbox/collection/pay', { accountNumber, amount: 8_000, payer });
    const page = await walk.openAs(walk.demo.dashboard, { at: '/dashboard/collections' });
    await page
      .getByRole('button', { name: /Ngozi Eze/ })
      .first()
      .click();
    await dialog(page).getByRole('button', { name: 'Refund' }).click();
    await dialog(page).getByText('goes back to the payer alone').waitFor();
    await expectAccessible(page);
    // All of it is proposed, as amounts are written everywhere.
    expect(await dialog(page).getByLabel('Amount').inputValue()).toBe('8,000.00');
    await dialog(page).getByLabel('Amount').fill('3000');
    await dialog(page).getByLabel('Reason').fill('One chair was broken');
    await dialog(page).getByLabel('PIN').fill(walk.demo.pin);
    await dialog(page).getByRole('button', { name: 'Refund' }).click();
    await page.getByText('One chair was broken').waitFor();
    await page.getByText('Refunded', { exact: true }).waitFor();
    await expectAccessible(page);
    await expectFitsPhone(page);
    const { records } = (await askApi(walk, 'GET', '/collection/refund')).data;
    expect(records[0]).toMatchObject({ amount: 3_000, status: 'SUCCESS', note: 'One chair was broken' });

    // Nobody is offered what the role may not do.
    const approver = await walk.openAs(walk.demo.colleagues.approver, { at: '/dashboard/collections' });
    const payment = approver.getByRole('button', { name: /Ngozi Eze/ }).first();
    await payment.click();
    await dialog(approver).getByText('One chair was broken').waitFor();
    await settled(approver);
    expect(await dialog(approver).getByRole('button', { name: 'Refund' }).count()).toBe(0);
  });

  it('is refunded once where an answer is lost and somebody begins again, and twice only where that is meant', async () => {
    const { wallet } = (await askApi(walk, 'GET', '/wallet/merchant')).data;
    const [{ accountNumber }] = (await askApi(walk, 'GET', `/wallet/${wallet.id}/account`)).data.accounts;
    const payer = { name: 'Tunde Alli' };
    await askApi(walk, 'POST', '/sandbox/collection/pay', { accountNumber, amount: 9_000, payer });
    const page = await walk.openAs(walk.demo.dashboard, { at: '/dashboard/collections' });
    await page
      .getByRole('button', { name: /Tunde Alli/ })
      .first()
      .click();
    const send = async () => {
      await dialog(page).getByLabel('PIN').fill(walk.demo.pin);
      await dialog(page).getByRole('button', { name: 'Refund' }).click();
    };
    const begin = async () => {
      await dialog(page).getByRole('button', { name: 'Refund' }).click();
      await dialog(page).getByLabel('Amount').fill('1000');
      await send();
    };
    const keys: (string | undefined)[] = [];
    const asked = '**/collection/payment/*/refund';
    await page.route(asked, async (route) => {
      const request = route.request();
      keys.push(request.headers()['idempotency-key']);
      const headers = await request.allHeaders();
      await fetch(request.url(), { method: 'POST', headers, body: request.postData() });
      await route.abort('connectionreset');
    });
    await begin();
    await dialog(page).getByText('The connection was lost').waitFor();
    expect(await dialog(page).getByLabel('Amount').isDisabled()).toBe(true);
    await expectAccessible(page);
    await page.unroute(asked);
    page.on('request', (request) => {
      if (request.method() === 'POST' && /refund$/.test(request.url())) keys.push(request.headers()['idempotency-key']);
    });
    await dialog(page).getByRole('button', { name: 'Cancel' }).click();
    await begin();
    await dialog(page).getByRole('link', { name: '₦1,000.00' }).waitFor();
    await expect.poll(() => page.getByRole('dialog').count()).toBe(1);
    expect(new Set(keys).size).toBe(1);

    await begin();
    await dialog(page).getByText('Nothing was refunded now.').waitFor();
    await dialog(page).getByLabel('It is meant twice').check();
    await expectAccessible(page);
    await send();
    await expect.poll(() => dialog(page).getByRole('link', { name: '₦1,000.00' }).count()).toBe(2);
  });
});

describe('the rule for refunds', () => {
  it('is set with the PIN, sends a late payment back, and shows what has to be refunded by hand', async () => {
    const page = await walk.openAs(walk.demo.dashboard, { at: '/dashboard/collections/refunds' });
    await page.getByText('What comes late').waitFor();
    await page.getByRole('button', { name: 'Change' }).click();
    await dialog(page).getByLabel('What comes after its session has ended').selectOption('PROVIDER');
    await expectAccessible(page);
    await dialog(page).getByLabel('PIN').fill(walk.demo.pin);
    await dialog(page).getByRole('button', { name: 'Save the rule' }).click();
    await page.getByText('Saved. The owners are notified by mail.').waitFor();
    await page.getByRole('definition').filter({ hasText: 'Goes back by the provider of the payment' }).waitFor();
    const latePayment = async (amount: number, bankName: string) => {
      const customer = { name: 'Ada Obi', email: 'ada@example.com' };
      const { data } = await askApi(walk, 'POST', '/collection/session', { amount, customer });
      await askApi(walk, 'POST', `/collection/session/${data.sessionId}/cancel`);
      const { accountNumber } = data.accounts[0];
      const payer = { accountNumber: PAYER_ACCOUNT, bankName };
      await askApi(walk, 'POST', '/sandbox/collection/pay', { accountNumber, amount, payer });
    };
    await latePayment(1_250, BANK.name);
    await page.getByRole('link', { name: 'The payment came too late' }).waitFor({ timeout: 30_000 });
    await page.getByRole('button', { name: 'Change' }).click();
    await dialog(page).getByLabel('What comes after its session has ended').selectOption('PAYOUT');
    await dialog(page).getByLabel('PIN').fill(walk.demo.pin);
    await dialog(page).getByRole('button', { name: 'Save the rule' }).click();
    await page
      .getByRole('definition')
      .filter({ hasText: 'Goes back as a payout to the account it came from' })
      .waitFor();
    await latePayment(900, 'A bank that nobody knows');
    await page.getByText('Refund it by hand').filter({ visible: true }).first().waitFor({ timeout: 30_000 });
    await expectAccessible(page);
    await expectFitsPhone(page);
    await page.goto('/dashboard');
    await page.getByText('One refund could not be made by rule').waitFor();
    await page.getByRole('link', { name: 'See which' }).click();
    await page.getByText('Refund it by hand').filter({ visible: true }).first().waitFor();
  });
});

describe('refunds', () => {
  it('that need the payer’s account lead from home to the form, and take it with the PIN alone', async () => {
    const refundId = await refundOf('refund-needs-details', 'The wrong colour');
    await expect.poll(statusOf(refundId), { timeout: 30_000 }).toBe('NEEDS_DETAILS');
    const page = await walk.openAs(walk.demo.dashboard);
    await page.getByText('One refund needs the payer’s account').waitFor();
    await page.getByRole('link', { name: 'Give the account' }).click();
    await page.getByRole('heading', { level: 1, name: 'Refunds' }).waitFor();
    await page.getByRole('link', { name: 'The wrong colour' }).click();
    await page.getByText('it wants the payer’s account').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Give the account' }).click();
    const bank = dialog(page).getByLabel('Bank', { exact: true });
    await bank.fill(BANK.name);
    await dialog(page).getByRole('option', { name: BANK.name }).first().click();
    await dialog(page).getByLabel('Account number').fill('0123456789');
    await dialog(page).getByLabel('PIN').fill(walk.demo.pin);
    await dialog(page).getByRole('button', { name: 'Give the account' }).click();
    await dialog(page).getByText('A refund goes to the payer alone.', { exact: false }).waitFor();
    expect(await statusOf(refundId)()).toBe('NEEDS_DETAILS');
    await expectAccessible(page);
    await dialog(page).getByLabel('Account number').fill(PAYER_ACCOUNT);
    await dialog(page).getByLabel('PIN').fill(walk.demo.pin);
    await dialog(page).getByRole('button', { name: 'Give the account' }).click();
    await page.getByText('The account is given to the provider.').waitFor();
    await page.getByText('The money went back to the payer.').waitFor({ timeout: 60_000 });
    await expectFitsPhone(page);
  });

  it('that failed are on the first page, are found by status, and download as they are filtered', async () => {
    const refundId = await refundOf('refund-refused', 'Paid twice');
    await expect.poll(statusOf(refundId), { timeout: 30_000 }).toBe('FAILED');
    const page = await walk.openAs(walk.demo.dashboard);
    await page.getByText('One refund failed in the last 7 days').waitFor();
    await page.goto('/dashboard/collections/refunds');
    await page.getByLabel('Status').selectOption('FAILED');
    await page.getByRole('link', { name: 'Paid twice' }).waitFor();
    await expect.poll(() => page.getByLabel('Refunds, newest first').getByRole('row').count()).toBe(2);
    await expectAccessible(page);
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download CSV' }).click(),
    ]);
    expect(file.suggestedFilename()).toMatch(/^refunds-sandbox-\d{4}-\d\d-\d\d\.csv$/);
    const lines = (await readFile(await file.path(), 'utf8')).trim().split('\n');
    expect(lines).toHaveLength(2);
    expect(lines[1]).toContain('Paid twice');
    await page.getByLabel('Status').selectOption('CANCELLED');
    await page.getByText('Nothing matches these filters').waitFor();
    await page.getByLabel('Status').selectOption('FAILED');
    await page.getByRole('link', { name: 'Paid twice' }).waitFor();
    await expectFitsPhone(page);
    await expectAccessible(page);
  });
});

describe("the operator's page of refunds", () => {
  it('decides one whose outcome nobody knows by the word of two people, and not of one', async () => {
    const refundId = await refundOf('refund-pending-forever', 'The bank is silent');
    await expect.poll(statusOf(refundId), { timeout: 30_000 }).toBe('PROCESSING');
    const ada = await signInOverHttp(walk.baseUrl, walk.demo.operator);
    const tenant = { merchantId: walk.demo.merchantId, mode: 'SANDBOX' };
    const address = `/operator/refund/${refundId}?${new URLSearchParams(tenant)}`;
    // Whatever is proposed before the provider was asked for the first time is overtaken by what it answers.
    const asked = async () =>
      (await ada.ask('GET', address)).data.said.filter(
        (one: { kind: string; endedAt: string | null }) => one.kind === 'QUERY' && one.endedAt !== null,
      ).length;
    await expect.poll(asked, { timeout: 30_000 }).toBeGreaterThan(0);
    const first = await walk.openAs(walk.demo.operator, { at: '/dashboard/operator' });
    await first.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Refunds' }).click();
    await first.getByRole('heading', { level: 1, name: 'Refunds' }).waitFor();
    await first.getByLabel('Show').selectOption('decide');
    await first.getByText('Nothing waits for a decision').waitFor();
    expect(await first.getByLabel('Made since').count()).toBe(0);
    await first.getByLabel('Rail').selectOption('sandbox');
    await first.getByText('Nothing matches these filters').waitFor();
    await first.getByLabel('Show').selectOption('');
    await first.getByLabel('Status').selectOption('PROCESSING');
    const refunds = first.getByLabel('Refunds of all merchants, newest first').getByRole('link');
    await first.getByLabel('Made since').fill('2099-01-01');
    await first.getByLabel('Made since').press('Enter');
    await expect.poll(() => refunds.count()).toBe(0);
    await first.getByLabel('Made since').fill('2026-01-01');
    await first.getByLabel('Made since').press('Enter');
    await expect.poll(() => refunds.count()).toBeGreaterThan(0);
    expect(new URL(first.url()).searchParams.get('rail')).toBe('sandbox');
    await expectAccessible(first);
    await refunds.first().click();
    await first.getByText('The bank is silent').waitFor();
    await first.getByText('Sent to the provider: under way').waitFor();
    await expectAccessible(first);
    await first.getByRole('button', { name: 'Propose an outcome' }).click();
    await dialog(first).getByRole('button', { name: 'Propose' }).click();
    await dialog(first).getByText('Choose what became of it.').waitFor();
    await dialog(first).getByLabel('It was not sent').check();
    await dialog(first).getByLabel('How do you know?').selectOption('RAIL_SUPPORT');
    await dialog(first).getByLabel('What you saw').fill('Ticket 4711: it never went out');
    await expectAccessible(first);
    await dialog(first).getByRole('button', { name: 'Propose' }).click();
    await first.getByText('Another person has to confirm it.').waitFor();
    expect(await first.getByRole('button', { name: 'Look and confirm' }).count()).toBe(0);
    await expectFitsPhone(first);
    const { data } = await ada.ask('GET', address);
    const { proposalId, digest } = data.refund.proposal;
    const alone = await ada.ask('POST', '/operator/refund/confirm', { ...tenant, proposalId, digest });
    expect([alone.status, alone.code]).toEqual([403, 'SECOND_PERSON_NEEDED']);

    const second = await walk.openAs(walk.demo.colleagues.operator);
    await second.getByRole('link', { name: 'Decide: One proposed outcome of a refund waits for you' }).click();
    await second.getByText('Waits for a second person', { exact: true }).first().waitFor();
    await second.getByLabel('Refunds to decide').getByRole('link').first().click();
    await second.getByText('Ticket 4711: it never went out').waitFor();
    await second.getByRole('button', { name: 'Look and confirm' }).click();
    await dialog(second).getByText('This cannot be undone.').waitFor();
    await expectAccessible(second);
    // The first one says otherwise meanwhile: what the second one has read is confirmed, or nothing.
    const why = { proposalId, reason: 'It was the other one' };
    expect((await ada.ask('POST', '/operator/refund/reject', { ...tenant, ...why })).status).toBe(200);
    const said = { refundId, source: 'RAIL_SUPPORT', note: 'Ticket 4712: it did go out' };
    const otherwise = { ...tenant, ...said, outcome: 'SUCCEEDED' };
    expect((await ada.ask('POST', '/operator/refund/propose', otherwise)).status).toBe(200);
    await lookAgain(second);
    await second.getByText('Ticket 4712: it did go out').waitFor();
    await dialog(second).getByText('Ticket 4711: it never went out').waitFor();
    await dialog(second).getByRole('button', { name: 'Confirm the outcome' }).click();
    await dialog(second).getByRole('alert').waitFor();
    expect(await statusOf(refundId)()).toBe('PROCESSING');
    await second.keyboard.press('Escape');

    const { refund } = (await ada.ask('GET', address)).data;
    const newest = { proposalId: refund.proposal.proposalId, reason: 'As before' };
    expect((await ada.ask('POST', '/operator/refund/reject', { ...tenant, ...newest })).status).toBe(200);
    const again = { ...tenant, ...said, outcome: 'FAILED' };
    expect((await ada.ask('POST', '/operator/refund/propose', again)).status).toBe(200);
    await lookAgain(second);
    await second.getByText('Proposed: it was not sent').waitFor();
    await second.getByRole('button', { name: 'Look and confirm' }).click();
    await dialog(second).getByRole('button', { name: 'Confirm the outcome' }).click();
    await second.getByText('Two people decided: not sent').waitFor();
    expect(await statusOf(refundId)()).toBe('FAILED');
    await expectFitsPhone(second);
  });
});
