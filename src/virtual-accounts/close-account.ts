import type { CommitResult, IdempotencyKey, Ledger } from '../ledger/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import { write } from '../platform/db/statement.ts';
import { newId } from '../platform/ids.ts';
import { jsonOf } from '../platform/json-text.ts';
import { type Tenant, tenantOf } from '../platform/tenant.ts';
import type { RailDirectory } from '../rail-accounts/index.ts';
import {
  closeReceivingNumbers,
  closeVirtualAccountNumbers,
  updateVirtualAccountClosedThere,
  type VirtualAccountRow,
  virtualAccountStates,
} from '../wallets/index.ts';
import { virtualAccountEnded, virtualAccountNotOpen, virtualAccountOfWallet } from './errors.ts';
import { readNumbersOf, requireAccount, virtualAccountView } from './read-accounts.ts';

export interface CloseAccountDeps {
  database: Database;
  ledger: Ledger;
  clock: Clock;
}

/**
 * Closes the account of a customer: what is paid to it from now on goes to suspense, and a worker has the provider close it
 * too. A wallet's own account is not closed: payers, statements and the wallet itself know it by that number.
 * @throws AppError 404 `VIRTUAL_ACCOUNT_NOT_FOUND`; 409 `VIRTUAL_ACCOUNT_NOT_OPEN` while it is being opened,
 *   `VIRTUAL_ACCOUNT_ENDED` where it was refused or is closed already; 422 `VIRTUAL_ACCOUNT_OF_WALLET`
 */
export async function closeAccount(
  deps: CloseAccountDeps,
  asked: { tenant: Tenant; virtualAccountId: string; idempotency: IdempotencyKey | undefined },
): Promise<CommitResult> {
  const { tenant, virtualAccountId, idempotency } = asked;
  const row = await requireAccount(deps.database, tenant, virtualAccountId);
  if (row.customer_id === null) throw virtualAccountOfWallet();
  if (row.status !== 'OPEN') throw notOpen(row.status);
  const numbers = (await readNumbersOf(deps.database, tenant, [row])).get(row.id) ?? [];
  const at = deps.clock.now();
  const { merchant_id, mode, wallet_id, id } = row;
  const closed: VirtualAccountRow = { ...row, status: 'CLOSED', updated_at: at, closed_at: at };
  return deps.ledger.commit({
    tenant,
    id: newId(),
    occurredAt: at.toISOString(),
    idempotency,
    transitions: [{ machine: virtualAccountStates, id, from: ['OPEN'], to: 'CLOSED', reason: null, refusal: notOpen }],
    writes: [
      write(closeVirtualAccountNumbers, { merchant_id, mode, wallet_id, virtual_account_id: id, closed_at: at }),
      write(closeReceivingNumbers, { virtual_account_id: id, closed_at: at }),
    ],
    events: [
      { id: newId(), type: 'virtual_account.closed', subjectId: id, data: jsonOf(virtualAccountView(closed, numbers)) },
    ],
    answer: { message: 'The account number is closed' },
  });
}

const notOpen = (status: string | undefined) =>
  status === 'REQUESTED' ? virtualAccountNotOpen() : virtualAccountEnded(status);

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
