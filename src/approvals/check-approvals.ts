import type { Queries } from '../platform/db/database.ts';
import type { Mode } from '../platform/tenant.ts';
import { digestOf } from './digest.ts';
import { listApprovalsOfAll } from './queries.ts';

/** One approval that is not what was shown. */
export interface ApprovalFault {
  merchantId: string;
  mode: Mode;
  detail: string;
}

/** Before every id. */
const NO_ID = '00000000-0000-0000-0000-000000000000';
/** Read at once. */
const PIECE = 2_000;

/**
 * Computes the digest of every approval anew. Finds each whose text, amounts, effect, maker or number of people was
 * altered after it was shown.
 */
export async function* checkApprovals(queries: Queries): AsyncGenerator<ApprovalFault> {
  let last: [merchantId: string, mode: string, id: string] = [NO_ID, '', NO_ID];
  for (;;) {
    const rows = await queries.query(listApprovalsOfAll, [...last, PIECE]);
    for (const row of rows) {
      const { merchant_id: merchantId, mode, id, status } = row;
      if (digestOf(row) !== row.digest) {
        yield { merchantId, mode, detail: `approval ${id} (${status}) is not what has the digest that was shown` };
      }
      last = [merchantId, mode, id];
    }
    if (rows.length < PIECE) return;
  }
}
