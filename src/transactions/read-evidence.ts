import { listStateChanges, listSubjectEvents, listTransactionTransfers } from '../ledger/index.ts';
import type { Database, Queries } from '../platform/db/database.ts';
import type { Tenant } from '../platform/tenant.ts';
import { detailedView, type TransactionDetails } from './details.ts';
import { requireDetailed } from './list-transactions.ts';
import type { TransactionRow } from './queries.ts';
import { historyView } from './views.ts';

/** What modules above this one know of a transaction, wire-ready, such as the attempts of a payout. */
export type EvidenceParts = (
  queries: Queries,
  tenant: Tenant,
  transaction: TransactionRow,
) => Promise<Record<string, unknown>>;

/**
 * The transaction, its transfers, the states it went through, its events, and what others know: all of
 * one moment. @throws AppError `TRANSACTION_NOT_FOUND`
 */
export function readEvidence(
  deps: { database: Database; details: TransactionDetails; evidenceParts?: EvidenceParts | undefined },
  tenant: Tenant,
  id: string,
) {
  return deps.database.snapshot(async (queries) => {
    const row = await requireDetailed(queries, deps.details, tenant, id);
    const [transfers, stateChanges, events, parts] = await Promise.all([
      listTransactionTransfers(queries, tenant, row.id),
      listStateChanges(queries, tenant, row.id),
      listSubjectEvents(queries, tenant, row.id),
      deps.evidenceParts?.(queries, tenant, row),
    ]);
    return { transaction: detailedView(row, deps.details), ...historyView(transfers, stateChanges, events), ...parts };
  });
}
