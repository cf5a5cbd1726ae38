import { setTimeout as sleep } from 'node:timers/promises';
import type { DemoFile } from '../src/demo/index.ts';
import { startReceiver } from '../test/dashboard/support/receiver.ts';
import { type HttpSession, signInOverHttp } from '../test/dashboard/support/session.ts';

type Ask = (method: string, path: string, body?: object) => Promise<unknown>;

/** Fills the demo merchant with what its pages show, over the API as an integrator would, and gives the ids by name. */
export async function fillDemo(baseUrl: string, demo: DemoFile): Promise<Record<string, string>> {
  const ask: Ask = (method, path, body) => callApi(baseUrl, demo.secretKey, method, path, body);
  const post = (path: string, body: object) => ask('POST', path, body);
  const { pin } = demo;
  const [storeId = '', secondStoreId = ''] = demo.storeIds;
  const [subaccountId = ''] = demo.subaccountIds;

  await post('/branch/store/debit', { pin, amount: 152_400.5, storeId, narration: 'Sweep of the day' });
  await post('/branch/store/debit', { pin, amount: 48_000, storeId: secondStoreId, narration: 'Sweep of the day' });
  await post('/subaccount/credit', { amount: 75_000, subaccountId, narration: 'Float for the week' });
  const { wallet } = (await ask('GET', '/wallet/merchant')) as {
    wallet: { accountNumber: string };
  };
  const payers = [
    { name: 'NGOZI EZE', bankName: 'Zenith Bank', amount: 64_500, narration: 'Order 1007' },
    { name: 'ADIRE COOPERATIVE', bankName: 'Access Bank', amount: 1_250_000, narration: 'Invoice 88' },
    { name: 'HALIMA BELLO', bankName: 'Wema Bank', amount: 18_500, narration: 'Two adire wraps' },
  ];
  for (const { name, bankName, amount, narration } of payers) {
    const payer = { name, bankName, accountNumber: '0123456789' };
    await post('/sandbox/collection/pay', { accountNumber: wallet.accountNumber, amount, narration, payer });
  }
  // The last digits choose what the sandbox rail does: paid, refused, without an answer.
  const payee = { pin, bankCode: '058', narration: 'Invoice 1042' };
  const paid = await post('/payout/single', { ...payee, amount: 25_000, accountNumber: '0123456789' });
  for (const [at, accountNumber] of ['0123456101', '0123456102', '0123456103'].entries()) {
    await post('/payout/single', { ...payee, amount: 5_000 + at, accountNumber, narration: `Invoice ${1043 + at}` });
  }
  const row = { bankCode: '058', narration: 'Salary for November' };
  const batch = await post('/payout/bulk', {
    items: [
      { ...row, amount: 120_000, accountNumber: '0123456789' },
      { ...row, amount: 98_000, accountNumber: '12345' },
      { ...row, amount: 143_000, accountNumber: '0987654321' },
    ],
  });
  const owner = await signInOverHttp(baseUrl, demo.dashboard);
  const transactionId = textIn(paid, 'transactionId') ?? 'none';
  return {
    ...(await fillBulk(baseUrl, demo.secretKey)),
    ...(await fillWebhooks(ask)),
    ...(await fillCollections(ask)),
    ...(await fillDisputes(ask)),
    ...(await fillRefunds(ask, pin)),
    ...(await fillPayees(ask, owner, transactionId)),
    ...(await fillApprovals(owner, pin)),
    storeId,
    subaccountId,
    merchantId: demo.pendingMerchant.merchantId,
    demoMerchantId: demo.merchantId,
    transactionId,
    batchReference: textIn(batch, 'batchReference') ?? 'none',
  };
}

/** A list as people write one: problems of several kinds, to be corrected together. */
async function fillBulk(baseUrl: string, key: string): Promise<Record<string, string>> {
  const rows = [
    ...[1, 2, 3].map((at) => `80000,ALAT,010000000${at},,Salary ${at}`),
    ...[4, 5].map((at) => `92500,058,010000000${at},Somebody Else Entirely,Salary ${at}`),
    '75000,058,12345678,,Salary 6',
    ...[7, 8, 9].map((at) => `64000.50,058,021122334${at},,Salary ${at}`),
  ];
  const form = new FormData();
  form.append(
    'file',
    new Blob([['amount,bankCode,accountNumber,name,narration', ...rows, ''].join('\n')]),
    'salaries.csv',
  );
  const headers = { authorization: `Bearer ${key}` };
  const answer = await fetch(`${baseUrl}/payout/bulk`, { method: 'POST', headers, body: form });
  const { data, message } = (await answer.json()) as { data?: unknown; message?: string };
  if (!answer.ok) console.error(`POST /payout/bulk: ${message}`);
  return { problemsReference: textIn(data, 'batchReference') ?? 'none' };
}

/** A receiver that takes one event and refuses the others. */
async function fillWebhooks(ask: Ask): Promise<Record<string, string>> {
  const receiver = await startReceiver();
  await ask('PATCH', '/merchant/info', { sandboxWebhookURL: receiver.url });
  await ask('POST', '/webhook/test', {});
  await sleep(1_500);
  receiver.answer = { status: 503, body: 'closed for the night' };
  await ask('POST', '/branch/store', { name: 'Yaba' });
  await sleep(1_500);
  receiver.close();
  await ask('POST', '/branch/store', { name: '' });
  const [delivery] = recordsIn(await ask('GET', '/webhook/delivery'));
  return { deliveryId: textIn(delivery, 'id') ?? 'none' };
}

