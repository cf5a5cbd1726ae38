import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { EXAMPLES } from '../../src/documentation/finish-document.ts';
import { lagosDay } from '../../src/platform/clock.ts';
import { webhookOperationId } from '../../src/webhooks/document-webhooks.ts';
import { type Business, business, type Call, callWith, payment } from '../approvals/approval-fixture.ts';
import { pdf, upload } from '../onboarding/upload.ts';
import { createTestApp, TEST_PIN, type TestApp } from '../support/app.ts';
import { evidenceForm, setUpSettlements } from '../support/collected.ts';
import { type Operation, operationsOf } from '../support/operations.ts';
import { signedInMember } from '../support/people.ts';
import { bearer } from '../support/world.ts';
import { type Receiver, startReceiver } from '../webhooks/receiver.ts';

/**
 * The examples of the API document are answers of the service: every operation is called here with success, and what the
 * document shows of it has the fields of what it answers now. `npm run examples` writes them anew.
 */
const FILE = new URL('../../src/documentation/examples.json', import.meta.url);

let t: TestApp;
let receiver: Receiver;
let operations: Operation[];
const seen: Record<string, { request?: unknown; response?: unknown }> = {};

beforeAll(async () => {
  t = await createTestApp({ WEBHOOK_ALLOW_LOOPBACK: 'true' });
  receiver = await startReceiver();
  operations = operationsOf(t.app);
});
afterAll(async () => {
  await t.close();
  await receiver.close();
});

const isAt = (path: string, url: string): boolean =>
  new RegExp(`^${path.replace(/[.]/g, '\\.').replace(/\{\w+\}/g, '[^/]+')}$`).test(url.split('?')[0] as string);

/** Calls as somebody, and keeps the first success of each operation. */
function recording(by: Call): (
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  url: string,
  body?: unknown,
  headers?: Record<string, string>,
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
) => Promise<any> {
  return async (method, url, body, headers) => {
    const reply = await by(method, url, body, headers);
    if (reply.status !== 200) throw new Error(`${method} ${url}: ${reply.status} ${reply.text}`);
    const exact = operations.find((operation) => operation.method === method && operation.path === url.split('?')[0]);
    const found = exact ?? operations.find((operation) => operation.method === method && isAt(operation.path, url));
    const id = (found as Operation).operationId;
    const type = String(reply.headers['content-type']);
    // A document is shown as what it is, and no example of it.
    if (/pdf|spreadsheetml/.test(type)) seen[id] = {};
    const isJson = type.includes('json');
    const response = isJson
      ? shortened(concealed(reply.body))
      : { csv: reply.text.split('\r\n').slice(0, 3).join('\r\n') };
    seen[id] ??= {
      ...(body === undefined ? {} : { request: concealed(body) }),
      response: isJson ? response : concealed((response as { csv: string }).csv),
    };
    return reply.body.data;
  };
}

/** Two records of a list show as much as fifty. */
function shortened(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 2).map(shortened);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, shortened(entry)]));
}

/** No secret is shown, also not one of a test. */
function concealed(value: unknown, name = ''): unknown {
  if (typeof value === 'string' && name === 'clientSecret') return 'mcs_test_…';
  if (typeof value === 'string' && /secret$/i.test(name)) return 'whsec_…';
  if (typeof value === 'string' && name === 'accessToken') return 'eyJhbGciOiJIUzI1NiJ9.…';
  if (typeof value === 'string') {
    const elsewhere = value.replaceAll(receiver.url, 'https://adire.example/hooks');
    return elsewhere
      .replaceAll(/\bhttp:\/\/127\.0\.0\.1(:\d+)?\//g, 'https://manilla.example/')
      .replace(/signature=[^&]+/, 'signature=…')
      .replace(/mcs_test_[^&#"]+/, 'mcs_test_…');
  }
  if (Array.isArray(value)) return value.map((entry) => concealed(entry));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, concealed(entry, key)]));
}

