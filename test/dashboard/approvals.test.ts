import { beforeAll, describe, expect, it } from 'vitest';
import { askAs, expectInReach, payoutOf, switchApprovalsOn } from './approval-steps.ts';
import { expectAccessible, prepareWalks } from './support/walk.ts';

const walk = prepareWalks();

const LIST = '/dashboard/approvals';

describe('approvals', () => {
  beforeAll(async () => {
    const page = await walk.openAs(walk.demo.dashboard, { at: LIST });
    await switchApprovalsOn(page, walk.demo.dashboard);
    await page.context().close();
  });

  it('pay once a second person approved, release what is rejected with its reason, and let the maker take it back, but not approve it', async () => {
    const maker = await walk.openAs(walk.demo.dashboard, { at: LIST });
    const accounts = ['0123451111', '0123452222', '0123453333'];
    for (const [at, account] of accounts.entries()) {
      const made = await askAs(maker, 'POST', '/payout/single', { ...payoutOf(walk, account), amount: 2_501 + at });
      expect(made.status).toBe(200);
    }
    const approver = await walk.openAs(walk.demo.colleagues.approver, { at: LIST });
    await approver.getByRole('link', { name: '₦2,501.00' }).click();
    await approver.getByRole('button', { name: 'Approve' }).click();
    await approver.getByText('The payout is sent to the bank at once.').waitFor();
    await approver.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
    await approver.getByText('It was approved and has taken effect.').waitFor();

    await approver.goBack();
    await approver.getByRole('link', { name: '₦2,502.00' }).click();
    await approver.getByRole('button', { name: 'Reject' }).click();
    await approver.getByRole('dialog').getByRole('button', { name: 'Reject' }).click();
    await approver.getByText('Give a reason, so that it can be corrected.').waitFor();
    await expectAccessible(approver);
    await approver.getByRole('dialog').getByLabel('Reason').fill('The invoice was paid in October');
    await approver.getByRole('dialog').getByRole('button', { name: 'Reject' }).click();
    await approver.getByText('It was rejected: The invoice was paid in October').waitFor();

    await maker.getByRole('link', { name: 'Created by me' }).click();
    await maker.getByRole('link', { name: '₦2,503.00' }).click();
    await maker.getByText('You made this, so somebody else has to decide about it.').waitFor();
    expect(await maker.getByRole('button', { name: 'Approve' }).count()).toBe(0);
    await expectAccessible(maker);
    await maker.getByRole('button', { name: 'Withdraw' }).click();
    await maker.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click();
    await maker.getByText('The person who created it withdrew it.').waitFor();

    await maker.getByRole('link', { name: 'Payouts', exact: true }).click();
    const row = (account: string) => maker.getByRole('row').filter({ hasText: account });
    await row('0123451111').getByText('Paid').last().waitFor();
    await row('0123452222').getByText('Cancelled').last().waitFor();
    await row('0123453333').getByText('Cancelled').last().waitFor();
    await expectAccessible(maker);
  });

  it('are decided several at once, each with its own result, with the action in reach on a phone', async () => {
    const maker = await walk.openAs(walk.demo.dashboard, { at: LIST });
    const amounts = [1_100, 1_200, 1_300];
    for (const [at, amount] of amounts.entries()) {
      const made = await askAs(maker, 'POST', '/payout/single', { ...payoutOf(walk, `012345444${at}`), amount });
      expect(made.status).toBe(200);
    }
    const phone = await walk.openAs(walk.demo.colleagues.approver, {
      phone: true,
      at: `${LIST}?kind=PAYOUT`,
    });
    const boxes = amounts.map((amount) =>
      phone.getByRole('checkbox', { name: `Select ₦${amount.toLocaleString('en')}.00` }),
    );
    for (const box of boxes) await box.check();
    await phone.getByText('0123454440').first().waitFor();
    const bar = phone.getByRole('region', { name: 'What is selected' });
    await bar.getByText('3 approvals selected, with charges').waitFor();
    await expectInReach(phone, bar.getByRole('button', { name: 'Approve 3' }));
    await expectAccessible(phone);
    await bar.getByRole('button', { name: 'Approve 3' }).click();
    const dialog = phone.getByRole('dialog', { name: 'Approve 3 approvals?' });
    await dialog.waitFor();
    // Meanwhile the maker takes one of them back.
    const { body } = await askAs(maker, 'GET', '/approval?kind=PAYOUT&status=PENDING&size=50');
    const { records } = body.data as unknown as { records: { approvalId: string; title: string }[] };
    const taken = records.find(({ title }) => title.startsWith('₦1,200.00'));
    expect((await askAs(maker, 'POST', `/approval/${taken?.approvalId}/withdraw`, {})).status).toBe(200);
    await expectAccessible(phone);
    await dialog.getByRole('button', { name: 'Approve 3' }).click();
    const done = phone.getByRole('dialog', { name: '2 of 3 approved' });
    await done.getByText('Its maker has withdrawn it.').waitFor();
    await expectAccessible(phone);
    await done.getByRole('button', { name: 'Close' }).last().click();
    await bar.waitFor({ state: 'detached' });
  });
});
