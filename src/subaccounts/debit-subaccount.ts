import type { CommitResult } from '../ledger/index.ts';
import { moveSubaccountMoney, type SubaccountMoneyDeps, type SubaccountMoneyInput } from './move-subaccount-money.ts';

/**
 * Moves money from a subaccount's wallet to the merchant's, at once. The caller has checked the PIN.
 * @throws AppError `SUBACCOUNT_NOT_FOUND`, `INSUFFICIENT_FUNDS`, `IDEMPOTENCY_KEY_REUSED`
 */
export function debitSubaccount(deps: SubaccountMoneyDeps, input: SubaccountMoneyInput): Promise<CommitResult> {
  return moveSubaccountMoney(deps, input, 'DEBIT');
}
