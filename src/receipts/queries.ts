import { statement } from '../platform/db/statement.ts';
import type { Mode } from '../platform/tenant.ts';

export interface ReceiptLinkRow {
  merchant_id: string;
  mode: Mode;
  id: string;
  transaction_id: string;
  token_hash: string;
  created_by: string;
  created_by_name: string;
  created_at: Date;
  expires_at: Date;
  revoked_at: Date | null;
  revoked_by_name: string | null;
}

/** Locks the transaction until its links have been counted and one was added. */
export const lockSharedTransaction = statement<{ id: string }>(
  'lock-shared-transaction',
  'select id from transactions where merchant_id = $1 and mode = $2 and id = $3 for no key update',
);

/** $4 now. */
export const countReceiptLinks = statement<{ links: number }>(
  'count-receipt-links',
  `select count(*)::int as links from receipt_links
    where merchant_id = $1 and mode = $2 and transaction_id = $3 and revoked_at is null and expires_at > $4`,
);

export const insertReceiptLink = statement(
  'insert-receipt-link',
  `insert into receipt_links (merchant_id, mode, id, transaction_id, token_hash, created_by, created_by_name, created_at, expires_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
);

export const insertReceiptLinkToken = statement(
  'insert-receipt-link-token',
  'insert into receipt_link_tokens (token_hash, merchant_id, mode, link_id) values ($1, $2, $3, $4)',
);

export const deleteReceiptLinkToken = statement(
  'delete-receipt-link-token',
  'delete from receipt_link_tokens where token_hash = $1',
);

export const findReceiptLinkToken = statement<{ merchant_id: string; mode: Mode; link_id: string }>(
  'find-receipt-link-token',
  'select merchant_id, mode, link_id from receipt_link_tokens where token_hash = $1',
);

/** A link that is good at $4. */
export const findGoodReceiptLink = statement<Pick<ReceiptLinkRow, 'transaction_id' | 'expires_at'>>(
  'find-good-receipt-link',
  `select transaction_id, expires_at from receipt_links
    where merchant_id = $1 and mode = $2 and id = $3 and revoked_at is null and expires_at > $4`,
);

/** Newest first, $4 of them at most. */
export const listReceiptLinks = statement<ReceiptLinkRow>(
  'list-receipt-links',
  `select * from receipt_links
    where merchant_id = $1 and mode = $2 and transaction_id = $3
    order by id desc limit $4`,
);

/** A link that was revoked before keeps who did it and when. $5 now, $6 who. */
export const updateReceiptLinkRevoked = statement<ReceiptLinkRow>(
  'update-receipt-link-revoked',
  `update receipt_links
      set revoked_at = coalesce(revoked_at, $5), revoked_by_name = coalesce(revoked_by_name, $6)
    where merchant_id = $1 and mode = $2 and transaction_id = $3 and id = $4
   returning *`,
);
