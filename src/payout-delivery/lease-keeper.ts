import type { PayoutDeps } from '../payouts/index.ts';
import { columnArrays } from '../platform/db/statement.ts';
import { type LeasedPayout, PAYOUT_LEASE_MS } from './lease-payouts.ts';
import { updatePayoutLeasesRenewed } from './queries.ts';

/** Between two looks at the leases in hand. */
const LOOK_MS = 5_000;
/** A lease older than this is renewed: most payouts are done long before. */
const RENEW_AFTER_MS = 10_000;

interface LeaseKeeper {
  keep(leased: LeasedPayout): void;
  release(leased: LeasedPayout): void;
  /** Renews what is old enough. Runs by itself while anything is kept. */
  renew(): Promise<void>;
}

/**
 * Keeps the leases of what is in hand alive for as long as this process is. A lease that could not be renewed stays as
 * it was, and runs out: whoever has it does not begin to send then.
 */
export function createLeaseKeeper(deps: PayoutDeps): LeaseKeeper {
  const kept = new Set<LeasedPayout>();
  let timer: NodeJS.Timeout | undefined;

  async function renew(): Promise<void> {
    const now = deps.clock.now().getTime();
    const old = [...kept].filter((one) => one.leaseEndsAt.getTime() - now < PAYOUT_LEASE_MS - RENEW_AFTER_MS);
    const byTenant = Map.groupBy(old, ({ payout }) => `${payout.merchant_id}/${payout.mode}`);
    await Promise.all(Array.from(byTenant.values(), (leases) => renewTenant(deps, leases)));
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

async function renewTenant(deps: PayoutDeps, leases: readonly LeasedPayout[]): Promise<void> {
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