async function fillCollections(ask: Ask): Promise<Record<string, string>> {
  const customer = await ask('POST', '/customer', { name: 'Halima Bello', email: 'halima@example.com' });
  await ask('POST', '/customer', { name: 'Emeka Obi', email: 'emeka@example.com', phoneNumber: '2348031234567' });
  const customerId = textIn(customer, 'customerId');
  await ask('POST', '/collection/account', { customerId, bvn: '22212345678' });
  const session = await ask('POST', '/collection/session', {
    amount: 18_500,
    description: 'Two adire wraps',
    customer: { name: 'Halima Bello', email: 'halima@example.com' },
  });
  await ask('POST', '/collection/session', { amount: 7_250, description: 'Delivery to Abuja', customerId });
  await ask('POST', '/collection/link', { title: 'Workshop in Abeokuta', amount: 45_000, maxPayments: 30 });
  const link = await ask('POST', '/collection/link', {
    title: 'Support the weavers',
    minAmount: 500,
    maxAmount: 100_000,
  });
  return {
    checkoutPath: pathIn(session, 'checkoutUrl'),
    bankPath: `/checkout/${textIn(session, 'sessionId')}/sandbox-bank`,
    linkPath: pathIn(link, 'url'),
  };
}

/** One payment that its payer disputes, to be answered in time, and another. */
async function fillDisputes(ask: Ask): Promise<Record<string, string>> {
  const payments = recordsIn(await ask('GET', '/collection/payment'));
  for (const [at, message] of ['The cloth has the wrong colour', 'I never ordered this'].entries()) {
    const paymentId = textIn(payments[at], 'paymentId');
    await ask('POST', '/sandbox/collection/dispute', { paymentId, message, amount: 20_000 * (at + 1) });
  }
  await sleep(4_000);
  const [last, first] = recordsIn(await ask('GET', '/collection/dispute'));
  return { disputeId: textIn(first ?? last, 'disputeId') ?? 'none' };
}

/** A part of the first payment goes back to its payer. */
async function fillRefunds(ask: Ask, pin: string): Promise<Record<string, string>> {
  const paymentId = textIn(recordsIn(await ask('GET', '/collection/payment')).at(-1), 'paymentId');
  const note = 'One wrap was torn';
  const refund = await ask('POST', `/collection/payment/${paymentId}/refund`, { pin, amount: 4_000, note });
  return { refundId: textIn(refund, 'refundId') ?? 'none' };
}

/** Payees, and the receipt of a payout that is paid, under a link for everybody. */
async function fillPayees(ask: Ask, owner: HttpSession, transactionId: string): Promise<Record<string, string>> {
  const payee = { bankCode: '058', accountNumber: '0123456789', nickname: 'Cloth supplier' };
  const beneficiary = await ask('POST', '/beneficiary', payee);
  await ask('POST', '/beneficiary', { bankCode: '044', accountNumber: '0987654321' });
  const view = { list: 'payouts', name: 'Paid in November', filters: { status: 'SUCCESS' } };
  await owner.ask('POST', '/saved-view', view);
  const linkPath = `/transaction/${transactionId}/receipt/link`;
  const shared = await owner.ask('POST', linkPath, { expiresInDays: 30 });
  if (shared.status !== 200) console.error(`POST ${linkPath}: ${shared.status} ${shared.code}`);
  const [logged] = recordsIn((await owner.ask('GET', '/request-log')).data);
  return {
    beneficiaryId: textIn(beneficiary, 'beneficiaryId') ?? 'none',
    requestId: textIn(logged, 'requestId') ?? 'none',
    receiptPath: pathIn(shared.data, 'url'),
  };
}

/** From here on payouts wait for a second person: this comes last. */
async function fillApprovals(owner: HttpSession, pin: string): Promise<Record<string, string>> {
  const rules = { isMakerCheckerEnabled: true, rules: [{ fromAmount: 100_000, approvals: 1 }] };
  const changed = await owner.ask('PATCH', '/approval/rules', rules);
  if (changed.status !== 200) console.error(`PATCH /approval/rules: ${changed.status} ${changed.code}`);
  // Every process knows it within two seconds.
  await sleep(2_500);
  for (const [at, accountNumber] of ['0123456789', '0987654321', '0223344556'].entries()) {
    const payout = { pin, bankCode: '058', accountNumber, amount: 150_000 + at * 50_000, narration: 'Rent' };
    await owner.ask('POST', '/payout/single', payout);
  }
  const [approval] = recordsIn((await owner.ask('GET', '/approval')).data);
  return { approvalId: textIn(approval, 'approvalId') ?? 'none' };
}

async function callApi(baseUrl: string, key: string, method: string, path: string, body?: object): Promise<unknown> {
  const answer = await fetch(`${baseUrl}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const { data, message } = (await answer.json()) as { data?: unknown; message?: string };
  if (!answer.ok) console.error(`${method} ${path}: ${message}`);
  return data;
}

/** The path of an address that the service gave. */
function pathIn(data: unknown, name: string): string {
  const url = textIn(data, name);
  return url === undefined ? '/none' : url.slice(new URL(url).origin.length);
}

function recordsIn(data: unknown): unknown[] {
  const records = typeof data === 'object' && data !== null ? (data as Record<string, unknown>)['records'] : undefined;
  return Array.isArray(records) ? records : [];
}

function textIn(data: unknown, name: string): string | undefined {
  const value = typeof data === 'object' && data !== null ? (data as Record<string, unknown>)[name] : undefined;
  return typeof value === 'string' ? value : undefined;
}
