import { settling, work } from '../merchant-settlements/fixture.ts';
import { TEST_PIN } from '../support/base.ts';
import type { Maker } from './maker.ts';

const FAILS = { bankCode: '058', accountNumber: '0009999911' };
const RETURNS = { bankCode: '058', accountNumber: '0009999935' };

/**
 * What merchants collected goes to their banks: at once and by hand; paid, failed and tried again, returned, and under way;
 * with lines of several kinds, a rest that is carried, and settings that were changed.
 */
export async function settlementsToBanks({ t }: Maker): Promise<void> {
  const shop = await settling(t);
  await shop.set({ schedule: 'DAILY', keepInWallet: 1_000, minimum: 50, timeOfDay: '09:30' });
  await shop.set({ schedule: 'INSTANT' });
  await shop.pay(5_000.5);
  await shop.must('POST', '/sandbox/wallet/fund', { walletId: shop.walletId, amount: 70 });
  await shop.advance(301);
  await shop.pay(2_500);
  await shop.must('POST', '/collection/settlement', { pin: TEST_PIN });
  for (const account of [FAILS, RETURNS]) {
    const other = await settling(t, account);
    await other.set({ schedule: 'OFF' });
    await other.pay(3_000);
    const { settlementId } = await other.must('POST', '/collection/settlement', { pin: TEST_PIN });
    await work(t);
    t.clock.advance(60_000);
    await work(t);
    if (account === RETURNS) continue;
    await other.must('POST', '/collection/settlement', { settlementId, pin: TEST_PIN });
    await work(t);
  }
}
