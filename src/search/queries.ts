import { booksBehind } from '../ledger/index.ts';
import { setStatement, statement } from '../platform/db/statement.ts';
import type { Mode } from '../platform/tenant.ts';
import type { DocumentKind } from './source-queries.ts';
import { ERA_DOCUMENTS, ERA_FACTOR } from './tokens.ts';

export interface CursorRow {
  merchant_id: string;
  mode: Mode;
  /** Events up to here are in the index, once it is filled. */
  event_sequence: bigint;
  /** The table that is being read from its beginning, or `CLEARING`. Null once the index is filled. */
  filling: string | null;
  filled_to: string | null;
}

const CURSOR = 'merchant_id, mode, event_sequence, filling, filled_to';

/** Merchants whose index is not filled, or lacks events of their books. */
export const listBooksToIndex = statement<{
  merchant_id: string;
  read_to: bigint | null;
  last_sequence: bigint;
  is_empty: boolean;
}>('list-books-to-index', booksBehind('search_cursors', 'c.filling is not null'));

export interface PassedRow {
  merchant_id: string;
  mode: Mode;
  read_to: bigint;
  last_sequence: bigint;
}

/** Skips events that no search finds, where no other process read on meanwhile. */
export const updateSearchCursorsPassed = setStatement<PassedRow>(
  'update-search-cursors-passed',
  { merchant_id: 'uuid', mode: 'text', read_to: 'bigint', last_sequence: 'bigint' },
  `update search_cursors c set event_sequence = rows.last_sequence
     from :rows
    where c.merchant_id = rows.merchant_id and c.mode = rows.mode and c.event_sequence = rows.read_to and c.filling is null`,
);

export const findSearchCursor = statement<CursorRow>(
  'find-search-cursor',
  `select ${CURSOR} from search_cursors where merchant_id = $1 and mode = $2`,
);

/** $3 the last event before anything is read, $4 the first table. */
export const insertSearchCursor = statement(
  'insert-search-cursor',
  `insert into search_cursors (merchant_id, mode, event_sequence, filling) values ($1, $2, $3, $4)
   on conflict do nothing`,
);

/**
 * Locks the cursor, so that no other process fills this index. No row where another one does. No movement touches the
 * row.
 */
export const lockSearchCursor = statement<CursorRow>(
  'lock-search-cursor',
  `select ${CURSOR} from search_cursors where merchant_id = $1 and mode = $2 for update skip locked`,
);

export const updateSearchCursor = statement(
  'update-search-cursor',
  `update search_cursors set event_sequence = $3, filling = $4, filled_to = $5 where merchant_id = $1 and mode = $2`,
);

/** Begins an index anew, of one merchant or, where `$1` is null, of all. */
export const restartSearchCursors = statement<{ merchant_id: string; mode: Mode }>(
  'restart-search-cursors',
  `update search_cursors set filling = 'CLEARING', filled_to = null
    where $1::uuid is null or merchant_id = $1
   returning merchant_id, mode`,
);

export const deleteSomeDocuments = statement<{ subject_id: string }>(
  'delete-some-search-documents',
  `with cleared as (
     select kind, subject_id from search_documents where merchant_id = $1 and mode = $2 limit $3
   )
   delete from search_documents d using cleared
    where d.merchant_id = $1 and d.mode = $2 and d.kind = cleared.kind and d.subject_id = cleared.subject_id
   returning d.subject_id`,
);

export const deleteSearchCounts = statement(
  'delete-search-counts',
  'delete from search_counts where merchant_id = $1 and mode = $2',
);

export interface DocumentRow {
  kind: DocumentKind;
  subject_id: string;
  era: number;
  text: string;
  amount_minor: bigint | null;
}

/**
 * $3 kinds and $4 ids, as many of both. Reads each by its key: a join of the two would be planned as a read of all the
 * tenant's documents for each.
 */
export const listDocuments = statement<DocumentRow>(
  'list-search-documents',
  `select d.kind, d.subject_id, d.era, d.text, d.amount_minor
     from unnest($3::text[], $4::uuid[]) as wanted (kind, subject_id)
    cross join lateral (
      select * from search_documents
       where merchant_id = $1 and mode = $2 and kind = wanted.kind and subject_id = wanted.subject_id offset 0
    ) d`,
);

export const listSearchCounts = statement<{ kind: DocumentKind; documents: bigint }>(
  'list-search-counts',
  'select kind, documents from search_counts where merchant_id = $1 and mode = $2',
);

interface NewDocument {
  merchant_id: string;
  mode: Mode;
  kind: string;
  subject_id: string;
  era: number;
  created_at: Date;
  amount_minor: bigint | null;
  text: string;
  /** Where its tokens begin and end in the array with the tokens of all documents, from 1 on. */
  tokens_from: number;
  tokens_to: number;
}

