import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { openCreditDigest } from '../../src/collections/index.ts';
import { waitForSettlements } from '../support/availability.ts';
import { askApi } from './support/api.ts';
import { signInOverHttp } from './support/session.ts';
import { expectAccessible, prepareWalks } from './support/walk.ts';

const walk = prepareWalks();

const KEY = 'id:SBX-REPORTED-1';
const NOTE = 'Their support wrote on 20 November that they know of no such transfer';

/** Longer than a click takes that does not wait. */
const LATE_MS = 2_000;

const dialog = (page: Page) => page.getByRole('dialog');

/** A credit that somebody reported and nobody confirmed for days. */
async function reportCredit(): Promise<void> {
  await walk.runtime.database.pool.query(
    `insert into open_credits (rail, credit_key, mode, provider_transaction_id, account_number, reported_minor, source,
                               status, reason, attempts, first_seen_at, updated_at, digest)
     values ('sandbox', $1, 'SANDBOX', 'SBX-REPORTED-1', '1234567890', 1250075, 'WEBHOOK', 'UNCONFIRMED', 'RAIL_RECORD_NOT_FOUND', 17,
             now(), now(), '')`,
    [KEY],
  );
  await walk.runtime.database.pool.query(
    `update open_credits c set digest = ${openCreditDigest('c')} where credit_key = $1`,
    [KEY],
  );
}

/** @returns the id of a payment to the demo that waits for its settlement */
async function payUnsettled(): Promise<string> {
  await waitForSettlements(walk.runtime.database, { merchantId: walk.demo.merchantId, mode: 'SANDBOX' });
  const { wallet } = (await askApi(walk, 'GET', '/wallet/merchant')).data;
  const { accountNumber } = (await askApi(walk, 'GET', `/wallet/${wallet.id}/account`)).data.accounts[0];
  await askApi(walk, 'POST', '/sandbox/collection/pay', { accountNumber, amount: 1_200 });
  const unsettled = async () =>
    (await askApi(walk, 'GET', '/collection/payment?status=PENDING_SETTLEMENT')).data.records[0]?.paymentId;
  await expect.poll(unsettled, { timeout: 30_000 }).toBeDefined();
  return unsettled();
}

const setReason = (reason: string) =>
  walk.runtime.database.pool.query('update open_credits set reason = $2 where credit_key = $1', [KEY, reason]);

