import { callWith } from '../approvals/approval-fixture.ts';
import { makeLink, openUnder } from '../payment-links/support.ts';
import type { TestMerchant } from '../support/app.ts';
import { bearer } from '../support/world.ts';
import { type Maker, type Must, moveSandboxClock, mustOf } from './maker.ts';

const ORIGIN = 'https://shop.example';
const CUSTOMER = { name: 'Ada Obi', email: 'ada@example.com' };
const ASKED = 1_500.5;
const MINUTE_MS = 60_000;

interface Session {
  sessionId: string;
  accounts: readonly { accountNumber: string }[];
}

/** Opens sessions, pays them as a customer does, and runs the workers. */
function tillOf({ t, work }: Maker, must: Must) {
  const paying = async ({ accounts }: Session, amount: number, scenario = 'paid') => {
    const accountNumber = accounts[0]?.accountNumber;
    await must('POST', '/sandbox/collection/pay', { accountNumber, amount, scenario });
  };
  return {
    paying,
    open: (more: object = {}): Promise<Session> =>
      must('POST', '/collection/session', { amount: ASKED, customer: CUSTOMER, ...more }),
    async pay(session: Session, ...amounts: number[]) {
      for (const amount of amounts) {
        await paying(session, amount);
        t.clock.advance(15_000);
        await work();
      }
    },
    check: ({ sessionId }: Session) => must('POST', `/collection/session/${sessionId}/check`),
    cancel: ({ sessionId }: Session) => must('POST', `/collection/session/${sessionId}/cancel`),
    async expect({ sessionId }: Session, status: string) {
      const session = await must('GET', `/collection/session/${sessionId}`);
      if (session.status !== status) throw new Error(`the session is ${session.status}, and not ${status}`);
    },
  };
}

type Till = ReturnType<typeof tillOf>;

/**
 * Payment sessions of a merchant in the sandbox: paid exactly, in parts, beyond, twice, late, of every rule; cancelled,
 * expired, opened by a browser, under payment links, for a customer, and some that can be paid at the end.
 */
export async function paymentSessions(made: Maker): Promise<void> {
  const { t, work } = made;
  const merchant = await t.addMerchant({ name: 'Market stall' });
  const must = mustOf(callWith(t, bearer(merchant.secretKey)));
  const till = tillOf(made, must);
  const { walletId } = await must('GET', `/branch/store/${merchant.storeIds[0]}`);
  await paidSessions(till, walletId);
  await byBrowsers(made, till, must, merchant.publicKey);
  await underLinks(made, till, must, merchant);
  await endedSessions(made, till, must);
  t.clock.advance(MINUTE_MS);
  await work();
  await till.open({ reference: 'STILL-OPEN' });
  await till.pay(await till.open({ description: 'A sofa' }), 10);
  await till.paying(await till.open(), ASKED, 'notified_late');
  await till.paying(await till.open(), ASKED, 'failed');
}

async function paidSessions(till: Till, walletId: string): Promise<void> {
  const whole = await till.open({
    ...{ reference: 'ORDER-1', description: 'Shoes', metadata: { cart: 7 }, expiresInMinutes: 60 },
    ...{ returnUrl: `${ORIGIN}/thanks`, cancelUrl: `${ORIGIN}/cart` },
    customer: { ...CUSTOMER, phoneNumber: '2348012345678' },
  });
  await till.pay(whole, ASKED);
  await till.expect(whole, 'PAID');
  await till.pay(whole, 20);
  await till.pay(await till.open({ walletId }), 500, 1_000.5);
  await till.pay(await till.open(), 500, 2_000);
  await till.pay(await till.open({ walletId }), 2_000);
  await till.pay(await till.open({ amountRule: 'AT_LEAST' }), 100, 1_600);
  await till.pay(await till.open({ amountRule: 'ANY' }), 3);
  await till.pay(await till.open({ feeBearer: 'CUSTOMER', walletId }), ASKED, 40);
  await till.open({ feeBearer: 'CUSTOMER', amount: 99.99 });
  const asked = await till.open();
  await till.paying(asked, ASKED, 'never_notified');
  const { found } = await till.check(asked);
  if (!found) throw new Error('the check found no payment');
}

async function byBrowsers({ t }: Maker, till: Till, must: Must, publicKey: string): Promise<void> {
  await must('PATCH', '/collection/settings', {
    ...{ publicKeys: true, allowedOrigins: [ORIGIN], allowedReturnHosts: ['shop.example'], maxAmount: 5_000 },
  });
  const browser = mustOf(callWith(t, { ...bearer(publicKey), origin: ORIGIN }));
  await till.pay(await browser('POST', '/collection/session', { amount: 4_000, customer: CUSTOMER }), 4_000);
}

/** Of one payment, of an amount that the payer names, and one that is switched off and on. */
async function underLinks({ t }: Maker, till: Till, must: Must, merchant: TestMerchant): Promise<void> {
  const single = await makeLink(t, { maxPayments: 1, metadata: { term: 1 } }, merchant);
  const open = await makeLink(t, { minAmount: 100, maxAmount: 900, amountRule: 'AT_LEAST' }, merchant);
  const session = async (link: typeof single, fields = {}): Promise<Session> =>
    must('GET', `/collection/session/${(await openUnder(t, link, fields)).sessionId}`);
  const [first, second] = [await session(single), await session(single)];
  for (const one of [first, second]) await till.pay(one, 5_000);
  await till.pay(await session(open, { amount: '250' }), 300);
  for (const verb of ['deactivate', 'activate', 'deactivate'])
    await must('POST', `/collection/link/${open.linkId}/${verb}`);
  const { customerId } = await must('POST', '/customer', { ...CUSTOMER, phoneNumber: '2348012345678' });
  await till.pay(await till.open({ customer: undefined, customerId }), ASKED);
  await must('PATCH', `/customer/${customerId}`, { name: 'Ada Eze' });
}

async function endedSessions(made: Maker, till: Till, must: Must): Promise<void> {
  const [cancelled, late, partly, expired, after, half] = await Promise.all(
    Array.from({ length: 6 }, () => till.open()),
  );
  if (!cancelled || !late || !partly || !expired || !after || !half) throw new Error('a session was not opened');
  await till.pay(partly, 400);
  await till.pay(half, 300);
  for (const session of [cancelled, late, partly]) await till.cancel(session);
  await till.pay(late, ASKED);
  await till.expect(late, 'CANCELLED');
  await moveSandboxClock(made, must, 31 * 60);
  await made.work();
  for (const session of [expired, after, half]) await till.expect(session, 'EXPIRED');
  await till.pay(after, ASKED);
  await till.pay(half, 1_200.5);
}
