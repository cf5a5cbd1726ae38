import {
  createCollectionAccounts,
  findCreditRail,
  pollCredits,
  retryOpenCredits,
} from '../../src/collections/index.ts';
import type { Container } from '../../src/container.ts';
import { askAboutDisputes, pollDisputes, repayDebts, sendDueAnswers, takeFreed } from '../../src/disputes/index.ts';
import { followSettlements, settleDue } from '../../src/merchant-settlements/index.ts';
import { changeSettings } from '../../src/merchant-settlements/settings.ts';
import { saveSettlementAccount } from '../../src/onboarding/save-step.ts';
import { newId } from '../../src/platform/ids.ts';
import { pollSettlements, recordFetchedSettlements, resumeSettlements } from '../../src/provider-settlements/index.ts';
import { createRailCaller, type Rail } from '../../src/rails/index.ts';
import type { ReportedSettlement, SettlementLine, SettlementSource } from '../../src/rails/settlements.ts';
import { sendDueRefunds } from '../../src/refunds/index.ts';
import { releaseDueReserves } from '../../src/reserves/index.ts';
import { openDueAccounts } from '../../src/virtual-accounts/index.ts';
import { readWalletAccounts } from '../../src/virtual-accounts/read-accounts.ts';
import { createPayoutWorker } from '../../src/workers.ts';
import { scriptedProvider } from '../collections/fixture.ts';
import { containerOf, createTestBase } from '../support/base.ts';
import { addPerson } from '../support/people.ts';
import { type Dice, Killed, mortal } from './mortal.ts';
import { type RefundFate, scriptedRefunds } from './scripted-refunds.ts';

export const MODE = 'SANDBOX' as const;
export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;
const ACCOUNT = { bankCode: '058', accountNumber: '0123456785' };
const NAMES = ['paystack', 'flutterwave', 'monnify'] as const;
const FATES: readonly RefundFate[] = [
  'at once',
  'later',
  'later',
  'fails',
  'fails later',
  'no answer, and done',
  'no answer, and lost',
];

