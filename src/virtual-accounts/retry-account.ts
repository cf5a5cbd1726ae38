import { requireOperator } from '../people/index.ts';
import type { Tenant } from '../platform/tenant.ts';
import { updateVirtualAccountDue } from '../wallets/index.ts';
import { virtualAccountEnded } from './errors.ts';
import { requireAccount } from './read-accounts.ts';
import { type RequestAccountDeps, requestAgain } from './request-account.ts';

/** `ASKED_NOW`: the provider is asked at once, under the same reference. `REQUESTED`: the wallet has a new request. */
export type RetryResult = 'ASKED_NOW' | 'REQUESTED';

/**
 * One of the operator's people has a provider asked again for an account number that is not open: at once where the request
 * waits, and under its reference, so that it is opened once; where it was refused, by a new request at the provider account
 * of the mode, with the BVN or NIN of a customer that was given before.
 * @throws AppError 403 `OPERATOR_NOT_FOUND`; 404 `VIRTUAL_ACCOUNT_NOT_FOUND`; 409 `VIRTUAL_ACCOUNT_ENDED` where it is open or
 *   closed by now; 422 `WALLET_PROVIDER_NOT_SET`,
 *   `CUSTOMER_DETAILS_MISSING`; 503 of the ledger.
 */
export async function retryAccount(
  deps: RequestAccountDeps,
  { tenant, virtualAccountId, personId }: { tenant: Tenant; virtualAccountId: string; personId: string },
): Promise<RetryResult> {
  await requireOperator(deps.database, personId);
  const account = await requireAccount(deps.database, tenant, virtualAccountId);
  switch (account.status) {
    case 'REQUESTED':
      await deps.database.query(updateVirtualAccountDue, [
        tenant.merchantId,
        tenant.mode,
        virtualAccountId,
        deps.clock.now(),
      ]);
      return 'ASKED_NOW';
    case 'FAILED':
      await requestAgain(deps, tenant, account);
      return 'REQUESTED';
    case 'OPEN':
    case 'CLOSED':
      throw virtualAccountEnded(account.status);
  }
}
