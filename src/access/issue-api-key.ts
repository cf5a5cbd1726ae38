import { notifyOwners } from '../mail/index.ts';
import { requireMerchant } from '../merchants/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Queries } from '../platform/db/database.ts';
import { invalidField } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import type { Secrets } from '../platform/secrets.ts';
import type { Mode } from '../platform/tenant.ts';
import { type KeyKind, keyPrefix, makeApiKey } from './api-key.ts';
import { keyNotFound, roleChanged, scopeNotGranted, sessionExpired } from './errors.ts';
import { keyNotice } from './key-notice.ts';
import { isIpOrRange } from './key-state.ts';
import { type ApiKeyRow, insertApiKey, insertDirectoryEntry, lockKeyMaker, updateKeyRevoked } from './queries.ts';
import { EVERY_SCOPE, grantedScopes, type Role } from './roles.ts';

export interface KeyDeps {
  database: Database;
  secrets: Secrets;
  clock: Clock;
}

export interface NewApiKey {
  merchantId: string;
  mode: Mode;
  kind: KeyKind;
  /** Left out: all that the kind may have, now and in later releases. */
  scopes?: readonly string[] | undefined;
  /** Addresses or ranges; none means any. */
  allowedIps?: readonly string[] | undefined;
  expiresAt?: Date | undefined;
  /** A name by which people distinguish keys. */
  name?: string | undefined;
  /** The person who makes it; left out at the operator's terminal. */
  createdBy?: KeyMaker | undefined;
  forReference?: true | undefined;
  /** Who makes it, as the mail to the owners begins; left out, nobody is notified. */
  by?: string | undefined;
  /** The role by which the maker may make it; left out at the operator's terminal. */
  role?: Role | undefined;
}

export interface KeyMaker {
  personId: string;
  name: string;
}

export interface IssuedKey {
  keyId: string;
  /** The whole key. It is stored nowhere and cannot be shown again. */
  key: string;
}

/**
 * @throws AppError `MERCHANT_NOT_FOUND`, 403 `SCOPE_NOT_GRANTED`, 400 for an address or date that is wrong; 401
 *   `SESSION_EXPIRED`, 409 `ROLE_CHANGED` where the maker was removed or given another role meanwhile.
 */
export async function issueApiKey(deps: KeyDeps, input: NewApiKey): Promise<IssuedKey> {
  await requireMerchant(deps.database, input.merchantId);
  checkInput(input, deps.clock.now());
  const made = makeKeyRow(deps, input);
  await enterDirectory(deps.database, made.row);
  await deps.database.transaction((tx) => insertKeyRow({ ...deps, queries: tx }, made.row, input));
  return { keyId: made.row.id, key: made.key };
}

function checkInput(input: NewApiKey, now: Date): void {
  checkAddresses(input.allowedIps);
  if (input.expiresAt !== undefined && !(input.expiresAt > now))
    throw invalidField('expiresAt', 'must be in the future');
  if (input.scopes?.length === 0) throw invalidField('scopes', 'must not be empty');
  const granted: ReadonlySet<string> = grantedScopes(input.kind, input.scopes ?? [EVERY_SCOPE]);
  const refused = input.scopes?.find((scope) => scope !== EVERY_SCOPE && !granted.has(scope));
  if (refused !== undefined) throw scopeNotGranted(refused);
}

/** @throws AppError 400 naming an entry that is no IP address and no range. */
export function checkAddresses(entries: readonly string[] | undefined): void {
  const wrong = entries?.find((entry) => !isIpOrRange(entry));
  if (wrong !== undefined) throw invalidField('allowedIps', `has ${wrong}, which is no IP address or range`);
}

export function makeKeyRow(deps: KeyDeps, input: NewApiKey): { key: string; row: ApiKeyRow } {
  const key = makeApiKey(input.mode, input.kind);
  const row: ApiKeyRow = {
    merchant_id: input.merchantId,
    id: newId(),
    mode: input.mode,
    kind: input.kind,
    key_hash: deps.secrets.hmac('api-key', key),
    prefix: keyPrefix(input.mode, input.kind),
    last_four: key.slice(-4),
    scopes: [...(input.scopes ?? [EVERY_SCOPE])],
    allowed_ips: [...(input.allowedIps ?? [])],
    created_at: deps.clock.now(),
    expires_at: input.expiresAt ?? null,
    revoked_at: null,
    last_used_at: null,
    name: input.name ?? '',
    created_by: input.createdBy?.personId ?? null,
    created_by_name: input.createdBy?.name ?? null,
    for_reference: input.forReference ?? false,
    pepper_id: deps.secrets.pepperId,
  };
  return { key, row };
}

/** Written before the key: an entry without a key admits nobody. */
export async function enterDirectory(queries: Queries, row: ApiKeyRow): Promise<void> {
  await queries.query(insertDirectoryEntry, [row.key_hash, row.merchant_id, row.id]);
}

/**
 * Inserts a key in the transaction in which the owners are notified of it. A session is cached for two seconds, so the
 * maker is read again under a lock: a person who is removed meanwhile leaves no key behind.
 */
export async function insertKeyRow(
  { queries, secrets, clock }: Omit<KeyDeps, 'database'> & { queries: Queries },
  row: ApiKeyRow,
  { by, role }: Pick<NewApiKey, 'by' | 'role'>,
): Promise<void> {
  if (role !== undefined) {
    const [maker] = await queries.query(lockKeyMaker, [row.merchant_id, row.created_by]);
    if (maker === undefined) throw sessionExpired();
    if (maker.role !== role) throw roleChanged();
  }
  if (by !== undefined) await notifyOwners({ queries, secrets, clock }, row.merchant_id, keyNotice(row, by));
  await queries.query(insertApiKey, [
    row.merchant_id,
    row.id,
    row.mode,
    row.kind,
    row.key_hash,
    row.prefix,
    row.last_four,
    row.scopes,
    row.allowed_ips,
    row.created_at,
    row.expires_at,
    row.name,
    row.created_by,
    row.created_by_name,
    row.for_reference,
    row.pepper_id,
  ]);
}

/**
 * Revokes a key: it and all tokens made from it stop working in every process within two seconds. A second call changes
 * nothing.
 * @throws AppError `KEY_NOT_FOUND`, also for a key of another mode than the given one.
 */
export async function revokeApiKey(
  deps: { queries: Queries; clock: Clock },
  input: { merchantId: string; keyId: string; mode?: Mode | undefined },
): Promise<void> {
  const { merchantId, keyId, mode = null } = input;
  const revoked = await deps.queries.query(updateKeyRevoked, [merchantId, keyId, deps.clock.now(), mode]);
  if (revoked.length === 0) throw keyNotFound();
}
