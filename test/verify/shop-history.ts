import { newId } from '../../src/platform/ids.ts';
import type { Call } from '../approvals/approval-fixture.ts';
import { TEST_PIN } from '../support/app.ts';
import { amountOf, type Maker, moveSandboxClock } from './maker.ts';
import type { Random } from './random.ts';

/** Asked with a key, under which the refusal is kept. */
async function refused(call: Call, code: string, payment: object): Promise<void> {
  const reply = await call('POST', '/payout/single', payment, { 'idempotency-key': newId() });
  if (reply.body.code !== code) throw new Error(`${reply.status} ${reply.text}`);
}

export const paymentOf = (random: Random, fields: Record<string, unknown> = {}) => ({
  pin: TEST_PIN,
  amount: amountOf(random),
  bankCode: random.pick(['058', '011', '044']),
  accountNumber: String(1_000_000_000 + random.below(900_000_000)),
  narration: `Invoice ${random.below(1_000)}`,
  allowDuplicate: true,
  ...fields,
});

/** Stores and subaccounts, money between them, the same asked twice, and what was refused. */
export async function childrenOf({ must, byKey, shop, random }: Maker): Promise<void> {
  const store = await must('POST', '/branch/store', { name: 'Yaba' });
  const child = await must('POST', '/subaccount', { name: 'Taxes' });
  await must('POST', '/branch/store', { name: 'Empty' });
  await must('POST', '/sandbox/wallet/fund', { walletId: shop.walletId, amount: 50_000_000 });
  await must('POST', '/sandbox/wallet/fund', { walletId: store.walletId, amount: 90_000.5 });
  await must('POST', '/sandbox/wallet/fund', { walletId: child.walletId, amount: 100 });
  for (const storeId of [shop.storeIds[0], store.storeId]) {
    const debit = { pin: TEST_PIN, storeId, amount: (1_000 + random.below(1_000)) / 100, narration: 'Sales' };
    const key = { 'idempotency-key': newId() };
    await must('POST', '/branch/store/debit', debit, key);
    await must('POST', '/branch/store/debit', debit, key);
    await byKey('POST', '/branch/store/debit', { ...debit, amount: 9_000_000 }, { 'idempotency-key': newId() });
  }
  const note = { metadata: { order: 42, lines: [{ sku: 'A-1', price: 12.5 }], gift: true } };
  await must('POST', '/subaccount/credit', {
    subaccountId: child.subaccountId,
    amount: 500,
    narration: 'VAT',
    ...note,
  });
  await must('POST', '/subaccount/credit', { subaccountId: shop.subaccountIds[0], amount: 70, narration: 'Rent' });
  await must('POST', '/subaccount/debit', {
    ...{ pin: TEST_PIN, subaccountId: child.subaccountId, amount: 120.25, narration: 'VAT back' },
  });
}

/** So many that the wallet has several totals within its statement. */
const MANY_DEBITS = 450;
const AT_ONCE = 50;

export async function manyDebits({ must }: Maker): Promise<void> {
  const { storeId, walletId } = await must('POST', '/branch/store', { name: 'Market' });
  await must('POST', '/sandbox/wallet/fund', { walletId, amount: MANY_DEBITS });
  const debit = { pin: TEST_PIN, storeId, amount: 1, narration: 'Sales' };
  for (let at = 0; at < MANY_DEBITS; at += AT_ONCE)
    await Promise.all(Array.from({ length: AT_ONCE }, () => must('POST', '/branch/store/debit', debit)));
}

/** The payouts that later parts go on with, by the scenario that the bank played. */
export type PaidPayouts = Record<string, string[]>;

/** Each with how many payouts of it there are. Those that the bank leaves open are for the operator. */
const SCENARIOS: [scenario: string, payouts: number][] = [
  ['success', 8],
  ['failed-do-not-honour', 2],
  ['timeout-executed', 2],
  ['timeout-not-executed', 1],
  ['timeout-failed', 1],
  ['error-executed', 1],
  ['pending-then-success', 2],
  ['pending-then-failed', 1],
  ['not-found-then-success', 1],
  ['pending-forever', 7],
  ['late-reversal', 2],
  ['duplicate-webhook', 1],
  ['wrong-amount-webhook', 1],
  ['early-webhook', 1],
  ['unlisted-code', 1],
  ['failed-rail-funds', 2],
];

