import type { Reply, TestApp, TestMerchant } from './app.ts';
import { formOf } from './files.ts';
import type { TestPerson } from './people.ts';
import { bearer, payIn } from './world.ts';

/** Evidence against a dispute, words and a file, as `call` sends it. */
export function evidenceForm(): [body: string, headers: Record<string, string>] {
  const file = { name: 'note.pdf', content: '%PDF-1.7 signed' };
  const { headers, payload } = formOf([file], { message: 'It was delivered and signed for.' });
  return [String(payload), headers];
}

/** What becomes of money that was collected, one of each kind. */
export interface Collected {
  /** Waits for the payer's account. */
  refundId: string;
  /** Contested, with a file. */
  disputeId: string;
  fileId: string;
  /** Paid to the merchant's bank. */
  settlementId: string;
}

/** Somebody pays; the money is refunded in part, disputed in part, and settled. Approvals have to be off. */
export async function collectedOf(t: TestApp, merchant: TestMerchant, owner: TestPerson): Promise<Collected> {
  const as = bearer(merchant.secretKey);
  const must = async (method: 'GET' | 'POST', path: string, body?: unknown, headers: Record<string, string> = {}) =>
    dataOf(await t.call(method, path, body, { ...as, ...headers }));
  const paymentId = await payIn(t, merchant, 64_500);

  const needsDetails = { 'x-sandbox-scenario': 'refund-needs-details' };
  const part = { pin: merchant.pin, amount: 1_000 };
  const { refundId } = await must('POST', `/collection/payment/${paymentId}/refund`, part, needsDetails);
  await t.app.worker.runOnce();

  const complaint = { paymentId, amount: 1_500, message: 'I never got it', scenario: 'won' };
  await must('POST', '/sandbox/collection/dispute', complaint);
  await t.app.worker.runOnce();
  const { disputeId } = (await must('GET', '/collection/dispute')).records[0];
  await must('POST', `/collection/dispute/${disputeId}/evidence`, ...evidenceForm());
  await t.app.worker.runOnce();
  const { answers } = await must('GET', `/collection/dispute/${disputeId}`);

  return { refundId, disputeId, fileId: answers[0].files[0].fileId, settlementId: await settle(t, merchant, owner) };
}

/** An owner sets settlements up in the dashboard, to the account that it gave. */
export async function setUpSettlements(
  t: TestApp,
  merchant: TestMerchant,
  owner: TestPerson,
  settings: object = {},
): Promise<void> {
  const account = {
    settlementBankCode: '058',
    settlementBankName: 'Guaranty Trust Bank',
    settlementAccountNumber: '0123456785',
  };
  await t.database.pool.query(
    `insert into merchant_onboarding (merchant_id, details, changes, updated_at) values ($1, $2, '{}', $3)
     on conflict (merchant_id) do update set details = excluded.details`,
    [merchant.merchantId, account, t.clock.now()],
  );
  await owner.refresh();
  const set = { schedule: 'DAILY', timeOfDay: '08:00', ...settings, pin: merchant.pin };
  dataOf(await owner.call('PATCH', '/collection/settlement/settings', set));
}

async function settle(t: TestApp, merchant: TestMerchant, owner: TestPerson): Promise<string> {
  await setUpSettlements(t, merchant, owner);
  const { settlementId } = dataOf(await owner.call('POST', '/collection/settlement', { pin: merchant.pin }));
  await t.app.worker.runOnce();
  await t.app.worker.runOnce();
  return settlementId;
}

function dataOf(reply: Reply) {
  if (reply.status !== 200) throw new Error(reply.text);
  return reply.body.data;
}
