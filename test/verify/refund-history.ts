import { TEST_PIN } from '../support/app.ts';
import type { Maker } from './maker.ts';

const PAYER = { accountNumber: '0690000031', bankName: 'Access Bank' };
const SOON_MS = 70_000;

/** Payments in that went back in every way: whole and in parts, by the bank and as payouts, with every outcome; some are open. */
export async function refunds({ t, shop, byKey, must, work }: Maker): Promise<void> {
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
  await refund(await paid(700), {}, 'refund-pending-forever');
  await refund(await paid(800));
}
