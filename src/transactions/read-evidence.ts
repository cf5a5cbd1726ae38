import { listStateChanges, listSubjectEvents, listTransactionTransfers } from '../ledger/index.ts';
import type { Database } from '../platform/db/database.ts';
import type { Tenant } from '../platform/tenant.ts';
import { requireTransaction } from './list-transactions.ts';
import type { TransactionRow } from './queries.ts';
import { evidenceView } from './views.ts';

/** What modules above this one know of a transaction, wire-ready, such as the attempts of a payout. */
export type EvidenceParts = (tenant: Tenant, transaction: TransactionRow) => Promise<Record<string, unknown>>;

/** The transaction, its transfers, the states it went through, the events that told of it, and what others know. */
export async function readEvidence(
  deps: { database: Database; evidenceParts?: EvidenceParts | undefined },
  tenant: Tenant,
  id: string,
) {
  const row = await requireTransaction(deps.database, tenant, id);
  const [transfers, stateChanges, events, parts] = await Promise.all([
    listTransactionTransfers(deps.database, tenant, row.id),
    listStateChanges(deps.database, tenant, row.id),
    listSubjectEvents(deps.database, tenant, row.id),
    deps.evidenceParts?.(tenant, row),
  ]);
  return { ...evidenceView(row, transfers, stateChanges, events), ...parts };
}
