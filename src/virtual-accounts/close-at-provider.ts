import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import { type Tenant, tenantOf } from '../platform/tenant.ts';
import type { RailDirectory } from '../rail-accounts/index.ts';
import { updateVirtualAccountClosedThere, type VirtualAccountRow } from '../wallets/index.ts';

interface CloseDeps {
  database: Database;
  rails: RailDirectory;
  clock: Clock;
}

/** Why the provider has not closed it: it is asked again. */
export interface NotClosed {
  reason: string | null;
  message: string;
}

/**
 * Has the provider close an account that is closed here. Nothing is lost while it does not: what comes to its numbers goes
 * to suspense in any case.
 * @param leaseEndsAt what this worker leased it until
 * @returns undefined once nobody has to be asked any more
 */
export async function closeAtProvider(
  deps: CloseDeps,
  row: VirtualAccountRow,
  leaseEndsAt: Date,
): Promise<NotClosed | undefined> {
  const tenant: Tenant = tenantOf(row);
  const wallets = (await deps.rails.findRail(tenant.mode, row.rail))?.wallets;
  if (wallets === undefined) {
    return { reason: 'PROVIDER_UNAVAILABLE', message: 'The provider account cannot be used for account numbers now' };
  }
  const done = (message: string | null) =>
    deps.database.query(updateVirtualAccountClosedThere, [
      ...[row.merchant_id, row.mode, row.id, leaseEndsAt],
      ...[message, deps.clock.now()],
    ]);
  if (!wallets.capabilities.closesAccounts) {
    await done('The provider closes no accounts: what it still receives goes to suspense');
    return undefined;
  }
  const request = {
    tenant,
    reference: row.id.replaceAll('-', ''),
    providerAccountId: row.provider_account_id ?? '',
  };
  const answer = await wallets.closeAccount(request);
  if (answer.outcome !== 'closed') return answer;
  await done(null);
  return undefined;
}
