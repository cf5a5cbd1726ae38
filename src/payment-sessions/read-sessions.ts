import { requireMerchant } from '../merchants/index.ts';
import type { Database } from '../platform/db/database.ts';
import type { ListRequest } from '../platform/lists/list.ts';
import { listView, readList } from '../platform/lists/read-list.ts';
import type { Secrets } from '../platform/secrets.ts';
import type { Tenant } from '../platform/tenant.ts';
import { findSession, findSessionIdByReference, type ReadSession } from './change-session.ts';
import { tenantOfSecret } from './client-secret.ts';
import { sessionNotFound } from './errors.ts';
import { listSessionAccounts, listSessionPayments, type SessionFilter, sessionList } from './queries.ts';
import { type PublicSessionView, publicSessionView, sessionPaymentView, sessionView } from './views.ts';

/** Of a reference that no session has. */
const NO_SESSION = '00000000-0000-0000-0000-000000000000';

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

/**
 * A merchant's sessions, newest first. Of a reference it is the merchant's own session, unless those of public keys are
 * asked for.
 * @throws AppError 400 `CURSOR_MISMATCH`, `CURSOR_INVALID`
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
      : ((await findSessionIdByReference(database, tenant, { reference, openedBy: filter.openedBy })) ?? NO_SESSION);
  const found = await readList(database, sessionList(tenant, { ...filter, sessionId }), request);
  const ids = found.rows.map(({ id }) => id);
  const accounts = await database.query(listSessionAccounts, [tenant.merchantId, tenant.mode, ids]);
  return listView(found, (row) =>
    sessionView(
      row,
      accounts.filter(({ session_id }) => session_id === row.id),
    ),
  );
}
