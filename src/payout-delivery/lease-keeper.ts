import type { PayoutDeps } from '../payouts/index.ts';
import { columnArrays } from '../platform/db/statement.ts';
import { CLAIM_MS, type ClaimedPayout } from './claim-payouts.ts';
import { updatePayoutClaimsRenewed } from './queries.ts';

/** Between two looks at the claims in hand. */
const LOOK_MS = 5_000;
/** A claim older than this is renewed: most payouts are done long before. */
const RENEW_AFTER_MS = 10_000;

interface ClaimKeeper {
  keep(claimed: ClaimedPayout): void;
  release(claimed: ClaimedPayout): void;
  /** Renews what is old enough. Runs by itself while anything is kept. */
  renew(): Promise<void>;
}

/**
 * Keeps the claims of what is in hand alive for as long as this process is. A claim that could not be renewed stays as
 * it was, and runs out: whoever has it does not begin to send then.
 */
export function createClaimKeeper(deps: PayoutDeps): ClaimKeeper {
  const kept = new Set<ClaimedPayout>();
  let timer: NodeJS.Timeout | undefined;

  async function renew(): Promise<void> {
    const now = deps.clock.now().getTime();
    const old = [...kept].filter((one) => one.leaseEndsAt.getTime() - now < CLAIM_MS - RENEW_AFTER_MS);
    const byTenant = Map.groupBy(old, ({ payout }) => `${payout.merchant_id}/${payout.mode}`);
    await Promise.all(Array.from(byTenant.values(), (claims) => renewTenant(deps, claims)));
  }

  return {
    keep(claimed) {
      kept.add(claimed);
      timer ??= setInterval(() => {
        renew().catch((error: unknown) => deps.logger.warn({ err: error }, 'claims on payouts could not be renewed'));
      }, LOOK_MS).unref();
    },
    release(claimed) {
      kept.delete(claimed);
      if (kept.size > 0) return;
      clearInterval(timer);
      timer = undefined;
    },
    renew,
  };
}

async function renewTenant(deps: PayoutDeps, claims: readonly ClaimedPayout[]): Promise<void> {
  const leaseEndsAt = new Date(deps.clock.now().getTime() + CLAIM_MS);
  const due_at = leaseEndsAt.toISOString();
  const rows = claims.map(({ payout, claimId, step, asked }) => ({
    merchant_id: payout.merchant_id,
    mode: payout.mode,
    id: payout.id,
    claim_id: claimId,
    due_at,
    sent_at: step === 'SEND' && !asked ? due_at : null,
  }));
  const renewed = await deps.database.query(updatePayoutClaimsRenewed, columnArrays(updatePayoutClaimsRenewed, rows));
  const ids = new Set(renewed.map(({ id }) => id));
  for (const claimed of claims) if (ids.has(claimed.payout.id)) claimed.leaseEndsAt = leaseEndsAt;
}
