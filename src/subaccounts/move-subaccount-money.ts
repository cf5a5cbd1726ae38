import type { CommitResult, IdempotencyKey, Ledger } from '../ledger/index.ts';
import { DEFAULT_CURRENCY, formatMoney } from '../money/index.ts';
import { success } from '../platform/answer.ts';
import type { Clock } from '../platform/clock.ts';
import type { Tenant } from '../platform/tenant.ts';
import { walletTransfer } from '../transactions/index.ts';
import type { WalletDirectory } from '../wallets/index.ts';
import type { SubaccountDirectory } from './subaccount.ts';
import { subaccountTransferView } from './views.ts';

export interface SubaccountMoneyDeps {
  ledger: Ledger;
  wallets: WalletDirectory;
  subaccounts: SubaccountDirectory;
  clock: Clock;
}

export interface SubaccountMoneyInput {
  tenant: Tenant;
  subaccountId: string;
  amountMinor: bigint;
  narration: string | null | undefined;
  /** JSON text. */
  metadata: string | null;
  idempotency: IdempotencyKey | undefined;
}

/** What is the same in both directions, whichever wallet pays. */
async function moveSubaccountMoney(
  deps: SubaccountMoneyDeps,
  input: SubaccountMoneyInput,
  direction: 'CREDIT' | 'DEBIT',
): Promise<CommitResult> {
  const { tenant, amountMinor } = input;
  const subaccount = await deps.subaccounts.requireSubaccount(tenant, input.subaccountId);
  const { wallet, providerFloat } = await deps.wallets.requireTenantAccounts(tenant);
  const credit = direction === 'CREDIT';
  const [from, to] = credit ? [wallet, subaccount.wallet] : [subaccount.wallet, wallet];
  const sides = credit
    ? `from the merchant wallet to subaccount ${subaccount.name}`
    : `from subaccount ${subaccount.name} to the merchant wallet`;
  const movement = walletTransfer(
    {
      tenant,
      category: credit ? 'SUBACCOUNT' : 'SUBACCOUNT_TO_MERCHANT',
      code: credit ? 'SUBACCOUNT_CREDIT' : 'SUBACCOUNT_DEBIT',
      amountMinor,
      currency: DEFAULT_CURRENCY,
      narration: input.narration ?? (credit ? `Credit to ${subaccount.name}` : `Debit of ${subaccount.name}`),
      description: `${formatMoney(amountMinor, DEFAULT_CURRENCY)} was moved ${sides}`,
      from,
      to,
      providerWalletId: providerFloat,
      walletId: wallet.id,
      subject: { id: subaccount.id, name: subaccount.name },
      metadata: input.metadata,
      at: deps.clock.now(),
      idempotency: input.idempotency,
    },
    (row) => success(credit ? 'Subaccount credited' : 'Subaccount debited', subaccountTransferView(row)),
  );
  return deps.ledger.commit(movement);
}

/**
 * Moves money from the merchant's wallet to a subaccount's, at once. It stays within the merchant, so it takes no PIN.
 * @throws AppError `SUBACCOUNT_NOT_FOUND`, `INSUFFICIENT_FUNDS`, `IDEMPOTENCY_KEY_REUSED`
 */
export function creditSubaccount(deps: SubaccountMoneyDeps, input: SubaccountMoneyInput): Promise<CommitResult> {
  return moveSubaccountMoney(deps, input, 'CREDIT');
}

/**
 * Moves money from a subaccount's wallet to the merchant's, at once. The caller has checked the PIN.
 * @throws AppError `SUBACCOUNT_NOT_FOUND`, `INSUFFICIENT_FUNDS`, `IDEMPOTENCY_KEY_REUSED`
 */
export function debitSubaccount(deps: SubaccountMoneyDeps, input: SubaccountMoneyInput): Promise<CommitResult> {
  return moveSubaccountMoney(deps, input, 'DEBIT');
}
