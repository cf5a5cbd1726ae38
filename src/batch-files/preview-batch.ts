import { complaintsOf, createBankFinder, itemProblems, readMaxAmount } from '../batches/index.ts';
import type { PayoutDeps } from '../payouts/index.ts';
import { startLongWork } from '../platform/give-way.ts';
import type { Problem, ProblemData } from '../platform/problem.ts';
import type { Tenant } from '../platform/tenant.ts';
import { type BatchSettings, controlProblems } from './create-batch.ts';
import { listProblems } from './errors.ts';
import { type TakenRow, takeRow } from './read-row.ts';
import type { RowSource, SheetUnderstood } from './rows-of-sheet.ts';
import { previewRowView, understoodView } from './views.ts';

const SHOWN_ROWS = 5;
/** So many rows are named for each kind of error. */
const NAMED_ROWS = 20;

type Severity = 'ERROR' | 'WARNING';

interface RowProblem extends Problem {
  severity: Severity;
  count: number;
  rows: number[];
}

/**
 * What a batch would be made of a list: how it is understood, the first rows as they would be read, and all that is wrong with
 * it or with any of its rows, as far as that is known without asking banks. Nothing is stored, and nobody is asked.
 *
 * @throws AppError with what keeps the list from being read at all.
 */
export async function previewBatch(
  deps: PayoutDeps,
  tenant: Tenant,
  { rows, settings }: { rows: RowSource; settings: () => BatchSettings },
) {
  const findBank = createBankFinder(deps.banks);
  const maxAmountMinor = await readMaxAmount(deps, tenant);
  const shown: ReturnType<typeof previewRowView>[] = [];
  const grouped = new Map<string, RowProblem>();
  const counted = { count: 0, totalMinor: 0n, valid: 0 };
  const work = startLongWork();
  for await (const piece of rows.pieces) {
    const isMissing = missingFields(rows.understood?.());
    for (const given of piece) {
      const row = await takeRow(given, findBank);
      const bank = await deps.banks.findBank(row.bankCode);
      const errors = errorsOf(row, complaintsOf(factsOf(row), bank, maxAmountMinor)).filter(isMissing);
      const isValid = errors.length === 0;
      for (const error of errors) group(grouped, 'ERROR', error, row.position);
      for (const warning of row.warnings) group(grouped, 'WARNING', warning, row.position);
      counted.count += 1;
      counted.totalMinor += row.countedMinor;
      if (isValid) counted.valid += 1;
      if (shown.length < SHOWN_ROWS) shown.push(previewRowView(given, row, bank?.name ?? '', isValid));
      await work.giveWay();
    }
  }
  const seen = rows.understood?.();
  const unclear = seen?.problems ?? [];
  const problems = unclear.length > 0 ? unclear : controlProblems(settings(), counted);
  return {
    understood: seen === undefined ? null : understoodView(seen, counted),
    isReady: problems.length === 0,
    rows: shown,
    validRows: counted.valid,
    problems: problems.map(listProblems.shown),
    notices: rows.warnings().map(listProblems.shown),
    rowProblems: [...grouped.values()],
  };
}

function factsOf(row: TakenRow) {
  return {
    amount_minor: row.amountMinor,
    given_amount: row.givenAmount,
    bank_code: row.bankCode,
    account_number: row.accountNumber,
    narration: row.narration,
    phone_number: row.phoneNumber,
    item_warnings: null,
  };
}

/** The errors of a row, without those of a cell about which a more exact one was given already. */
function errorsOf({ complaints }: TakenRow, errors: readonly ProblemData[]): ProblemData[] {
  const known = new Set(complaints.map(({ field }) => field ?? 'amount'));
  return [...complaints, ...errors.filter(({ field }) => field === null || !known.has(field))];
}

/** Recognizes errors of rows about a column that is missing: that is said once, of the list. */
function missingFields(seen: SheetUnderstood | undefined): (problem: ProblemData) => boolean {
  if (seen?.mapping === undefined) return () => true;
  const there = new Set<string>(seen.mapping.columns.keys());
  if (there.has('bankName')) there.add('bankCode');
  const { defaults } = seen;
  for (const field of Object.keys(defaults ?? {})) there.add(field);
  return ({ field }) => field === null || there.has(field);
}

function group(grouped: Map<string, RowProblem>, severity: Severity, problem: ProblemData, row: number): void {
  const key = `${severity} ${problem.code} ${problem.field ?? ''}`;
  const found = grouped.get(key) ?? { ...itemProblems.shown(problem), severity, count: 0, rows: [] };
  found.count += 1;
  if (found.rows.length < NAMED_ROWS) found.rows.push(row);
  grouped.set(key, found);
}
