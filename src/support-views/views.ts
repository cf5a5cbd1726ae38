import type { SupportViewRow } from './queries.ts';

/** A view as the merchant and the desk see it. */
export function supportViewView(row: SupportViewRow & { is_open: boolean }) {
  return {
    supportViewId: row.id,
    mode: row.mode,
    by: row.person_name,
    reason: row.reason,
    openedAt: row.opened_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
    endedAt: row.ended_at?.toISOString() ?? null,
    isOpen: row.is_open,
  };
}