/**
 * Writes documents that are new or have changed. A document keeps its era. One parameter has the tokens of all of them,
 * because a text for each takes longer to write and to read.
 */
export const upsertDocuments = setStatement<NewDocument>(
  'upsert-search-documents',
  {
    merchant_id: 'uuid',
    mode: 'text',
    kind: 'text',
    subject_id: 'uuid',
    era: 'integer',
    created_at: 'timestamptz',
    amount_minor: 'bigint',
    text: 'text',
    tokens_from: 'integer',
    tokens_to: 'integer',
  },
  `insert into search_documents (merchant_id, mode, kind, subject_id, era, created_at, amount_minor, text, tokens)
   select merchant_id, mode, kind, subject_id, era, created_at, amount_minor, text,
          ($11::integer[])[tokens_from : tokens_to]
     from :rows
   on conflict (merchant_id, mode, kind, subject_id)
   do update set amount_minor = excluded.amount_minor, text = excluded.text, tokens = excluded.tokens`,
);

/**
 * Brings what was just inserted from the index's list of what waits into its tree, all of it in one go: entry by entry, or
 * in small portions, it takes twice the time. A search reads through all that waits, so nothing is left there for long.
 */
export const mergeDocumentTokens = statement(
  'merge-search-document-tokens',
  `select gin_clean_pending_list('search_documents_by_token')`,
);

export const deleteDocuments = setStatement<{ merchant_id: string; mode: Mode; kind: string; subject_id: string }>(
  'delete-search-documents',
  { merchant_id: 'uuid', mode: 'text', kind: 'text', subject_id: 'uuid' },
  `delete from search_documents d using :rows
    where d.merchant_id = rows.merchant_id and d.mode = rows.mode and d.kind = rows.kind
      and d.subject_id = rows.subject_id`,
);

export const upsertSearchCounts = setStatement<{
  merchant_id: string;
  mode: Mode;
  kind: string;
  documents: bigint;
}>(
  'upsert-search-counts',
  { merchant_id: 'uuid', mode: 'text', kind: 'text', documents: 'bigint' },
  `insert into search_counts (merchant_id, mode, kind, documents)
   select merchant_id, mode, kind, documents from :rows
   on conflict (merchant_id, mode, kind) do update set documents = excluded.documents`,
);

interface FoundRow {
  kind: DocumentKind;
  subject_id: string;
  created_at: Date;
  /** Whether one of its lines equals the text. */
  is_exact: boolean;
}

/** The era's token: a signed number of 32 bits, like the other tokens. */
const ERA_KEY = `((((era * ${ERA_FACTOR} + 2147483648) & 4294967295) - 2147483648)::integer)`;

/**
 * Of each kind `$3` the newest documents that have all of the grams `$5` and the texts `$6`, and come to `$7` unless that is
 * null; `$8` how many. An era is read at a time, the newest first, and none after there are enough: a frequent word is found
 * in the first, a rare one has few documents in each. The tokens alone choose the documents (`offset 0`): they are of this
 * tenant, and no other index can be taken. `$4` are the seeds of the kinds.
 */
export const searchDocuments = statement<FoundRow>(
  'search-documents',
  `select found.kind, found.subject_id, found.created_at, found.is_exact
     from unnest($3::text[], $4::integer[]) as wanted (kind, seed)
    cross join lateral (
      select hit.kind, hit.subject_id, hit.created_at, hit.is_exact
        from (
          select era, array(select gram # wanted.seed # ${ERA_KEY} from unnest($5::integer[]) as grams (gram)) as tokens
            from (
              select generate_series((c.documents - 1) / ${ERA_DOCUMENTS}, 0, -1) as era
                from search_counts c
               where c.merchant_id = $1 and c.mode = $2 and c.kind = wanted.kind
            ) counted offset 0
        ) eras
       cross join lateral (
         select d.kind, d.subject_id, d.created_at, d.text like $9 as is_exact
           from (
             select * from search_documents where ($1::uuid is null or merchant_id = $1) and tokens @> eras.tokens offset 0
           ) d
          where d.merchant_id = $1 and d.mode = $2 and d.kind = wanted.kind and d.era = eras.era
            and d.text like all ($6::text[]) and ($7::bigint is null or d.amount_minor = $7)
          order by d.created_at desc, d.subject_id desc limit $8
       ) hit
       limit $8
    ) found`,
);

/** Finds what any merchant has under this whole reference: `$1` its token, `$2` its line, `$3` how many. */
export const searchCodes = statement<{
  merchant_id: string;
  mode: Mode;
  kind: DocumentKind;
  subject_id: string;
  created_at: Date;
}>(
  'search-codes-of-anyone',
  `select d.merchant_id, d.mode, d.kind, d.subject_id, d.created_at
     from (select * from search_documents where tokens @> array[$1::integer] offset 0) d
    where d.text like $2
    order by d.created_at desc, d.subject_id desc limit $3`,
);