async function profileAndWallets(): Promise<void> {
  const call = recording(t.call);
  await call('POST', '/auth/token', { scopes: ['payout:read'] });
  await call('PATCH', '/merchant/info', { sandboxWebhookURL: receiver.url, city: 'Lagos' });
  const owner = await signedInMember(t, t.merchant.merchantId, 'OWNER');
  await upload(t, owner, 'CAC_CERTIFICATE', pdf());
  const { cacDocuments } = await call('GET', '/merchant/info');
  const link = new URL(cacDocuments.at(-1));
  await call('GET', link.pathname + link.search);
  await call('POST', '/sandbox/wallet/fund', { walletId: t.merchant.walletId, amount: 250_000 });
  const store = await call('POST', '/branch/store', { name: 'Yaba' });
  await t.call('POST', '/sandbox/wallet/fund', { walletId: store.walletId, amount: 50_000 });
  await call('POST', '/branch/store/debit', {
    pin: TEST_PIN,
    amount: 1500.5,
    storeId: store.storeId,
    narration: 'Weekly sweep',
  });
  await call('GET', `/branch/store/${store.storeId}`);
  await call('GET', '/branch/store');
  const { subaccountId } = await call('POST', '/subaccount', { name: 'Rent' });
  await call('POST', '/subaccount/credit', {
    amount: 2000,
    subaccountId,
    narration: 'Rent for May',
    metadata: { month: 5 },
  });
  await call('POST', '/subaccount/debit', {
    pin: TEST_PIN,
    amount: 500,
    subaccountId,
    narration: 'Back to the wallet',
  });
  await call('GET', `/subaccount/${subaccountId}`);
  await call('GET', '/subaccount');
  await call('GET', '/wallet/merchant');
  const today = lagosDay(t.clock.now());
  await call('GET', `/wallet/summary?from=${today}&to=${today}`);
  await call('GET', '/wallet/merchant/statement');
  await call('GET', `/wallet/${t.merchant.walletId}/statement`);
}

async function collections(): Promise<void> {
  const call = recording(t.call);
  const { walletId } = t.merchant;
  const { accounts } = await call('GET', `/wallet/${walletId}/account`);
  const { accountNumber } = accounts[0];
  const payer = { name: 'NGOZI EZE', accountNumber: '0123456785', bankName: 'Zenith Bank' };
  await call('POST', '/sandbox/collection/pay', { accountNumber, amount: 64_500, payer, narration: 'Order 1007' });
  await t.app.worker.runOnce();
  const { records } = await call('GET', '/collection/payment');
  await call('GET', `/collection/payment/${records[0].paymentId}`);
  await call('GET', '/collection/payment.csv');
  await call('GET', '/collection/payment/total');
  await call('GET', '/collection/pending');
  await refunds(records[0].paymentId);
  await call('GET', '/collection/reserve');
  await call('GET', '/collection/reserve/payment');
  await call('GET', '/collection/reserve/payment.csv');
  await call('GET', '/transaction/total');
  await call('GET', '/transaction.csv?columns=createdAt,beneficiary,amount,status');
}

async function settlements(): Promise<void> {
  const call = recording(t.call);
  const owner = await signedInMember(t, t.merchant.merchantId, 'OWNER');
  await setUpSettlements(t, t.merchant, owner, { keepInWallet: 5_000 });
  await call('GET', '/collection/settlement/settings');
  const [store] = (await call('GET', '/branch/store')).records;
  const ofStore = `/collection/settlement/wallet/${store.walletId}`;
  const wallet = await owner.call('PATCH', ofStore, { keepInWallet: 1_000, pin: t.merchant.pin });
  expect(wallet.status, wallet.text).toBe(200);
  await call('GET', ofStore);
  await call('GET', '/collection/settlement/wallet');
  const { settlementId } = await call('POST', '/collection/settlement', { pin: t.merchant.pin });
  await t.app.worker.runOnce();
  await t.app.worker.runOnce();
  await call('GET', '/collection/settlement');
  await call('GET', `/collection/settlement/${settlementId}`);
  await call('GET', `/collection/settlement/${settlementId}/line`);
  await call('GET', `/collection/settlement/${settlementId}/line.csv`);
  await call('GET', `/collection/settlement/${settlementId}/report`);
}

async function refunds(paymentId: string): Promise<void> {
  const call = recording(t.call);
  const part = { pin: TEST_PIN, amount: 4_500, note: 'One item of order 1007', reference: 'REFUND-1007' };
  const { refundId } = await call('POST', `/collection/payment/${paymentId}/refund`, part);
  await t.app.worker.runOnce();
  await call('GET', `/collection/refund/${refundId}`);
  await call('GET', `/collection/refund/${refundId}/receipt`);
  const scenario = { 'x-sandbox-scenario': 'refund-needs-details' };
  const other = { pin: TEST_PIN, amount: 1_000 };
  const waiting = (await t.call('POST', `/collection/payment/${paymentId}/refund`, other, scenario)).body.data;
  await t.app.worker.runOnce();
  const account = { pin: TEST_PIN, bankCode: '057', accountNumber: '0123456785' };
  await call('POST', `/collection/refund/${waiting.refundId}/details`, account);
  await t.app.worker.runOnce();
  await call('GET', '/collection/refund');
  await call('GET', '/collection/refund/rule');
  await call('GET', '/collection/refund/rule/payment');
  await call('GET', '/collection/refund.csv');
}

