import type { Clock } from '../platform/clock.ts';
import type { Queries } from '../platform/db/database.ts';
import type { Mode, Tenant } from '../platform/tenant.ts';
import type { KeyKind } from './api-key.ts';
import type { KeyMaker } from './issue-api-key.ts';
import {
  type ApiKeyRow,
  countUnmadeKeys,
  listApiKeysOfMaker,
  listApiKeysOfMerchant,
  updateKeysRevoked,
} from './queries.ts';
import { EVERY_SCOPE, grantedScopes, type Role, type Scope, scopesOfRole } from './roles.ts';

/** A key as its merchant's people see it. */
export function keyView(key: ApiKeySummary) {
  return {
    keyId: key.id,
    name: key.name,
    kind: key.kind,
    prefix: key.prefix,
    lastFour: key.lastFour,
    scopes: key.scopes,
    allowedIps: key.allowedIps,
    state: key.state,
    rotationDue: key.rotationDue,
    createdAt: key.createdAt.toISOString(),
    expiresAt: key.expiresAt?.toISOString() ?? null,
    revokedAt: key.revokedAt?.toISOString() ?? null,
    lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
    createdBy: key.createdBy === null ? null : { ...key.createdBy, left: key.makerLeft },
  };
}

/** The interface recommends a new key about every 90 days. */
export const KEY_ROTATION_DUE_MS = 90 * 24 * 60 * 60 * 1000;

export interface ApiKeySummary {
  id: string;
  name: string;
  mode: Mode;
  kind: KeyKind;
  prefix: string;
  lastFour: string;
  scopes: string[];
  allowedIps: string[];
  state: 'ACTIVE' | 'EXPIRED' | 'REVOKED';
  /** Older than 90 days and still in force. */
  rotationDue: boolean;
  createdAt: Date;
  expiresAt: Date | null;
  revokedAt: Date | null;
  /** Exact to a minute or so. */
  lastUsedAt: Date | null;
  /** Null for a key that the operator made for nobody. */
  createdBy: KeyMaker | null;
  /** The person who made the key may no longer sign in. */
  makerLeft: boolean;
}

/** The keys of a merchant, of both modes or one, newest first, without their secrets. */
export async function listApiKeys(
  deps: { queries: Queries; clock: Clock },
  merchantId: string,
  mode: Mode | null = null,
): Promise<ApiKeySummary[]> {
  const rows = await deps.queries.query(listApiKeysOfMerchant, [merchantId, mode]);
  const now = deps.clock.now();
  return rows.map((row) => keySummary(row, now));
}

export function keySummary(row: ApiKeyRow, now: Date): ApiKeySummary {
  const expired = row.expires_at !== null && row.expires_at <= now;
  const state = row.revoked_at !== null ? 'REVOKED' : expired ? 'EXPIRED' : 'ACTIVE';
  return {
    id: row.id,
    name: row.name,
    mode: row.mode,
    kind: row.kind,
    prefix: row.prefix,
    lastFour: row.last_four,
    scopes: row.scopes,
    allowedIps: row.allowed_ips,
    state,
    rotationDue: state === 'ACTIVE' && now.getTime() - row.created_at.getTime() > KEY_ROTATION_DUE_MS,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    lastUsedAt: row.last_used_at,
    createdBy: makerOfKey(row),
    makerLeft: row.maker_left === true,
  };
}

/** The maker of a key; null for one that the operator made for nobody. */
export function makerOfKey({ created_by: personId, created_by_name: name }: ApiKeyRow): KeyMaker | null {
  return personId === null ? null : { personId, name: name ?? personId };
}

interface MakerOfKeys {
  merchantId: string;
  personId: string;
}

/** The keys in force that a person made, of both modes, newest first. */
export async function listKeysOfMaker(
  { queries, clock }: { queries: Queries; clock: Clock },
  { merchantId, personId }: MakerOfKeys,
): Promise<ApiKeySummary[]> {
  const now = clock.now();
  const rows = await queries.query(listApiKeysOfMaker, [merchantId, personId, now]);
  return rows.map((row) => keySummary(row, now));
}

/**
 * Revokes the keys in force that a person made and that may do more than the person's new role; all of them where the
 * person leaves (null). It runs in the transaction that takes the person's rights, which has locked the person's row: a
 * request that makes a key waits for that.
 * @returns the revoked keys.
 */
export async function revokeKeysOfMaker(
  deps: { queries: Queries; clock: Clock },
  { role, ...maker }: MakerOfKeys & { role: Role | null },
): Promise<ApiKeySummary[]> {
  const keys = (await listKeysOfMaker(deps, maker)).filter((key) => role === null || isBeyond(key, role));
  const ids = keys.map(({ id }) => id);
  await deps.queries.query(updateKeysRevoked, [maker.merchantId, ids, deps.clock.now()]);
  return keys;
}

function isBeyond({ kind, scopes, mode }: Pick<ApiKeySummary, 'kind' | 'scopes' | 'mode'>, role: Role): boolean {
  const may = scopesOfRole(role, mode);
  return [...grantedScopes(kind, scopes)].some((scope) => !may.has(scope));
}

const PAYS: Scope = 'payout:write';

/**
 * How many keys in force may pay and were made by nobody: no person is kept from approving what such a key requests.
 */
export async function countKeysWithoutMaker(
  { queries, clock }: { queries: Queries; clock: Clock },
  { merchantId, mode }: Tenant,
): Promise<number> {
  const [counted] = await queries.query(countUnmadeKeys, [merchantId, mode, clock.now(), [EVERY_SCOPE, PAYS]]);
  return counted?.keys ?? 0;
}
