import type { ReceiptLinkRow } from './queries.ts';

/** A link as the merchant sees it. Its address was shown once and is kept nowhere. */
export function receiptLinkView(row: ReceiptLinkRow, now: Date) {
  return {
    linkId: row.id,
    status: row.revoked_at !== null ? 'REVOKED' : row.expires_at <= now ? 'EXPIRED' : 'ACTIVE',
    createdBy: row.created_by_name,
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
    revokedAt: row.revoked_at?.toISOString() ?? null,
    revokedBy: row.revoked_by_name,
  };
}