async function disputes(): Promise<void> {
  const call = recording(t.call);
  const [{ paymentId }] = (await t.call('GET', '/collection/payment')).body.data.records;
  const open = async (amount: number, by: typeof call | undefined) => {
    const body = { paymentId, amount, message: 'I never got it', scenario: 'won' };
    await (by ?? t.call)('POST', '/sandbox/collection/dispute', body);
    await t.app.worker.runOnce();
    return (await t.call('GET', '/collection/dispute')).body.data.records[0].disputeId as string;
  };
  await call('POST', '/sandbox/collection/settlement', { scenario: 'whole' });
  const contested = await open(1_500, call);
  await call('GET', '/collection/dispute');
  const [form, headers] = evidenceForm();
  const sent = await t.call('POST', `/collection/dispute/${contested}/evidence`, form, headers);
  if (sent.status !== 200) throw new Error(sent.text);
  seen['sendDisputeEvidence'] = { response: concealed(sent.body) };
  await t.app.worker.runOnce();
  const { answers } = await call('GET', `/collection/dispute/${contested}`);
  await call('GET', `/collection/dispute/${contested}/file/${answers[0].files[0].fileId}`);
  await call('POST', `/collection/dispute/${await open(500, undefined)}/accept`, { pin: TEST_PIN });
  await call('GET', '/collection/dispute.csv');
  await call('GET', '/collection/owed');
}

async function paymentSessions(): Promise<void> {
  const call = recording(t.call);
  await call('GET', '/collection/settings');
  await call('PATCH', '/collection/settings', {
    publicKeys: true,
    allowedOrigins: ['https://shop.example'],
    allowedReturnHosts: ['shop.example'],
    maxAmount: 500_000,
  });
  const customer = { name: 'Ngozi Eze', email: 'ngozi@example.com', phoneNumber: '2348012345678' };
  const asked = { amount: 64_500, reference: 'ORDER-1007', customer, description: 'Order 1007' };
  const { sessionId, accounts } = await call('POST', '/collection/session', asked);
  const { accountNumber } = accounts[0];
  await t.call('POST', '/sandbox/collection/pay', { accountNumber, amount: 64_500, scenario: 'never_notified' });
  await call('POST', `/collection/session/${sessionId}/check`);
  await call('GET', `/collection/session/${sessionId}`);
  await call('GET', `/collection/session/${sessionId}/checkout`);
  await call('GET', '/collection/session');
  const other = await t.call('POST', '/collection/session', { amount: 12_000, customer });
  await call('POST', `/collection/session/${other.body.data.sessionId}/cancel`);
  await call('GET', '/collection/session.csv');
}

async function linksAndCustomers(): Promise<void> {
  const call = recording(t.call);
  const { linkId } = await call('POST', '/collection/link', { title: 'School fees, first term', amount: 45_000 });
  await call('GET', '/collection/link');
  await call('GET', '/collection/link.csv');
  await call('GET', `/collection/link/${linkId}`);
  await call('POST', `/collection/link/${linkId}/deactivate`);
  await call('POST', `/collection/link/${linkId}/activate`);
  const customer = { name: 'Ngozi Eze', email: 'ngozi@example.com', phoneNumber: '2348012345678' };
  const { customerId } = await call('POST', '/customer', customer);
  await call('GET', '/customer');
  await call('GET', '/customer.csv');
  await call('GET', `/customer/${customerId}`);
  await call('GET', '/search?q=ada');
  const { virtualAccountId } = await call('POST', '/collection/account', { customerId });
  await t.app.worker.runOnce();
  await call('GET', '/collection/account');
  await call('GET', `/collection/account/${virtualAccountId}`);
  await call('POST', `/collection/account/${virtualAccountId}/close`);
  await call('PATCH', `/customer/${customerId}`, { phoneNumber: '2348087654321' });
}

