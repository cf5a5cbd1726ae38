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

/** Of a payment in, as it is booked. */
export type FirstStatus = 'CREDITED' | 'PENDING_SETTLEMENT' | 'SUSPENSE';

/**
 * Asked before each credit is booked.
 * @param accountId of the account that it was paid to: what else has that id decides what the payment is for
 * @param status that it is booked with, as far as the effect does not hold it
 */
export type CreditHook = (
  tenant: Tenant,
  credit: { accountId: string; paymentId: string; amountMinor: bigint; status: FirstStatus; at: Date },
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
 * Asked before a payment that waited gets to a wallet. A check that is refused as `PAYMENT_CHANGED`, or a wallet that has less by
 * then, makes it be asked again.
 * @param release.netMinor what the wallet has of it, without the operator's fee and what is kept in reserve
 * @param release.isLast the last time: what else the wallet has is not relied on
 */
export type ReleaseHook = (
  tenant: Tenant,
  release: { paymentId: string; walletId: string; netMinor: bigint; isLast: boolean; at: Date },
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

/** Credits that come at once are looked up, and noted, by one statement each. */
export function createCreditDirectory(database: Database): CreditDirectory {
  async function find(
    keys: readonly Pick<CreditToNote, 'rail' | 'provider_transaction_id' | 'session_id'>[],
  ): Promise<(NotedCredit | undefined)[]> {
    const rows = keys.map(({ rail, provider_transaction_id, session_id }) => ({
      rail,
      provider_transaction_id,
      session_id,
    }));
    const found: (NotedCredit | undefined)[] = keys.map(() => undefined);
    const noted = await database.query<DirectoryCredit>(
      findNotedCredits,
      columnArrays(...rowsFor(findNotedCredits, rows)),
    );
    const [accounts, booked] = await Promise.all([
      ofEach(findAccountsOfCredits, noted, ({ virtual_account_id }) => virtual_account_id),
      ofEach(findBookedCredits, noted, ({ payment_id }) => payment_id),
    ]);
    for (const { place, ...credit } of noted) {
      const { customer_id, closed_at } = accounts.get(place) ?? { customer_id: null, closed_at: null };
      const amount_minor = booked.get(place)?.amount_minor ?? null;
      const is_posted = credit.merchant_id === null || amount_minor !== null;
      found[place - 1] = { ...credit, customer_id, closed_at, is_posted, amount_minor };
    }
    return found;
  }

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
  return {
    findNoted: createGroupReader(find),
    note: createGroupReader(async (credits: CreditToNote[]) => {
      await database.run(...rowsFor(insertNotedCredits, credits));
      return find(credits);
    }),
    end: createGroupReader(async (ended: Parameters<CreditDirectory['end']>[0][]) => {
      const named = ended.flatMap(({ rail, keys, at }) => keys.map((credit_key) => ({ rail, credit_key, at })));
      const rows = [...new Map(named.map((row) => [`${row.rail}/${row.credit_key}`, row])).values()];
      await database.run(...rowsFor(updateOpenCreditsDone, rows));
      return ended.map(() => undefined);
    }),
  };
}
