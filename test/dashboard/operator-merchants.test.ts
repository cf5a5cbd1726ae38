import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { makeMerchant, type NewMerchant } from './support/new-merchant.ts';
import { signInOverHttp } from './support/session.ts';
import { expectAccessible, prepareWalks } from './support/walk.ts';
import { lookAgain } from './support/watch.ts';

const walk = prepareWalks();

/** Of money in. */
const IN = ['', '/refunds', '/links', '/accounts', '/customers', '/settlements'].map((part) => `collections${part}`);
/** What begins something that writes. */
const OFFERED = /^(Add|Create|Open|New|Move|Settle|Pay|Save|Upload|Same as)/;

const dialog = (page: Page) => page.getByRole('dialog');
const openMerchant = async (page: Page, { merchantId }: Pick<NewMerchant, 'merchantId'>, tab = '') => {
  await page.goto(`/dashboard/operator/merchants/${merchantId}${tab}`);
  await page.getByRole('navigation', { name: 'About this merchant' }).waitFor();
};

async function submit({ session }: NewMerchant): Promise<void> {
  const { status, code } = await session.ask('POST', '/onboarding/submit', {});
  expect([status, code]).toEqual([200, undefined]);
}

/** A business that the operator has taken in already. */
async function makeApproved(name: string): Promise<NewMerchant> {
  const merchant = await makeMerchant(walk, name);
  await submit(merchant);
  await approveOverHttp(merchant);
  return merchant;
}

async function approveOverHttp({ merchantId }: NewMerchant): Promise<void> {
  const operator = await signInOverHttp(walk.baseUrl, walk.demo.operator);
  expect((await operator.ask('POST', `/operator/merchant/${merchantId}/approve`)).status).toBe(200);
}

