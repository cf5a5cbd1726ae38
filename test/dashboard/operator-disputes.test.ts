import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { askApi } from './support/api.ts';
import { expectAccessible, prepareWalks } from './support/walk.ts';

const walk = prepareWalks();
const dialog = (page: Page) => page.getByRole('dialog').last();
const NOTE = 'The provider wrote on 20 November, ticket 4711';

/** A payment in of somebody. @returns its id */
async function paidBy(name: string, amount: number): Promise<string> {
  const { wallet } = (await askApi(walk, 'GET', '/wallet/merchant')).data;
  const { accountNumber } = (await askApi(walk, 'GET', `/wallet/${wallet.id}/account`)).data.accounts[0];
  const newest = async () => (await askApi(walk, 'GET', '/collection/payment?size=1')).data.records[0]?.paymentId;
  const before = await newest();
  await askApi(walk, 'POST', '/sandbox/collection/pay', { accountNumber, amount, payer: { name } });
  await expect.poll(newest, { timeout: 30_000 }).not.toBe(before);
  return newest();
}

/** As if it had come by a provider account that has no interface for disputes. */
async function cameByLetters(paymentId: string): Promise<void> {
  await walk.runtime.database.pool.query("update inbound_payments set rail = 'letters' where id = $1", [paymentId]);
}

async function expectFitsPhone(page: Page): Promise<void> {
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  await expectAccessible(page);
  await page.setViewportSize({ width: 1280, height: 900 });
}

async function sayHowKnown(page: Page): Promise<void> {
  await dialog(page).getByLabel('How do you know?').selectOption('RAIL_SUPPORT');
  await dialog(page).getByLabel('What you saw').fill(NOTE);
}

/** Its provider says another end, and somebody notes what that means. */
async function contradictedEndIsNoted(page: Page, { disputeId }: { disputeId: string }): Promise<void> {
  const says = "update disputes set operator_reason = 'WON_AFTER_END' where id = $1 returning merchant_id";
  const { rows } = await walk.runtime.database.pool.query<{ merchant_id: string }>(says, [disputeId]);
  await page.goto(`/dashboard/operator/disputes/${disputeId}?merchantId=${rows[0]?.merchant_id}&of=SANDBOX`);
  await page.getByText('The provider says it was won after all').waitFor();
  await page.getByRole('button', { name: 'Note what you found out' }).click();
  await dialog(page).getByLabel('What you found out').fill(NOTE);
  await expectAccessible(page);
  await dialog(page).getByRole('button', { name: 'Note it' }).click();
  await page.getByText('The provider contradicted its end').waitFor();
  await expectFitsPhone(page);
}

