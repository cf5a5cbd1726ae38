import { decimalText } from '../money/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import { type ExportFile, exportList } from '../platform/exports.ts';
import type { CsvColumn } from '../platform/spreadsheet/write-csv.ts';
import type { Tenant } from '../platform/tenant.ts';
import { linkStatus } from './link-state.ts';
import { type LinkRow, linkList } from './queries.ts';
import { paidSessions } from './read-links.ts';

interface Shown {
  row: LinkRow;
  status: string;
  url: string;
  paid: number;
}

const amountText = (minor: bigint | null) => (minor === null ? '' : decimalText(minor));

const COLUMNS: readonly CsvColumn<Shown>[] = [
  ['Created At (UTC)', ({ row }) => row.created_at.toISOString()],
  ['Expires At (UTC)', ({ row }) => row.expires_at?.toISOString() ?? ''],
  ['Status', ({ status }) => status],
  ['Title', ({ row }) => row.title],
  ['Description', ({ row }) => row.description ?? ''],
  ['Amount', ({ row }) => amountText(row.amount_minor)],
  ['Least Amount', ({ row }) => amountText(row.min_amount_minor)],
  ['Most Amount', ({ row }) => amountText(row.max_amount_minor)],
  ['Currency', ({ row }) => row.currency],
  ['Amount Rule', ({ row }) => row.amount_rule],
  ['Paid Sessions', ({ paid }) => String(paid)],
  ['Most Payments', ({ row }) => (row.max_payments === null ? '' : String(row.max_payments))],
  ['Address', ({ url }) => url],
  ['Wallet ID', ({ row }) => row.wallet_id],
  ['Payment Link ID', ({ row }) => row.id],
];

/**
 * A merchant's payment links as CSV, newest first, amounts in naira.
 * @throws AppError 503 `EXPORTS_BUSY`, 422 `EXPORT_TOO_LARGE`
 */
export function exportLinks(
  { database, clock }: { database: Database; clock: Clock },
  tenant: Tenant,
  baseUrl: string,
): Promise<ExportFile> {
  const now = clock.now();
  return exportList<LinkRow, Shown>(database, tenant.merchantId, {
    list: linkList(tenant),
    columns: COLUMNS,
    async shownOf(rows, queries) {
      const paidOf = await paidSessions(
        { database: queries },
        tenant,
        rows.map(({ id }) => id),
      );
      return rows.map((row) => {
        const paid = paidOf(row.id);
        return { row, paid, status: linkStatus(row, paid, now), url: `${baseUrl}/pay/${row.slug}` };
      });
    },
  });
}
