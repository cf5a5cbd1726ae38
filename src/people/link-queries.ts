import { statement } from '../platform/db/statement.ts';

export type LinkPurpose = 'CONFIRM' | 'RESET' | 'INVITATION';

export const insertLink = statement(
  'insert-link',
  `insert into links (token_hash, purpose, subject_id, created_at, expires_at) values ($1, $2, $3, $4, $5)`,
);

/** Who waits for the same link finds it gone. */
export const deleteLink = statement<{ subject_id: string }>(
  'delete-link',
  'delete from links where token_hash = any($1::text[]) and purpose = $2 and expires_at > $3 returning subject_id',
);

export const findLink = statement<{ subject_id: string }>(
  'find-link',
  'select subject_id from links where token_hash = any($1::text[]) and purpose = $2 and expires_at > $3',
);

export const deleteLinksOf = statement('delete-links-of-subject', 'delete from links where subject_id = $1');

export const deleteOldLinks = statement<{ token_hash: string }>(
  'delete-old-links',
  'delete from links where expires_at < $1 returning token_hash',
);