describe('the operator’s disputes', () => {
  it('have those of all merchants, what is due first first, each with all that is known of it', async () => {
    for (const [name, within] of [
      ['Ngozi Eze', 172_800],
      ['Bola Ade', 57_600],
    ] as const) {
      const paymentId = await paidBy(name, 5_000);
      const body = { paymentId, amount: within / 100, message: `Not mine, says ${name}`, answerWithinSeconds: within };
      expect((await askApi(walk, 'POST', '/sandbox/collection/dispute', body)).status).toBe(200);
    }
    const count = async () => (await askApi(walk, 'GET', '/collection/dispute')).data.records.length;
    await expect.poll(count, { timeout: 30_000 }).toBe(2);
    const page = await walk.openAs(walk.demo.operator);
    await page.getByRole('link', { name: 'Disputes', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Disputes' }).waitFor();
    const amounts = page.getByRole('row').getByText(/₦/).filter({ visible: true });
    await amounts.first().waitFor();
    expect(await amounts.allTextContents()).toEqual(['₦576.00', '₦1,728.00']);
    await expectAccessible(page);
    await expectFitsPhone(page);
    await page.getByRole('link', { name: /^sbd_/ }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Dispute of ₦576.00' }).waitFor();
    await page.getByText('Not mine, says Bola Ade').waitFor();
    await page.getByText('Its provider is asked about it, and says how it ends.').waitFor();
    await expectAccessible(page);
    await expectFitsPhone(page);
    await page.getByRole('link', { name: '₦5,000.00 from Bola Ade' }).click();
    await page.getByRole('heading', { level: 1, name: 'Payment from Bola Ade' }).waitFor();
    await page.getByRole('link', { name: 'Dispute', exact: true }).waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Dispute', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Dispute of ₦576.00' }).waitFor();
  });

  it('are entered and ended by two where the provider cannot be asked, and by nobody where it is', async () => {
    const asked = await paidBy('Ada Obi', 2_000);
    const paymentId = await paidBy('Chidi Obi', 4_000);
    await cameByLetters(paymentId);
    const first = await walk.openAs(walk.demo.operator, { at: `/dashboard/operator/payments-in/${asked}` });
    // Nobody fills in a form that cannot be sent.
    await first.getByText('The provider is asked: nobody enters them').waitFor();
    expect(await first.getByRole('button', { name: 'Enter a dispute' }).count()).toBe(0);
    await expectAccessible(first);
    await first.goto(`/dashboard/operator/payments-in/${paymentId}`);
    await first.getByRole('button', { name: 'Enter a dispute' }).click();
    await dialog(first).getByRole('button', { name: 'Propose' }).click();
    await dialog(first).getByText('Enter the number, as the provider has it.').waitFor();
    await expectAccessible(first);
    await dialog(first).getByLabel('Number at the provider').fill('CB-2');
    await dialog(first).getByLabel('What is wanted back').fill('2500');
    await dialog(first).getByLabel('Answer until').fill('2030-01-02T12:00');
    await sayHowKnown(first);
    await dialog(first).getByRole('button', { name: 'Propose' }).click();
    await first.getByText('Nothing is held yet', { exact: false }).waitFor();

    const second = await walk.openAs(walk.demo.colleagues.operator);
    await second.getByRole('link', { name: 'Decide: One proposal about a dispute waits for you' }).click();
    await second.getByRole('button', { name: 'Look at CB-2' }).click();
    await dialog(second).getByText(NOTE).waitFor();
    await expectAccessible(second);
    await dialog(second).getByRole('button', { name: 'Confirm' }).click();
    await second.getByText('The dispute is opened.').waitFor();
    await second.getByText('Nothing waits for a second person').waitFor();
    await expectFitsPhone(second);
    await second.getByRole('link', { name: 'Running' }).click();
    await second.getByRole('link', { name: 'CB-2' }).click();
    await second.getByText('Its provider cannot be asked', { exact: false }).waitFor();
    await second.getByRole('button', { name: 'Say how it ended' }).click();
    await dialog(second).getByLabel('Outcome').selectOption('LOST');
    await sayHowKnown(second);
    await expectAccessible(second);
    await dialog(second).getByRole('button', { name: 'Propose' }).click();
    await second.getByRole('button', { name: 'See your proposal' }).click();
    await dialog(second).getByText('You proposed it: another person has to confirm it.').waitFor();
    expect(await dialog(second).getByRole('button', { name: 'Confirm' }).count()).toBe(0);

    await first.goto('/dashboard/operator/disputes?show=proposals');
    await first.getByRole('button', { name: 'Look at CB-2' }).click();
    await dialog(first).getByText('This cannot be undone.', { exact: false }).waitFor();
    await dialog(first).getByRole('button', { name: 'Confirm' }).click();
    await first.getByText('The dispute has ended.').waitFor();
    const [dispute] = (await askApi(walk, 'GET', `/collection/dispute?paymentId=${paymentId}`)).data.records;
    expect(dispute).toMatchObject({ status: 'LOST', taken: 2_500, providerDisputeId: 'CB-2' });
    await contradictedEndIsNoted(first, dispute);
    const owner = await walk.openAs(walk.demo.dashboard, {
      at: `/dashboard/collections/disputes/${dispute.disputeId}`,
    });
    await owner.getByText('Entered by two people of the operator').first().waitFor();
    await expectAccessible(owner);
  });

  it('show reports that lead to no payment, which one person dismisses with what was found out', async () => {
    await walk.runtime.database.pool.query(
      `insert into dispute_directory (rail, provider_dispute_id, mode, status, source, reported, attempts, due_at, first_seen_at, updated_at)
       values ('sandbox', 'nobody-7', 'SANDBOX', 'NO_PAYMENT', 'POLL', '{"providerDisputeId":"nobody-7"}', 0, '2999-01-01', now(), now())`,
    );
    const page = await walk.openAs(walk.demo.operator, { at: '/dashboard/operator/disputes?show=reported' });
    await page.getByText('nobody-7').waitFor();
    await expectAccessible(page);
    await expectFitsPhone(page);
    await page.getByRole('button', { name: 'Dismiss nobody-7' }).click();
    await dialog(page).getByLabel('What you found out').fill('It is of another company of theirs.');
    await dialog(page).getByRole('button', { name: 'Dismiss', exact: true }).click();
    await page.getByText('Every reported dispute has its payment').waitFor();
  });
});
