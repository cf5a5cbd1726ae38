import { callWith } from '../approvals/approval-fixture.ts';
import { collectionFee } from '../support/collection-fees.ts';
import type { TestPerson } from '../support/people.ts';
import { bearer } from '../support/world.ts';
import { type Maker, moveSandboxClock, mustOf } from './maker.ts';

const MINUTE_MS = 60_000;
const DAY_SECONDS = 24 * 3_600;
const CUSTOMER = { name: 'Ngozi Eze', email: 'ngozi@example.com' };
const PAGE = { channels: ['CARD', 'BANK_TRANSFER'], customer: CUSTOMER, returnUrl: 'https://shop.example/paid' };

/**
 * Payments by card in the sandbox, with a fee, an availability and a reserve of their own: paid once, in parts, twice by two
 * channels, too late, with the fee on top; some of the reserve is back in its wallets, and some is kept.
 */
export async function cardPayments(made: Maker, { ada, bola }: Record<'ada' | 'bola', TestPerson>): Promise<void> {
  const { t, work } = made;
  for (const person of [ada, bola]) await person.refresh();
  const merchant = await t.addMerchant({ name: 'Card shop' });
  const must = mustOf(callWith(t, bearer(merchant.secretKey)));
  const { walletId } = await must('GET', `/branch/store/${merchant.storeIds[0]}`);
  const open = (amount: number, more: object = {}) => must('POST', '/collection/session', { amount, ...PAGE, ...more });
  const pay = async ({ sessionId }: { sessionId: string }, amount: number, more: object = { channel: 'CARD' }) => {
    const accountNumber = sessionId.replaceAll('-', '');
    await must('POST', '/sandbox/collection/pay', { accountNumber, amount, ...more });
  };
  const pass = async (ms: number) => {
    t.clock.advance(ms);
    await work();
  };
  const setRule = async (path: 'availability' | 'reserve/rule', terms: object) => {
    await ada.refresh();
    const given = { mode: 'SANDBOX', reason: 'Cards come back for months', ...terms };
    await mustOf(ada.call)('POST', `/operator/${path}`, given);
  };
  const ofAll = { merchantId: null, channel: 'CARD' };
  await setRule('reserve/rule', { ...ofAll, rateBasisPoints: 1_000, days: 7 });
  await setRule('reserve/rule', { merchantId: null, channel: null, rateBasisPoints: 0, days: 1 });
  await setRule('availability', { ...ofAll, availability: 'ON_CONFIRMATION' });
  await collectionFee(t, { channel: 'CARD', rateBasisPoints: 150, flatMinor: 100n, capMinor: 2_000_00n });
  await pay(await open(1_234.56), 1_234.56);
  await pay(await open(500, { walletId }), 500);
  const twice = await open(200);
  await pay(twice, 200);
  await pay(twice, 200, { channel: 'BANK_TRANSFER' });
  const parts = await open(300, { walletId });
  await pay(parts, 100, {});
  await pay(parts, 200);
  const onTop = await open(1_000, { feeBearer: 'CUSTOMER' });
  await pay(onTop, onTop.amountToPay);
  await pay(await open(80), 80, { channel: 'CARD', scenario: 'pending_first' });
  await pay(await open(90), 90, { channel: 'CARD', scenario: 'failed' });
  await pass(15_000);
  await pass(MINUTE_MS);
  const late = await open(60);
  await moveSandboxClock(made, must, 8 * DAY_SECONDS);
  await work();
  const ruleOfIts = { merchantId: merchant.merchantId, channel: null, rateBasisPoints: 250, days: 30 };
  await setRule('reserve/rule', ruleOfIts);
  await pay(late, 60);
  await pass(3 * MINUTE_MS);
  await pay(await open(700), 700);
  await pay(await open(0.3), 0.3);
  await pay(await open(700, { walletId }), 700, {});
  await pass(15_000);
  await moveSandboxClock(made, must, DAY_SECONDS);
  await open(45);
  for (const person of [ada, bola]) await person.refresh();
  const reserve = await must('GET', '/collection/reserve');
  if (!(reserve.amount > 0)) throw new Error('nothing is kept');
}
