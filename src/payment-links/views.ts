import { decimalText, toNumberOrNull } from '../money/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Queries } from '../platform/db/database.ts';
import { type ExportFile, exportList } from '../platform/exports.ts';
import { jsonText } from '../platform/json-text.ts';
import type { ListRequest } from '../platform/lists/list.ts';
import { listView } from '../platform/lists/read-list.ts';
import { readListOf } from '../platform/lists/totals.ts';
import type { CsvColumn } from '../platform/spreadsheet/write-csv.ts';
import type { Tenant } from '../platform/tenant.ts';
import { linkNotFound } from './errors.ts';
import { countPaidSessions, findPaymentLink, type LinkRow, linkList, linkStatus } from './queries.ts';
import { MOST_PAYMENTS } from './schemas.ts';

export interface LinkContext {
  /** Sessions under it that were paid. */
  paid: number;
  now: Date;
  /** What addresses of this service begin with. */
  baseUrl: string;
}

export function linkView(row: LinkRow, { paid, now, baseUrl }: LinkContext) {
  return {
    linkId: row.id,
    url: `${baseUrl}/pay/${row.slug}`,
    status: linkStatus(row, paid, now),
    title: row.title,
    description: row.description,
    amount: toNumberOrNull(row.amount_minor),
    minAmount: toNumberOrNull(row.min_amount_minor),
    maxAmount: toNumberOrNull(row.max_amount_minor),
    currency: row.currency,
    amountRule: row.amount_rule,
    channels: row.channels.split(' '),
    payerName: row.payer_name,
    payerEmail: row.payer_email,
    maxPayments: row.max_payments,
    paidSessions: paid,
    walletId: row.wallet_id,
    returnUrl: row.return_url,
    metadata: row.metadata === null ? null : jsonText(row.metadata),
    mode: row.mode,
    expiresAt: row.expires_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

interface ReadDeps {
  database: Database;
  clock: Clock;
}

/** @throws AppError `PAYMENT_LINK_NOT_FOUND` */
export async function requireLink(
  { database }: Pick<ReadDeps, 'database'>,
  { merchantId, mode }: Tenant,
  linkId: string,
): Promise<LinkRow> {
  const [row] = await database.query(findPaymentLink, [merchantId, mode, linkId]);
  if (row === undefined) throw linkNotFound();
  return row;
}

/** How many sessions under links of one merchant were paid, counted up to `most` of each. */
export async function paidSessions(
  { database }: { database: Queries },
  { merchantId, mode }: Tenant,
  linkIds: readonly string[],
  most = MOST_PAYMENTS,
): Promise<(linkId: string) => number> {
  const counted = await database.query(countPaidSessions, [merchantId, mode, linkIds, most]);
  const byLink = new Map(counted.map(({ link_id, paid }) => [link_id, paid]));
  return (linkId) => byLink.get(linkId) ?? 0;
}

/** One link as the merchant sees it. @throws AppError `PAYMENT_LINK_NOT_FOUND` */
export async function readLink(deps: ReadDeps, tenant: Tenant, linkId: string, baseUrl: string) {
  const [row, paidOf] = await Promise.all([requireLink(deps, tenant, linkId), paidSessions(deps, tenant, [linkId])]);
  return linkView(row, { paid: paidOf(linkId), now: deps.clock.now(), baseUrl });
}

/**
 * A merchant's links, newest first.
 * @throws AppError 400 `CURSOR_MISMATCH`, `CURSOR_INVALID`, 422 `SEARCH_TOO_LONG`, 503 `SEARCHES_BUSY`
 */
export async function readLinks(deps: ReadDeps, tenant: Tenant, request: ListRequest, baseUrl: string) {
  const found = await readListOf(deps.database, tenant.merchantId, { list: linkList(tenant) }, request);
  const paidOf = await paidSessions(
    deps,
    tenant,
    found.rows.map(({ id }) => id),
  );
  const now = deps.clock.now();
  return listView(found, (row) => linkView(row, { paid: paidOf(row.id), now, baseUrl }));
}

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
 * @param gone aborted where the client has gone away
 * @throws AppError 503 `EXPORTS_BUSY`, 422 `EXPORT_TOO_LARGE`
 */
export function exportLinks(
  { database, clock }: { database: Database; clock: Clock },
  tenant: Tenant,
  baseUrl: string,
  gone: AbortSignal,
): Promise<ExportFile> {
  const now = clock.now();
  async function shownOf(rows: LinkRow[], queries: Queries): Promise<Shown[]> {
    const paidOf = await paidSessions(
      { database: queries },
      tenant,
      rows.map(({ id }) => id),
    );
    return rows.map((row) => {
      const paid = paidOf(row.id);
      return { row, paid, status: linkStatus(row, paid, now), url: `${baseUrl}/pay/${row.slug}` };
    });
  }
  return exportList(database, tenant.merchantId, { list: linkList(tenant), columns: COLUMNS, shownOf }, gone);
}
