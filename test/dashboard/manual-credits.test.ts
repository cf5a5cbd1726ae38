import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { askApi } from './support/api.ts';
import { signInOverHttp } from './support/session.ts';
import { expectAccessible, prepareWalks } from './support/walk.ts';

const walk = prepareWalks();

const REFERENCE = 'FT26324 / 7781';
const NOTE = 'Statement of the collections account, page 2, third line';
const DOCUMENT = { name: 'statement.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7\n% a page\n') };

const dialog = (page: Page) => page.getByRole('dialog');
const walletOf = async () => (await askApi(walk, 'GET', '/wallet/merchant')).data.wallet;

async function fillIn(page: Page, accountNumber: string): Promise<void> {
  const form = dialog(page);
  await form.getByLabel('Mode').selectOption('SANDBOX');
  await form.getByLabel('Account number of the wallet').fill(accountNumber);
  await form.getByText(/A wallet of .*, sandbox\./).waitFor();
  await form.getByLabel('Amount').fill('12,500.75');
  await form.getByLabel('Received on').fill(new Date().toISOString().slice(0, 10));
  await form.getByLabel('Bank where it arrived').fill('Guaranty');
  await form
    .getByRole('option', { name: /Guaranty/ })
    .first()
    .click();
  await form.getByLabel('Reference of the bank').fill(REFERENCE);
  await form.getByLabel('Who paid').fill('Chinedu Stores');
  await form.getByLabel('What you saw').fill(NOTE);
}

describe('manual credits', () => {
  it('put money of the operator’s bank into a wallet by the word of two people, and not of one', async () => {
    const before = await walletOf();
    const first = await walk.openAs(walk.demo.operator);
    await first.getByRole('link', { name: 'Manual credits' }).click();
    await first.getByText('None waits for a decision').waitFor();
    await expectAccessible(first);
    await first.getByRole('button', { name: 'Propose a credit' }).first().click();
    await dialog(first).getByRole('button', { name: 'Propose', exact: true }).click();
    for (const complaint of ['Enter ten digits.', 'Enter an amount.', 'Choose your bank.', 'Write what you saw.']) {
      await dialog(first).getByText(complaint).waitFor();
    }
    await expectAccessible(first);
    await fillIn(first, before.accountNumber);
    await dialog(first).getByRole('button', { name: 'Propose', exact: true }).click();
    await dialog(first).getByText('Choose the document.').waitFor();
    const path = join(tmpdir(), `statement-${process.pid}.pdf`);
    writeFileSync(path, DOCUMENT.buffer);
    await dialog(first).locator('input[type=file]').setInputFiles(path);
    rmSync(path);
    await dialog(first).getByRole('button', { name: 'Propose', exact: true }).click();
    await dialog(first).getByText('was changed or moved after you chose it. Choose it again.').waitFor();
    await dialog(first).locator('input[type=file]').setInputFiles(DOCUMENT);
    await dialog(first).getByRole('button', { name: 'Propose', exact: true }).click();
    await first.getByText('Waits for a colleague').filter({ visible: true }).waitFor();
    await first.getByRole('button', { name: `Look at ${REFERENCE}` }).click();
    await dialog(first).getByText('You proposed it: another person has to approve it.').waitFor();
    expect(await dialog(first).getByRole('button', { name: 'Approve the credit' }).count()).toBe(0);
    await expectAccessible(first);
    const ada = await signInOverHttp(walk.baseUrl, walk.demo.operator);
    const [waiting] = (await ada.ask('GET', '/operator/manual-credit')).data.records;
    const { merchantId, mode, manualCreditId } = waiting;
    const shown = await ada.ask('GET', `/operator/merchant/${merchantId}/manual-credit/${manualCreditId}?mode=${mode}`);
    const { digest } = shown.data;
    const alone = await ada.ask('POST', '/operator/manual-credit/approve', {
      merchantId,
      mode,
      manualCreditId,
      digest,
    });
    expect([alone.status, alone.code]).toEqual([403, 'SECOND_PERSON_NEEDED']);
    expect((await walletOf()).bookedBalance).toBe(before.bookedBalance);

    const second = await walk.openAs(walk.demo.colleagues.operator);
    await second.getByRole('link', { name: 'Decide: One manual credit waits for you' }).click();
    await second.getByText('Waits for you', { exact: true }).filter({ visible: true }).waitFor();
    await second.getByRole('button', { name: `Look at ${REFERENCE}` }).click();
    await dialog(second).getByText(NOTE).waitFor();
    await dialog(second).getByText('This cannot be undone.').waitFor();
    const saving = second.waitForEvent('download');
    await dialog(second).getByRole('button', { name: 'Save the document' }).click();
    expect((await saving).suggestedFilename()).toBe(DOCUMENT.name);
    await expectAccessible(second);
    await dialog(second).getByRole('button', { name: 'Approve the credit' }).click();
    await second.getByText('None waits for a decision').waitFor();
    expect((await walletOf()).bookedBalance).toBe(before.bookedBalance + 12_500.75);
    await second.getByRole('link', { name: 'Decided' }).click();
    await second.getByText('Approved').filter({ visible: true }).waitFor();
    await expectAccessible(second);
  });
});
