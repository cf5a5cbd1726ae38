import { ACCOUNT, childOf, settling, work } from '../merchant-settlements/fixture.ts';
import { TEST_PIN } from '../support/base.ts';
import type { Maker } from './maker.ts';

const FAILS = { bankCode: '058', accountNumber: '0009999911' };
const RETURNS = { bankCode: '058', accountNumber: '0009999935' };

/**
 * What a merchant collected goes to its bank: at once and by hand; paid, failed and tried again, returned, and under way;
 * with lines of several kinds, a rest that is carried, and settings that were changed.
 */
export async function settlementsToBanks({ t }: Maker): Promise<void> {
  const shop = await settling(t);
  const settle = (body: object = {}) => shop.must('POST', '/collection/settlement', { ...body, pin: TEST_PIN });
  const goTo = (account: object) => shop.owner.call('PATCH', '/onboarding/settlement-account', account);
  await shop.set({ schedule: 'DAILY', keepInWallet: 1_000, minimum: 50, timeOfDay: '09:30' });
  await shop.set({ schedule: 'INSTANT' });
  await shop.pay(5_000.5);
  await shop.must('POST', '/sandbox/wallet/fund', { walletId: shop.walletId, amount: 70 });
  await shop.advance(301);
  await goTo(FAILS);
  await shop.pay(2_500);
  const { settlementId } = await settle();
  await work(t);
  await goTo(RETURNS);
  await settle({ settlementId });
  await work(t);
  t.clock.advance(60_000);
  await work(t);
  await goTo(ACCOUNT);
  await shop.pay(1_800);
  await settle();
  const store = await childOf(shop, 'Ikeja');
  await store.set({ keepInWallet: 300 });
  await store.set({ settled: true, keepInWallet: 200 });
  await store.pay(6_000);
  await settle({ walletId: store.walletId });
  const rent = await childOf(shop, 'Rent', 'subaccount');
  await rent.set({ settled: false });
}
