import type { Queries } from '../platform/db/database.ts';
import type { Secrets } from '../platform/secrets.ts';
import { listSealedEntries } from './queries.ts';
import { NO_MERCHANT } from './record-audit.ts';
import { isSeal, NO_SEAL, sealedText } from './seal-of.ts';

/** One thing in the log that is not as it was recorded. */
export interface AuditFault {
  merchantId: string;
  detail: string;
}

/** Read at once. */
const PIECE = 2_000;

/**
 * Computes every seal of the log anew. Finds each entry that was altered or taken out, and each seal that was: only what
 * a chain lost at its very end, entries and seals together, leaves nothing to compare with.
 */
export async function* checkAuditLog(
  queries: Queries,
  secrets: Pick<Secrets, 'hmacs' | 'hmacUnder'>,
): AsyncGenerator<AuditFault> {
  let end = { chain: NO_MERCHANT, sequence: 0n, seal: NO_SEAL };
  for (;;) {
    const rows = await queries.query(listSealedEntries, [end.chain, end.sequence, PIECE]);
    for (const row of rows) {
      const before = row.chain === end.chain ? end : { sequence: 0n, seal: NO_SEAL };
      const place = `entry ${row.entry_id}, sealed as number ${row.sequence}`;
      if (row.sequence !== before.sequence + 1n) {
        yield { merchantId: row.chain, detail: `${place}: the number before it is ${before.sequence}` };
      } else if (!row.found) {
        yield { merchantId: row.chain, detail: `${place}: it is gone` };
      } else {
        const isWhole = isSeal(secrets, row, sealedText(before.seal, row.sequence, row));
        if (isWhole !== true) yield { merchantId: row.chain, detail: `${place}: ${faultOf(isWhole, row.pepper_id)}` };
      }
      // What follows is compared with the seal as it stands: one fault is told once.
      end = { chain: row.chain, sequence: row.sequence, seal: row.seal };
    }
    if (rows.length < PIECE) return;
  }
}

function faultOf(isWhole: false | undefined, pepperId: string | null): string {
  if (isWhole === false) return 'it is not what was sealed';
  return `it was sealed under the pepper ${pepperId}, which is not in PIN_PEPPER_PREVIOUS`;
}