async function payouts(): Promise<void> {
  const call = recording(t.call);
  const account = { bankCode: '058', accountNumber: '0123456785' };
  await call('GET', '/bank');
  await call('POST', '/bank/resolve', account);
  await call('POST', '/payout/quote', { amount: 15_000 });
  const body = { pin: TEST_PIN, ...account, narration: 'Invoice 1009' };
  const { transactionId } = await call('POST', '/payout/single', {
    ...body,
    amount: 15_000,
    metadata: { invoice: '1009' },
  });
  const at = (hours: number) => new Date(t.clock.now().getTime() + hours * 3_600_000).toISOString();
  const { scheduleId } = await call('POST', '/payout/single/schedule', {
    ...body,
    amount: 7_500,
    scheduledFor: at(48),
  });
  await call('GET', '/payout/single/schedule');
  await call('POST', '/payout/single/schedule/cancel', { scheduleId });
  await call('GET', '/payout/limit');
  await call('GET', '/payout/rail');
  await t.app.worker.runOnce();
  await call('GET', `/transaction/${transactionId}`);
  await call('GET', `/transaction/${transactionId}/evidence`);
  await call('GET', `/transaction/${transactionId}/receipt`);
  await call('GET', '/transaction');
  const scenario = { 'x-sandbox-scenario': 'pending-then-success' };
  const pending = await t.call('POST', '/payout/single', { ...body, amount: 9_000 }, scenario);
  await t.app.worker.runOnce();
  await call('POST', '/transaction/requery', { transactionId: pending.body.data.transactionId });
  const rails = (await t.call('GET', '/payout/rail')).body.data;
  await call('PATCH', '/payout/rail', { first: rails.available[0].name });
  await call('POST', '/sandbox/clock/advance', { seconds: 3_600 });
}

/** Its bank declines: `docs/sandbox-rail.md`. */
const FAILS = '0009999911';

async function bulkPayouts(): Promise<void> {
  const call = recording(t.call);
  const item = (amount: number, accountNumber: string) => ({
    amount,
    bankCode: '058',
    accountNumber,
    narration: 'May salary',
  });
  const list = {
    purpose: 'SALARY',
    items: [item(120_000, '0123456785'), item(95_000, '0987654321'), item(1_000, '12'), item(60_000, FAILS)],
  };
  await call('POST', '/payout/bulk/preview', list);
  await call('GET', '/payout/bulk/template.csv');
  await call('GET', '/payout/bulk/template.xlsx');
  const { batchReference } = await call('POST', '/payout/bulk', list);
  await t.app.worker.runOnce();
  await call('GET', '/payout/bulk');
  const items = await call('GET', `/payout/bulk/${batchReference}/item`);
  const broken = items.records.find((record: { isValid: boolean }) => !record.isValid);
  await call('GET', `/payout/bulk/${batchReference}/rejected.csv`);
  const { version, groups } = await call('GET', `/payout/bulk/${batchReference}/problem`);
  const leaveOut = { code: groups[0].code, action: 'LEAVE_OUT', cause: groups[0].cause, version };
  await call('POST', `/payout/bulk/${batchReference}/problem/resolve`, leaveOut);
  await call('POST', `/payout/bulk/${batchReference}/problem/undo`, {});
  await call('PATCH', '/payout/bulk/item', {
    bulkPayoutItemId: broken.id,
    accountNumber: '0123456785',
    amount: 80_000,
  });
  await call('DELETE', `/payout/bulk/item/${broken.id}`);
  const found = operations.some(({ name }) => name === 'GET /payout/bulk/{batchReference}/item/{id}');
  if (found) await call('GET', `/payout/bulk/${batchReference}/item/${items.records[0].id}`);
  await t.app.worker.runOnce();
  const batch = await call('GET', `/payout/bulk/${batchReference}`);
  const asked = { pin: TEST_PIN, batchReference, digest: batch.digest, skipInvalid: true, allowDuplicate: true };
  await call('POST', '/payout/bulk/dispatch', asked);
  await t.app.worker.runOnce();
  await call('GET', `/payout/bulk/${batchReference}/outcome`);
  await call('GET', `/payout/bulk/${batchReference}/result.csv`);
  await call('POST', `/payout/bulk/${batchReference}/retry-list`, {});
  for (let looks = 0; looks < 3; looks += 1) await t.app.worker.runOnce();
  const again = await call('POST', `/payout/bulk/${batchReference}/repeat-list`, { narration: 'December salary' });
  await t.app.worker.runOnce();
  await call('GET', `/payout/bulk/${again.batchReference}/difference`);
  await call('GET', `/payout/bulk/${again.batchReference}/difference/item`);
  const other = (await t.call('POST', '/payout/bulk', { ...list, items: [item(5_000, '0123456785')] })).body.data;
  await t.app.worker.runOnce();
  await call('POST', '/payout/bulk/cancel', { batchReference: other.batchReference });
}

