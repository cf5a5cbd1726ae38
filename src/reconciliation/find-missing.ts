import { listPaidByRail, type RailPayoutRow } from '../payouts/index.ts';
import { write } from '../platform/db/statement.ts';
import { newId } from '../platform/ids.ts';
import type { ReconciliationDeps } from './deps.ts';
import { type ImportRow, insertMissingLines, listUnnamedPayouts } from './queries.ts';

const PIECE = 5_000;

/**
 * What we say this rail paid within the file's period and the file does not have. A payout at the edge of the period may
 * be in the file before or after: when it turns up there, it is no longer missing.
 */
export async function findMissing({ database }: ReconciliationDeps, settlement: ImportRow): Promise<void> {
  const { rail, mode, merchant_id: merchantId, period_from: from, period_to: to } = settlement;
  if (from === null || to === null) return;
  for await (const page of listPaidByRail(database, { rail, mode, merchantId }, { from, to, limit: PIECE })) {
    const merchants = page.map(({ merchant_id }) => merchant_id);
    const ids = page.map(({ id }) => id);
    const unnamed = await database.query(listUnnamedPayouts, [settlement.id, mode, merchants, ids]);
    const missing = new Set(unnamed.map(({ payout_id }) => payout_id));
    const rows = page.filter(({ id }) => missing.has(id)).map((payout) => missingLine(settlement.id, payout));
    await database.run(insertMissingLines, rows);
  }
}

function missingLine(importId: string, payout: RailPayoutRow) {
  return write(insertMissingLines, {
    import_id: importId,
    id: newId(),
    reference: payout.id.replaceAll('-', ''),
    session_id: payout.session_id,
    kind: 'UNCLEAR',
    result: 'MISSING_THERE',
    detail: `we say that it was paid on ${payout.paid_at?.toISOString()}`,
    merchant_id: payout.merchant_id,
    payout_id: payout.id,
    our_status: payout.status,
    our_amount_minor: payout.amount_minor,
    settles: false,
  }).row;
}
