import { listPaidByRail, type RailPayoutRow } from '../outcomes/index.ts';
import { write } from '../platform/db/statement.ts';
import { newId } from '../platform/ids.ts';
import type { ReconciliationDeps } from './deps.ts';
import {
  type ImportRow,
  insertMissingLines,
  listUnnamedPayouts,
  updateMissingFound,
  updateMissingSettled,
} from './queries.ts';

const PIECE = 5_000;

/**
 * What we say this rail paid within the file's period and the file does not have. A payout at the edge of the period may
 * be in the file before or after: when it turns up there, it is no longer missing. After what the file settles: of two
 * files at one moment, the one that lacks a payout and the one that has it, one sees what the other did.
 */
export async function findMissing({ database, clock }: ReconciliationDeps, settlement: ImportRow): Promise<void> {
  const { id, rail, mode, merchant_id: merchantId, period_from: from, period_to: to, imported_by: by } = settlement;
  await database.query(updateMissingFound, [id, `in ${settlement.file_name}`, by, clock.now()]);
  if (from === null || to === null) return;
  for await (const page of listPaidByRail(database, { rail, mode, merchantId }, { from, to, limit: PIECE })) {
    const merchants = page.map(({ merchant_id }) => merchant_id);
    const ids = page.map((payout) => payout.id);
    const unnamed = await database.query(listUnnamedPayouts, [id, mode, merchants, ids]);
    const missing = new Set(unnamed.map(({ payout_id }) => payout_id));
    const rows = page.filter((payout) => missing.has(payout.id)).map((payout) => missingLine(id, payout));
    await database.run(insertMissingLines, rows);
  }
  const note = 'in a file that was imported at the same moment';
  await database.query(updateMissingSettled, [id, mode, note, by, clock.now()]);
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