describe('money in', () => {
  it('is decided by the word of two people, and not of one', async () => {
    await reportCredit();
    const first = await walk.openAs(walk.demo.operator, { at: '/dashboard/operator/money-in' });
    await first.getByRole('button', { name: `Look at ${KEY}` }).click();
    await dialog(first).getByText('Not confirmed').waitFor();
    await dialog(first).getByText('The provider knows of no such transfer').waitFor();
    await expectAccessible(first);
    await dialog(first).getByRole('button', { name: 'Propose' }).click();
    await dialog(first).getByRole('button', { name: 'Propose' }).click();
    await dialog(first).getByText('Choose what becomes of it.').waitFor();
    await expectAccessible(first);
    await dialog(first).getByLabel('Dismiss').check();
    await dialog(first).getByLabel('How do you know?').selectOption('PROVIDER_SUPPORT');
    await dialog(first).getByLabel('What you saw').fill(NOTE);
    const reading = await walk.openAs(walk.demo.colleagues.operator, { at: '/dashboard/operator/money-in' });
    // Also for the timers that its page begins with.
    await reading.clock.install();
    await reading.reload();
    await reading.getByRole('button', { name: `Look at ${KEY}` }).click();
    await dialog(reading).getByRole('button', { name: 'Propose' }).waitFor();
    // The list answers late: a dialog that is opened meanwhile has to follow it.
    await first.route('**/operator/suspense?*', async (route) => {
      await delay(LATE_MS);
      await route.continue();
    });
    await dialog(first).getByRole('button', { name: 'Propose' }).click();
    await first.getByText('Nothing has moved: another person confirms it.').waitFor();
    await first.getByRole('button', { name: `Look at ${KEY}` }).click();
    await dialog(first).getByText('You proposed it: another person has to confirm it.').waitFor();
    expect(await dialog(first).getByRole('button', { name: 'Confirm' }).count()).toBe(0);
    const ada = await signInOverHttp(walk.baseUrl, walk.demo.operator);
    const [waiting] = (await ada.ask('GET', '/operator/suspense')).data.records;
    const { proposalId, digest } = waiting.proposal;
    const alone = await ada.ask('POST', '/operator/suspense/credit/confirm', { proposalId, digest });
    expect([alone.status, alone.code]).toEqual([403, 'SECOND_PERSON_NEEDED']);

    // Who was reading meanwhile finds no Confirm under the hand that was on Propose.
    await reading.clock.fastForward(30_000);
    await dialog(reading).getByText('A colleague proposed this while you were reading').waitFor();
    expect(await dialog(reading).getByRole('button', { name: 'Confirm' }).count()).toBe(0);
    await dialog(reading).getByRole('button', { name: 'I have read it' }).click();
    await dialog(reading).getByRole('button', { name: 'Confirm' }).waitFor();
    await expectAccessible(reading);

    const second = await walk.openAs(walk.demo.colleagues.operator);
    await setReason('RAIL_PENDING');
    await second.getByRole('link', { name: 'Decide: One proposal about money in waits for you' }).click();
    await second.getByRole('button', { name: `Look at ${KEY}` }).click();
    await dialog(second).getByText('This proposal no longer holds').waitFor();
    expect(await dialog(second).getByRole('button', { name: 'Confirm' }).count()).toBe(0);
    await expectAccessible(second);
    await setReason('RAIL_RECORD_NOT_FOUND');
    await second.reload();
    await second.getByRole('button', { name: `Look at ${KEY}` }).click();
    await dialog(second).getByText(NOTE).waitFor();
    await dialog(second).getByText('This cannot be undone').waitFor();
    await expectAccessible(second);
    await dialog(second).getByRole('button', { name: 'Confirm' }).click();
    await second.getByText('Confirmed. Nothing is booked.').waitFor();
    await second.getByText('Nothing waits for a decision').waitFor();
  });

  it('went back to its payer before it was settled, by the word of two people on the page of the payment', async () => {
    const paymentId = await payUnsettled();
    const at = `/dashboard/operator/payments-in/${paymentId}`;
    const first = await walk.openAs(walk.demo.operator, { at });
    await first.getByRole('button', { name: 'Say that it went back' }).click();
    await dialog(first).getByLabel('Return to the payer').check();
    expect(await dialog(first).getByRole('radio').count()).toBe(1);
    await dialog(first).getByLabel('How do you know?').selectOption('PROVIDER_SUPPORT');
    await dialog(first).getByLabel('What you saw').fill(NOTE);
    await dialog(first).getByRole('button', { name: 'Propose' }).click();
    await first.getByText('Another person has to confirm it.').waitFor();
    await first.getByRole('button', { name: 'See your proposal' }).waitFor();
    await expectAccessible(first);

    const second = await walk.openAs(walk.demo.colleagues.operator, { at: '/dashboard/operator/money-in' });
    await second.getByRole('button', { name: /^Look at / }).click();
    await dialog(second).getByRole('link', { name: 'All that is known of it' }).click();
    await second.waitForURL(`**${at}`);
    await second.getByRole('button', { name: 'Look and decide' }).click();
    await dialog(second).getByText(NOTE).waitFor();
    await expectAccessible(second);
    await dialog(second).getByRole('button', { name: 'Confirm' }).click();
    await second.getByText('Confirmed. It is recorded as returned to the payer.').waitFor();
    await second.getByText('Sent back', { exact: true }).first().waitFor();
    await expect.poll(() => second.getByText('What becomes of it?').count()).toBe(0);
  });
});