/** Single payouts of every scenario, worked off as far as they go; duplicates and what was refused beside them. */
export async function singles(made: Maker): Promise<PaidPayouts> {
  const { must, byKey, random, t } = made;
  const paid: PaidPayouts = {};
  for (const [scenario, payouts] of random.shuffled(SCENARIOS)) {
    for (let at = 0; at < payouts; at += 1) {
      const payment = paymentOf(random, {
        purpose: random.pick([undefined, 'GENERAL', 'SALARY', 'OWN_ACCOUNT']),
        ...(random.below(3) > 0 ? { phoneNumber: '2348012345678' } : {}),
        ...(random.below(3) > 0 ? { reference: `INV-${scenario}-${at}` } : {}),
        ...(random.below(3) > 0 ? { metadata: { invoice: random.below(100), note: 'due' } } : {}),
        ...(scenario === 'failed-rail-funds' ? { accountNumber: '0123456785' } : {}),
      });
      const scenarioHeader = { 'x-sandbox-scenario': scenario };
      const { transactionId } = await must('POST', '/payout/single', payment, scenarioHeader);
      paid[scenario] = [...(paid[scenario] ?? []), transactionId];
      if ('reference' in payment) await refused(byKey, 'REFERENCE_TAKEN', payment);
    }
  }
  await refused(byKey, 'ACCOUNT_NOT_FOUND', paymentOf(random, { accountNumber: '0000999904' }));
  const dear = paymentOf(random, { amount: 9_999_999 });
  for (let at = 0; at < 5; at += 1) await must('POST', '/payout/single', dear);
  await refused(byKey, 'PAYOUT_DUPLICATE', { ...dear, allowDuplicate: false });
  await refused(byKey, 'INSUFFICIENT_FUNDS', dear);
  for (let round = 0; round < 4; round += 1) {
    await made.work();
    t.clock.advance(70_000);
  }
  await must('POST', '/transaction/requery', { transactionId: paid['pending-forever']?.[0] });
  await moveSandboxClock(made, must, 90);
  await made.work();
  return paid;
}

/** One is paid, one is cancelled, one finds no money on its day; another waits for its day. */
export async function schedules({ must, random, t, work, shop }: Maker): Promise<void> {
  const inMinutes = (minutes: number) => new Date(t.clock.now().getTime() + minutes * 60_000).toISOString();
  const later = (minutes: number, fields = {}) =>
    must('POST', '/payout/single/schedule', paymentOf(random, { scheduledFor: inMinutes(minutes), ...fields }));
  await later(10, { amount: 12_000, reference: 'SCHEDULED-1' });
  await later(11, { amount: 9_999_999.99 });
  const { scheduleId } = await later(20);
  await must('POST', '/payout/single/schedule/cancel', { scheduleId });
  t.clock.advance(12 * 60_000);
  await work();
  await must('POST', '/sandbox/wallet/fund', { walletId: shop.walletId, amount: 50_000_000 });
}

const itemsOf = (random: Random, count: number, fields: (at: number) => Record<string, unknown> = () => ({})) =>
  Array.from({ length: count }, (_, at) => ({
    amount: random.pick([1_000, 5_000, 5_001, 9_999, 10_000, 50_000, 50_001]) + random.below(5),
    bankCode: '058',
    accountNumber: String(2_000_000_000 + random.below(99_999_999)),
    narration: `Salary ${at}`,
    ...fields(at),
  }));

/** Batches that were paid whole, in part, corrected, cancelled, ran out; others still under way. */
export async function payrolls(made: Maker): Promise<void> {
  const { must, random, work } = made;
  const dispatch = (batchReference: string, fields = {}) =>
    must('POST', '/payout/bulk/dispatch', { pin: TEST_PIN, batchReference, ...fields });
  const upload = async (items: object[], fields = {}) =>
    (await must('POST', '/payout/bulk', { items, ...fields })) as { batchReference: string };
  const ends =
    (...suffixes: string[]) =>
    (at: number) =>
      suffixes[at] === undefined ? {} : { accountNumber: `0000${suffixes[at]}` };

  const whole = await upload(
    itemsOf(random, 4, (at) => ({ phoneNumber: '08012345678', accountName: `Ada ${at}` })),
    {
      purpose: 'SALARY',
    },
  );
  const partly = await upload([
    ...itemsOf(random, 4, ends('999911', '999935', '999931')),
    { amount: 0, bankCode: '058', accountNumber: '12', narration: '' },
  ]);
  const corrected = await upload(itemsOf(random, 4, (at) => (at < 2 ? { bankCode: 'none' } : {})));
  const cancelled = await upload(itemsOf(random, 2));
  const dispatchedAgain = itemsOf(random, 2);
  const twice = await upload(dispatchedAgain);
  const again = await upload(dispatchedAgain);
  await work();
  for (const { batchReference } of [whole, partly, corrected]) await must('GET', `/payout/bulk/${batchReference}`);
  await dispatch(whole.batchReference);
  await dispatch(partly.batchReference, { skipInvalid: true });
  const records = (await must('GET', `/payout/bulk/${corrected.batchReference}/item`)).records as { id: string }[];
  await must('PATCH', '/payout/bulk/item', { bulkPayoutItemId: records[0]?.id, bankCode: '011', amount: 777 });
  await must('DELETE', `/payout/bulk/item/${records[1]?.id}`);
  await must('POST', '/payout/bulk/cancel', { batchReference: cancelled.batchReference });
  await dispatch(twice.batchReference);
  await dispatch(again.batchReference, { allowDuplicate: true });
  for (let round = 0; round < 3; round += 1) {
    await work();
    made.t.clock.advance(20_000);
  }
  const late = await upload(itemsOf(random, 2));
  await work();
  await moveSandboxClock(made, must, 8 * 86_400);
  await work();
  const { status } = await must('GET', `/payout/bulk/${late.batchReference}`);
  if (status !== 'EXPIRED') throw new Error(`the batch that nobody touched is ${status}`);
  await groups(made);
  await retries(made, partly.batchReference);
  await repeats(made, whole.batchReference);
}

