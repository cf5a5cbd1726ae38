import type { FindAvailability } from '../availability/index.ts';
import type { Fees } from '../fees/index.ts';
import { type LateAccountKind, type Ledger, type Movement, openLateAccount } from '../ledger/index.ts';
import type { OnAlarm } from '../platform/alarm.ts';
import { createLruMap } from '../platform/cache.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import { columnArrays, rowsFor, type SetQuestion, type Write } from '../platform/db/statement.ts';
import type { AppError } from '../platform/errors.ts';
import { createGroupReader } from '../platform/group-reader.ts';
import type { JobMonitor } from '../platform/jobs/job-monitor.ts';
import type { Logger } from '../platform/logger.ts';
import { type Mode, type Tenant, tenantKey } from '../platform/tenant.ts';
import type { RailDirectory } from '../rail-accounts/index.ts';
import type { ConfirmedCredit } from '../rails/index.ts';
import type { FindReserve } from '../reserves/index.ts';
import type { WalletDirectory } from '../wallets/index.ts';
import {
  type CreditToNote,
  type DirectoryCredit,
  findAccountsOfCredits,
  findBookedCredits,
  findNotedCredits,
  insertNotedCredits,
  type NewlyNoted,
  type NotedCredit,
} from './directory-queries.ts';
import { updateOpenCreditsDone } from './open-credit-queries.ts';

/** These accounts never change their id. */
const MAX_REMEMBERED = 50_000;

/** Accounts of a merchant's books that money in needs, each opened when it is first asked for. */
export interface CollectionAccounts {
  /**
   * What one provider account owes for the merchant.
   * @param providerAccountId of the rail account; the sandbox's own bank has the merchant's
   */
  receivable(tenant: Tenant, providerAccountId: string): Promise<string>;
  /** What is the merchant's and not available before its settlement. */
  pending(tenant: Tenant): Promise<string>;
  /** What providers kept of the merchant's payments: the operator's cost. */
  providerCost(tenant: Tenant): Promise<string>;
  /** What the merchant owes the operator after disputes. */
  merchantReceivable(tenant: Tenant): Promise<string>;
  /** What is kept of the merchant's payments until its day. */
  reserve(tenant: Tenant): Promise<string>;
}

export function createCollectionAccounts({
  database,
  clock,
}: {
  database: Database;
  clock: Clock;
}): CollectionAccounts {
  const known = createLruMap<string>(MAX_REMEMBERED);
  const find = async (tenant: Tenant, kind: LateAccountKind, ownerId: string): Promise<string> => {
    const key = `${tenantKey(tenant)}/${kind}/${ownerId}`;
    const remembered = known.get(key);
    if (remembered !== undefined) return remembered;
    const id = await openLateAccount(database, tenant, { kind, ownerId }, clock.now());
    known.set(key, id);
    return id;
  };
  return {
    receivable: (tenant, providerAccountId) => find(tenant, 'COLLECTION_RECEIVABLE', providerAccountId),
    pending: (tenant) => find(tenant, 'PENDING_COLLECTIONS', tenant.merchantId),
    providerCost: (tenant) => find(tenant, 'PROVIDER_COST', tenant.merchantId),
    merchantReceivable: (tenant) => find(tenant, 'MERCHANT_RECEIVABLE', tenant.merchantId),
    reserve: (tenant) => find(tenant, 'RESERVE', tenant.merchantId),
  };
}

/** What a credit does beside the wallet's balance, where the account that it was paid to is for something. */
export interface CreditEffect {
  /** Why the wallet may not have it; null: it may. */
  heldBy: string | null;
  /** What is odd about a payment that the wallet has, such as LATE; null: nothing. */
  note: string | null;
  /** What of it the payer did not owe, kobo: all of one that came late, or what is above the amount asked. */
  notOwedMinor: bigint;
  /** Who pays, where it is known; null: nobody said. */
  customerId: string | null;
  /** In the same movement. A unique key that is taken makes the effect be asked for again. */
  movement: Pick<Movement, 'uniqueKeys' | 'transitions' | 'writes' | 'events' | 'changes'>;
  /** Called once it is in the books. */
  committed?: () => void;
  /** Called when the attempt to book it is over, whatever became of it. */
  settled?: () => void;
}

