import { setTimeout as sleep } from 'node:timers/promises';
import type { DemoFile } from '../../src/demo/index.ts';
import { signInOverHttp } from '../../test/dashboard/support/session.ts';
import type { Employee } from './payroll.ts';

/** Bank and accounts of the sandbox: what is paid to the first is refused by the bank. */
const BANK = '058';
const REFUSED_ACCOUNT = '0009999911';
const STAFF = ['0123456785', '0123456786', '0123456787'] as const;

/** What the jobs begin with: people with the names that their banks give them, payouts that were paid and one that was not. */
export interface World {
  demo: DemoFile;
  staff: readonly [Employee, Employee, Employee];
  /** Somebody who was paid yesterday, as it were. */
  payee: string;
  /** A list with a row that the bank refused. */
  partlyPaid: string;
}

type Ask = (method: string, path: string, body?: object) => Promise<Record<string, unknown>>;

export async function prepareWorld(baseUrl: string, demo: DemoFile): Promise<World> {
  const ask: Ask = (method, path, body) => askWithKey(baseUrl, demo.secretKey, method, path, body);
  const nameOf = async (accountNumber: string): Promise<Employee> => {
    const { accountName } = await ask('POST', '/bank/resolve', { bankCode: BANK, accountNumber });
    return { accountNumber, accountName: String(accountName) };
  };
  const staff = [await nameOf(STAFF[0]), await nameOf(STAFF[1]), await nameOf(STAFF[2])] as const;
  const payee = await nameOf('0123456789');
  await ask('POST', '/payout/single', {
    ...{ pin: demo.pin, amount: 48_250.75, bankCode: BANK, narration: 'Invoice 1042' },
    accountNumber: payee.accountNumber,
  });
  const row = { bankCode: BANK, narration: 'October salary' };
  const { batchReference } = await ask('POST', '/payout/bulk', {
    items: [
      ...staff.map((person, at) => ({ ...row, ...person, amount: 41_000 + at })),
      { ...row, accountNumber: REFUSED_ACCOUNT, amount: 39_000 },
    ],
  });
  const reference = String(batchReference);
  await statusOf(ask, reference, 'READY');
  await ask('POST', '/payout/bulk/dispatch', { pin: demo.pin, batchReference: reference });
  await statusOf(ask, reference, 'PARTIALLY_COMPLETED');
  return { demo, staff, payee: payee.accountName, partlyPaid: reference };
}

/** From now on a payout waits for a second person, and one does. */
export async function prepareApproval(baseUrl: string, { demo }: World): Promise<void> {
  const owner = await signInOverHttp(baseUrl, demo.dashboard);
  const rules = { isMakerCheckerEnabled: true, rules: [{ fromAmount: 0, approvals: 1 }] };
  const { status, code } = await owner.ask('PATCH', '/approval/rules', rules);
  if (status !== 200) throw new Error(`approvals could not be switched on: ${status} ${code}`);
  // Every process knows it within two seconds.
  await sleep(2_500);
  await askWithKey(baseUrl, demo.secretKey, 'POST', '/payout/single', {
    ...{ pin: demo.pin, amount: 7_300, bankCode: BANK, narration: 'Invoice 1051' },
    accountNumber: '0123456784',
  });
}

async function statusOf(ask: Ask, reference: string, wanted: string): Promise<void> {
  const deadline = Date.now() + 60_000;
  let status: unknown;
  while (status !== wanted) {
    if (Date.now() > deadline) throw new Error(`the list is ${String(status)} and not ${wanted}`);
    await sleep(200);
    ({ status } = await ask('GET', `/payout/bulk/${reference}`));
  }
}

async function askWithKey(baseUrl: string, key: string, method: string, path: string, body?: object) {
  const answer = await fetch(`${baseUrl}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const received = (await answer.json()) as { data?: Record<string, unknown>; message?: string };
  if (!answer.ok) throw new Error(`${method} ${path}: ${received.message}`);
  return received.data ?? {};
}