/** Three provider accounts in this process with their books, merchants at each, and workers that die. */
export async function createThirtyWorld(dice: Dice, { merchantsEach }: { merchantsEach: number }) {
  const base = await createTestBase({ env: { LOG_LEVEL: 'fatal' } });
  const { clock, database } = base;
  const providers = NAMES.map((provider) => {
    const script = scriptedProvider(base, MODE);
    const refunds = scriptedRefunds(clock, () => dice.oneOf(FATES));
    /** What it says that it settled, where it is asked. */
    const told = new Map<string, { settlement: ReportedSettlement; lines: SettlementLine[] }>();
    const name = `three-${provider}`;
    const isFetched = provider === 'flutterwave';
    const wallets = {
      ...script.provider,
      refunds: refunds.provider,
      ...(isFetched && { settlements: sourceOf(told) }),
      // Each has numbers of its own.
      disputes: script.disputes.provider,
    };
    return { name, provider, script, refunds, told, isFetched, rail: railOf(name, wallets), lumps: 0n };
  });
  for (const { name, provider } of providers) {
    await database.pool.query(
      `insert into rail_accounts (id, name, provider, mode, base_url, sealed_credentials, open_to_merchants, active,
                                  created_at, updated_at)
       values ($1, $2, $3, $4, null, 'none', false, true, now(), now())`,
      [newId(), name, provider, MODE],
    );
  }
  /** What a process has: caches of its own, and the same providers. */
  function newProcess(): Container {
    const container = containerOf(base);
    const { rails } = container;
    const callers = new Map(providers.map(({ name, rail }) => [name, createRailCaller(rail, { clock })]));
    const named = providers.map(({ name, provider }) => ({
      name,
      provider,
      mode: MODE,
      active: true,
      openToMerchants: false,
      circuit: null,
      opens: true,
    }));
    return {
      ...container,
      collectionAccounts: createCollectionAccounts({ database, clock }),
      rails: {
        ...rails,
        findRail: async (mode, name) => (mode === MODE ? callers.get(name) : undefined) ?? rails.findRail(mode, name),
        listNamed: async () => (await rails.listNamed()).filter(({ provider }) => provider === 'sandbox').concat(named),
      },
    };
  }
  const deps = newProcess();
  const merchants = [];
  for (const provider of providers) {
    await database.pool.query(
      `insert into default_wallet_providers (mode, rail, preferred_bank, updated_at) values ($1, $2, null, now())
       on conflict (mode) do update set rail = excluded.rail`,
      [MODE, provider.name],
    );
    clock.advance(MINUTE_MS);
    for (let at = 0; at < merchantsEach; at += 1) merchants.push({ provider, ...(await newMerchant()) });
  }

  async function newMerchant() {
    const made = await base.addMerchant({ mode: MODE, approved: false, profile: { bvn: '22212345901' } });
    const { tenant } = made;
    await saveSettlementAccount(deps, tenant, ACCOUNT);
    await changeSettings(deps, {
      tenant,
      changes: { schedule: 'DAILY', timeOfDay: '08:00' },
      by: 'The owner',
      idempotency: undefined,
    });
    const { wallet } = await deps.wallets.requireTenantAccounts(tenant);
    await openDueAccounts(deps, MODE);
    const { accounts } = await readWalletAccounts(deps, tenant, wallet.id);
    const [account] = accounts;
    if (account === undefined) throw new Error('no account was opened');
    return { ...made, wallet, accountNumber: account.accountNumber };
  }
  const person = (name: string) => addPerson(base, { kind: 'OPERATOR', email: `${name}@manilla.example` });
  const people = { ada: await person('ada'), bola: await person('bola') };
  clock.advance(2 * DAY_MS);

  const kills = { count: 0 };
  /** The work of a process that may die in it, however it does. What it began is there, and nobody hears of it. */
  async function risky<T>(share: number, work: (by: Container) => Promise<T>): Promise<T | undefined> {
    if (!dice.chance(share)) return work(deps);
    const { dying, isDead } = mortal(deps, 1 + dice.below(12), dice.chance(0.5) ? 'BEFORE' : 'AFTER');
    try {
      return await work(dying);
    } catch (error) {
      if (!(error instanceof Killed) && !isDead()) throw error;
      return undefined;
    } finally {
      if (isDead()) kills.count += 1;
    }
  }

  const JOBS: readonly ((by: Container) => Promise<unknown>)[] = [
    (by) => pollCredits(by, MODE),
    (by) => retryOpenCredits(by, MODE),
    (by) => pollDisputes(by, MODE),
    (by) => askAboutDisputes(by, MODE),
    (by) => sendDueAnswers(by, MODE),
    (by) => takeFreed(by, MODE),
    (by) => repayDebts(by, MODE),
    (by) => sendDueRefunds(by, MODE),
    (by) => releaseDueReserves(by, MODE),
    (by) => settleDue(by, MODE),
    (by) => createPayoutWorker(by).runOnce(),
    (by) => followSettlements(by, MODE),
    (by) => pollSettlements(by, MODE),
    (by) => recordFetchedSettlements(by, MODE),
    (by) => resumeSettlements(by, MODE),
  ];
  /** All that is due, some of it by workers that die. */
  async function work(share: number): Promise<void> {
    for (const job of JOBS) await risky(share, job);
    clock.advance(6 * MINUTE_MS);
  }

  return {
    ...base,
    deps,
    providers,
    merchants,
    people,
    kills,
    risky,
    work,
    creditRailOf: async ({ name }: { name: string }) => {
      const rail = await findCreditRail(deps.rails, MODE, name);
      if (rail === undefined) throw new Error(`no ${name}`);
      return rail;
    },
    async rows<T extends object>(sql: string, values: unknown[] = []): Promise<T[]> {
      return (await database.pool.query<T>(sql, values)).rows;
    },
    async close() {
      await deps.ledger.drain();
      await base.close();
    },
  };
}

export type ThirtyWorld = Awaited<ReturnType<typeof createThirtyWorld>>;

function sourceOf(told: Map<string, { settlement: ReportedSettlement; lines: SettlementLine[] }>): SettlementSource {
  return {
    listSettlements: async () => ({
      settlements: [...told.values()].map(({ settlement }) => settlement),
      unreadable: [],
      next: null,
    }),
    readLines: async ({ reference }) => ({ lines: told.get(reference)?.lines ?? [], next: null }),
  };
}

const unasked = () => Promise.reject(new Error('nobody pays out here'));
const railOf = (name: string, wallets: NonNullable<Rail['wallets']>): Rail => ({
  name,
  wallets,
  nameEnquiry: unasked,
  send: unasked,
  query: unasked,
  verifyWebhook: async () => [],
  balance: unasked,
});
