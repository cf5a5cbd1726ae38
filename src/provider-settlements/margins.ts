import { stringify } from 'csv-stringify/sync';
import { decimalText } from '../money/index.ts';
import { DAY_MS, startOfLagosDay } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import { INERT } from '../platform/spreadsheet/write-csv.ts';
import type { Mode } from '../platform/tenant.ts';
import { planUnsettledReport } from './line-queries.ts';
import { listMargins, type MarginRow } from './margin-queries.ts';

/**
 * Provider cost beside what was quoted and what the operator charged, by day, provider account and channel, from one
 * day to another, the last included. It reads what was settled since: for reports.
 */
export function readMargins(
  { database }: { database: Database },
  { mode, fromDay, toDay }: { mode: Mode; fromDay: string; toDay: string },
): Promise<MarginRow[]> {
  const to = new Date(startOfLagosDay(toDay).getTime() + DAY_MS);
  return database.snapshot(async (queries) => {
    await queries.query(planUnsettledReport);
    return queries.query(listMargins, [mode, startOfLagosDay(fromDay), to]);
  });
}

export function marginsCsv(rows: readonly MarginRow[]): string {
  const records = rows.map((row) => ({
    Day: row.day,
    'Provider Account': row.rail,
    Channel: row.channel,
    Payments: String(row.payments),
    Gross: decimalText(row.gross_minor),
    Quoted: decimalText(row.quoted_minor),
    'Kept Of Quoted': decimalText(row.kept_of_quoted_minor),
    Kept: decimalText(row.kept_minor),
    'Other Fee Than Quoted': String(row.differing),
    'Our Fee': decimalText(row.fee_minor),
    Margin: decimalText(row.fee_minor - row.kept_minor),
  }));
  return stringify(records, { header: true, ...INERT });
}
