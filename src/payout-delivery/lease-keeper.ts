import { operatorReason, type PayoutDeps, type PayoutStep } from '../payouts/index.ts';
import { columnArrays, write } from '../platform/db/statement.ts';
import { tenantKey, tenantOf } from '../platform/tenant.ts';
import { type LeasedPayout, mayHaveLeftBefore, notePayoutFailure, PAYOUT_LEASE_MS } from './lease-payouts.ts';
import { updatePayoutLeasesReleased, updatePayoutLeasesRenewed } from './queries.ts';

/** How often the leases in hand are checked. */
const LOOK_MS = 5_000;
/** Leases that one statement renews; of one merchant where the database is distributed. */
const RENEWED_AT_ONCE = 500;
/** A lease older than this is renewed: most payouts are done long before. */
const RENEW_AFTER_MS = 10_000;

interface LeaseKeeper {
  keep(leased: LeasedPayout): void;
  release(leased: LeasedPayout): void;
  /** Renews leases that are old enough. It runs by itself while anything is kept. */
  renew(): Promise<void>;
}

/**
 * Renews the leases of what is in hand for as long as this process runs. A lease that could not be renewed stays as it
 * was and runs out: its worker does not begin to send then.
 */
export function createLeaseKeeper(deps: PayoutDeps): LeaseKeeper {
  const kept = new Set<LeasedPayout>();
  let timer: NodeJS.Timeout | undefined;

  async function renew(): Promise<void> {
    const now = deps.clock.now().getTime();
    const old = [...kept].filter((one) => one.leaseEndsAt.getTime() - now < PAYOUT_LEASE_MS - RENEW_AFTER_MS);
    const pieces = (await deps.database.isDistributed())
      ? [...Map.groupBy(old, ({ payout }) => tenantKey(tenantOf(payout))).values()]
      : Array.from({ length: Math.ceil(old.length / RENEWED_AT_ONCE) }, (_, at) =>
          old.slice(at * RENEWED_AT_ONCE, (at + 1) * RENEWED_AT_ONCE),
        );
    await Promise.all(pieces.map((leases) => renewLeases(deps, leases)));
  }

  return {
    keep(leased) {
      kept.add(leased);
      timer ??= setInterval(() => {
        renew().catch((error: unknown) => deps.logger.warn({ err: error }, 'leases of payouts could not be renewed'));
      }, LOOK_MS).unref();
    },
    release(leased) {
      kept.delete(leased);
      if (kept.size > 0) return;
      clearInterval(timer);
      timer = undefined;
    },
    renew,
  };
}

async function renewLeases(deps: PayoutDeps, leases: readonly LeasedPayout[]): Promise<void> {
  const leaseEndsAt = new Date(deps.clock.now().getTime() + PAYOUT_LEASE_MS);
  const rows = leases.map(({ payout, leaseId, step, asked }) => ({
    merchant_id: payout.merchant_id,
    mode: payout.mode,
    id: payout.id,
    lease_id: leaseId,
    due_at: leaseEndsAt,
    sent_at: step === 'SEND' && !asked ? leaseEndsAt : null,
  }));
  const renewed = await deps.database.query(updatePayoutLeasesRenewed, columnArrays(updatePayoutLeasesRenewed, rows));
  const ids = new Set(renewed.map(({ id }) => id));
  for (const leased of leases) if (ids.has(leased.payout.id)) leased.leaseEndsAt = leaseEndsAt;
}

/** When a payout that is not as it was approved is compared again. */
export const ALTERED_MS = 5 * 60_000;

interface PayoutRelease {
  step: PayoutStep;
  delayMs: number;
  /** Certainly nothing was sent under this lease. */
  unsent?: boolean;
  /** The rail was asked to send under this lease, and not later than now. */
  answered?: boolean;
  /** The rail that has it from now on; unchanged where absent. */
  rail?: string | undefined;
}

/** Makes a payout due again after a while. It does nothing when the lease was lost or the payout has ended. */
export function releasePayout(deps: PayoutDeps, leased: LeasedPayout, back: PayoutRelease): Promise<void> {
  return releasePayouts(deps, [leased], back);
}

/** The same of several at once. */
export async function releasePayouts(
  deps: PayoutDeps,
  leased: readonly LeasedPayout[],
  back: PayoutRelease,
): Promise<void> {
  const now = deps.clock.now();
  const rows = leased.map((one) => write(updatePayoutLeasesReleased, releaseOf(deps, one, back, now)).row);
  await deps.database.run(updatePayoutLeasesReleased, rows);
}

function releaseOf(deps: PayoutDeps, { payout, leaseId, before }: LeasedPayout, back: PayoutRelease, now: Date) {
  const { first_sent_at, sent_at } = back.unsent === true ? before : payout;
  return {
    merchant_id: payout.merchant_id,
    mode: payout.mode,
    id: payout.id,
    lease_id: leaseId,
    rail: back.rail ?? payout.rail,
    due_at: new Date(now.getTime() + back.delayMs),
    next_step: back.step,
    first_sent_at,
    sent_at: back.answered === true ? now : sent_at,
    operator_reason: back.step === 'QUERY' ? operatorReason(deps, payout) : null,
    at: now,
  };
}

/**
 * Releases a payout after an error that says nothing about it: soon at first, rather than when the lease has run out,
 * and later with each failure. A payout that may have been sent is queried next.
 */
export async function releaseAfterError(deps: PayoutDeps, leased: LeasedPayout, error: unknown): Promise<void> {
  const { payout, step, asked } = leased;
  const unsent = step === 'SEND' && !asked;
  const delayMs = await notePayoutFailure(deps, payout, error, 'a payout step failed');
  const next = asked || (unsent && mayHaveLeftBefore(leased)) ? 'QUERY' : step;
  await releasePayout(deps, leased, { step: next, delayMs, unsent, answered: asked });
}
