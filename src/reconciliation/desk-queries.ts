import { statement } from '../platform/db/statement.ts';
import type { List, ListOrder } from '../platform/lists/list.ts';
import type { LineResult } from './classify-line.ts';
import type { FloatCheckRow, ImportRow, LineRow } from './queries.ts';

const LAST_CHECKED: ListOrder<FloatCheckRow> = {
  direction: 'desc',
  keys: [
    { sql: 'checked_at', type: 'timestamptz', of: ({ checked_at }) => checked_at },
    { sql: 'id', type: 'uuid', of: ({ id }) => id },
  ],
};

/** The comparisons of the rails' balances with our books, newest first. */
export const floatCheckList: List<FloatCheckRow> = {
  name: 'float-checks',
  of: [],
  order: LAST_CHECKED,
  columns: '*',
  from: 'float_checks',
  where: ['true'],
  values: [],
};

/** The last comparison of each group of rails that was ever compared. */
export const listLastFloatChecks = statement<FloatCheckRow>(
  'list-last-float-checks',
  `select distinct on (mode, rails, merchant_id) * from float_checks
    order by mode, rails, merchant_id, checked_at desc, id desc`,
);

/** `OPEN`: does not agree, and nobody has resolved it. */
const OF_STATE = {
  ALL: 'l.result is not null',
  OPEN: `l.result <> 'MATCHED' and l.resolved_at is null`,
  RESOLVED: 'l.resolved_at is not null',
  MATCHED: `l.result = 'MATCHED'`,
} as const;

export type LineState = keyof typeof OF_STATE;

/** After every line of a file. */
const NO_LINE = 2 ** 31 - 1;

const AS_IN_FILE: ListOrder<LineRow> = {
  direction: 'asc',
  keys: [
    { sql: `coalesce(l.line_number, ${NO_LINE})`, type: 'integer', of: ({ line_number }) => line_number ?? NO_LINE },
    { sql: 'l.id', type: 'uuid', of: ({ id }) => id },
  ],
};

/**
 * The lines of an import in the order of the file, lines that the file lacks last. A state or result that is left out
 * is any.
 */
export function lineList(
  importId: string,
  { state, result }: { state?: LineState | undefined; result?: LineResult | null | undefined },
): List<LineRow> {
  const where = ['l.import_id = $1'];
  // The state is one of our own words, so it may stand in the text.
  if (state !== undefined) where.push(OF_STATE[state]);
  if (result != null) where.push(`l.result = '${result}'`);
  const of = [importId, state, result];
  return {
    name: 'settlement-lines',
    of,
    order: AS_IN_FILE,
    columns: '*',
    from: 'settlement_lines l',
    where,
    values: [importId],
  };
}

/** How many lines of any file differ from our books and wait for somebody. */
export const countOpenLines = statement<{ total: number }>(
  'count-open-settlement-lines',
  `select count(*)::int as total
     from settlement_imports i
     join settlement_lines l on l.import_id = i.id
    where l.result <> 'MATCHED' and l.resolved_at is null`,
);

export type ListedImport = ImportRow & { counts: Record<string, number> | null; unresolved: number };

const LAST_IMPORTED: ListOrder<ListedImport> = {
  direction: 'desc',
  keys: [
    { sql: 'i.created_at', type: 'timestamptz', of: ({ created_at }) => created_at },
    { sql: 'i.id', type: 'uuid', of: ({ id }) => id },
  ],
};

/**
 * The imports, newest first, each with its lines by result. The lines of those alone are counted that are shown.
 * @param needsDecision only those with a line that differs and waits for somebody
 */
export const importList = (needsDecision: boolean): List<ListedImport> => ({
  name: 'settlement-imports',
  of: needsDecision ? [true] : [],
  order: LAST_IMPORTED,
  columns: 'i.*, counted.counts, coalesce(counted.unresolved, 0)::int as unresolved',
  from: (tail) => `(select * from settlement_imports i ${tail}) i
     left join lateral (
       select jsonb_object_agg(r.result, r.lines) as counts, sum(r.unresolved) as unresolved
         from (
           select l.result, count(*)::int as lines,
                  count(*) filter (where l.result <> 'MATCHED' and l.resolved_at is null)::int as unresolved
             from settlement_lines l where l.import_id = i.id and l.result is not null group by l.result
         ) r
     ) counted on true`,
  countFrom: 'settlement_imports i',
  where: [
    needsDecision
      ? `i.id in (select import_id from settlement_lines where result <> 'MATCHED' and resolved_at is null)`
      : 'true',
  ],
  values: [],
});

/** Removes a piece of the comparisons that a later one follows. $1 the first id that is kept, $2 how many at most. */
export const deleteOldFloatChecks = statement<{ gone: number }>(
  'delete-old-float-checks',
  `with old as materialized (
     select f.id from float_checks f
      where f.id < $1
        and exists (select from float_checks later
                     where later.mode = f.mode and later.rails = f.rails
                       and later.merchant_id is not distinct from f.merchant_id and later.id > f.id)
      order by f.id limit $2
   ), deleted as (
     delete from float_checks f using old where f.id = old.id returning 1
   )
   select count(*)::int as gone from deleted`,
);
