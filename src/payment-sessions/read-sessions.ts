import { timingSafeEqual } from 'node:crypto';
import { requireMerchant } from '../merchants/index.ts';
import { decimalText } from '../money/index.ts';
import type { Database } from '../platform/db/database.ts';
import { type ExportFile, exportList } from '../platform/exports.ts';
import { NIL_ID, uuidOfHex } from '../platform/ids.ts';
import type { ListRequest } from '../platform/lists/list.ts';
import { listView } from '../platform/lists/read-list.ts';
import { readListOf } from '../platform/lists/totals.ts';
import type { Secrets } from '../platform/secrets.ts';
import type { CsvColumn } from '../platform/spreadsheet/write-csv.ts';
import type { Tenant } from '../platform/tenant.ts';
import { findSession, findSessionIdByReference, type ReadSession } from './change-session.ts';
import { sessionNotFound } from './errors.ts';
import {
  listSessionAccounts,
  listSessionPayments,
  type SessionFilter,
  type SessionRow,
  sessionList,
} from './queries.ts';
import { type PublicSessionView, publicSessionView, sessionPaymentView, sessionView } from './views.ts';

const PURPOSE = 'payment-session-client-secret';
const SECRET = /^mcs_(test|live)_([A-Za-z0-9_-]{22})_([A-Za-z0-9_-]{43})$/;

interface SessionOfTenant {
  tenant: Tenant;
  sessionId: string;
}

/**
 * What lets a payer's browser read the public half of one session. It is a keyed hash of whose session it is, under the
 * pepper, so it is stored nowhere and a repeated request has it again. It names its merchant: a page that has only this and
 * the session's id finds the row.
 */
export function clientSecretOf(secrets: Pick<Secrets, 'hmac'>, { tenant, sessionId }: SessionOfTenant): string {
  return `${headOf(tenant)}${secrets.hmac(PURPOSE, nameOf({ tenant, sessionId }))}`;
}

/** Where a payer pays a session, on this service: the address has the secret. */
export function checkoutPathOf(secrets: Pick<Secrets, 'hmac'>, session: SessionOfTenant): string {
  return checkoutPathWith(session.sessionId, clientSecretOf(secrets, session));
}

/** The same with the secret, which takes microseconds to make. */
export const checkoutPathWith = (sessionId: string, clientSecret: string) => `/checkout/${sessionId}?s=${clientSecret}`;

/** The path of a session's sandbox page, which plays the page of a provider. */
export const SANDBOX_PAGE = '/sandbox-page';

/** Where the page is on which a payer pays a session of a sandbox by card; the address has the secret, as any other has. */
export function sandboxPagePathOf(secrets: Pick<Secrets, 'hmac'>, session: SessionOfTenant): string {
  return `/checkout/${session.sessionId}${SANDBOX_PAGE}?s=${clientSecretOf(secrets, session)}`;
}

/** Whose session it is, where the secret is that of this session, under any pepper that is given; undefined otherwise. */
export function tenantOfSecret(
  secrets: Pick<Secrets, 'hmacs'>,
  { sessionId, clientSecret }: { sessionId: string; clientSecret: string },
): Tenant | undefined {
  const [, mode, merchant = '', hash = ''] = SECRET.exec(clientSecret) ?? [];
  if (mode === undefined) return undefined;
  const tenant: Tenant = {
    merchantId: uuidOfHex(Buffer.from(merchant, 'base64url').toString('hex')),
    mode: mode === 'live' ? 'LIVE' : 'SANDBOX',
  };
  const given = Buffer.from(hash);
  const isRight = secrets
    .hmacs(PURPOSE, nameOf({ tenant, sessionId }))
    .some((expected) => expected.length === given.length && timingSafeEqual(Buffer.from(expected), given));
  return isRight ? tenant : undefined;
}

const nameOf = ({ tenant, sessionId }: SessionOfTenant) =>
  `${tenant.merchantId}/${tenant.mode}/${sessionId}`.toLowerCase();

function headOf({ merchantId, mode }: Tenant): string {
  const merchant = Buffer.from(merchantId.replaceAll('-', ''), 'hex').toString('base64url');
  return `mcs_${mode === 'LIVE' ? 'live' : 'test'}_${merchant}_`;
}

interface ReadDeps {
  database: Database;
}

/** @throws AppError `PAYMENT_SESSION_NOT_FOUND` */
export async function requireSession({ database }: ReadDeps, tenant: Tenant, sessionId: string): Promise<ReadSession> {
  const session = await findSession(database, tenant, sessionId);
  if (session === undefined) throw sessionNotFound();
  return session;
}