/**
 * Asked before each credit is booked.
 * @param accountId of the account that it was paid to: what else has that id decides what the payment is for
 */
export type CreditHook = (
  tenant: Tenant,
  credit: { accountId: string; paymentId: string; amountMinor: bigint; at: Date },
) => Promise<CreditEffect | undefined>;

/** A credit as it is looked at before it is booked. */
export interface GuardedCredit {
  paymentId: string;
  credit: ConfirmedCredit;
  accountNumber: string;
  at: Date;
}

/** Whether the merchant may have a credit now. */
export interface CreditVerdict {
  /** Why it may not, as the merchant reads it; null: it may. */
  heldBy: string | null;
  /** Where it may: what its movement has to keep to. A refusal by that has the guard asked again, with the refusal. */
  parts?: Pick<Movement, 'limitUsages' | 'checks' | 'changes'>;
  writes: readonly Write[];
}

/** Asked before each credit is booked, whoever's it is; undefined: nothing is to be said of it. */
export type CreditGuard = (
  tenant: Tenant,
  credit: GuardedCredit,
  refused: AppError | undefined,
) => Promise<CreditVerdict | undefined>;

/** What becomes of a payment as it gets to a wallet, after it waited for its settlement or for people, in the same movement. */
export interface ReleaseEffect {
  movement: Pick<Movement, 'checks' | 'changes' | 'transfers' | 'writes' | 'events'>;
}

/**
 * Asked before a payment that waited gets to a wallet. A check that is refused as `PAYMENT_CHANGED` makes it be asked again.
 * @param release.netMinor what the wallet has of it, without the operator's fee and what is kept in reserve
 */
export type ReleaseHook = (
  tenant: Tenant,
  release: { paymentId: string; walletId: string; netMinor: bigint; at: Date },
) => Promise<ReleaseEffect | undefined>;

/** The parts of all hooks together. */
export async function releaseEffects(
  hooks: readonly ReleaseHook[],
  ...asked: Parameters<ReleaseHook>
): Promise<Required<ReleaseEffect['movement']>> {
  const effects = (await Promise.all(hooks.map((hook) => hook(...asked)))).flatMap((effect) => effect?.movement ?? []);
  return {
    checks: effects.flatMap(({ checks = [] }) => checks),
    changes: effects.flatMap(({ changes = [] }) => changes),
    transfers: effects.flatMap(({ transfers = [] }) => transfers),
    writes: effects.flatMap(({ writes = [] }) => writes),
    events: effects.flatMap(({ events = [] }) => events),
  };
}

/** What taking credits needs. */
export interface CollectionDeps {
  database: Database;
  ledger: Ledger;
  wallets: WalletDirectory;
  rails: RailDirectory;
  credits: CreditDirectory;
  collectionAccounts: CollectionAccounts;
  availability: FindAvailability;
  fees: Fees;
  findReserve: FindReserve;
  /** Those of modules that stand above; the first that knows the account counts. */
  creditHooks: readonly CreditHook[];
  /** The same, asked as a payment that waited gets to a wallet. */
  releaseHooks: readonly ReleaseHook[];
  isSuspended: (merchantId: string) => Promise<boolean>;
  guardCredit: CreditGuard;
  clock: Clock;
  logger: Logger;
  jobs: JobMonitor;
  onAlarm: OnAlarm | undefined;
}

export interface CreditDirectory {
  /** Whose payment a transfer is that was noted before; undefined where it never was. */
  findNoted(
    key: Pick<CreditToNote, 'rail' | 'provider_transaction_id' | 'session_id'>,
  ): Promise<NotedCredit | undefined>;
  /** The same, and notes it for the wallet that has the number now; undefined where no wallet has it. */
  note(credit: CreditToNote): Promise<NotedCredit | undefined>;
  /** What was kept under these names has become a payment. */
  end(kept: { rail: string; keys: readonly string[]; at: Date }): Promise<void>;
}

type CreditKey = Pick<CreditToNote, 'rail' | 'provider_transaction_id' | 'session_id'>;

