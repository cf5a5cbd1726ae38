import { DEFAULT_CURRENCY } from '../money/index.ts';
import type { Database, Tx } from '../platform/db/database.ts';
import { write } from '../platform/db/statement.ts';
import { invalidField } from '../platform/errors.ts';
import { NIL_ID, newId } from '../platform/ids.ts';
import type { Mode } from '../platform/tenant.ts';
import {
  alreadyImported,
  hashFile,
  importHash,
  isOfFile,
  type OpenFile,
  railUnknown,
  readFile,
} from '../reconciliation/index.ts';
import { compareDeductions } from './compare-deductions.ts';
import { compareLines, resolveMissing } from './compare-lines.ts';
import type { ProviderSettlementDeps } from './deps.ts';
import { amountsTooLarge, settlementReferenceTaken } from './errors.ts';
import {
  insertMissingPayments,
  listMissingSettled,
  listUnsettledPayments,
  planUnsettledReport,
} from './line-queries.ts';
import {
  deleteUnreadLines,
  deleteUnreadSettlement,
  findProviderSettlement,
  findProviderSettlementByHash,
  findProviderSettlementByReference,
  holdProviderSettlement,
  insertProviderLines,
  insertProviderSettlement,
  lockUnreadSettlement,
  type ProviderSettlementRow,
  type ProviderSettlementStatus,
  updateProviderSettlementLoaded,
  updateProviderSettlementStatus,
} from './queries.ts';
import { type ProviderLine, providerFormat } from './read-line.ts';

const PIECE = 5_000;
/**
 * Ten trillion naira, which is also the most of one amount of a line: a page shows the sums, and an answer holds them
 * exactly.
 */
const MAX_SUM_MINOR = 10n ** 15n;

/**
 * Finds payments that were confirmed before the cut-off, that no settlement has and this one does not name. Each is
 * missing once, whichever settlements lack it, until one has it.
 */
async function findMissing(
  deps: ProviderSettlementDeps,
  { id, rail, mode, cut_off: cutOff, imported_by: by }: ProviderSettlementRow,
  merchantId: string | null,
): Promise<void> {
  const { database } = deps;
  if (cutOff === null) return;
  for (let after = [NIL_ID, NIL_ID]; ; ) {
    const page = await database.transaction(async (tx) => {
      await tx.query(planUnsettledReport);
      return tx.query(listUnsettledPayments, [id, rail, mode, cutOff, ...after, PIECE, merchantId]);
    });
    const last = page.at(-1);
    if (last === undefined) break;
    const rows = page.map((payment) => {
      const missing = {
        settlement_id: id,
        id: newId(),
        provider_transaction_id: payment.provider_transaction_id,
        session_id: payment.session_id,
        result: 'MISSING_THERE',
        detail: `it was confirmed on ${payment.confirmed_at.toISOString()}`,
        merchant_id: payment.merchant_id,
        payment_id: payment.id,
        our_amount_minor: payment.amount_minor,
        our_fee_minor: payment.provider_fee_minor,
      } as const;
      return write(insertMissingPayments, missing).row;
    });
    const isKept = await writeUnder(database, { id, status: 'MATCHING' }, (tx) => tx.run(insertMissingPayments, rows));
    // Somebody discarded it, or another process has finished it.
    if (!isKept) break;
    after = [last.merchant_id, last.id];
  }
  const note = 'in a settlement that was applied at the same moment';
  await resolveMissing(deps, await database.query(listMissingSettled, [id, mode]), { note, by });
}

/** Writes what belongs to a settlement, if it still has that status. @returns whether it has */
function writeUnder(
  database: Database,
  { id, status }: Pick<ProviderSettlementRow, 'id' | 'status'>,
  writeIt: (tx: Tx) => Promise<unknown>,
): Promise<boolean> {
  return database.transaction(async (tx) => {
    const [held] = await tx.query(holdProviderSettlement, [id, status]);
    if (held !== undefined) await writeIt(tx);
    return held !== undefined;
  });
}

/** A settlement as somebody records it. */
export interface ProviderSettlementFile {
  /** Name of the provider account. */
  rail: string;
  mode: Mode;
  /** The provider's own, of this settlement. */
  reference: string;
  /** Kobo that arrived, as the operator saw it. */
  lumpMinor: bigint;
  /** The day on which it arrived, 2026-11-20. */
  settledOn: string;
  /** Payments that were confirmed before have to be in the file; null: none is looked for. */
  cutOff: Date | null;
  /**
   * The merchant whose payments have to be in it, where the account keeps merchants apart; null or undefined: all
   * merchants'.
   */
  ofMerchant?: string | null;
  fileName: string;
  open: OpenFile;
  /** The file's plain columns count kobo. A column whose name says so needs no option. */
  amountsInKobo?: boolean;
  importedBy: string;
}

const MAX_REFERENCE = 100;

/**
 * Imports the file of what a provider settled: stores its lines, compares them with our payments, and looks for what it
 * lacks. Nothing is posted: another person applies it. Any step may be killed: importing the same file again continues,
 * and a file that was compared is refused. Of a file that cannot be read nothing is kept.
 * @returns the id of the settlement.
 * @throws AppError 404 `RAIL_NOT_FOUND`; 400 `VALIDATION_FAILED`, `SETTLEMENT_FILE_UNREADABLE`,
 *   `SETTLEMENT_HEADER_UNKNOWN` or `SETTLEMENT_FILE_TOO_LONG`; 409 `SETTLEMENT_ALREADY_IMPORTED`,
 *   `SETTLEMENT_REFERENCE_TAKEN` or `SETTLEMENT_FILE_CHANGED`.
 */