/** The whole of a session, with its payments. */
export async function detailOf({ database }: ReadDeps, { row, accounts }: ReadSession) {
  const payments = await database.query(listSessionPayments, [row.merchant_id, row.mode, row.id]);
  return { ...sessionView(row, accounts), payments: payments.map(sessionPaymentView) };
}

/** The half of a session that its payer's browser may see. */
export async function publicViewOf({ database }: ReadDeps, { row, accounts }: ReadSession): Promise<PublicSessionView> {
  const { business_name } = await requireMerchant(database, row.merchant_id);
  return publicSessionView(row, accounts, business_name);
}

interface PublicSessionKey {
  sessionId: string;
  clientSecret: string;
}

/** Whose session it is, by its client secret. @throws AppError `PAYMENT_SESSION_NOT_FOUND` */
export function requireTenantOfSecret({ secrets }: { secrets: Secrets }, key: PublicSessionKey): Tenant {
  const tenant = tenantOfSecret(secrets, key);
  if (tenant === undefined) throw sessionNotFound();
  return tenant;
}

/** Whether a filter needs all sessions to be read, because no index leads to a status or a wallet. */
const looksThrough = ({ status, walletId, sessionId, linkId, customerId }: SessionFilter): boolean =>
  (status ?? walletId) !== undefined && (sessionId ?? linkId ?? customerId) === undefined;

/**
 * A merchant's sessions, newest first. Of a reference it is the merchant's own session, unless those of public keys are
 * asked for.
 * @throws AppError 400 `CURSOR_MISMATCH`, `CURSOR_INVALID`, 422 `SEARCH_TOO_LONG`, 503 `SEARCHES_BUSY`
 */
export async function readSessions(
  { database }: ReadDeps,
  tenant: Tenant,
  { reference, ...filter }: Omit<SessionFilter, 'sessionId'> & { reference?: string | undefined },
  request: ListRequest,
) {
  const sessionId =
    reference === undefined
      ? undefined
      : ((await findSessionIdByReference(database, tenant, { reference, openedBy: filter.openedBy })) ?? NIL_ID);
  const asked = { ...filter, sessionId };
  const wanted = { list: sessionList(tenant, asked), isLong: looksThrough(asked) };
  const found = await readListOf(database, tenant.merchantId, wanted, request);
  const ids = found.rows.map(({ id }) => id);
  const accounts = await database.query(listSessionAccounts, [tenant.merchantId, tenant.mode, ids]);
  return listView(found, (row) =>
    sessionView(
      row,
      accounts.filter(({ session_id }) => session_id === row.id),
    ),
  );
}

const COLUMNS: readonly CsvColumn<SessionRow>[] = [
  ['Created At (UTC)', ({ created_at }) => created_at.toISOString()],
  ['Paid At (UTC)', ({ paid_at }) => paid_at?.toISOString() ?? ''],
  ['Expires At (UTC)', ({ expires_at }) => expires_at.toISOString()],
  ['Status', ({ status }) => status],
  ['Amount', ({ amount_minor }) => decimalText(amount_minor)],
  ['Amount To Pay', ({ payable_minor }) => decimalText(payable_minor)],
  ['Received', ({ received_minor }) => decimalText(received_minor)],
  ['Currency', ({ currency }) => currency],
  ['Amount Rule', ({ amount_rule }) => amount_rule],
  ['Reference', ({ reference }) => reference, 'DIGITS'],
  ['Description', ({ description }) => description ?? ''],
  ['Customer', ({ customer_name }) => customer_name],
  ['Customer E-mail', ({ customer_email }) => customer_email],
  ['Customer Phone', ({ customer_phone }) => customer_phone ?? '', 'DIGITS'],
  ['Customer ID', ({ customer_id }) => customer_id ?? ''],
  ['Payment Link ID', ({ link_id }) => link_id ?? ''],
  ['Wallet ID', ({ wallet_id }) => wallet_id],
  ['Opened By', ({ opened_by }) => opened_by],
  ['Session ID', ({ id }) => id],
];

/**
 * A merchant's payment sessions as CSV, newest first, amounts in naira.
 * @throws AppError 503 `EXPORTS_BUSY`, 422 `EXPORT_TOO_LARGE`
 */
export function exportSessions(
  database: Database,
  tenant: Tenant,
  filter: SessionFilter,
  gone: AbortSignal,
): Promise<ExportFile> {
  const list = sessionList(tenant, filter);
  return exportList(database, tenant.merchantId, { list, columns: COLUMNS, shownOf: (rows) => rows }, gone);
}
