import { CREDIT_NOTE, creditFields, sendCredit } from '../operator/credit-forms.ts';
import type { TestPerson } from '../support/people.ts';
import { bearer } from '../support/world.ts';
import { type Maker, mustOf } from './maker.ts';

interface Staff {
  ada: TestPerson;
  bola: TestPerson;
}

/** Money at the operator's bank: credited to a wallet and a store's, rejected, withdrawn, proposed anew, and one that waits. */
export async function operatorCredits({ t, shop, must }: Maker, { ada, bola }: Staff): Promise<void> {
  const tenant = { merchantId: shop.merchantId, mode: 'SANDBOX' };
  const propose = async (more: Record<string, string> = {}): Promise<{ manualCreditId: string; digest: string }> => {
    const fields = { ...creditFields(t, shop.walletId), ...more };
    const reply = await sendCredit(t, ada, { merchantId: shop.merchantId, fields });
    if (reply.status !== 200) throw new Error(reply.text);
    const { manualCreditId, digest } = reply.body.data;
    return { manualCreditId, digest };
  };
  const approve = (shown: { manualCreditId: string; digest: string }) =>
    mustOf(bola.call)('POST', '/operator/manual-credit/approve', { ...tenant, ...shown });
  const close = async (how: 'reject' | 'withdraw', by: TestPerson, bankReference: string) => {
    const { manualCreditId } = await propose({ bankReference });
    const body = { ...tenant, manualCreditId, reason: CREDIT_NOTE };
    await mustOf(by.call)('POST', `/operator/manual-credit/${how}`, body);
  };
  await approve(await propose());
  const { walletId } = await must('GET', `/branch/store/${shop.storeIds[0]}`, undefined, bearer(shop.secretKey));
  await approve(await propose({ walletId, amount: '99.01' }));
  await close('reject', bola, 'ft26/again');
  await close('withdraw', ada, 'FT26 / again');
  await approve(await propose({ bankReference: 'FT26/AGAIN' }));
  await propose({ amount: '0.01' });
}