export async function importProviderSettlement(
  deps: ProviderSettlementDeps,
  file: ProviderSettlementFile,
): Promise<string> {
  if ((await deps.rails.findRail(file.mode, file.rail)) === undefined) throw railUnknown(file.rail);
  const reference = file.reference.trim();
  if (reference === '' || reference.length > MAX_REFERENCE) {
    throw invalidField('reference', `must be the provider's own, of at most ${MAX_REFERENCE} characters`);
  }
  if (file.lumpMinor < 0n) throw invalidField('lumpSum', 'must not be below zero');
  const hash = await hashFile(file.open);
  const id = await begin(deps, { ...file, reference }, importHash(hash, file));
  const steps: [ProviderSettlementStatus, (row: ProviderSettlementRow) => Promise<void>, ProviderSettlementStatus][] = [
    ['LOADING', (row) => loadLines(deps, row, { ...file, hash }), 'MATCHING'],
    ['MATCHING', (row) => compareAll(deps, row, file.ofMerchant ?? null), 'READY'],
  ];
  for (const [from, step, to] of steps) {
    const row = await requireRow(deps, id);
    if (row.status !== from) continue;
    await step(row).catch((error: unknown) => drop(deps, row, error));
    await deps.database.query(updateProviderSettlementStatus, [id, from, to, deps.clock.now()]);
  }
  return id;
}

/**
 * Removes an import that failed. A file that is wrong is wrong each time it is sent, and a corrected one is another
 * file: nothing of it is kept.
 */
async function drop({ database }: ProviderSettlementDeps, { id, status }: ProviderSettlementRow, error: unknown) {
  if (status === 'LOADING' && isOfFile(error)) await restartUnread({ database }, { id });
  throw error;
}

/** Removes what was read of a settlement that was cut short; not where another process has read it meanwhile. */
export async function restartUnread(
  { database }: Pick<ProviderSettlementDeps, 'database'>,
  { id }: Pick<ProviderSettlementRow, 'id'>,
): Promise<void> {
  await database.transaction(async (tx) => {
    const [locked] = await tx.query(lockUnreadSettlement, [id]);
    if (locked === undefined) return;
    await tx.query(deleteUnreadLines, [id]);
    await tx.query(deleteUnreadSettlement, [id]);
  });
}

async function compareAll(
  deps: ProviderSettlementDeps,
  row: ProviderSettlementRow,
  merchantId: string | null,
): Promise<void> {
  await compareLines(deps, row, null);
  await compareDeductions(deps, row);
  await findMissing(deps, row, merchantId);
}

/** Stores every line as it was read. An import that was cut short is read again, and nothing is stored twice. */
async function loadLines(
  { database, clock }: ProviderSettlementDeps,
  row: ProviderSettlementRow,
  { open, hash, amountsInKobo = false }: ProviderSettlementFile & { hash: string },
): Promise<void> {
  let lines = 0;
  let sumMinor = 0n;
  for await (const piece of readFile(open, { hash, format: providerFormat({ amountsInKobo }) })) {
    sumMinor += piece.reduce((sum, line) => sum + largestOf(line), 0n);
    if (sumMinor > MAX_SUM_MINOR) throw amountsTooLarge();
    const rows = piece.map((line) => write(insertProviderLines, rowOf(row.id, line)).row);
    // Another process has read it meanwhile, or somebody discarded it.
    if (!(await writeUnder(database, row, (tx) => tx.run(insertProviderLines, rows)))) return;
    lines += piece.length;
  }
  await database.query(updateProviderSettlementLoaded, [row.id, lines, clock.now()]);
}

const sizeOf = (minor: bigint | null): bigint => (minor === null ? 0n : minor < 0n ? -minor : minor);
const largestOf = ({ grossMinor, feeMinor, netMinor }: ProviderLine): bigint =>
  [grossMinor, feeMinor, netMinor].map(sizeOf).reduce((largest, size) => (size > largest ? size : largest), 0n);

function rowOf(settlementId: string, line: ProviderLine) {
  return {
    settlement_id: settlementId,
    id: newId(),
    line_number: line.lineNumber,
    provider_transaction_id: line.transactionId,
    session_id: line.sessionId,
    reference: line.reference,
    gross_minor: line.grossMinor,
    fee_minor: line.feeMinor,
    net_minor: line.netMinor,
    currency: line.currency,
    line_mode: line.lineMode,
    occurred_at: line.occurredAt?.at.toISOString() ?? null,
    result: line.result,
    detail: line.detail,
    deduction: line.deduction,
  };
}

async function begin(
  { database, clock }: ProviderSettlementDeps,
  file: ProviderSettlementFile,
  hash: string,
): Promise<string> {
  const { rail, mode, reference, lumpMinor, settledOn, cutOff, fileName, importedBy } = file;
  const sum = [reference, lumpMinor, DEFAULT_CURRENCY, settledOn, cutOff];
  const given = [newId(), rail, mode, ...sum, fileName, hash, importedBy, clock.now()];
  const [made] = await database.query(insertProviderSettlement, given);
  if (made !== undefined) return made.id;
  const [known] = await database.query(findProviderSettlementByHash, [rail, mode, hash]);
  if (known === undefined) {
    const [other] = await database.query(findProviderSettlementByReference, [rail, mode, reference]);
    throw settlementReferenceTaken(reference, other?.id ?? 'one that was discarded just now');
  }
  const isSame = known.reference === reference && known.lump_minor === lumpMinor;
  const isUnderWay = known.status === 'LOADING' || known.status === 'MATCHING';
  if (!isSame || !isUnderWay) throw alreadyImported(known.id, known.created_at);
  return known.id;
}

async function requireRow({ database }: ProviderSettlementDeps, id: string): Promise<ProviderSettlementRow> {
  const [row] = await database.query(findProviderSettlement, [id]);
  if (row === undefined) throw new Error(`provider settlement ${id} is gone`);
  return row;
}
