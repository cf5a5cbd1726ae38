import type { ApiKeySummary } from './list-api-keys.ts';

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
