import { createHmac, randomInt } from 'node:crypto';
import type { CollectionDeps } from '../../src/collections/deps.ts';
import {
  createCollectionAccounts,
  createCreditDirectory,
  findCreditRail,
  takeCreditWebhook,
} from '../../src/collections/index.ts';
import type { CreditRail } from '../../src/collections/take-credit.ts';
import { createWalletProviders } from '../../src/payment-sessions/index.ts';
import { newId } from '../../src/platform/ids.ts';
import type { Mode } from '../../src/platform/tenant.ts';
import { createRailCaller, type Rail } from '../../src/rails/index.ts';
import type {
  AccountHolder,
  ConfirmedCredit,
  CreditAnswer,
  CreditHint,
  OpenOneTimeAnswer,
  ReceivingAccount,
  WalletProvider,
} from '../../src/rails/wallet-provider.ts';
import { createNumberReservations } from '../../src/wallets/index.ts';
import { type ScriptedDisputes, scriptedDisputes } from '../disputes/scripted-disputes.ts';
import { containerOf, createTestBase, type TestBase, type TestBaseOptions } from '../support/base.ts';
import { letGo } from '../support/let-go.ts';

/** A provider in this process, with books of its own, that does as a test says. */
export interface ScriptedProvider {
  provider: WalletProvider;
  /** What it has received, by its id. */
  credits: Map<string, { credit: ConfirmedCredit; outcome: CreditAnswer['outcome']; listedAt: Date }>;
  /** By our reference: what it opened. */
  accounts: Map<string, readonly ReceivingAccount[]>;
  /** Somebody pays. @returns the hint that a webhook has. */
  receive(credit: Partial<ConfirmedCredit> & { accountNumber: string; amountMinor: bigint }): CreditHint;
  /** What an open gets instead of an account, once. */
  nextOpen: (() => Promise<Awaited<ReturnType<WalletProvider['openAccount']>>>)[];
  /** By our reference: for whom it was last asked to open. */
  holders: Map<string, AccountHolder>;
  /** Our references of what it closed, and what a close gets instead, once. */
  closed: string[];
  nextClose: (() => Promise<Awaited<ReturnType<WalletProvider['closeAccount']>>>)[];
  /** By our reference: account numbers for one payment, and pages, that it opened. */
  oneTime: Map<string, readonly ReceivingAccount[]>;
  hostedPages: Map<string, string>;
  /** What an open of an account for one payment gets instead, once. */
  nextOneTime: (() => Promise<OpenOneTimeAnswer>)[];
  /** How often it was asked for accounts and pages for one payment. */
  opens: number;
  /** What questions about a credit get instead of the truth, each once, by its id. */
  nextAnswers: Map<string, (() => Promise<CreditAnswer>)[]>;
  queries: number;
  pages: number;
  disputes: ScriptedDisputes;
}

const PAGE = 50;
const SECRET = 'a secret of the test';
const SIGNATURE = 'x-scripted-signature';
const signed = (body: string) => ({ [SIGNATURE]: createHmac('sha256', SECRET).update(body).digest('hex') });