async function approvals(shop: Business): Promise<void> {
  const call = recording(callWith(t, bearer(shop.merchant.secretKey)));
  await call('GET', '/approval/rules');
  const { approvalId } = (await shop.byKey('POST', '/payout/single', payment())).body.data;
  await call('GET', '/approval');
  await call('GET', `/approval/${approvalId}`);
  await call('POST', `/approval/${approvalId}/withdraw`, {});
}

async function webhooksAndEvents(): Promise<void> {
  const call = recording(t.call);
  const account = { bankCode: '058', accountNumber: '0123456785' };
  const { beneficiaryId } = await call('POST', '/beneficiary', { ...account, nickname: 'Landlord' });
  await call('GET', '/beneficiary');
  await call('GET', `/beneficiary/${beneficiaryId}`);
  await call('GET', `/beneficiary/${beneficiaryId}/payout`);
  await call('DELETE', `/beneficiary/${beneficiaryId}`);
  await call('POST', '/webhook/test', {});
  await t.app.webhookWorker.runOnce();
  await call('PATCH', '/webhook/endpoint', { ordered: false });
  await call('GET', '/webhook/endpoint');
  const { records } = await call('GET', '/webhook/delivery');
  await call('GET', `/webhook/delivery/${records[0].id}`);
  await call('POST', `/webhook/delivery/${records[0].id}/replay`, {});
  await call('GET', '/webhook/secret');
  await call('POST', '/webhook/secret/rotate', {});
  await call('GET', '/event?limit=2');
  receiver.answer(410);
  await t.app.webhookWorker.runOnce();
  await call('POST', '/webhook/endpoint/enable', {});
}

/** The last event of each type that happened here: one that changed something, more often than the first. */
async function keepEvents(call: Call): Promise<void> {
  for (let after = 0, hasMore = true; hasMore; ) {
    const page = (await call('GET', `/event?after=${after}`)).body.data;
    for (const event of page.records) seen[webhookOperationId(event.type)] = { request: shortened(concealed(event)) };
    ({ nextAfter: after, hasMore } = page);
  }
}

/** The fields of a value, however deep, without what they hold: what an answer is made of. */
function fieldsOf(value: unknown, at = '', found = new Set<string>()): Set<string> {
  if (Array.isArray(value)) for (const entry of value) fieldsOf(entry, `${at}[]`, found);
  else if (value !== null && typeof value === 'object')
    for (const [key, entry] of Object.entries(value)) fieldsOf(entry, `${at}.${key}`, found.add(`${at}.${key}`));
  return found;
}

it('shows no address of the machine that recorded it', () => {
  expect(JSON.stringify(EXAMPLES)).not.toMatch(/127\.0\.0\.1|localhost/);
});

it('every operation answers with success, and the document shows an answer with the same fields', async () => {
  await profileAndWallets();
  await collections();
  await settlements();
  await disputes();
  await paymentSessions();
  await linksAndCustomers();
  await payouts();
  await bulkPayouts();
  await webhooksAndEvents();
  const shop = await business(t);
  await approvals(shop);
  await keepEvents(shop.byKey);
  await keepEvents(t.call);
  const ids = operations.map((operation) => operation.operationId);
  expect(ids.filter((id) => seen[id] === undefined)).toEqual([]);
  if (process.env['RECORD_EXAMPLES'] !== undefined) {
    const events = Object.keys(seen).filter((id) => !ids.includes(id));
    const sorted = Object.fromEntries([...ids, ...events.sort()].map((id) => [id, seen[id]]));
    writeFileSync(FILE, `${JSON.stringify(sorted, null, 2)}\n`);
    return;
  }
  const top = (value: unknown) => [...fieldsOf(value)].filter((field) => field.split('.').length <= 3).sort();
  for (const [id, { request, response }] of Object.entries(seen)) {
    const [kept, now] = ids.includes(id) ? [EXAMPLES[id]?.response, response] : [EXAMPLES[id]?.request, request];
    expect([id, top(kept)]).toEqual([id, top(now)]);
  }
});
