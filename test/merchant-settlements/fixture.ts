import { type Container, createContainer } from '../../src/container.ts';
import { lagosDay, startOfLagosDay } from '../../src/platform/clock.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { openDueAccounts } from '../../src/virtual-accounts/index.ts';
import type { TestApp, TestMerchant } from '../support/app.ts';
import { bearerOf } from '../support/app.ts';
import { inject, TEST_PIN } from '../support/base.ts';
import { signedInMember, type TestPerson } from '../support/people.ts';

export const ACCOUNT = { bankCode: '058', accountNumber: '0123456785' };
/** Those of the proof that are broken in `proof.test.ts`. */
export const CHECKS_OF_BANK_SETTLEMENTS = [
  'settlements-to-banks-follow-each-other',
  'settlements-to-banks-are-what-was-collected',
  'settlements-to-banks-carry-what-they-leave',
  'settlements-to-banks-are-paid-once',
  'settlements-go-to-the-reviewed-account',
  'settlements-to-banks-are-reported-as-they-are',
  'terms-of-settlements-are-what-was-made',
] as const;

export const DAY_SECONDS = 86_400;

// biome-ignore lint/suspicious/noExplicitAny: answers have many shapes
type Data = any;

/** A merchant of the sandbox with a settlement account, and what a test does with it. */
export interface Settling {
  t: TestApp;
  deps: Container;
  merchant: TestMerchant;
  owner: TestPerson;
  walletId: string;
  must(method: 'GET' | 'POST' | 'PATCH', path: string, body?: unknown, headers?: Record<string, string>): Promise<Data>;
  /** Somebody pays to the main wallet, and it is credited. */
  pay(amount: number): Promise<void>;
  set(settings: { schedule?: 'OFF' | 'DAILY' | 'INSTANT'; [name: string]: unknown }): Promise<Data>;
  /** Time forward, and all that is due by then. */
  advance(seconds: number): Promise<void>;
  /** The newest first. */
  settlements(): Promise<Data[]>;
  /** Forward to the next turn of the main wallet, which is behind a weekend where one comes. */
  nextTurn(): Promise<void>;
  /** One turn after another, until there is a settlement of this number. */
  untilSettled(number?: number): Promise<Data>;
  balance(): Promise<{ booked: number; available: number }>;
}

/** A store or subaccount of it. */
export interface SettlingChild {
  id: string;
  walletId: string;
  set(settings: object): Promise<Data>;
  pay(amount: number): Promise<void>;
  /** Available. */
  balance(): Promise<number>;
}

export async function childOf(shop: Settling, name: string, kind: 'store' | 'subaccount' = 'store') {
  const path = kind === 'store' ? '/branch/store' : '/subaccount';
  const made = await shop.must('POST', path, { name });
  const walletId: string = made.wallet?.id ?? made.walletId;
  let accountNumber: string | undefined;
  const child: SettlingChild = {
    id: made.storeId ?? made.subaccountId,
    walletId,
    async set(settings) {
      await shop.owner.refresh();
      const body = { ...settings, pin: TEST_PIN };
      const reply = await shop.owner.call('PATCH', `/collection/settlement/wallet/${walletId}`, body);
      if (reply.status !== 200) throw new Error(reply.text);
      return reply.body.data;
    },
    async pay(amount) {
      if (accountNumber === undefined) {
        await openAccounts(shop.deps);
        accountNumber = (await shop.must('GET', `/wallet/${walletId}/account`)).accounts[0].accountNumber;
      }
      await shop.must('POST', '/sandbox/collection/pay', { accountNumber, amount, scenario: 'paid' });
      await credit(shop.deps);
    },
    balance: async () => (await shop.must('GET', `${path}/${child.id}`)).availableBalance,
  };
  return child;
}

/** All that is due, and what that leaves due. */
export async function work(t: TestApp): Promise<void> {
  await t.app.worker.runOnce();
}

const logger = createLogger('silent');

/** Opens the account numbers that wallets wait for, and does nothing else of what a worker does. */
async function openAccounts(deps: Container): Promise<void> {
  while ((await openDueAccounts(deps, 'SANDBOX')) > 0);
}

/** Has the sandbox's bank report what was paid, which credits it, and does nothing else of what a worker does. */
async function credit({ sandbox, jobs }: Container): Promise<void> {
  while ((await sandbox.deliverAllDueWebhooks(jobs)) > 0);
}

/** To the next noon in Lagos. */
function secondsToNoon(now: Date): number {
  const noon = startOfLagosDay(lagosDay(now)).getTime() / 1_000 + DAY_SECONDS / 2;
  const seconds = Math.ceil(noon - now.getTime() / 1_000);
  return seconds > 0 ? seconds : seconds + DAY_SECONDS;
}

export async function settling(t: TestApp, account: object | null = ACCOUNT): Promise<Settling> {
  const merchant = await t.addMerchant({ approved: false });
  const owner = await signedInMember(t, merchant.merchantId, 'OWNER');
  const by = bearerOf(merchant);
  const must: Settling['must'] = async (method, path, body, headers = {}) => {
    const reply = await inject(t.app.server, method, path, body, { ...by, ...headers });
    if (reply.body?.status !== true) throw new Error(`${method} ${path}: ${reply.text}`);
    return reply.body.data;
  };
  if (account !== null) {
    const saved = await owner.call('PATCH', '/onboarding/settlement-account', account);
    if (saved.status !== 200) throw new Error(saved.text);
  }
  const { wallet } = await must('GET', '/wallet/merchant');
  const deps = createContainer({ ...t, logger });
  await openAccounts(deps);
  const { accounts } = await must('GET', `/wallet/${wallet.id}/account`);
  let isNoon = false;
  const made: Settling = {
    t,
    deps,
    merchant,
    owner,
    walletId: wallet.id,
    must,
    async pay(amount) {
      const { accountNumber } = accounts[0];
      await must('POST', '/sandbox/collection/pay', { accountNumber, amount, scenario: 'paid' });
      await credit(deps);
    },
    async set(settings) {
      await owner.refresh();
      const reply = await owner.call('PATCH', '/collection/settlement/settings', { ...settings, pin: TEST_PIN });
      if (reply.status !== 200) throw new Error(reply.text);
      // Every day is settled at eight: what a test pays comes behind that, at whatever hour it runs.
      if (!isNoon && settings.schedule === 'DAILY') {
        await made.advance(secondsToNoon(t.clock.now()));
        isNoon = true;
      }
      return reply.body.data;
    },
    async advance(seconds) {
      await must('POST', '/sandbox/clock/advance', { seconds });
      await work(t);
    },
    settlements: async () => (await must('GET', '/collection/settlement')).records,
    async nextTurn() {
      const { nextAt } = await must('GET', '/collection/settlement/settings');
      const seconds = (new Date(nextAt).getTime() - t.clock.now().getTime()) / 1_000;
      // While settlements are paused there is no next turn: they are looked at again within a day.
      await made.advance(nextAt === null ? DAY_SECONDS : Math.max(1, Math.ceil(seconds)));
    },
    async untilSettled(number = 1) {
      for (let turns = 0; turns < 7; turns += 1) {
        const [last] = await made.settlements();
        if (last?.number === number) return last;
        await made.nextTurn();
      }
      const { lastResult, pausedReason } = await must('GET', '/collection/settlement/settings');
      throw new Error(`no settlement ${number}: ${lastResult} ${pausedReason}`);
    },
    async balance() {
      const { wallet: now } = await must('GET', '/wallet/merchant');
      return { booked: now.bookedBalance, available: now.availableBalance };
    },
  };
  return made;
}
