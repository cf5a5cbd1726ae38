import { createMerchant, enableService, type NewMerchant, type ServiceKey } from '../merchants/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Tx } from '../platform/db/database.ts';
import type { Secrets } from '../platform/secrets.ts';
import { openMerchantWallets, type WalletBank } from '../wallets/index.ts';

/** What a business can try at once; the operator switches on the rest. */
const FIRST_SERVICES: readonly ServiceKey[] = ['PAYOUT', 'BRANCH', 'CHILD_ACCOUNT'];

/**
 * A business as it signs up: `PENDING`, with wallets in both modes and the services to try the sandbox with. All of it
 * commits with the caller's transaction.
 * @throws AppError 400 naming the field that is wrong.
 */
export async function openMerchant(
  deps: { secrets: Secrets; clock: Clock; walletBank: WalletBank },
  tx: Tx,
  profile: NewMerchant,
): Promise<{ merchantId: string }> {
  const queries = { queries: tx, clock: deps.clock };
  const { merchantId } = await createMerchant({ ...queries, secrets: deps.secrets }, profile);
  const merchant = { id: merchantId, businessName: profile.businessName };
  await openMerchantWallets(tx, deps.walletBank, merchant, deps.clock.now().toISOString());
  for (const service of FIRST_SERVICES) await enableService(queries, { merchantId, service });
  return { merchantId };
}
