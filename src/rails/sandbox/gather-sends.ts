import type { Database } from '../../platform/db/database.ts';
import { columnArrays } from '../../platform/db/statement.ts';
import { createGroupReader } from '../../platform/group-reader.ts';
import { insertSandboxTransfers, type NewTransfer } from './queries.ts';

/**
 * Puts a transfer into the rail's books, and says whether its reference was new. Sends at the same time share one
 * statement, each as if it had come alone: it is committed before any of them hears of it.
 */
export function createSendGatherer(database: Database): (transfer: NewTransfer) => Promise<boolean> {
  return createGroupReader<NewTransfer, boolean>(async (transfers) => {
    const values = columnArrays(insertSandboxTransfers, transfers as never);
    const inserted = await database.query<Pick<NewTransfer, 'merchant_id' | 'rail_reference'>>(
      insertSandboxTransfers,
      values,
    );
    const fresh = new Set(inserted.map(keyOf));
    // Deleting tells two sends of one reference in one statement apart: the first made the row.
    return transfers.map((transfer) => fresh.delete(keyOf(transfer)));
  });
}

function keyOf({ merchant_id, rail_reference }: Pick<NewTransfer, 'merchant_id' | 'rail_reference'>): string {
  return `${merchant_id}/${rail_reference}`;
}
