import type { CommitResult, IdempotencyKey, Ledger } from '../ledger/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import { write } from '../platform/db/statement.ts';
import { newId } from '../platform/ids.ts';
import { jsonOf } from '../platform/json-text.ts';
import type { Tenant } from '../platform/tenant.ts';
import {
  closeReceivingNumbers,
  closeVirtualAccountNumbers,
  type VirtualAccountRow,
  virtualAccountStates,
} from '../wallets/index.ts';
import { virtualAccountEnded, virtualAccountNotOpen, virtualAccountOfWallet } from './errors.ts';
import { readNumbersOf, requireAccount } from './read-accounts.ts';
import { virtualAccountView } from './views.ts';

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
    transitions: [
      { machine: virtualAccountStates, id, from: ['OPEN'], to: 'CLOSED', reason: null, otherwise: notOpen },
    ],
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
