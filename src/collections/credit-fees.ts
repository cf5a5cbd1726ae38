import type { CollectionCharges } from '../fees/index.ts';
import type { Movement, TransferDraft } from '../ledger/index.ts';
import { newId } from '../platform/ids.ts';
import type { TenantAccounts } from '../wallets/index.ts';

/**
 * Adds what the operator takes of a payment to the movement that brings it into a wallet: the gross amount comes in first,
 * then fee and VAT leave the wallet. The charges never exceed the payment, so the wallet is never lower than before.
 */
export function withCharges(
  movement: Movement,
  { charges, walletId, accounts }: { charges: CollectionCharges; walletId: string; accounts: TenantAccounts },
): Movement {
  const { feeMinor, vatMinor } = charges;
  const taken = [
    { amountMinor: feeMinor, creditAccountId: accounts.feeIncome, code: 'COLLECTION_FEE' },
    { amountMinor: vatMinor, creditAccountId: accounts.taxPayable, code: 'COLLECTION_VAT' },
  ] as const;
  const transfers = taken
    .filter(({ amountMinor }) => amountMinor > 0n)
    .map((charge): TransferDraft => ({ kind: 'POSTED', id: newId(), debitAccountId: walletId, ...charge }));
  return { ...movement, transfers: [...(movement.transfers ?? []), ...transfers] };
}