async function lookAtPapers(page: Page): Promise<void> {
  const papers = page.getByRole('region', { name: 'Documents' });
  const picture = papers.getByRole('img', { name: 'certificate.png' });
  await picture.waitFor();
  expect(await picture.evaluate((element) => (element as HTMLImageElement).decode().then(() => 'shown'))).toBe('shown');
  // What the paper has to prove stands beside it.
  await papers.getByText('RC1234567').waitFor();
  await papers.getByRole('button', { name: 'Larger' }).click();
  await page.keyboard.press('+');
  await papers.getByText('156 %').waitFor();
  await expectAccessible(page);
  await page.keyboard.press('ArrowRight');
  const frame = papers.locator('iframe[title="passport.pdf"]');
  await frame.waitFor();
  expect(await frame.getAttribute('src')).toMatch(/^\/operator\/merchant\/[^/]+\/document\/[^/]+\/view#/);
  await papers.getByText('2 of 3').waitFor();
  await papers.getByText('222*****901').waitFor();
  const download = page.waitForEvent('download', (file) => file.suggestedFilename() === 'passport.pdf');
  await papers.getByRole('button', { name: 'Save' }).click();
  expect((await download).suggestedFilename()).toBe('passport.pdf');
  await papers.getByRole('button', { name: 'Next document' }).click();
  await papers.getByText('4 Balogun Street').waitFor();
  // The sandbox made the name up, so nothing beside it is green.
  const names = page.getByRole('list', { name: "Names beside the settlement account's" });
  await names
    .getByText(/^Different name/)
    .first()
    .waitFor();
}

describe('the operator and a merchant', () => {
  it('finds on its page the ways to what each list of all merchants has of it', async () => {
    const page = await walk.openAs(walk.demo.operator);
    for (const name of ['Payouts', 'Payments in', 'Refunds', 'Money in that waits', 'Held for review', 'Audit log']) {
      await openMerchant(page, walk.demo);
      await page.getByRole('navigation', { name: 'Lists of this merchant' }).getByRole('link', { name }).click();
      const merchant = page.getByRole('combobox', { name: 'Merchant' });
      await expect.poll(() => merchant.inputValue(), { message: name }).toBe('Adire & Co');
      await expectAccessible(page);
    }
  });

  it('that submitted its profile: its papers are looked at, it is sent back in words, corrects, and goes live', async () => {
    const kola = await makeMerchant(walk, 'Kolanut Traders');
    await submit(kola);
    const later = await makeMerchant(walk, 'Moringa Mills');
    const member = await walk.openAs(kola, { at: '/dashboard/onboarding' });
    await member.getByText('With the reviewers').waitFor();

    const page = await walk.openAs(walk.demo.operator);
    await page.getByRole('link', { name: 'Review: One merchant waits for review' }).click();
    await page.getByRole('link', { name: 'Kolanut Traders' }).click();
    await page.getByText('Waits for your decision').waitFor();
    await page.getByText('222*****901').first().waitFor();
    expect(await page.content()).not.toContain('22212345901');
    await expectAccessible(page);
    await lookAtPapers(page);

    await page.getByRole('button', { name: 'Reject' }).click();
    await dialog(page).getByRole('button', { name: 'Reject' }).click();
    await dialog(page).getByText('Give a reason.').waitFor();
    await dialog(page).getByLabel('Reason').fill('The bill is older than three months.');
    await dialog(page).getByRole('button', { name: 'Reject' }).click();
    await page.getByText('Rejected', { exact: true }).waitFor();
    await member.getByText('“The bill is older than three months.”').waitFor();

    expect((await kola.session.ask('PATCH', '/onboarding/business-details', { city: 'Ibadan' })).status).toBe(200);
    await member.getByRole('button', { name: 'Submit for review' }).click();
    await member.getByText('With the reviewers').waitFor();
    await page.reload();
    await page.getByText('Ibadan').first().waitFor();
    // What was looked at before is kept with the decision about it.
    await page
      .getByRole('button', { name: /^Version 1 of the facts/ })
      .first()
      .click();
    await dialog(page).getByText('Today: Ibadan').waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await submit(later);
    await page.getByRole('button', { name: 'Approve' }).click();
    await expectAccessible(page);
    await dialog(page).getByRole('button', { name: 'Approve' }).click();
    await page.getByText('Active', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'History' }).click();
    await page.getByText(`Approved by ${walk.demo.operator.email}`).waitFor();
    await page.getByText('Nobody has looked.').waitFor();
    await expectAccessible(page);
    // The papers of the next one begin with its first.
    await page.getByRole('link', { name: 'Review', exact: true }).click();
    await page.getByRole('button', { name: 'Next document' }).click();
    await page.getByText('2 of 3', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Next to review (1): Moringa Mills' }).click();
    await page.getByRole('heading', { level: 1, name: 'Moringa Mills' }).waitFor();
    await page.getByText('1 of 3', { exact: true }).waitFor();
    await page.getByText('Waits for your decision').waitFor();
    await expect.poll(() => page.getByRole('link', { name: /^Next to review/ }).count()).toBe(0);
    await approveOverHttp(later);

    await member.getByText('Your account is approved').waitFor();
    await member.getByRole('navigation', { name: 'Mode' }).getByRole('link', { name: 'Live' }).click();
    await member.getByText('Live: real money').waitFor();
    // The member's own page asks every few seconds whether there is an answer.
  });

  it('that wants accepted details changed: old and new stand side by side, and the old count until then', async () => {
    const zobo = await makeApproved('Zobo House');
    const account = { bankCode: '011', accountNumber: '0123456785' };
    expect((await zobo.session.ask('PATCH', '/onboarding/settlement-account', account)).status).toBe(200);
    await submit(zobo);
    const page = await walk.openAs(walk.demo.operator);
    await openMerchant(page, zobo);
    await page.getByText('Active, wants changes').waitFor();
    await page.getByText('In force: Guaranty Trust Bank').first().waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Accept the changes' }).click();
    await dialog(page).getByRole('button', { name: 'Confirm the changes' }).click();
    await page.getByText(/has confirmed it/).waitFor();
    // Another account for settlements takes two of the operator's people.
    const second = await walk.openAs(walk.demo.colleagues.operator);
    await openMerchant(second, zobo);
    await second.getByRole('button', { name: 'Accept the changes' }).click();
    await dialog(second).getByRole('button', { name: 'Accept the changes' }).click();
    await second.getByText('Active', { exact: true }).waitFor();
    await expect.poll(() => second.getByText('In force:').count()).toBe(0);
    expect((await zobo.session.ask('GET', '/onboarding')).data).toMatchObject({ hasChanges: false, submittedAt: null });
  });

  it('that submits again while one of the operator’s people is asked: what they have not read is not approved', async () => {
    const okro = await makeMerchant(walk, 'Okro Depot');
    await submit(okro);
    const page = await walk.openAs(walk.demo.operator);
    await openMerchant(page, okro);
    await page.getByRole('button', { name: 'Approve' }).click();
    await dialog(page).getByText('Approve Okro Depot?').waitFor();
    const colleague = await signInOverHttp(walk.baseUrl, walk.demo.colleagues.operator);
    const rejected = await colleague.ask('POST', `/operator/merchant/${okro.merchantId}/reject`, {
      reason: 'The city.',
    });
    expect(rejected.status).toBe(200);
    expect((await okro.session.ask('PATCH', '/onboarding/business-details', { city: 'Kaduna' })).status).toBe(200);
    walk.clock.advance(1_000);
    await submit(okro);
    await lookAgain(page);
    await page.getByText('Kaduna').first().waitFor({ state: 'attached' });
    await dialog(page).getByRole('button', { name: 'Approve' }).click();
    await dialog(page).getByRole('alert').waitFor();
    expect((await okro.session.ask('GET', '/onboarding')).data.status).toBe('PENDING');
  });

  it('that is suspended: its open page ends in words, and works again when it is reinstated', async () => {
    const suya = await makeApproved('Suya Corner');
    const member = await walk.openAs(suya);
    await member.getByRole('link', { name: 'Stores', exact: true }).click();
    await member.getByRole('heading', { level: 1, name: 'Stores' }).waitFor();
    const page = await walk.openAs(walk.demo.operator);
    await openMerchant(page, suya);
    await page.getByRole('button', { name: 'Suspend' }).click();
    await dialog(page).getByLabel('Reason').fill('Complaints of three customers.');
    await dialog(page).getByRole('button', { name: 'Suspend' }).click();
    await page.getByText('Suspended', { exact: true }).waitFor();

    await member.waitForTimeout(2_000);
    await member.getByRole('link', { name: 'Wallet', exact: true }).click();
    await member
      .getByText(/suspended/i)
      .first()
      .waitFor();
    await expect.poll(() => member.getByRole('link', { name: 'Home', exact: true }).isVisible()).toBe(true);
    await expectAccessible(member);

    await page.getByRole('button', { name: 'Reinstate' }).click();
    await dialog(page).getByRole('button', { name: 'Reinstate' }).click();
    await page.getByText('Active', { exact: true }).waitFor();
    await member.waitForTimeout(2_000);
    await member.goto('/dashboard/wallet');
    await member.getByRole('heading', { level: 1, name: 'Wallet' }).waitFor();
    await member.getByText(/suspended/i).waitFor({ state: 'detached' });
  });

  it('that is suspended: every page says so at its top, and no form is offered that would be refused at its end', async () => {
    const chin = await makeApproved('Chin Chin House');
    const member = await walk.openAs(chin, { at: '/dashboard/payouts/new' });
    await member.getByLabel('Amount').waitFor();
    const operator = await signInOverHttp(walk.baseUrl, walk.demo.operator);
    const path = `/operator/merchant/${chin.merchantId}/suspend`;
    expect((await operator.ask('POST', path, { reason: 'Complaints.' })).status).toBe(200);
    const said = member.getByRole('alert').filter({ hasText: 'The account is suspended' });
    // Also on the page that was open.
    await said.waitFor();
    await expect.poll(() => member.getByLabel('Amount').count()).toBe(0);
    await expectAccessible(member);
    for (const at of [
      '',
      'payouts',
      'payouts/new',
      'bulk',
      'stores',
      'subaccounts',
      'beneficiaries',
      'wallet',
      ...IN,
    ]) {
      await member.goto(`/dashboard/${at}`);
      await said.waitFor();
      // Nothing is still to come that never does.
      await expect.poll(() => member.locator('.shimmer').count(), { message: at }).toBe(0);
      await expect
        .poll(() => member.getByRole('main').getByRole('button', { name: OFFERED }).count(), { message: at })
        .toBe(0);
      expect(await member.getByRole('main').getByRole('link', { name: 'New payout' }).count(), at).toBe(0);
      expect(await member.getByRole('region', { name: 'Upload a list' }).count(), at).toBe(0);
    }
    await member.goto('/dashboard/onboarding');
    await member.getByText('The account is suspended').waitFor();
    expect(await said.count()).toBe(1);
  });

  it('that asks for help: its pages are looked at read-only, which it sees, and what is announced to it', async () => {
    const member = await walk.openAs(walk.demo.dashboard);
    const page = await walk.openAs(walk.demo.operator, { at: '/dashboard/operator/announcements' });
    await page.getByRole('button', { name: 'Write an announcement' }).first().click();
    await dialog(page).getByLabel('Title').fill('Transfers to Kuda are slow');
    await dialog(page).getByLabel('Text').fill('Kuda answers late.\n<b>Nothing</b> is paid twice.');
    await dialog(page).getByRole('region', { name: 'Preview' }).getByText('<b>Nothing</b> is paid twice.').waitFor();
    await dialog(page).getByLabel('Send it by e-mail too').check();
    await expectAccessible(page);
    await dialog(page).getByRole('button', { name: 'Keep the draft' }).click();
    await page.getByRole('button', { name: 'Publish Transfers to Kuda are slow' }).click();
    await dialog(page).getByRole('button', { name: 'Publish' }).click();
    await page.getByText('Shown', { exact: true }).waitFor();
    await expectAccessible(page);
    const { text } = await walk.readMail(walk.demo.dashboard.email, /^Transfers to Kuda are slow$/);
    expect(text).toContain('Kuda answers late.\n<b>Nothing</b> is paid twice.');
    await page.reload();
    await page.getByText(/^Sent by e-mail to \d+ people$/).waitFor();

    await openMerchant(page, { merchantId: walk.demo.merchantId });
    await page.getByRole('button', { name: 'Support view' }).click();
    await dialog(page).getByLabel('Mode').selectOption('SANDBOX');
    await dialog(page).getByLabel('Reason').fill('You asked about a payout.');
    await expectAccessible(page);
    await dialog(page).getByRole('button', { name: 'Open the support view' }).click();
    const bar = page.getByRole('region', { name: 'Support view' });
    await bar.getByText(/read-only, ends at \d\d:\d\d Lagos time: You asked about a payout\.$/).waitFor();
    await page.getByText('Transfers to Kuda are slow').waitFor();
    expect(await page.getByRole('button', { name: /^Dismiss/ }).count()).toBe(0);
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Transactions', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Transactions' }).waitFor();
    await page.getByRole('link', { name: 'API keys', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'API keys' }).waitFor();
    expect(await page.getByRole('button', { name: /Create/ }).count()).toBe(0);
    await page.reload();
    await bar.waitFor();

    await member.reload();
    await member.getByText(/is looking at your sandbox pages, read-only, until/).waitFor();
    await expectAccessible(member);
    await member.getByRole('button', { name: 'Dismiss: Transfers to Kuda are slow' }).press('Enter');
    await member.getByText('Transfers to Kuda are slow').waitFor({ state: 'detached' });
    expect(await member.evaluate('document.activeElement.tagName')).toBe('H1');
    await member.getByRole('link', { name: 'Who looked, and when' }).click();
    await member.getByText(/^Open until/).waitFor();
    await expectAccessible(member);

    await bar.getByRole('button', { name: 'End the view' }).click();
    await page.getByRole('navigation', { name: 'About this merchant' }).waitFor();
    await member.goto('/dashboard/settings/audit');
    await member.getByText('Ended a support view').first().waitFor();
    await member.getByText('Operator, support view').first().waitFor();
    await page.goto(`/dashboard/operator/merchants/${walk.demo.merchantId}?tab=history`);
    await page.getByText('You asked about a payout.').waitFor();
    await expectAccessible(page);
  });

  it('has rails and limits of its own, and those of all again', async () => {
    const page = await walk.openAs(walk.demo.operator);
    const demo = { merchantId: walk.demo.merchantId };
    await openMerchant(page, demo, '?tab=money');
    await page.getByRole('button', { name: 'Choose its rails, sandbox' }).click();
    await dialog(page).getByLabel('Pays').selectOption('sandbox');
    await expectAccessible(page);
    await dialog(page).getByRole('button', { name: 'Set the rails' }).click();
    await page.getByText('Pays by sandbox. The operator chose them.').waitFor();

    await page.getByRole('link', { name: 'See and set limits' }).click();
    await page.getByRole('button', { name: 'Set a limit' }).click();
    await dialog(page).getByLabel('Mode').selectOption('SANDBOX');
    await expect.poll(() => dialog(page).getByLabel('Most a payout may be').inputValue()).toBe('10,000,000.00');
    await dialog(page).getByLabel('Most a payout may be').fill('half a million');
    await dialog(page).getByRole('button', { name: 'Set the limit' }).click();
    await dialog(page).getByText('Say why.').waitFor();
    await expectAccessible(page);
    await dialog(page).getByLabel('Most a payout may be').fill('500,000');
    await dialog(page).getByLabel('Why').fill('A new merchant');
    await dialog(page).getByRole('button', { name: 'Set the limit' }).click();
    await page.getByText(`A new merchant, ${walk.demo.operator.email}`).waitFor();

    await openMerchant(page, demo, '?tab=money');
    await page.getByText('₦500,000.00').waitFor();
    await page.getByRole('button', { name: 'End its own limits, sandbox' }).click();
    await dialog(page).getByRole('button', { name: 'End its own limits' }).click();
    await page.getByText('(its own)').waitFor({ state: 'detached' });
    await expectAccessible(page);
  });
});
