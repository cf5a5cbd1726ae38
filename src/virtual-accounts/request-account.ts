import type { CommitResult, IdempotencyKey, Ledger } from '../ledger/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import { write } from '../platform/db/statement.ts';
import { newId } from '../platform/ids.ts';
import { jsonOf } from '../platform/json-text.ts';
import type { Tenant } from '../platform/tenant.ts';
import {
  findDefaultWalletProvider,
  requestVirtualAccounts,
  requireWallet,
  type WalletDirectory,
} from '../wallets/index.ts';
import { walletProviderNotSet } from './errors.ts';

export interface RequestAccountDeps {
  database: Database;
  ledger: Ledger;
  wallets: WalletDirectory;
  clock: Clock;
}

/**
 * Asks the provider of the mode for an account number of a wallet again, for example after what was missing was given. A
 * wallet that has one there, or waits for one, stays as it is.
 * @throws AppError `WALLET_NOT_FOUND`, `WALLET_PROVIDER_NOT_SET`
 */
export async function requestAccount(
  deps: RequestAccountDeps,
  { tenant, walletId, idempotency }: { tenant: Tenant; walletId: string; idempotency: IdempotencyKey | undefined },
): Promise<CommitResult> {
  const wallet = await requireWallet(deps.wallets, tenant, walletId);
  const [provider] = await deps.database.query(findDefaultWalletProvider, [tenant.mode]);
  if (provider === undefined) throw walletProviderNotSet();
  const at = deps.clock.now();
  const request = {
    merchant_id: tenant.merchantId,
    mode: tenant.mode,
    id: newId(),
    wallet_id: wallet.id,
    rail: provider.rail,
    preferred_bank: provider.preferred_bank,
    requested_at: at,
  };
  return deps.ledger.commit({
    tenant,
    id: newId(),
    occurredAt: at.toISOString(),
    idempotency,
    writes: [write(requestVirtualAccounts, request)],
    events: [
      {
        id: newId(),
        type: 'virtual_account.requested',
        subjectId: wallet.id,
        data: jsonOf({ walletId: wallet.id, mode: tenant.mode, requestedAt: at.toISOString() }),
      },
    ],
    answer: { message: 'The account number is being opened' },
  });
}
