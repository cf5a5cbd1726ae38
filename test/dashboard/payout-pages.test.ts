import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { confirm, fillIn } from './payout-steps.ts';
import { askApi } from './support/api.ts';
import { takePicture } from './support/pictures.ts';
import { signInOverHttp } from './support/session.ts';
import { expectAccessible, prepareWalks } from './support/walk.ts';

const walk = prepareWalks();

describe('a payout for later', () => {
  it('is scheduled for a day and an hour in Lagos, also by who looked something up meanwhile, and cancelled before', async () => {
    const page = await walk.openAs(walk.demo.dashboard, { at: '/dashboard/payouts/new' });
    await fillIn(page, '0123456787', '700');
    await page.getByLabel('Later').check();
    // What was typed is found again by going back, and an address that is come to anew begins anew.
    await page.getByRole('link', { name: 'Beneficiaries', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Beneficiaries' }).waitFor();
    await page.goBack();
    await expect.poll(() => page.getByLabel('Account number').inputValue()).toBe('0123456787');
    expect(await page.getByLabel('Narration').inputValue()).toBe('Invoice 42');
    expect(await page.getByLabel('Amount').inputValue()).toBe('700.00');
    expect(await page.getByLabel('Later').isChecked()).toBe(true);
    await page.getByLabel('Day and time in Lagos').fill('2020-01-01T09:00');
    await page.getByRole('button', { name: 'Continue to the PIN' }).click();
    await page.getByText('This is in the past.').waitFor();
    const day = new Date(Date.now() + 5 * 24 * 3_600_000).toISOString().slice(0, 10);
    await page.getByLabel('Day and time in Lagos').fill(`${day}T09:30`);
    await page.getByRole('button', { name: 'Continue to the PIN' }).click();
    await confirm(page, walk.demo.pin);
    // The page says when, and that nothing is held for it.
    await page.getByText(/^It is sent on .*, 09:30\. Nothing is held until then, and you can cancel it\.$/).waitFor();
    await page.getByText(/^To be paid on .*, 09:30$/).waitFor();
    await page.getByText('Scheduled for', { exact: true }).waitFor();
    await page.goto('/dashboard/payouts/scheduled');
    const row = page.getByRole('row').filter({ hasText: '0123456787' });
    await row.getByText(', 09:30').last().waitFor();
    await expectAccessible(page);
    await row.getByRole('button', { name: /^Cancel the payout of ₦700\.00 to [A-Z]/ }).click();
    await expectAccessible(page);
    const dialog = page.getByRole('dialog');
    // One button that cancels, and text as on a page, though the dialog stands in a cell of the table.
    await dialog.getByRole('button', { name: 'Keep it' }).waitFor();
    expect(await dialog.getByRole('button', { name: 'Cancel' }).count()).toBe(1);
    await dialog.getByText(/^₦700\.00 to .+, 0123456787 .+, to be sent .+, 09:30\.$/).waitFor();
    expect(
      await dialog
        .locator('p')
        .first()
        .evaluate((text) => getComputedStyle(text).textAlign),
    ).toMatch(/left|start/);
    await dialog.getByRole('button', { name: 'Cancel the payout' }).click();
    await row.getByText('Cancelled').last().waitFor();
  });

  it('shows on a phone when it is sent, and is cancelled there, without scrolling to the side', async () => {
    const scheduledFor = new Date(walk.clock.now().getTime() + 5 * 24 * 3_600_000).toISOString();
    const payout = { bankCode: '058', accountNumber: '0123456781', amount: 825, narration: 'Rent of the stall' };
    await askApi(walk, 'POST', '/payout/single/schedule', { pin: walk.demo.pin, ...payout, scheduledFor });
    const page = await walk.openAs(walk.demo.dashboard, { phone: true, at: '/dashboard/payouts/scheduled' });
    const row = page.getByRole('row').filter({ hasText: '0123456781' });
    const button = row.getByRole('button', { name: /^Cancel the payout of ₦825\.00 to/ });
    await button.waitFor();
    for (const part of [button, row.locator(`time[datetime="${scheduledFor}"]`).filter({ visible: true })]) {
      const { x, width } = (await part.boundingBox()) ?? { x: -1, width: 0 };
      expect([x >= 0, x + width <= (page.viewportSize()?.width ?? 0)]).toEqual([true, true]);
    }
    const list = page.getByRole('region', { name: 'Scheduled payouts' });
    expect(await list.evaluate((one) => one.scrollWidth - one.clientWidth)).toBeLessThanOrEqual(0);
    await expectAccessible(page);
    await button.click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel the payout' }).click();
    await row.getByText('Cancelled').first().waitFor();
  });
});

describe('a payout for later that the wallet does not cover when its time comes', () => {
  it('is not said to be refused by the bank, nor to have come back: nothing was sent or held', async () => {
    const { transactionId } = (
      await askApi(walk, 'POST', '/payout/single/schedule', {
        ...{
          pin: walk.demo.pin,
          bankCode: '058',
          accountNumber: '0123456786',
          amount: 10_000_000,
          narration: 'Too much',
        },
        scheduledFor: new Date(walk.clock.now().getTime() + 2 * 3_600_000).toISOString(),
      })
    ).data;
    await askApi(walk, 'POST', '/sandbox/clock/advance', { seconds: 3 * 3_600 });
    const statusNow = async () => (await askApi(walk, 'GET', `/transaction/${transactionId}`)).data.status;
    await expect.poll(statusNow, { timeout: 30_000 }).toBe('FAILED');
    const page = await walk.openAs(walk.demo.dashboard, { at: `/dashboard/payouts/${transactionId}` });
    await page.getByText('Insufficient funds. It was not sent, and nothing left the wallet.').waitFor();
    await page.getByText('Insufficient funds. Nothing left the wallet.').waitFor();
    expect(await page.locator('main').innerText()).not.toMatch(/bank refused|back in the wallet/);
    await page.goto(`/dashboard/transactions/${transactionId}`);
    await page.getByText('Insufficient funds. Nothing left the wallet.').waitFor();
    expect(await page.locator('main').innerText()).not.toContain('were returned');
  });
});

describe('a saved beneficiary', () => {
  it('is found by its name among more than are read at once', async () => {
    await walk.runtime.database.pool.query(
      `insert into beneficiaries (merchant_id, mode, id, nickname, bank_code, bank_name, account_number, account_name,
         status, rules_version, created_at, updated_at)
       select $1, 'SANDBOX', gen_random_uuid(), 'Payee ' || at, '058', 'Guaranty Trust Bank', lpad(at::text, 10, '0'),
         'PAYEE', 'ACTIVE', 0, now(), now() from generate_series(1, 201) as at`,
      [walk.demo.merchantId],
    );
    const page = await walk.openAs(walk.demo.dashboard, { at: '/dashboard/payouts/new' });
    const field = page.getByLabel('Saved beneficiary');
    await field.click();
    await page.getByRole('option').first().waitFor();
    await expectAccessible(page);
    // By name the last of them.
    await field.fill('payee 99');
    await page.getByRole('option', { name: /^Payee 99/ }).click();
    await expect.poll(() => page.getByLabel('Account number').inputValue()).toBe('0000000099');
  });
});

describe('a payout that was paid', () => {
  const ACCOUNT = { bankCode: '058', accountNumber: '0123456789' };
  const pay = (amount: number, more: object = {}) =>
    askApi(walk, 'POST', '/payout/single', {
      ...{ ...ACCOUNT, pin: walk.demo.pin, narration: 'Invoice 77', allowDuplicate: true, amount },
      ...more,
    });

  it('says how it went and what it cost, and shares a receipt until the link is revoked', async () => {
    const { transactionId } = (await pay(2_500.5)).data;
    const page = await walk.openAs(walk.demo.dashboard, { at: `/dashboard/payouts/${transactionId}` });
    for (const step of ['Created', 'Held in the wallet', 'Sent to the bank', 'Paid: the bank has confirmed it']) {
      await page.getByText(step, { exact: true }).waitFor();
    }
    await page.getByText('VAT on the fee').waitFor();
    await page.getByText('It was not shared yet.').waitFor();
    await expectAccessible(page);
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Receipt', exact: true }).click(),
    ]);
    expect((await readFile(await file.path())).subarray(0, 5).toString()).toBe('%PDF-');
    await page.getByRole('button', { name: 'Share' }).click();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Make the link' }).click();
    const dialog = page.getByRole('dialog', { name: 'The link to the receipt' });
    const address = await dialog.getByText(/\/receipt\//).innerText();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('Works until').waitFor();
    await takePicture(page, 'payout-1280');

    const payee = await walk.open({ phone: true });
    await payee.goto(new URL(address).pathname);
    await payee.getByRole('heading', { name: '₦2,500.50' }).waitFor();
    await payee.getByText('******6789').waitFor();
    await expectAccessible(payee);
    await takePicture(payee, 'receipt-390');
    // What somebody was sent is not taken back by a slip of the finger.
    await page.getByRole('button', { name: /^Revoke the link by/ }).click();
    const question = page.getByRole('dialog', { name: 'Revoke this link?' });
    await question.getByRole('button', { name: 'Cancel' }).click();
    expect((await fetch(address.replace(/^https?:\/\/[^/]+/, walk.baseUrl))).status).toBe(200);
    await page.getByRole('button', { name: /^Revoke the link by/ }).click();
    await expectAccessible(page);
    await question.getByRole('button', { name: 'Revoke the link' }).click();
    await page.getByText(/^Revoked by/).waitFor();
    await page.setViewportSize({ width: 390, height: 844 });
    await takePicture(page, 'payout-390');
    const answer = await fetch(address.replace(/^https?:\/\/[^/]+/, walk.baseUrl));
    expect([answer.status, (await answer.text()).includes('This link does not work')]).toEqual([404, true]);
  });

  it('is paid again from a filled form, and counts at its beneficiary', async () => {
    const { beneficiaryId } = (await askApi(walk, 'POST', '/beneficiary', { ...ACCOUNT, nickname: 'Landlord' })).data;
    const { transactionId } = (await pay(600)).data;
    const page = await walk.openAs(walk.demo.dashboard, { at: `/dashboard/payouts/${transactionId}` });
    await page.getByText('Paid: the bank has confirmed it').waitFor();
    await page.getByRole('link', { name: 'Pay again' }).click();
    await expect.poll(() => page.getByLabel('Account number').inputValue()).toBe(ACCOUNT.accountNumber);
    expect(await page.getByLabel('Amount').inputValue()).toBe('600.00');
    expect(await page.getByLabel('Narration').inputValue()).toBe('Invoice 77');
    const { data } = await askApi(walk, 'GET', `/beneficiary/${beneficiaryId}`);
    await page.goto('/dashboard/beneficiaries');
    await page.getByRole('link', { name: 'Landlord', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Landlord' }).waitFor();
    await page.getByText(`₦${data.totalPaid.toLocaleString('en-GB', { minimumFractionDigits: 2 })}`).waitFor();
    await page.getByRole('row').filter({ hasText: '₦600.00' }).waitFor();
    await expectAccessible(page);
    await takePicture(page, 'beneficiary-1280');
    await page.setViewportSize({ width: 390, height: 844 });
    await takePicture(page, 'beneficiary-390');
  });

  it('whose outcome nobody knows asks the bank again when somebody wants it', async () => {
    const { transactionId } = (await pay(50, { accountNumber: '0006999934' })).data;
    const page = await walk.openAs(walk.demo.dashboard, { at: `/dashboard/payouts/${transactionId}` });
    await page.getByRole('button', { name: 'Ask the bank again' }).click();
    await page.getByText('The bank was asked and does not say yet.').waitFor();
    await page.getByText('Asked the bank what became of it').waitFor();
    expect(await page.getByRole('link', { name: 'Pay again' }).count()).toBe(0);
  });

  it('that may have arrived after all is not offered to be paid again', async () => {
    const { transactionId } = (await pay(51, { accountNumber: '0002999912' })).data;
    const at = `/dashboard/payouts/${transactionId}`;
    const page = await walk.openAs(walk.demo.dashboard, { at });
    await page.getByText('The bank refused it. Amount and charges are back in the wallet.').waitFor();
    await page.getByRole('link', { name: 'Pay again' }).waitFor();
    await page.route('**/transaction/*/evidence*', async (route) => {
      const answer = await route.fetch();
      const body = await answer.json();
      const data = { ...body.data, operatorReason: 'RAIL_CONTRADICTS' };
      await route.fulfill({ response: answer, json: { ...body, data } });
    });
    await page.reload();
    await page.getByText('Do not pay it again before that is known.').waitFor();
    expect(await page.getByRole('link', { name: 'Pay again' }).count()).toBe(0);
    expect(await page.getByText('The bank refused it.').count()).toBe(0);
    await expectAccessible(page);
  });
});

describe('a payout for later that waits for approval', () => {
  it('says that nothing is held, and when it is sent', async () => {
    const { ask } = await signInOverHttp(walk.baseUrl, walk.demo.dashboard);
    const rules = { isMakerCheckerEnabled: true, rules: [{ fromAmount: 0, approvals: 1 }] };
    expect((await ask('PATCH', '/approval/rules', rules)).status).toBe(200);
    const scheduledFor = new Date(walk.clock.now().getTime() + 24 * 3_600_000).toISOString();
    const asked = await ask('POST', '/payout/single/schedule', {
      ...{ pin: walk.demo.pin, bankCode: '058', accountNumber: '0123456785', amount: 900, narration: 'Invoice 9' },
      scheduledFor,
    });
    const page = await walk.openAs(walk.demo.dashboard, { at: `/dashboard/payouts/${asked.data.transactionId}` });
    await page.getByText(/^Nothing is held yet\. Once another person has approved it, it is sent on .*\.$/).waitFor();
    expect(await page.getByRole('link', { name: 'Pay again' }).count()).toBe(0);
  });
});
