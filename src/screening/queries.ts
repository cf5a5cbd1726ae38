import { setInsert, statement } from '../platform/db/statement.ts';
import type { List } from '../platform/lists/list.ts';
import type { Mode } from '../platform/tenant.ts';

export interface ListRow {
  id: string;
  name: string;
  mode: Mode;
  source: string;
  listed_on: string;
  entry_count: number;
  file_hash: string;
  imported_by: string;
  imported_at: Date;
  ended_at: Date | null;
  ended_by: string | null;
}

const LIST = `id, name, mode, source, listed_on::text as listed_on, entry_count, file_hash, imported_by, imported_at, ended_at,
          ended_by`;

export const insertList = statement(
  'insert-screening-list',
  `insert into screening_lists (id, name, mode, source, listed_on, entry_count, file_hash, imported_by, imported_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
);

/** The version that is in force of a name and mode ends. $3 when, $4 by whom. */
export const updateListEnded = statement<{ id: string }>(
  'update-screening-list-ended',
  `update screening_lists set ended_at = $3, ended_by = $4
    where name = $1 and mode = $2 and ended_at is null
    returning id`,
);

/** All versions, the newest first: their ids sort by time. */
export const screeningLists: List<ListRow> = {
  name: 'screening-lists',
  of: [],
  order: { direction: 'desc', keys: [{ sql: 'id', type: 'uuid', of: ({ id }) => id }] },
  columns: LIST,
  from: 'screening_lists',
  where: ['true'],
  values: [],
};

export const listListsInForce = statement<Pick<ListRow, 'id' | 'name' | 'mode'>>(
  'list-screening-lists-in-force',
  'select id, name, mode from screening_lists where ended_at is null order by id',
);

export interface EntryRow {
  list_id: string;
  entry_number: number;
  name: string;
  /** JSON text. */
  aliases: string;
  account_number: string | null;
  bank_code: string | null;
}

export const insertEntries = setInsert<EntryRow>('screening_entries', {
  list_id: 'uuid',
  entry_number: 'integer',
  name: 'text',
  aliases: 'text',
  account_number: 'text',
  bank_code: 'text',
});

/** All of one version, in its order. */
export const listEntries = statement<EntryRow>(
  'list-screening-entries',
  'select * from screening_entries where list_id = $1 order by entry_number',
);
