import { stringify } from 'csv-stringify/sync';
import { decimalText } from '../money/index.ts';
import { startOfLagosDay } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import { statement } from '../platform/db/statement.ts';
import type { Mode } from '../platform/tenant.ts';
import { planUnsettledReport } from './line-queries.ts';

/** What a day's payments of a provider account and channel cost and earned. Kobo. */
export interface MarginRow {
  /** On which they were settled, in Lagos. */
  day: string;
  rail: string;
  /** `ACCOUNT`: to an account number. `PAGE`: anything else. */
  channel: string;
  payments: number;
  gross_minor: bigint;
  /** What the provider said at the confirmation that it keeps, of those payments of which it said so. */
  quoted_minor: bigint;
  /** What it kept of the same payments. */
  kept_of_quoted_minor: bigint;
  /** What it kept of all. */
  kept_minor: bigint;
  /** Payments of which it kept another fee than it had said. */
  differing: number;
  /** What the operator charged, without VAT. */
  fee_minor: bigint;
}

const DAY_MS = 24 * 60 * 60_000;

/** $1 mode, $2 from, $3 to. After `planUnsettledReport`. */
const listMargins = statement<MarginRow>(
  'list-margins-of-settled-payments',
  `select ((s.settled_at at time zone 'Africa/Lagos')::date)::text as day, p.rail,
          case when p.account_number ~ '^[0-9]{10}$' then 'ACCOUNT' else 'PAGE' end as channel, count(*)::int as payments,
          coalesce(sum(s.gross_minor), 0)::bigint as gross_minor,
          coalesce(sum(p.provider_fee_minor), 0)::bigint as quoted_minor,
          coalesce(sum(s.fee_minor) filter (where p.provider_fee_minor is not null), 0)::bigint as kept_of_quoted_minor,
          coalesce(sum(s.fee_minor), 0)::bigint as kept_minor,
          (count(*) filter (where p.provider_fee_minor <> s.fee_minor))::int as differing,
          coalesce(sum(p.fee_minor), 0)::bigint as fee_minor
     from collection_settlements s
     join inbound_payments p on p.merchant_id = s.merchant_id and p.mode = s.mode and p.id = s.payment_id
    where s.mode = $1 and s.settled_at >= $2 and s.settled_at < $3
    group by 1, 2, 3
    order by 1, 2, 3`,
);

/**
 * Provider cost beside what was quoted and what the operator charged, by day, provider account and channel, from one day to
 * another, the last included. It reads what was settled since: for reports.
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
  return stringify(records, { header: true, escape_formulas: true });
}
