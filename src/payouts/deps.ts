import type { KnownRules } from '../approvals/index.ts';
import type { Banks } from '../banks/index.ts';
import type { Fees } from '../fees/index.ts';
import type { Ledger, LockedCheck, MovementParts } from '../ledger/index.ts';
import type { KnownLimits } from '../limits/index.ts';
import type { OnAlarm } from '../platform/alarm.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Tx } from '../platform/db/database.ts';
import type { Write } from '../platform/db/statement.ts';
import type { JobMonitor } from '../platform/jobs/job-monitor.ts';
import type { Logger } from '../platform/logger.ts';
import type { Secrets } from '../platform/secrets.ts';
import type { Mode, Tenant } from '../platform/tenant.ts';
import type { Uploads } from '../platform/uploads.ts';
import type { WalletDirectory } from '../wallets/index.ts';
import type { PayoutRecord } from './queries.ts';
import type { PayoutRails } from './rails.ts';

/** `QUEUED` and `CANCELLED` end the wait for approval. */
export type PayoutEnd = 'SUCCESS' | 'FAILED' | 'REVERSED' | 'QUEUED' | 'CANCELLED';

/** A module above payouts that takes part when one ends, such as batches for the batch of an item. */
export interface PayoutEndHook {
  /** Writes for the movement that ends the payout, or that ends its wait for approval. */
  writes(payout: PayoutRecord, to: PayoutEnd, at: Date): readonly Write[];
  /**
   * Called after that movement was committed. The call may be lost with the process: the writes leave a worker what it
   * needs.
   */
  committed(deps: Pick<PayoutDeps, 'database' | 'ledger' | 'clock'>, payout: PayoutRecord): Promise<void>;
}

/**
 * Returns the ids of those payouts that may not leave now. It runs in the transaction that would lease them, and may
 * write to it.
 */
export type HoldPayouts = (tx: Tx, payouts: readonly PayoutRecord[], at: Date) => Promise<ReadonlySet<string>>;

/** A module above payouts that may keep one from leaving: freezes, and findings that people have to decide. */
export interface PayoutGuard {
  /** Whether the payout may neither be accepted nor sent, as of a second ago at most. */
  isFrozen(payout: PayoutRecord): Promise<boolean>;
  /**
   * Called before `prepare`, for work that may take longer than a transaction should: it compares the names of payees,
   * and lets other work of the process run in between.
   */
  lookAhead(mode: Mode, listNames: () => Promise<readonly string[]>): Promise<void>;
  /** Reads what it needs before a transaction begins. */
  prepare(): Promise<HoldPayouts>;
  /** The ids of those about which something is found, also where people have released it since. It writes nothing. */
  listFound(payouts: readonly PayoutRecord[], at: Date): Promise<ReadonlySet<string>>;
}

/** A payout that is leased as it is made: its movement makes it `PROCESSING`, in the hands of this worker. */
export interface NewLease {
  payout: PayoutRecord;
  /** Its rows and events, in place of those of a payout that waits for a lease. */
  parts: MovementParts;
}

/** Capacity in a worker for payouts that are about to be made. */
export interface Reservation {
  /** Leases, by id, those of `payouts` that may be sent now; the others wait for a lease. It writes nothing. */
  lease(payouts: readonly PayoutRecord[]): Promise<ReadonlyMap<string, NewLease>>;
  /** Sends them: called once the movement that made them is committed. */
  begin(leases: Iterable<NewLease>): void;
  /** Their movement was refused: none of them was made. */
  refused(): void;
  /**
   * Called in the end, whatever came of it. Where nothing was begun or refused the movement may have been committed all the same:
   * what it made is released, certainly unsent.
   */
  release(): void;
}

/** A worker that leases payouts as they are made. */
export interface NewPayoutLeases {
  /**
   * Reserves capacity for `count` new payouts of a tenant. `LATER`: others that were made so are under way, and the source of chunks
   * is woken when there is capacity. It is said for some seconds at most. `QUEUE`: they wait for a lease as any others.
   */
  reserve(tenant: Tenant, count: number): Promise<Reservation | 'LATER' | 'QUEUE'>;
  /**
   * Reserves capacity for one payout that a request makes. Undefined where it waits for a lease: the worker was not started, or
   * half of what it may have in hand is taken, so that those that wait already are leased as well.
   */
  reserveOne(tenant: Tenant): Promise<Reservation | undefined>;
}

export interface PayoutDeps {
  database: Database;
  ledger: Ledger;
  wallets: WalletDirectory;
  banks: Banks;
  fees: Fees;
  payoutLimits: KnownLimits;
  approvalRules: KnownRules;
  /** Whether the operator has suspended a merchant, as of a second ago at most: checked before money leaves. */
  isSuspended(merchantId: string): Promise<boolean>;
  payoutGuard: PayoutGuard;
  /**
   * Why a payout that is a refund would give its payer the money twice: it went back by itself since it was requested,
   * or an earlier refund of it that failed may have been paid after all. Undefined where it would not.
   */
  whyNotRefunded(payout: PayoutRecord): Promise<'PAYMENT_REVERSED' | 'PAYMENT_UNCERTAIN' | undefined>;
  /** Whether a payout repeats one that failed, and that a rail has since reported as paid. */
  isPaidBefore(payout: PayoutRecord): Promise<boolean>;
  /** Whether a payout is a refund: then it is requested, and approved, as one. */
  isRefund(payout: PayoutRecord): Promise<boolean>;
  /**
   * For the movement that releases a payout after its approval: the checks on what it is for, such as the payment that
   * it refunds.
   */
  refundChecks(payout: PayoutRecord): Promise<readonly LockedCheck[]>;
  rails: PayoutRails;
  secrets: Secrets;
  clock: Clock;
  logger: Logger;
  uploads: Uploads;
  jobs: JobMonitor;
  payoutEnd: PayoutEndHook;
  /** The worker of this process; absent where it has none. */
  newLeases?: Pick<NewPayoutLeases, 'reserveOne'> | undefined;
  /** How long an outcome may stay unknown before the payout is put before the operator; a day where it is not set. */
  unknownAfterMs?: number;
  /** Called where facts about money contradict each other: people have to look, and the monitoring is notified. */
  onAlarm?: OnAlarm | undefined;
  /**
   * Called after a commit that left work, so that a worker in this process finds it at once.
   * @param source the source of work that finds it, where it is only one: the others do not look
   */
  wake(source?: typeof PAYOUTS | typeof CHUNKS): void;
}

/** What those who make payouts ask of the worker of their process. */
export type WorkerOfPayouts = Pick<PayoutDeps, 'wake' | 'newLeases'>;

/** The source of work that takes the next step of each due payout. */
export const PAYOUTS = 'payouts';
/** The source of work that expands due chunks of batches. */
export const CHUNKS = 'chunks';

/** Several hooks as one. */
export function joinEndHooks(...hooks: readonly PayoutEndHook[]): PayoutEndHook {
  return {
    writes: (payout, to, at) => hooks.flatMap((hook) => hook.writes(payout, to, at)),
    async committed(deps, payout) {
      for (const hook of hooks) await hook.committed(deps, payout);
    },
  };
}