export function scriptedProvider(base: Pick<TestBase, 'clock'>, mode: Mode): ScriptedProvider {
  const { clock } = base;
  const said = { code: '00', reason: null, message: 'Done' };
  const disputes = scriptedDisputes(base, mode);
  const script: ScriptedProvider = {
    disputes,
    credits: new Map(),
    accounts: new Map(),
    nextOpen: [],
    holders: new Map(),
    closed: [],
    nextClose: [],
    oneTime: new Map(),
    hostedPages: new Map(),
    nextOneTime: [],
    opens: 0,
    nextAnswers: new Map(),
    queries: 0,
    pages: 0,
    receive(given) {
      const id = `t${newId()}`;
      const credit: ConfirmedCredit = {
        providerTransactionId: id,
        providerReference: `r${id}`,
        sessionId: String(randomInt(1e14)).padStart(30, '0'),
        currency: 'NGN',
        providerFeeMinor: 1_000n,
        mode,
        paidAt: clock.now(),
        payerName: 'CHIDI OKAFOR',
        payerAccountNumber: '0123456789',
        payerBankName: 'Access Bank',
        narration: 'Rent',
        ...given,
      };
      script.credits.set(credit.providerTransactionId, { credit, outcome: 'confirmed', listedAt: clock.now() });
      const { providerTransactionId, providerReference, sessionId, amountMinor, accountNumber } = credit;
      return { providerTransactionId, providerReference, sessionId, amountMinor, accountNumber };
    },
    provider: {
      disputes: disputes.provider,
      capabilities: {
        needs: ['BVN'],
        takesNin: true,
        closesAccounts: true,
        severalBanks: true,
        queriesBySessionId: false,
        oneTimeAccount: { otherAmounts: 'TAKES', minExpiryMs: 15 * 60_000, maxExpiryMs: 8 * 3_600_000 },
        hostedPage: { channels: ['CARD', 'BANK_TRANSFER'] },
      },
      async openAccount({ reference, holder }) {
        script.holders.set(reference, holder);
        const scripted = script.nextOpen.shift();
        if (scripted !== undefined) return scripted();
        const account = () => String(randomInt(1_000_000_000, 9_999_999_999));
        const opened = script.accounts.get(reference) ?? [
          { bankCode: '035', bankName: 'Wema Bank', accountNumber: account(), accountName: `BANK/${holder.name}` },
          { bankCode: '232', bankName: 'Sterling Bank', accountNumber: account(), accountName: holder.name },
        ];
        script.accounts.set(reference, opened);
        return { ...said, at: clock.now(), outcome: 'opened', accounts: opened, providerAccountId: `a${reference}` };
      },
      async closeAccount({ reference }) {
        const scripted = script.nextClose.shift();
        if (scripted !== undefined) return scripted();
        script.closed.push(reference);
        return { ...said, at: clock.now(), outcome: 'closed' };
      },
      async openOneTimeAccount({ reference, payer, amountMinor, expiresAt }) {
        script.opens += 1;
        const scripted = script.nextOneTime.shift();
        if (scripted !== undefined) return scripted();
        const accountNumber = String(randomInt(1_000_000_000, 9_999_999_999));
        const accounts = script.oneTime.get(reference) ?? [
          { bankCode: '035', bankName: 'Wema Bank', accountNumber, accountName: `PAY/${payer.name}` },
        ];
        script.oneTime.set(reference, accounts);
        const opened = {
          providerReference: `p${reference}`,
          expiresAt,
          payableMinor: amountMinor,
          ussdCode: '*737*1#',
        };
        return { ...said, at: clock.now(), outcome: 'opened', accounts, ...opened };
      },
      async openPage({ reference }) {
        script.opens += 1;
        const url = script.hostedPages.get(reference) ?? `https://pay.example/${reference}`;
        script.hostedPages.set(reference, url);
        return {
          ...said,
          at: clock.now(),
          outcome: 'opened',
          url,
          providerReference: `p${reference}`,
          expiresAt: null,
        };
      },
      async queryCredit({ providerTransactionId, ourReference }) {
        script.queries += 1;
        const scripted = script.nextAnswers.get(providerTransactionId ?? '')?.shift();
        if (scripted !== undefined) return scripted();
        const numbers = script.oneTime.get(ourReference ?? '')?.map(({ accountNumber }) => accountNumber) ?? [];
        const found =
          script.credits.get(providerTransactionId ?? '') ??
          [...script.credits.values()].findLast(
            ({ credit }) =>
              (ourReference != null && credit.accountReference === ourReference) ||
              numbers.includes(credit.accountNumber ?? ''),
          );
        const at = clock.now();
        if (found === undefined) return { ...said, at, outcome: 'not_found' };
        if (found.outcome === 'confirmed' || found.outcome === 'reversed') {
          return { ...said, at, outcome: found.outcome, credit: found.credit };
        }
        return { ...said, at, outcome: found.outcome };
      },
      async listCredits({ from, to, cursor }) {
        script.pages += 1;
        const all = [...script.credits.values()].filter(({ listedAt }) => listedAt >= from && listedAt < to);
        const start = Number(cursor ?? 0);
        const credits = all.slice(start, start + PAGE).map(({ credit }) => ({
          providerTransactionId: credit.providerTransactionId,
          providerReference: credit.providerReference,
          sessionId: credit.sessionId,
          amountMinor: credit.amountMinor,
          accountNumber: credit.accountNumber,
        }));
        return { credits, unreadable: [], next: start + PAGE < all.length ? String(start + PAGE) : null };
      },
      async readCreditWebhook({ headers, rawBody }) {
        if (headers[SIGNATURE] !== signed(rawBody.toString())[SIGNATURE]) throw new Error('forged');
        return JSON.parse(rawBody.toString()).map((hint: CreditHint & { amountMinor: string }) => ({
          ...hint,
          amountMinor: BigInt(hint.amountMinor),
        }));
      },
    },
  };
  return script;
}

