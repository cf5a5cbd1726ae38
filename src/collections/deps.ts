import type { FindAvailability } from '../availability/index.ts';
import type { Fees } from '../fees/index.ts';
import type { Ledger, Movement } from '../ledger/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import type { JobMonitor } from '../platform/jobs/job-monitor.ts';
import type { Logger, OnAlarm } from '../platform/logger.ts';
import type { Tenant } from '../platform/tenant.ts';
import type { RailDirectory } from '../rail-accounts/index.ts';
import type { WalletDirectory } from '../wallets/index.ts';
import type { CollectionAccounts } from './collection-accounts.ts';
import type { CreditDirectory } from './note-credits.ts';

/** What a credit does beside the wallet's balance, where the account that it was paid to is for something. */
export interface CreditEffect {
  /** Why the wallet may not have it; null: it may. */
  heldBy: string | null;
  /** What is odd about a payment that the wallet has, such as LATE; null: nothing. */
  note: string | null;
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
  /** Those of modules that stand above; the first that knows the account counts. */
  creditHooks: readonly CreditHook[];
  isSuspended: (merchantId: string) => Promise<boolean>;
  clock: Clock;
  logger: Logger;
  jobs: JobMonitor;
  onAlarm: OnAlarm | undefined;
}
