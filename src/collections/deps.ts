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

/**
 * What a credit does beside the wallet's balance, where the account that it was paid to has a purpose, such as a
 * payment session.
 */
export interface CreditEffect {
  /** Why the wallet may not have it; null: it may. */
  heldBy: string | null;
  /** What is unusual about a payment that the wallet has, such as LATE; null: nothing. */
  note: string | null;
  /**
   * The part that the payer did not owe, in kobo: all of a payment that came late, or what exceeds the amount asked.
   */
  notOwedMinor: bigint;
  /** The customer who pays, where known; null otherwise. */
  customerId: string | null;
  /** Parts of the same movement. Where a unique key is taken, the hook is asked for the effect again. */
  parts: MovementParts;
  /** Called once it is in the books. */
  committed?: () => void;
  /** Called when the attempt to book it has ended, in whatever way. */
  settled?: () => void;
}

/** The state of a payment in when it is booked. */
export type FirstStatus = 'CREDITED' | 'PENDING_SETTLEMENT' | 'SUSPENSE';

/**
 * Asked before each credit is booked.
 * @param accountId of the account that it was paid to: a payment session with this id decides what the payment is for
 * @param status that it is booked with, unless the effect holds it
 */
export type CreditHook = (
  tenant: Tenant,
  credit: { accountId: string; paymentId: string; amountMinor: bigint; status: FirstStatus; at: Date },
) => Promise<CreditEffect | undefined>;

/** A credit as a guard sees it before it is booked. */
export interface GuardedCredit {
  paymentId: string;
  credit: ConfirmedCredit;
  accountNumber: string;
  at: Date;
}

/** Whether the merchant may have a credit now. */
export interface CreditVerdict {
  /** Why not, as the merchant reads it; null: the merchant may. */
  heldBy: string | null;
  /**
   * Parts that the movement of an allowed credit has to include. Where one of them refuses it, the guard is asked
   * again, with that refusal.
   */
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
 * Asked before a payment that waited, for its settlement or for people, gets to a wallet: returns what else happens in
 * that movement. Where a check refuses it as `PAYMENT_CHANGED`, or the wallet has less by then, it is asked again.
 * @param release.netMinor what the wallet has of it, without the operator's fee and what is kept in reserve
 * @param release.isLast the last attempt: the rest of the wallet's balance is not relied on
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

/** What the commands that take credits need. */
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
  /** The hooks of modules above; the first one that knows the account decides. */
  creditHooks: readonly CreditHook[];
  /** The same, asked when a payment that waited gets to a wallet. */
  releaseHooks: readonly ReleaseHook[];
  isSuspended: (merchantId: string) => Promise<boolean>;
  guardCredit: CreditGuard;
  clock: Clock;
  logger: Logger;
  jobs: JobMonitor;
  onAlarm: OnAlarm | undefined;
}

/** What a provider says of an amount that it deducted from a settlement. */
export interface DeductionFacts {
  /** Name of the provider account. */
  rail: string;
  mode: Mode;
  /** What the line says that it is; null where it does not say. A finder of the other kind has no answer to it. */
  kind: 'REFUND' | 'DISPUTE' | null;
  /** The provider's id of the refund or dispute, or of its payment: providers do either. */
  providerTransactionId: string | null;
  sessionId: string | null;
  /** Another reference: ours or the provider's. */
  reference: string | null;
  /** What was deducted, in kobo, above zero. */
  amountMinor: bigint;
  /**
   * Subjects that other lines belong to. Where a line names a payment that has several refunds, another one of them is
   * meant; where it names the subject itself, there is no other.
   */
  except: readonly string[];
}

/** Our refund or dispute that a deduction belongs to. */
export interface DeductionOwner {
  tenant: Tenant;
  subjectType: 'REFUND' | 'DISPUTE';
  subjectId: string;
  /** What the books took for it from what the provider owes, in kobo. */
  amountMinor: bigint;
  /** The receivable account that it was taken from. */
  receivableId: string;
  /**
   * A sentence why the provider should not have deducted it, such as a refund that failed; absent where it should have.
   */
  differs?: string | undefined;
}

/** Finds the owner of a deduction. The module of refunds has one, and the module of disputes. Moves nothing. */
export type FindDeductionOwner = (facts: DeductionFacts) => Promise<DeductionOwner | undefined>;
