import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import { newId } from '../platform/ids.ts';
import type { Secrets } from '../platform/secrets.ts';
import type { Tenant } from '../platform/tenant.ts';
import { findSecret, insertFirstSecret, listValidSecrets, type SecretRow } from './queries.ts';
import { makeSecret } from './sign.ts';

/** Secrets that sign at once. More would only come from rotating again and again, and lengthen every call's header. */
const MAX_SIGNING_SECRETS = 5;

export interface SecretDeps {
  database: Database;
  secrets: Secrets;
  clock: Clock;
}

export interface ValidSecret {
  id: string;
  /** `whsec_…`, in clear: for signing and for its owner, never for a log or a table. */
  secret: string;
  createdAt: Date;
  /** Null for the present one. */
  expiresAt: Date | null;
}

/** The secrets that sign now, the present one first. A tenant that has none yet gets one. */
export async function readSecrets(deps: SecretDeps, tenant: Tenant): Promise<ValidSecret[]> {
  const { merchantId, mode } = tenant;
  const read = () => deps.database.query(listValidSecrets, [merchantId, mode, deps.clock.now(), MAX_SIGNING_SECRETS]);
  const rows = await read();
  if (rows[0]?.expires_at === null) return rows.map((row) => opened(deps, tenant, row));
  const id = newId();
  const values = [merchantId, mode, id, sealSecret(deps.secrets, tenant, id, makeSecret()), deps.clock.now()];
  await deps.database.query(insertFirstSecret, values);
  return (await read()).map((row) => opened(deps, tenant, row));
}

/** One secret of a tenant, whether it still signs or not. */
export async function requireSecret(deps: SecretDeps, tenant: Tenant, id: string): Promise<ValidSecret> {
  const [row] = await deps.database.query(findSecret, [tenant.merchantId, tenant.mode, id]);
  if (row === undefined) throw new Error(`no webhook secret ${id}`);
  return opened(deps, tenant, row);
}

export function sealSecret(secrets: Secrets, tenant: Tenant, id: string, secret: string): string {
  return secrets.seal(secret, contextOf(tenant, id));
}

function opened({ secrets }: SecretDeps, tenant: Tenant, row: SecretRow): ValidSecret {
  const secret = secrets.open(row.sealed, contextOf(tenant, row.id));
  return { id: row.id, secret, createdAt: row.created_at, expiresAt: row.expires_at };
}

/** What a sealed secret is bound to: it opens on its own row only. */
function contextOf({ merchantId, mode }: Tenant, id: string): string {
  return `webhook_secrets/${merchantId}/${mode}/${id}/sealed`;
}
