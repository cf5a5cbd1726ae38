import type { CommitResult, IdempotencyKey, Ledger } from '../ledger/index.ts';
import { DEFAULT_CURRENCY, formatMoney } from '../money/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Tenant } from '../platform/tenant.ts';
import { walletTransfer } from '../transactions/index.ts';
import type { WalletDirectory } from '../wallets/index.ts';
import type { StoreDirectory } from './store.ts';

export interface DebitStoreDeps {
  ledger: Ledger;
  wallets: WalletDirectory;
  stores: StoreDirectory;
  clock: Clock;
}

export interface DebitStoreInput {
  tenant: Tenant;
  storeId: string;
  amountMinor: bigint;
  narration: string;
  idempotency: IdempotencyKey | undefined;
}

/**
 * Moves money from a store's wallet to the merchant's wallet, at once. The caller has checked the PIN.
 * @throws AppError `STORE_NOT_FOUND`, `INSUFFICIENT_FUNDS`, `IDEMPOTENCY_KEY_REUSED`
 */
export async function debitStore(deps: DebitStoreDeps, input: DebitStoreInput): Promise<CommitResult> {
  const { tenant, amountMinor } = input;
  const store = await deps.stores.requireStore(tenant, input.storeId);
  const { wallet, providerFloat } = await deps.wallets.requireTenantAccounts(tenant);
  const movement = walletTransfer(
    {
      tenant,
      category: 'STORE_TO_MERCHANT',
      code: 'STORE_DEBIT',
      amountMinor,
      currency: DEFAULT_CURRENCY,
      narration: input.narration,
      description: `${formatMoney(amountMinor, DEFAULT_CURRENCY)} was moved from store ${store.name} to the merchant wallet`,
      from: store.wallet,
      to: wallet,
      providerWalletId: providerFloat,
      walletId: wallet.id,
      subject: { id: store.id, name: store.name },
      at: deps.clock.now(),
      idempotency: input.idempotency,
    },
    'Wallet transfer completed',
  );
  return deps.ledger.commit(movement);
}
