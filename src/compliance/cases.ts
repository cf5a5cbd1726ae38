import { DEFAULT_CURRENCY, decimalText } from '../money/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import { type ExportFile, exportList } from '../platform/exports.ts';
import type { JobFailures, JobMonitor } from '../platform/jobs/job-monitor.ts';
import { inHalves, takeTurns } from '../platform/jobs/take-turns.ts';
import type { ListRequest } from '../platform/lists/list.ts';
import { type FoundList, readList } from '../platform/lists/read-list.ts';
import type { CsvColumn } from '../platform/spreadsheet/write-csv.ts';
import { tenantKey, tenantOf } from '../platform/tenant.ts';
import { type CaseFilter, caseList, listCasesOver, type ShownCaseRow, updateCasesOver } from './case-queries.ts';

/** Cases that one run ends: more, the next one takes. */
const AT_ONCE = 1_000;

type CaseOver = Parameters<typeof tenantOf>[0] & { id: string };

/**
 * Ends cases that nobody has to decide any more, and has what only waited for that go on. Merchants take turns, each with all
 * that is listed of its own; a case that cannot be ended is left alone for a while that grows.
 * @returns how many.
 */
export async function endCasesOver(deps: { database: Database; clock: Clock; jobs: JobMonitor }): Promise<number> {
  const { database, clock, jobs } = deps;
  const failures = jobs.failuresOf('compliance.cases');
  const over = await database.query(listCasesOver, [clock.now(), failures.backingOffKeys(), AT_ONCE]);
  const byTenant = [...Map.groupBy(over, (row) => tenantKey(tenantOf(row))).values()];
  return takeTurns<CaseOver[]>(byTenant, {
    failures,
    tenantOf: (cases) => tenantOf(cases[0] as CaseOver),
    keyOf: (cases) => tenantKey(tenantOf(cases[0] as CaseOver)),
    take: (cases) => endCasesOf(deps, failures, cases),
    aboutOf: (cases) => ({ message: NOT_ENDED, ...tenantOf(cases[0] as CaseOver) }),
  });
}

const NOT_ENDED = 'a case that is over could not be ended';

async function endCasesOf(
  { database, clock }: { database: Database; clock: Clock },
  failures: JobFailures,
  cases: readonly CaseOver[],
): Promise<number> {
  let ended = 0;
  await inHalves(
    cases,
    async (some) => {
      const [{ merchant_id, mode }] = some as [CaseOver];
      const ids = some.map(({ id }) => id);
      ended += (await database.query(updateCasesOver, [clock.now(), merchant_id, mode, ids])).length;
      for (const id of ids) failures.succeeded(id);
    },
    (row, error) => failures.failed(row.id, error, { message: NOT_ENDED, ...tenantOf(row), caseId: row.id }),
  );
  return ended;
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
 * @param by `owner`: whose other downloads it waits for; `gone`: aborted where the client has gone away
 * @throws AppError 503 `EXPORTS_BUSY`, 422 `EXPORT_TOO_LARGE`
 */
export function exportCases(
  database: Database,
  filter: CaseFilter,
  { owner, gone }: { owner: string; gone: AbortSignal },
): Promise<ExportFile> {
  return exportList(database, owner, { list: caseList(filter), columns: COLUMNS, shownOf: (rows) => rows }, gone);
}
