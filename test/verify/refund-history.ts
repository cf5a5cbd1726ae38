import { callWith } from '../approvals/approval-fixture.ts';
import { TEST_PIN } from '../support/app.ts';
import { signedInMember, type TestPerson } from '../support/people.ts';
import { bearer } from '../support/world.ts';
import { type Maker, type Must, mustOf } from './maker.ts';

const PAYER = { accountNumber: '0690000031', bankName: 'Access Bank' };
const SOON_MS = 70_000;

/** Two of the operator's people. */
interface Staff {
  ada: TestPerson;
  bola: TestPerson;
}

/** Payments in that went back in every way: whole and in parts, by the bank and as payouts, with every outcome; some are open. */
export async function refunds(made: Maker, { ada, bola }: Staff): Promise<void> {
  const { t, shop, byKey, must, work } = made;
  const { accounts } = await must('GET', `/wallet/${shop.walletId}/account`);
  const { accountNumber } = accounts[0];
  const paid = async (amount: number): Promise<string> => {
    await must('POST', '/sandbox/collection/pay', { accountNumber, amount, payer: PAYER });
    await work();
    return (await must('GET', '/collection/payment?size=1')).records[0].paymentId;
  };
  const refund = async (paymentId: string, more: object = {}, scenario?: string) => {
    const headers = scenario === undefined ? {} : { 'x-sandbox-scenario': scenario };
    const body = { pin: TEST_PIN, allowDuplicate: true, ...more };
    return (await byKey('POST', `/collection/payment/${paymentId}/refund`, body, headers)).body.data;
  };
  const paymentId = await paid(5_000);
  await refund(paymentId, { amount: 1_000, reference: 'REFUND-1', note: 'The shirt was torn' });
  await refund(paymentId, { amount: 20 }, 'refund-pending-then-processed');
  await refund(paymentId, { amount: 30 }, 'refund-pending-then-failed');
  await refund(paymentId, { amount: 40 }, 'refund-refused');
  await refund(paymentId, { amount: 50 }, 'refund-unlisted-status');
  await refund(paymentId, { amount: 60 }, 'refund-pending-forever');
  await refund(paymentId, { amount: 70 }, 'refund-other-amount');
  const details = await refund(paymentId, { amount: 80 }, 'refund-needs-details');
  await refund(paymentId, { amount: 90 }, 'refund-needs-details');
  await refund(paymentId, { amount: 100, way: 'PAYOUT', reference: 'REFUND-2' });
  await refund(paymentId, { amount: 110, way: 'PAYOUT' }, 'failed-do-not-honour');
  await refund(paymentId, { amount: 120, way: 'PAYOUT' }, 'late-reversal');
  await work();
  const account = { pin: TEST_PIN, bankCode: '044', accountNumber: PAYER.accountNumber };
  await must('POST', `/collection/refund/${details.refundId}/details`, account);
  for (let round = 0; round < 4; round += 1) {
    t.clock.advance(SOON_MS);
    await work();
  }
  await operatorDecidesRefunds(made, { ada, bola }, await paid(600), refund);
  await refund(await paid(700), {}, 'refund-pending-forever');
  await refund(await paid(800));
}

/** What goes back by itself: late and too much, both ways, in two versions; left, refused, and one that waits for money. */
export async function refundsByRule(made: Maker): Promise<void> {
  const { t, work } = made;
  const merchant = await t.addMerchant({ name: 'Ticket office' });
  const must = mustOf(callWith(t, bearer(merchant.secretKey)));
  const owner = await signedInMember(t, merchant.merchantId, 'OWNER');
  const set = async (changes: object) => {
    t.clock.advance(SOON_MS);
    await owner.refresh();
    await mustOf(owner.call)('PATCH', '/collection/refund/rule', { ...changes, pin: TEST_PIN });
    t.clock.advance(SOON_MS);
  };
  const pay = async (amounts: number[], { cancelled = false, payer = PAYER } = {}) => {
    const { sessionId, accounts } = await must('POST', '/collection/session', {
      amount: 100,
      customer: { name: 'Ada Obi', email: 'ada@example.com' },
    });
    if (cancelled) await must('POST', `/collection/session/${sessionId}/cancel`);
    const { accountNumber } = accounts[0];
    for (const amount of amounts) {
      await must('POST', '/sandbox/collection/pay', { accountNumber, amount, payer, scenario: 'paid' });
      await work();
    }
  };
  const late = { cancelled: true };
  await pay([90], late);
  await set({ late: 'PROVIDER', excess: 'PAYOUT' });
  await must('POST', '/sandbox/wallet/fund', { walletId: merchant.walletId, amount: 500 });
  await pay([110], late);
  await pay([60, 75, 120]);
  await pay([130], { ...late, payer: { ...PAYER, bankName: 'No such bank' } });
  await set({ late: 'PAYOUT' });
  await pay([140], { ...late, payer: { ...PAYER, bankName: 'No such bank' } });
  await pay([150], late);
  await work();
  await set({ excess: 'OFF' });
  await pay([100, 20]);
  for (let round = 0; round < 3; round += 1) {
    t.clock.advance(SOON_MS);
    await work();
  }
  await waitingForMoney(must, pay);
  await work();
}

/** One that waits: what it would send back is elsewhere. */
async function waitingForMoney(must: Must, pay: (amounts: number[], how: object) => Promise<void>): Promise<void> {
  const { subaccountId } = await must('POST', '/subaccount', { name: 'Elsewhere' });
  const { wallet } = await must('GET', '/wallet/merchant');
  await must('POST', '/subaccount/credit', { amount: wallet.availableBalance, subaccountId, narration: 'Away' });
  await pay([900], { cancelled: true });
}

/** What became of refunds about which the bank stays silent: decided by two, rejected, overtaken, and one that waits. */
async function operatorDecidesRefunds(
  { shop, work }: Maker,
  { ada, bola }: Staff,
  paymentId: string,
  refund: (paymentId: string, more: object, scenario: string) => Promise<{ refundId: string }>,
): Promise<void> {
  const tenant = { merchantId: shop.merchantId, mode: 'SANDBOX' };
  const note = 'Ticket 4711: they looked it up in their books';
  const refundIds: string[] = [];
  for (const amount of [51, 52, 53, 54]) {
    refundIds.push((await refund(paymentId, { amount }, 'refund-pending-forever')).refundId);
  }
  await work();
  await bola.refresh();
  const propose = (refundId: string | undefined, outcome: string) =>
    mustOf(ada.call)('POST', '/operator/refund/propose', {
      ...tenant,
      refundId,
      outcome,
      source: 'RAIL_SUPPORT',
      note,
    });
  const [first, second, third, fourth] = refundIds;
  await mustOf(bola.call)('POST', '/operator/refund/confirm', { ...tenant, ...(await propose(first, 'SUCCEEDED')) });
  await mustOf(bola.call)('POST', '/operator/refund/confirm', { ...tenant, ...(await propose(second, 'FAILED')) });
  const { proposalId } = await propose(third, 'FAILED');
  await mustOf(bola.call)('POST', '/operator/refund/reject', { ...tenant, proposalId, reason: 'Another ticket' });
  await propose(fourth, 'SUCCEEDED');
}
