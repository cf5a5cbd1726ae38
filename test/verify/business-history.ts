import { type Business, business, callWith } from '../approvals/approval-fixture.ts';
import { TEST_PIN } from '../support/app.ts';
import { bearer } from '../support/world.ts';
import { type Maker, type Must, moveSandboxClock, mustOf } from './maker.ts';
import { paymentOf } from './shop-history.ts';

interface Waiting {
  transactionId: string;
  approvalId: string;
}

const approveAll = async (
  business: Business,
  must: Must,
  approvalId: string,
  by: ('ann' | 'ben' | 'owner')[] = ['ann'],
) => {
  const { digest } = await must('GET', `/approval/${approvalId}`);
  for (const name of by) await mustOf(business[name].call)('POST', `/approval/${approvalId}/approve`, { digest });
};

const later = ({ t }: Maker, days: number) => new Date(t.clock.now().getTime() + days * 86_400_000).toISOString();

/** A business whose payouts, batches, limits, accounts and rules are approved, rejected, withdrawn, or run out. */
export async function peopleOfBusiness(made: Maker): Promise<void> {
  const { t, random, work } = made;
  const adire = await business(t, [
    { fromAmount: 0, approvals: 1 },
    { fromAmount: 50_000, approvals: 2 },
  ]);
  const must = mustOf(adire.maker.call);
  const pay = (fields = {}): Promise<Waiting> =>
    must('POST', '/payout/single', paymentOf(random, { amount: 2_000, ...fields }));
  const schedule = (fields = {}): Promise<Waiting> =>
    must(
      'POST',
      '/payout/single/schedule',
      paymentOf(random, { amount: 3_000, scheduledFor: later(made, 3), ...fields }),
    );
  const approved = await pay({ reference: 'APPROVED-1', phoneNumber: '2348012345678' });
  await approveAll(adire, must, approved.approvalId);
  const byTwo = await pay({ amount: 60_000 });
  await approveAll(adire, must, byTwo.approvalId, ['ann', 'ben']);
  const half = await pay({ amount: 70_000 });
  await approveAll(adire, must, half.approvalId, ['ben']);
  const rejected = await pay();
  await mustOf(adire.ben.call)('POST', `/approval/${rejected.approvalId}/reject`, { note: 'Not this month' });
  const withdrawn = await pay();
  await must('POST', `/approval/${withdrawn.approvalId}/withdraw`, {});
  await approveAll(adire, must, (await schedule()).approvalId);
  const cancelled = await schedule();
  await must('POST', '/payout/single/schedule/cancel', { scheduleId: cancelled.transactionId });
  await payrollsOfBusiness(made, adire, must);
  await changesOfBusiness(adire, must);
  await work();
  await pay({ amount: 4_000 });
  await moveSandboxClock(made, mustOf(callWith(t, bearer(adire.merchant.secretKey))), 8 * 86_400);
  await work();
}

async function payrollsOfBusiness({ work }: Maker, adire: Business, must: Must): Promise<void> {
  const items = (amount: number) => [
    { amount, bankCode: '058', accountNumber: '2000000001', narration: 'Salary' },
    { amount: amount + 1, bankCode: '044', accountNumber: '2000000002', narration: 'Salary' },
  ];
  for (const [amount, end] of [
    [1_000, 'approve'],
    [2_000, 'reject'],
    [3_000, 'correct'],
  ] as const) {
    const { batchReference } = await must('POST', '/payout/bulk', { items: items(amount) });
    await work();
    const { approvalId } = await must('POST', '/payout/bulk/dispatch', { pin: TEST_PIN, batchReference });
    if (end === 'approve') await approveAll(adire, must, approvalId);
    if (end === 'reject')
      await mustOf(adire.ann.call)('POST', `/approval/${approvalId}/reject`, { note: 'Wrong list' });
    if (end === 'correct') {
      const { records } = await must('GET', `/payout/bulk/${batchReference}/item`);
      await must('PATCH', '/payout/bulk/item', { bulkPayoutItemId: records[0].id, amount: 55 });
    }
    await work();
  }
}

async function changesOfBusiness(adire: Business, must: Must): Promise<void> {
  const owner = mustOf(adire.owner.call);
  const limit = await owner('PATCH', '/payout/limit', { perPayout: 90_000, perDay: 900_000 });
  await approveAll(adire, must, limit.approvalId, ['ann', 'ben']);
  const added = await must('POST', '/beneficiary', {
    bankCode: '058',
    accountNumber: '1234500001',
    nickname: 'Landlord',
  });
  await approveAll(adire, must, added.approvalId);
  const refused = await must('POST', '/beneficiary', { bankCode: '058', accountNumber: '1234500002' });
  await mustOf(adire.ann.call)('POST', `/approval/${refused.approvalId}/reject`, { note: 'Who is that?' });
  const gone = await must('POST', '/beneficiary', { bankCode: '011', accountNumber: '1234500003' });
  await approveAll(adire, must, gone.approvalId);
  await must('DELETE', `/beneficiary/${gone.beneficiaryId}`);
  const rules = await owner('PATCH', '/approval/rules', {
    rules: [
      { fromAmount: 500, approvals: 1 },
      { fromAmount: 80_000, approvals: 2 },
    ],
  });
  await approveAll(adire, must, rules.approvalId, ['ann', 'ben']);
}

/** One more business, where everything waits at the end. */
export async function waitingBusiness(made: Maker): Promise<void> {
  const { t, random } = made;
  const adire = await business(t, [{ fromAmount: 1_000, approvals: 2 }]);
  const must = mustOf(adire.maker.call);
  const free = await must('POST', '/payout/single', paymentOf(random, { amount: 999 }));
  if (free.approvalId !== null) throw new Error('nothing was to be approved');
  const { approvalId } = await must(
    'POST',
    '/payout/single',
    paymentOf(random, { amount: 1_000, reference: 'WAITS-1' }),
  );
  await approveAll(adire, must, approvalId);
  await must('POST', '/payout/single', paymentOf(random, { amount: 5_000 }));
  await must('POST', '/payout/single/schedule', paymentOf(random, { amount: 6_000, scheduledFor: later(made, 2) }));
  await must('POST', '/beneficiary', { bankCode: '058', accountNumber: '1234500009', nickname: 'Aunt' });
  await mustOf(adire.owner.call)('PATCH', '/payout/limit', { perPayout: null, perDay: 5_000_000 });
  await mustOf(adire.owner.call)('PATCH', '/approval/rules', { isMakerCheckerEnabled: false });
  const items = [{ amount: 7_000, bankCode: '058', accountNumber: '2000000003', narration: 'Bonus' }];
  const { batchReference } = await must('POST', '/payout/bulk', { items });
  await t.app.worker.runOnce();
  await must('POST', '/payout/bulk/dispatch', { pin: TEST_PIN, batchReference });
}

/** Live money is nowhere yet: a business in live mode has wallets, and nothing in them. */
export async function liveBusiness({ t }: Maker): Promise<void> {
  const { secretKey } = await t.addMerchant({ mode: 'LIVE' });
  const must = mustOf(callWith(t, bearer(secretKey)));
  await must('POST', '/branch/store', { name: 'Live store' });
  await must('POST', '/subaccount', { name: 'Live subaccount' });
}