/** Credits that come at once are looked up, and noted, by one statement each. */
export function createCreditDirectory(database: Database): CreditDirectory {
  async function find(keys: readonly CreditKey[]): Promise<(NotedCredit | undefined)[]> {
    const rows = keys.map(({ rail, provider_transaction_id, session_id }) => ({
      rail,
      provider_transaction_id,
      session_id,
    }));
    const noted = await database.query<DirectoryCredit>(
      findNotedCredits,
      columnArrays(...rowsFor(findNotedCredits, rows)),
    );
    const [accounts, booked] = await Promise.all([
      accountsOf(noted),
      ofEach(findBookedCredits, noted, ({ payment_id }) => payment_id),
    ]);
    const found: (NotedCredit | undefined)[] = keys.map(() => undefined);
    for (const { place, ...credit } of noted) {
      const amount_minor = booked.get(place)?.amount_minor ?? null;
      const is_posted = credit.merchant_id === null || amount_minor !== null;
      found[place - 1] = { ...credit, ...(accounts.get(place) ?? NO_ACCOUNT), is_posted, amount_minor };
    }
    return found;
  }

  const accountsOf = (credits: readonly DirectoryCredit[]) =>
    ofEach(findAccountsOfCredits, credits, ({ virtual_account_id }) => virtual_account_id);

  /** What a merchant's table says of credits, by their place; those without an id have nothing there. */
  async function ofEach<Found extends { place: number }>(
    question: SetQuestion<{ merchant_id: string; mode: Mode; id: string }, Found>,
    credits: readonly DirectoryCredit[],
    idOf: (credit: DirectoryCredit) => string | null,
  ): Promise<Map<number, Found>> {
    const asked = credits.flatMap((credit) => {
      const { merchant_id, mode, place } = credit;
      const id = idOf(credit);
      return merchant_id === null || id === null ? [] : [{ place, row: { merchant_id, mode, id } }];
    });
    if (asked.length === 0) return new Map();
    const values = columnArrays(
      ...rowsFor(
        question,
        asked.map(({ row }) => row),
      ),
    );
    const rows = await database.query<Found>(question, values);
    return new Map(rows.map((row) => [asked[row.place - 1]?.place ?? 0, row]));
  }

  /** What was noted just now is no payment yet, so that only those that were noted before are looked up. */
  async function note(credits: readonly CreditToNote[]): Promise<(NotedCredit | undefined)[]> {
    const inserted = await database.query<NewlyNoted>(
      insertNotedCredits,
      columnArrays(...rowsFor(insertNotedCredits, credits)),
    );
    const byPayment = new Map(inserted.map((row) => [row.payment_id, row]));
    const places = credits.map((credit, at) => ({ credit, place: at + 1, row: byPayment.get(credit.payment_id) }));
    const ours = places.flatMap(({ place, row }) => (row === undefined ? [] : [{ ...row, place }]));
    const others = places.filter(({ row }) => row === undefined);
    const [accounts, found] = await Promise.all([
      accountsOf(ours),
      others.length === 0 ? [] : find(others.map(({ credit }) => credit)),
    ]);
    const noted: (NotedCredit | undefined)[] = credits.map(() => undefined);
    for (const [at, { place }] of others.entries()) noted[place - 1] = found[at];
    for (const { place, ...row } of ours) {
      noted[place - 1] = { ...row, ...(accounts.get(place) ?? NO_ACCOUNT), ...JUST_NOTED };
    }
    return noted;
  }

  return {
    findNoted: createGroupReader(find),
    note: createGroupReader(note),
    end: createGroupReader(async (ended: Parameters<CreditDirectory['end']>[0][]) => {
      const named = ended.flatMap(({ rail, keys, at }) => keys.map((credit_key) => ({ rail, credit_key, at })));
      const rows = [...new Map(named.map((row) => [`${row.rail}/${row.credit_key}`, row])).values()];
      await database.run(...rowsFor(updateOpenCreditsDone, rows));
      return ended.map(() => undefined);
    }),
  };
}

const NO_ACCOUNT = { customer_id: null, closed_at: null };
const JUST_NOTED = { is_posted: false, amount_minor: null };
