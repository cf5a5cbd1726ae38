import type { Clock } from '../platform/clock.ts';
import type { Queries } from '../platform/db/database.ts';
import type { Mode } from '../platform/tenant.ts';
import type { KeyKind } from './api-key.ts';
import type { KeyMaker } from './issue-api-key.ts';
import { type ApiKeyRow, listApiKeysOfMerchant } from './queries.ts';

/** The interface recommends a new key about every 90 days. */
const ROTATION_DUE_MS = 90 * 24 * 60 * 60 * 1000;

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
  /** Whoever made it may not sign in any more. */
  makerLeft: boolean;
}

/** The keys of a merchant, of both modes or one, newest first, without anything that could open a door. */
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
    rotationDue: state === 'ACTIVE' && now.getTime() - row.created_at.getTime() > ROTATION_DUE_MS,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    lastUsedAt: row.last_used_at,
    createdBy: makerOfKey(row),
    makerLeft: row.maker_left === true,
  };
}

/** Who made a key; null for one that the operator made for nobody. */
export function makerOfKey({ created_by: personId, created_by_name: name }: ApiKeyRow): KeyMaker | null {
  return personId === null ? null : { personId, name: name ?? personId };
}
