import { newId } from '../platform/ids.ts';
import type { Mode } from '../platform/tenant.ts';
import type { ReconciliationDeps } from './deps.ts';
import { alreadyImported, merchantNeeded, railUnknown } from './errors.ts';
import { findMissing } from './find-missing.ts';
import { loadLines } from './load-lines.ts';
import { matchLines } from './match-lines.ts';
import {
  findImport,
  findImportByHash,
  type ImportRow,
  type ImportStatus,
  insertImport,
  updateImportStatus,
} from './queries.ts';
import { hashFile, type OpenFile } from './read-file.ts';
import { settlePayouts } from './settle-payouts.ts';

export interface SettlementFile {
  /** Name of the rail account whose file it is. */
  rail: string;
  mode: Mode;
  /** Whose file it is, where the rail keeps merchants apart; null is all. */
  merchantId: string | null;
  fileName: string;
  open: OpenFile;
  /** The file's plain amount column counts kobo. A column that says so in its name needs no telling. */
  amountsInKobo?: boolean;
  importedBy: string;
}

/**
 * Takes in a settlement or statement file of a rail: keeps its lines, compares them with our books, finds what it lacks,
 * and settles what both agree on. Any step may be killed: importing the same file again goes on where it was, and a file
 * that is done is refused.
 * @returns the id of the import.
 * @throws AppError 404 `RAIL_NOT_FOUND`; 400 `SETTLEMENT_MERCHANT_NEEDED`, `SETTLEMENT_FILE_UNREADABLE`,
 *   `SETTLEMENT_HEADER_UNKNOWN` or `SETTLEMENT_FILE_TOO_LONG`; 409 `SETTLEMENT_ALREADY_IMPORTED` or
 *   `SETTLEMENT_FILE_CHANGED`.
 */
export async function importSettlement(deps: ReconciliationDeps, file: SettlementFile): Promise<string> {
  const rail = await deps.rails.findRail(file.mode, file.rail);
  if (rail === undefined) throw railUnknown(file.rail);
  // Such a rail's references are not in the directory: they do not say whose they are.
  if (rail.echoesTenant === true && file.merchantId === null) throw merchantNeeded(file.rail);
  const { id } = await begin(deps, file);
  const steps: [ImportStatus, (settlement: ImportRow) => Promise<void>, ImportStatus][] = [
    ['LOADING', (settlement) => loadLines(deps, settlement, file.open, file.amountsInKobo ?? false), 'MATCHING'],
    ['MATCHING', (settlement) => matchLines(deps, settlement), 'SETTLING'],
    ['SETTLING', (settlement) => finish(deps, settlement), 'DONE'],
  ];
  for (const [from, step, to] of steps) {
    const settlement = await requireImport(deps, id);
    if (settlement.status !== from) continue;
    await step(settlement);
    await deps.database.query(updateImportStatus, [id, from, to, deps.clock.now()]);
  }
  return id;
}

async function finish(deps: ReconciliationDeps, settlement: ImportRow): Promise<void> {
  await settlePayouts(deps, settlement);
  await findMissing(deps, settlement);
}

async function begin({ database, clock }: ReconciliationDeps, file: SettlementFile): Promise<ImportRow> {
  const hash = await hashFile(file.open);
  const { rail, mode, merchantId, fileName, importedBy } = file;
  const row = [newId(), rail, mode, merchantId, fileName, hash, importedBy, clock.now()];
  const [made] = await database.query(insertImport, row);
  if (made !== undefined) return made;
  const [known] = await database.query(findImportByHash, [rail, mode, hash]);
  if (known === undefined) throw new Error('an import is there and cannot be found');
  if (known.status === 'DONE' || known.merchant_id !== merchantId) throw alreadyImported(known.id, known.created_at);
  return known;
}

async function requireImport({ database }: ReconciliationDeps, id: string): Promise<ImportRow> {
  const [row] = await database.query(findImport, [id]);
  if (row === undefined) throw new Error(`import ${id} is gone`);
  return row;
}
