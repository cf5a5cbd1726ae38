import { listPaidByRail, type RailPayoutRow } from '../outcomes/index.ts';
import { DAY_MS } from '../platform/clock.ts';
import { write } from '../platform/db/statement.ts';
import { newId } from '../platform/ids.ts';
import type { Mode } from '../platform/tenant.ts';
import type { ReconciliationDeps } from './deps.ts';
import { alreadyImported, merchantNeeded, railUnknown } from './errors.ts';
import {
  deleteUnreadImport,
  deleteUnreadImportLines,
  findImport,
  findImportByHash,
  holdUnreadImport,
  insertImport,
  lockUnreadImport,
  updateImportLoaded,
  updateImportStatus,
} from './import-queries.ts';
import { matchLines } from './match-lines.ts';
import {
  type ImportRow,
  type ImportStatus,
  insertLines,
  insertMissingLines,
  listMissingSettled,
  listUnnamedPayouts,
  updateMissingFound,
  updateMissingSettled,
} from './queries.ts';
import { hashFile, importHash, isOfFile, type OpenFile, readFile } from './read-file.ts';
import { payoutFormat, type SettlementLine } from './read-line.ts';
import { settlePayouts } from './settle-payouts.ts';

const PIECE = 5_000;

/**
 * Finds payouts that our books say this rail paid within the file's period and the file does not have. A payout at the
 * edge of the period may be in the file before or after: when it turns up there, it is no longer missing. This runs
 * after the file was settled: of two files at one moment, of which one lacks a payout and the other has it, one sees
 * what the other did.
 */
async function findMissing({ database, clock }: ReconciliationDeps, settlement: ImportRow): Promise<void> {
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
  const settled = (await database.query(listMissingSettled, [id, mode])).map((line) => line.id);
  if (settled.length > 0) await database.query(updateMissingSettled, [id, settled, note, by, clock.now()]);
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

/**
 * Stores every line of the file as it was read. An import that was cut short is read again, and nothing is stored
 * twice.
 */
async function loadLines(
  { database, clock }: Pick<ReconciliationDeps, 'database' | 'clock'>,
  settlement: ImportRow,
  { open, hash, amountsInKobo = false }: SettlementFile & { hash: string },
): Promise<void> {
  let lines = 0;
  let from: number | undefined;
  let to: number | undefined;
  for await (const piece of readFile(open, { hash, format: payoutFormat({ amountsInKobo }) })) {
    const rows = piece.map((line) => write(insertLines, rowOf(settlement.id, line)).row);
    const isKept = await database.transaction(async (tx) => {
      const [held] = await tx.query(holdUnreadImport, [settlement.id]);
      if (held !== undefined) await tx.run(insertLines, rows);
      return held !== undefined;
    });
    // Another process has read it meanwhile.
    if (!isKept) return;
    lines += piece.length;
    for (const { occurredAt } of piece) {
      if (occurredAt === null) continue;
      const first = occurredAt.at.getTime();
      const last = occurredAt.wholeDay ? first + DAY_MS - 1 : first;
      from = Math.min(from ?? first, first);
      to = Math.max(to ?? last, last);
    }
  }
  const period = [from, to].map((time) => (time === undefined ? null : new Date(time)));
  await database.query(updateImportLoaded, [settlement.id, lines, ...period, clock.now()]);
}

function rowOf(importId: string, line: SettlementLine) {
  return {
    import_id: importId,
    id: newId(),
    line_number: line.lineNumber,
    reference: line.reference,
    session_id: line.sessionId,
    amount_minor: line.amountMinor,
    currency: line.currency,
    account_number: line.accountNumber,
    bank_code: line.bankCode,
    occurred_at: line.occurredAt?.at.toISOString() ?? null,
    status_text: line.statusText,
    kind: line.kind,
    result: line.problem === null ? null : ('UNREADABLE' as const),
    detail: line.problem,
  };
}

export interface SettlementFile {
  /** Name of the rail account whose file it is. */
  rail: string;
  mode: Mode;
  /** The merchant whose file it is, where the rail keeps merchants apart; null is all. */
  merchantId: string | null;
  fileName: string;
  open: OpenFile;
  /** The file's plain amount column counts kobo. A column whose name says so needs no option. */
  amountsInKobo?: boolean;
  importedBy: string;
}

/**
 * Imports a settlement or statement file of a rail: stores its lines, compares them with our books, finds what it
 * lacks, and settles what both agree on. Any step may be killed: importing the same file again continues, and a file
 * that is done is refused. Of a file that cannot be read, or that changed meanwhile, nothing is kept.
 * @returns the id of the import.
 * @throws AppError 404 `RAIL_NOT_FOUND`; 400 `SETTLEMENT_MERCHANT_NEEDED`, `SETTLEMENT_FILE_UNREADABLE`,
 *   `SETTLEMENT_HEADER_UNKNOWN` or `SETTLEMENT_FILE_TOO_LONG`; 409 `SETTLEMENT_ALREADY_IMPORTED` or
 *   `SETTLEMENT_FILE_CHANGED`.
 */
export async function importSettlement(deps: ReconciliationDeps, file: SettlementFile): Promise<string> {
  const rail = await deps.rails.findRail(file.mode, file.rail);
  if (rail === undefined) throw railUnknown(file.rail);
  // References of such a rail are not in the directory: they do not show their owner.
  if (rail.echoesTenant === true && file.merchantId === null) throw merchantNeeded(file.rail);
  const hash = await hashFile(file.open);
  const { id } = await begin(deps, file, importHash(hash, file));
  const steps: [ImportStatus, (settlement: ImportRow) => Promise<void>, ImportStatus][] = [
    ['LOADING', (settlement) => loadLines(deps, settlement, { ...file, hash }), 'MATCHING'],
    ['MATCHING', (settlement) => matchLines(deps, settlement), 'SETTLING'],
    ['SETTLING', (settlement) => finish(deps, settlement), 'DONE'],
  ];
  for (const [from, step, to] of steps) {
    const settlement = await requireImport(deps, id);
    if (settlement.status !== from) continue;
    await step(settlement).catch((error: unknown) => drop(deps, settlement, error));
    await deps.database.query(updateImportStatus, [id, from, to, deps.clock.now()]);
  }
  return id;
}

async function drop({ database }: ReconciliationDeps, { id, status }: ImportRow, error: unknown): Promise<void> {
  if (status === 'LOADING' && isOfFile(error)) {
    await database.transaction(async (tx) => {
      const [locked] = await tx.query(lockUnreadImport, [id]);
      if (locked === undefined) return;
      await tx.query(deleteUnreadImportLines, [id]);
      await tx.query(deleteUnreadImport, [id]);
    });
  }
  throw error;
}

async function finish(deps: ReconciliationDeps, settlement: ImportRow): Promise<void> {
  await settlePayouts(deps, settlement);
  await findMissing(deps, settlement);
}

async function begin({ database, clock }: ReconciliationDeps, file: SettlementFile, hash: string): Promise<ImportRow> {
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