/** The bytes and headers of a webhook that reports these. */
export function webhookOf(...hints: CreditHint[]) {
  const body = JSON.stringify(hints, (_name, value) => (typeof value === 'bigint' ? String(value) : value));
  return { headers: signed(body), rawBody: Buffer.from(body) };
}

export const RAIL = 'scripted-bank';

/** Wallets at a scripted provider, in one mode. */
export async function createCollectionFixture(options: TestBaseOptions & { mode?: Mode } = {}) {
  const { mode = 'LIVE' } = options;
  const base = await createTestBase(options);
  const script = scriptedProvider(base, mode);
  const accountId = newId();
  await base.database.pool.query(
    `insert into rail_accounts (id, name, provider, mode, base_url, sealed_credentials, open_to_merchants, active,
                                created_at, updated_at)
     values ($1, $2, 'paystack', $3, null, 'none', false, true, now(), now())`,
    [accountId, RAIL, mode],
  );
  await base.database.pool.query(
    'insert into default_wallet_providers (mode, rail, preferred_bank, updated_at) values ($1, $2, null, now())',
    [mode, RAIL],
  );
  const alarms: string[] = [];

  /** What another process has: its own connections and caches, and the same provider. */
  function another(database = base.database): CollectionDeps & ReturnType<typeof containerOf> {
    const container = containerOf({ ...base, database });
    const rail = createRailCaller({ ...unusedRail, name: RAIL, wallets: script.provider }, { clock: base.clock });
    const { rails } = container;
    return {
      ...container,
      rails: {
        ...rails,
        findRail: async (asked, name) => (name === RAIL && asked === mode ? rail : rails.findRail(asked, name)),
        listNamed: async () =>
          (await rails.listNamed()).filter(({ provider }) => provider === 'sandbox').concat(named(mode)),
      },
      credits: createCreditDirectory(database),
      reserveNumber: createNumberReservations(database),
      walletProviders: createWalletProviders(database),
      collectionAccounts: createCollectionAccounts({ database, clock: base.clock }),
      onAlarm: ({ alarm }) => alarms.push(alarm),
    };
  }
  const deps = another();
  const creditRail = (await findCreditRail(deps.rails, mode, RAIL)) as CreditRail;
  return {
    ...base,
    base,
    deps,
    another,
    script,
    alarms,
    creditRail,
    async addMerchant(profile: object = {}) {
      const made = await base.addMerchant({ mode, profile: { bvn: '22212345901', ...profile } });
      const { wallet } = await deps.wallets.requireTenantAccounts(made.tenant);
      const balance = async () => (await deps.ledger.readBalance(made.tenant, wallet.id)).bookedMinor;
      return { ...made, wallet, balance };
    },
    takeWebhook: (...hints: CreditHint[]) => takeCreditWebhook(deps, creditRail, webhookOf(...hints)),
    async close() {
      await deps.ledger.drain();
      await base.close();
      letGo(this);
    },
  };
}

export type CollectionFixture = Awaited<ReturnType<typeof createCollectionFixture>>;

const named = (mode: Mode) => ({
  name: RAIL,
  provider: 'paystack',
  mode,
  active: true,
  openToMerchants: false,
  circuit: null,
  opens: true,
});

const unasked = () => Promise.reject(new Error('nobody pays out here'));
export const unusedRail: Rail = {
  name: RAIL,
  nameEnquiry: unasked,
  send: unasked,
  query: unasked,
  verifyWebhook: async () => [],
  balance: unasked,
};
