import type { DemoFile } from '../src/demo/index.ts';

/** Fills the demo merchant with what its pages show, over the API as an integrator would, and gives the ids by name. */
export async function fillDemo(baseUrl: string, demo: DemoFile): Promise<Record<string, string>> {
  const post = (path: string, body: object) => callApi(baseUrl, demo.secretKey, 'POST', path, body);
  const { pin } = demo;
  const [storeId = '', secondStoreId = ''] = demo.storeIds;
  const [subaccountId = ''] = demo.subaccountIds;

  await post('/branch/store/debit', { pin, amount: 152_400.5, storeId, narration: 'Sweep of the day' });
  await post('/branch/store/debit', { pin, amount: 48_000, storeId: secondStoreId, narration: 'Sweep of the day' });
  await post('/subaccount/credit', { amount: 75_000, subaccountId, narration: 'Float for the week' });
  const { wallet } = (await callApi(baseUrl, demo.secretKey, 'GET', '/wallet/merchant')) as {
    wallet: { accountNumber: string };
  };
  const payers = [
    { name: 'NGOZI EZE', bankName: 'Zenith Bank', amount: 64_500, narration: 'Order 1007' },
    { name: 'ADIRE COOPERATIVE', bankName: 'Access Bank', amount: 1_250_000, narration: 'Invoice 88' },
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
  return {
    storeId,
    subaccountId,
    merchantId: demo.pendingMerchant.merchantId,
    transactionId: textIn(paid, 'transactionId') ?? textIn(paid, 'id') ?? 'none',
    batchReference: textIn(batch, 'batchReference') ?? 'none',
  };
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

function textIn(data: unknown, name: string): string | undefined {
  const value = typeof data === 'object' && data !== null ? (data as Record<string, unknown>)[name] : undefined;
  return typeof value === 'string' ? value : undefined;
}