/** Rows of one problem get the same bank at once; others are left out and put back. */
async function groups({ must, work }: Maker): Promise<void> {
  const row = (at: number, bankCode: string) => ({
    ...{ amount: 4_100 + at, bankCode, accountNumber: String(2_100_000_001 + at), narration: `Salary ${at}` },
  });
  const items = [row(1, 'none'), row(2, '058'), row(3, 'none')];
  const { batchReference } = await must('POST', '/payout/bulk', { items });
  await work();
  const resolve = async (fields: object) => {
    const { groups: [group] = [], version } = await must('GET', `/payout/bulk/${batchReference}/problem`);
    const { code, cause } = group;
    await must('POST', `/payout/bulk/${batchReference}/problem/resolve`, { code, cause, version, ...fields });
  };
  await resolve({ action: 'LEAVE_OUT' });
  await must('POST', `/payout/bulk/${batchReference}/problem/undo`, {});
  await resolve({ action: 'CHANGE', change: { bankCode: '011' } });
  await work();
  await must('POST', '/payout/bulk/dispatch', { pin: TEST_PIN, batchReference });
  await work();
}

/** What a batch did not pay is paid again by a list; the first such list is called off. */
async function retries({ must, work, t }: Maker, origin: string): Promise<void> {
  const cancelled = await must('POST', `/payout/bulk/${origin}/retry-list`, {});
  await work();
  await must('GET', `/payout/bulk/${cancelled.batchReference}`);
  await must('POST', '/payout/bulk/cancel', { batchReference: cancelled.batchReference });
  const { batchReference } = await must('POST', `/payout/bulk/${origin}/retry-list`, {});
  await work();
  const { records } = await must('GET', `/payout/bulk/${batchReference}/item`);
  if (records.length < 2) throw new Error(`${records.length} payouts are paid again`);
  for (const [at, { id }] of (records as { id: string }[]).entries())
    await must('PATCH', '/payout/bulk/item', { bulkPayoutItemId: id, accountNumber: String(2_200_000_001 + at) });
  await must('POST', '/payout/bulk/dispatch', { pin: TEST_PIN, batchReference });
  for (let round = 0; round < 2; round += 1) {
    await work();
    t.clock.advance(20_000);
  }
  const { status } = await must('GET', `/payout/bulk/${batchReference}`);
  if (status !== 'COMPLETED') throw new Error(`the batch that pays again is ${status}`);
}

/** The same people are paid once more, by a list of which one row was changed. */
async function repeats({ must, work, t }: Maker, origin: string): Promise<void> {
  const { batchReference } = await must('POST', `/payout/bulk/${origin}/repeat-list`, { narration: 'Next month' });
  await work();
  const { records } = await must('GET', `/payout/bulk/${batchReference}/item`);
  await must('PATCH', '/payout/bulk/item', { bulkPayoutItemId: records[0].id, amount: 4_321 });
  await must('POST', '/payout/bulk/dispatch', { pin: TEST_PIN, batchReference, allowDuplicate: true });
  for (let round = 0; round < 2; round += 1) {
    await work();
    t.clock.advance(20_000);
  }
}

/** What nobody has come to yet: payouts that wait, schedules, batches in every state. No worker runs after this. */
export async function openAtTheEnd(made: Maker): Promise<void> {
  const { must, random, t } = made;
  const upload = async (items: object[]) =>
    (await must('POST', '/payout/bulk', { items })) as { batchReference: string };
  const sent = await upload(itemsOf(random, 3, () => ({ accountNumber: '0000999934' })));
  const ready = await upload(itemsOf(random, 2));
  const wrong = await upload(itemsOf(random, 2, () => ({ bankCode: 'none' })));
  await made.work();
  for (const { batchReference } of [ready, wrong]) await must('GET', `/payout/bulk/${batchReference}`);
  const unopened = await upload(itemsOf(random, 3));
  await t.app.worker.runOnce();
  await must('POST', '/payout/bulk/dispatch', { pin: TEST_PIN, batchReference: sent.batchReference });
  await t.app.worker.runOnce();
  await must('POST', '/payout/bulk/dispatch', { pin: TEST_PIN, batchReference: unopened.batchReference });
  await upload(itemsOf(random, 2));
  for (const fields of [{ reference: 'LAST-1' }, {}]) await must('POST', '/payout/single', paymentOf(random, fields));
  const inDays = new Date(t.clock.now().getTime() + 5 * 86_400_000).toISOString();
  await must('POST', '/payout/single/schedule', paymentOf(random, { scheduledFor: inDays, reference: 'NEXT-WEEK' }));
  await must('POST', '/payout/single/schedule', paymentOf(random, { scheduledFor: inDays }));
}
