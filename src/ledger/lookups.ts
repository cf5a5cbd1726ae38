import type { Queries } from '../platform/db/database.ts';
import { arrayLiteral } from '../platform/db/statement.ts';
import type { Tenant } from '../platform/tenant.ts';
import { findClaims, listTransfersOfTransaction, type StoredTransfer } from './queries.ts';

/** What took this name, such as the transaction behind a merchant's own reference. */
export async function findClaimSubject(
  queries: Queries,
  tenant: Tenant,
  scope: string,
  value: string,
): Promise<string | undefined> {
  const [row] = await queries.query(findClaims, [
    arrayLiteral('uuid', [tenant.merchantId]),
    arrayLiteral('text', [tenant.mode]),
    arrayLiteral('text', [scope]),
    arrayLiteral('text', [value]),
  ]);
  return row?.subject_id;
}

/** Every transfer that a transaction made: holds, posts, voids and charges, in order. */
export function listTransactionTransfers(
  queries: Queries,
  tenant: Tenant,
  transactionId: string,
): Promise<StoredTransfer[]> {
  return queries.query(listTransfersOfTransaction, [tenant.merchantId, tenant.mode, transactionId]);
}
