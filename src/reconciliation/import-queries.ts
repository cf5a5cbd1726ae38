import { statement } from '../platform/db/statement.ts';
import { importDigest } from './classify-line.ts';
import type { ImportRow } from './queries.ts';

/** No row comes back when this file was imported before, or an import of it was begun. */
export const insertImport = statement<ImportRow>(
  'insert-settlement-import',
  `insert into settlement_imports (id, rail, mode, merchant_id, file_name, file_hash, status, line_count, imported_by,
     created_at, updated_at, digest)
   select id, rail, mode, merchant_id, file_name, file_hash, 'LOADING', 0, imported_by, created_at, created_at,
          ${importDigest('file')}
     from (values ($1::uuid, $2, $3, $4::uuid, $5, $6, $7, $8::timestamptz))
          as file (id, rail, mode, merchant_id, file_name, file_hash, imported_by, created_at)
   on conflict (rail, mode, file_hash) do nothing
   returning *`,
);

export const findImportByHash = statement<ImportRow>(
  'find-settlement-import-by-hash',
  'select * from settlement_imports where rail = $1 and mode = $2 and file_hash = $3',
);

export const findImport = statement<ImportRow>(
  'find-settlement-import',
  'select * from settlement_imports where id = $1',
);

export const updateImportLoaded = statement(
  'update-settlement-import-loaded',
  `update settlement_imports
      set status = 'MATCHING', line_count = $2, period_from = $3, period_to = $4, updated_at = $5
    where id = $1 and status = 'LOADING'`,
);

export const updateImportStatus = statement(
  'update-settlement-import-status',
  'update settlement_imports set status = $3, updated_at = $4 where id = $1 and status = $2',
);

/**
 * Keeps an import unchanged until the transaction is over, while it is read. No row comes back where it is read or
 * gone.
 */
export const holdUnreadImport = statement<{ id: string }>(
  'hold-settlement-import-unread',
  `select id from settlement_imports where id = $1 and status = 'LOADING' for share`,
);

/** Locks an import before what was read of it is removed: nobody goes on with it meanwhile. */
export const lockUnreadImport = statement<{ id: string }>(
  'lock-settlement-import-unread',
  `select id from settlement_imports where id = $1 and status = 'LOADING' for update`,
);

export const deleteUnreadImportLines = statement(
  'delete-settlement-lines-unread',
  'delete from settlement_lines where import_id = $1',
);
export const deleteUnreadImport = statement(
  'delete-settlement-import-unread',
  `delete from settlement_imports where id = $1 and status = 'LOADING'`,
);
