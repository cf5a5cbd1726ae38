import { DEFAULT_CURRENCY, decimalText } from '../money/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import { type ExportFile, exportList } from '../platform/exports.ts';
import type { ListRequest } from '../platform/lists/list.ts';
import { type FoundList, readList } from '../platform/lists/read-list.ts';
import type { CsvColumn } from '../platform/spreadsheet/write-csv.ts';
import { type CaseFilter, caseList, type ShownCaseRow, updateCasesOver } from './case-queries.ts';

/** Cases that one run ends: more, the next one takes. */
const AT_ONCE = 500;

/** Ends cases that nobody has to decide any more, and has what only waited for that go on. @returns how many. */
export async function endCasesOver({ database, clock }: { database: Database; clock: Clock }): Promise<number> {
  return (await database.query(updateCasesOver, [clock.now(), AT_ONCE])).length;
}

/** Across merchants, newest first. @throws AppError 400 `CURSOR_MISMATCH`, `CURSOR_INVALID` */
export function readCases(
  database: Database,
  filter: CaseFilter,
  request: ListRequest,
): Promise<FoundList<ShownCaseRow>> {
  return database.snapshot((queries) => readList(queries, caseList(filter), request));
}

const COLUMNS: readonly CsvColumn<ShownCaseRow>[] = [
  ['Opened (UTC)', ({ opened_at }) => opened_at.toISOString()],
  ['Case ID', ({ id }) => id],
  ['Reason', ({ reason }) => reason],
  ['Status', ({ status }) => status],
  ['Decided (UTC)', ({ decided_at }) => decided_at?.toISOString() ?? ''],
  ['Mode', ({ mode }) => mode],
  ['Merchant', ({ business_name }) => business_name ?? ''],
  ['Merchant ID', ({ merchant_id }) => merchant_id],
  ['Direction', ({ subject_type }) => (subject_type === 'PAYMENT' ? 'IN' : 'OUT')],
  ['Payment or Payout ID', ({ subject_id }) => subject_id],
  ['Its Status', ({ subject_status }) => subject_status ?? ''],
  ['Amount', ({ amount_minor }) => (amount_minor === null ? '' : decimalText(amount_minor))],
  ['Currency', () => DEFAULT_CURRENCY],
  ['Payer or Payee', ({ party_name }) => party_name ?? ''],
  ['Account Number', ({ party_account_number }) => party_account_number ?? '', 'DIGITS'],
  ['Bank', ({ party_bank_name }) => party_bank_name ?? ''],
  ['Reference', ({ reference }) => reference ?? '', 'DIGITS'],
  ['Session ID', ({ session_id }) => session_id ?? '', 'DIGITS'],
  ['Found', ({ facts }) => facts],
];

/**
 * Cases as CSV, newest first, amounts in naira.
 * @param owner whose other downloads it waits for
 * @throws AppError 503 `EXPORTS_BUSY`, 422 `EXPORT_TOO_LARGE`
 */
export function exportCases(database: Database, filter: CaseFilter, owner: string): Promise<ExportFile> {
  return exportList(database, owner, { list: caseList(filter), columns: COLUMNS, shownOf: async (rows) => rows });
}
