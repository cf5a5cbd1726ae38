import { inHalves } from '../../platform/in-halves.ts';
import type { Tenant } from '../../platform/tenant.ts';
import type { PayoutDeps } from '../deps.ts';
import { type ClaimedPayout, claimLocked } from './claim-payouts.ts';
import { failuresOfPayouts, notePayoutFailure } from './payout-delays.ts';
import { listDuePayouts, lockNamedPayouts, updatePayoutsPutOff } from './queries.ts';

/** Payouts put aside in one turn: finding each takes some claims, and the tenant may have thousands of them. */
const MAX_PUT_ASIDE = 8;

/**
 * Claims due payouts of a tenant whose payouts could not be claimed together: finds in halves which of them it is, so
 * that the others are. One that cannot be claimed alone is put aside for a while that grows, as it is.
 * @throws the last failure, where everything that was looked at failed.
 */
export async function claimPayoutsWithCare(deps: PayoutDeps, tenant: Tenant, limit: number): Promise<ClaimedPayout[]> {
  const failures = failuresOfPayouts(deps);
  const key = [tenant.merchantId, tenant.mode];
  const due = await deps.database.query(listDuePayouts, [...key, deps.clock.now(), limit]);
  const claimed: ClaimedPayout[] = [];
  let failed: unknown;
  let putAside = 0;

  async function claimThese(ids: readonly string[]): Promise<void> {
    if (putAside === MAX_PUT_ASIDE) return;
    claimed.push(...(await claimLocked(deps, tenant, (tx, now) => tx.query(lockNamedPayouts, [...key, now, ids]))));
  }

  async function cannotBeClaimed(id: string, error: unknown): Promise<void> {
    failed = error;
    putAside += 1;
    await putOneAside(deps, tenant, id, error);
  }

  const ids = due.map(({ id }) => id).filter((id) => !failures.isBackingOff(id));
  await inHalves(ids, claimThese, cannotBeClaimed).catch((error: unknown) => {
    failed = error;
  });
  if (failed !== undefined && claimed.length === 0) throw failed as Error;
  return claimed;
}

/** Due later, so that it is in nobody's way. Where even that fails, this process passes it over. */
async function putOneAside(deps: PayoutDeps, { merchantId, mode }: Tenant, id: string, error: unknown): Promise<void> {
  const payout = { merchant_id: merchantId, mode, id };
  const delayMs = await notePayoutFailure(deps, payout, error, 'a payout could not be claimed');
  const now = deps.clock.now();
  const due_at = new Date(now.getTime() + delayMs).toISOString();
  const row = { ...payout, due_at, operator_reason: null, at: now.toISOString() };
  await deps.database.run(updatePayoutsPutOff, [row]).catch(() => undefined);
}
