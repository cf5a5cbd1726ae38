import type { CommitResult } from '../ledger/index.ts';
import { moveSubaccountMoney, type SubaccountMoneyDeps, type SubaccountMoneyInput } from './move-subaccount-money.ts';

/**
 * Moves money from the merchant's wallet to a subaccount's, at once. It stays within the merchant, so it takes no PIN.
 * @throws AppError `SUBACCOUNT_NOT_FOUND`, `INSUFFICIENT_FUNDS`, `IDEMPOTENCY_KEY_REUSED`
 */
export function creditSubaccount(deps: SubaccountMoneyDeps, input: SubaccountMoneyInput): Promise<CommitResult> {
  return moveSubaccountMoney(deps, input, 'CREDIT');
}
