import { DEFAULT_CURRENCY, decimalText } from '../money/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Queries } from '../platform/db/database.ts';
import { invalidField } from '../platform/errors.ts';
import { type ExportFile, exportList } from '../platform/exports.ts';
import { newId } from '../platform/ids.ts';
import type { CsvColumn } from '../platform/spreadsheet/write-csv.ts';
import type { Mode } from '../platform/tenant.ts';
import { thresholdNotSet } from './errors.ts';
import { insertThreshold, type LargeRow, largeList, listThresholds, type ThresholdRow } from './large-queries.ts';

/** Past and future, as the database has them now. */
export const readThresholds = (queries: Queries): Promise<ThresholdRow[]> => queries.query(listThresholds);

/**
 * From which amount on transactions stand in the list, from now or a later moment on.
 * @throws AppError 400 `VALIDATION_FAILED` for a moment in the past.
 */
export async function setThreshold(
  { database, clock }: { database: Database; clock: Clock },
  given: Pick<ThresholdRow, 'individual_minor' | 'corporate_minor' | 'source'> & { effectiveFrom: Date | undefined },
): Promise<void> {
  const now = clock.now();
  const from = given.effectiveFrom ?? now;
  if (from < now) throw invalidField('effectiveFrom', 'must not be in the past');
  const { individual_minor, corporate_minor, source } = given;
  await database.query(insertThreshold, [newId(), individual_minor, corporate_minor, from, source, now]);
}

const COLUMNS: readonly CsvColumn<LargeRow>[] = [
  ['At (UTC)', ({ at }) => at.toISOString()],
  ['Direction', ({ direction }) => direction],
  ['Mode', ({ mode }) => mode],
  ['Merchant', ({ business_name }) => business_name],
  ['Merchant ID', ({ merchant_id }) => merchant_id],
  ['Registration Number', ({ registration_number }) => registration_number ?? ''],
  ['Business Type', ({ business_type }) => business_type],
  ['Amount', ({ amount_minor }) => decimalText(amount_minor)],
  ['Currency', () => DEFAULT_CURRENCY],
  ['Threshold', ({ threshold_minor }) => decimalText(threshold_minor)],
  ['Payer', ({ payer_name }) => payer_name ?? ''],
  ['Payer Account Number', ({ payer_account_number }) => payer_account_number ?? '', 'DIGITS'],
  ['Payer Bank', ({ payer_bank }) => payer_bank ?? ''],
  ['Payee', ({ payee_name }) => payee_name ?? ''],
  ['Payee Account Number', ({ payee_account_number }) => payee_account_number ?? '', 'DIGITS'],
  ['Payee Bank', ({ payee_bank }) => payee_bank ?? ''],
  ['Narration', ({ narration }) => narration ?? ''],
  ['Reference', ({ reference }) => reference ?? '', 'DIGITS'],
  ['Provider Reference', ({ provider_reference }) => provider_reference ?? '', 'DIGITS'],
  ['Session ID', ({ session_id }) => session_id ?? '', 'DIGITS'],
  ['Rail', ({ rail }) => rail],
  ['Payment or Payout ID', ({ id }) => id],
];

/**
 * Payments in and payouts at or above the threshold that was in force when each happened, in the order of time, as CSV with
 * amounts in naira.
 * @param by `owner`: whose other downloads it waits for; `gone`: aborted where the client has gone away
 * @throws AppError 400 `VALIDATION_FAILED`; 404 `REPORT_THRESHOLD_NOT_FOUND`; 503 `EXPORTS_BUSY`, 422 `EXPORT_TOO_LARGE`
 */
export async function exportLargeTransactions(
  database: Database,
  { mode, from, to }: { mode: Mode; from: Date; to: Date },
  { owner, gone }: { owner: string; gone: AbortSignal },
): Promise<ExportFile> {
  if (to <= from) throw invalidField('to', 'must be after from');
  const thresholds = await database.query(listThresholds);
  const [first, ...others] = thresholds.flatMap(({ individual_minor, corporate_minor }) => [
    individual_minor,
    corporate_minor,
  ]);
  if (first === undefined) throw thresholdNotSet();
  const lowestMinor = others.reduce((lowest, one) => (one < lowest ? one : lowest), first);
  const list = largeList({ mode, from, to, lowestMinor });
  return exportList(database, owner, { list, columns: COLUMNS, shownOf: (rows) => rows }, gone);
}
