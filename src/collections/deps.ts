import type { FindAvailability } from '../availability/index.ts';
import type { Fees } from '../fees/index.ts';
import { joinParts, type Ledger, type MovementParts } from '../ledger/index.ts';
import type { OnAlarm } from '../platform/alarm.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import type { Write } from '../platform/db/statement.ts';
import type { AppError } from '../platform/errors.ts';
import type { JobMonitor } from '../platform/jobs/job-monitor.ts';
import type { Logger } from '../platform/logger.ts';
import type { Mode, Tenant } from '../platform/tenant.ts';
import type { RailDirectory } from '../rail-accounts/index.ts';
import type { ConfirmedCredit } from '../rails/index.ts';
import type { FindReserve } from '../reserves/index.ts';
import type { WalletDirectory } from '../wallets/index.ts';
import type { CollectionAccounts } from './collection-accounts.ts';
import type { CreditDirectory } from './credit-directory.ts';

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
  parts: MovementParts;
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
  parts?: MovementParts;
  writes: readonly Write[];
}

/** Asked before each credit of any merchant is booked; undefined means no objection. */
export type CreditGuard = (
  tenant: Tenant,
  credit: GuardedCredit,
  refused: AppError | undefined,
) => Promise<CreditVerdict | undefined>;

/**
 * Asked before a payment that waited, for its settlement or for people, gets to a wallet: what else happens in that
 * movement. A check that is refused as `PAYMENT_CHANGED`, or a wallet that has less by then, makes it be asked again.
 * @param release.netMinor what the wallet has of it, without the operator's fee and what is kept in reserve
 * @param release.isLast the last time: what else the wallet has is not relied on
 */
export type ReleaseHook = (
  tenant: Tenant,
  release: { paymentId: string; walletId: string; netMinor: bigint; isLast: boolean; at: Date },
) => Promise<MovementParts>;

/** The parts of all hooks together. */
export async function releaseParts(
  hooks: readonly ReleaseHook[],
  ...asked: Parameters<ReleaseHook>
): Promise<MovementParts> {
  return joinParts(...(await Promise.all(hooks.map((hook) => hook(...asked)))));
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

/** What a provider says of an amount that it took from a settlement. */
export interface DeductionFacts {
  /** Name of the provider account. */
  rail: string;
  mode: Mode;
  /** What the line says that it is; null where it does not say. A finder of the other kind has no answer to it. */
  kind: 'REFUND' | 'DISPUTE' | null;
  /** The provider's id of the refund or dispute, or of the payment that it is of: providers do either. */
  providerTransactionId: string | null;
  sessionId: string | null;
  /** A reference beside it: ours or the provider's. */
  reference: string | null;
  /** What was taken, kobo, above zero. */
  amountMinor: bigint;
  /**
   * Subjects that other lines were found to be of. Where a line names a payment that has several refunds, another one of
   * them is meant; where it names the subject itself, there is no other.
   */
  except: readonly string[];
}

/** The refund or dispute of ours that a deduction is of. */
export interface DeductionOwner {
  tenant: Tenant;
  subjectType: 'REFUND' | 'DISPUTE';
  subjectId: string;
  /** What the books took for it from what the provider owes, kobo. */
  amountMinor: bigint;
  /** The account of what the provider owes that it was taken from. */
  receivableId: string;
  /** Why the provider should not have taken it, such as a refund that failed: a sentence. Absent where it should. */
  differs?: string | undefined;
}

/** Asked about each deduction, by the module that has refunds, and by the one that has disputes. Moves nothing. */
export type FindDeductionOwner = (facts: DeductionFacts) => Promise<DeductionOwner | undefined>;
