import type { KnownRules } from '../approvals/index.ts';
import type { Banks } from '../banks/index.ts';
import type { Fees } from '../fees/index.ts';
import type { Ledger, LockedCheck } from '../ledger/index.ts';
import type { KnownLimits } from '../limits/index.ts';
import type { OnAlarm } from '../platform/alarm.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Tx } from '../platform/db/database.ts';
import type { Write } from '../platform/db/statement.ts';
import type { JobMonitor } from '../platform/jobs/job-monitor.ts';
import type { Logger } from '../platform/logger.ts';
import type { Secrets } from '../platform/secrets.ts';
import type { Mode } from '../platform/tenant.ts';
import type { Uploads } from '../platform/uploads.ts';
import type { WalletDirectory } from '../wallets/index.ts';
import type { PayoutRecord } from './queries.ts';
import type { PayoutRails } from './rails.ts';

/** `QUEUED`, `CANCELLED`: it waited for approval, and does not any more. */
export type PayoutEnd = 'SUCCESS' | 'FAILED' | 'REVERSED' | 'QUEUED' | 'CANCELLED';

/** What stands above payouts and has its part when one ends, such as the batch that it belongs to. */
export interface PayoutEndHook {
  /** For the movement that ends the payout, or that ends its wait for approval. */
  writes(payout: PayoutRecord, to: PayoutEnd, at: Date): readonly Write[];
  /** After that movement has committed. It may be lost with the process: the writes leave a worker what it needs. */
  committed(deps: Pick<PayoutDeps, 'database' | 'ledger' | 'clock'>, payout: PayoutRecord): Promise<void>;
}

/** Of these payouts, the ids of those that may not leave now; in the transaction that would lease them, which it may write to. */
export type HoldPayouts = (tx: Tx, payouts: readonly PayoutRecord[], at: Date) => Promise<ReadonlySet<string>>;

/** What stands above payouts and may keep one from leaving: freezes, and findings that people have to decide. */
export interface PayoutGuard {
  /** Whether it may neither be accepted nor be sent, as of a second ago at most. */
  isFrozen(payout: PayoutRecord): Promise<boolean>;
  /** Before `prepare`, for what may take longer than a transaction should: looks at payees by their names, and gives way. */
  lookAhead(mode: Mode, listNames: () => Promise<readonly string[]>): Promise<void>;
  /** Reads what it needs to know before a transaction begins. */
  prepare(): Promise<HoldPayouts>;
}

export interface PayoutDeps {
  database: Database;
  ledger: Ledger;
  wallets: WalletDirectory;
  banks: Banks;
  fees: Fees;
  payoutLimits: KnownLimits;
  approvalRules: KnownRules;
  /** Whether the operator has suspended a merchant, as of a second ago at most: asked before money leaves. */
  isSuspended(merchantId: string): Promise<boolean>;
  payoutGuard: PayoutGuard;
  /**
   * Why a payout that sends something back would have its payer get it twice: it went back by itself since it was asked for, or
   * an earlier refund of it that failed may have been paid after all. Undefined where it would not.
   */
  whyNotRefunded(payout: PayoutRecord): Promise<'PAYMENT_REVERSED' | 'PAYMENT_UNCERTAIN' | undefined>;
  /** Whether a payout pays again one that failed, of which a rail has said since that it paid. */
  isPaidBefore(payout: PayoutRecord): Promise<boolean>;
  /** Whether a payout sends a payment back: then it is asked for, and approved, as a refund is. */
  isRefund(payout: PayoutRecord): Promise<boolean>;
  /** For the movement that lets go what waited for approval: what must hold by then of what it is for, such as a payment to send back. */
  refundChecks(payout: PayoutRecord): Promise<readonly LockedCheck[]>;
  rails: PayoutRails;
  secrets: Secrets;
  clock: Clock;
  logger: Logger;
  uploads: Uploads;
  jobs: JobMonitor;
  payoutEnd: PayoutEndHook;
  /** How long an outcome may stay unknown before the payout is before the operator; a day where it is not set. */
  unknownAfterMs?: number;
  /** Called where facts about money contradict each other: people have to look, and the monitoring is notified. */
  onAlarm?: OnAlarm | undefined;
  /**
   * Called after a commit that left work: a worker in this process need not wait for its next look.
   * @param source of work, where only one finds it: the others are not looked at
   */
  wake(source?: typeof PAYOUTS): void;
}

/** The source of work that takes the next step of each payout that is due. */
export const PAYOUTS = 'payouts';

/** Several of them as one. */
export function joinEndHooks(...hooks: readonly PayoutEndHook[]): PayoutEndHook {
  return {
    writes: (payout, to, at) => hooks.flatMap((hook) => hook.writes(payout, to, at)),
    async committed(deps, payout) {
      for (const hook of hooks) await hook.committed(deps, payout);
    },
  };
}
