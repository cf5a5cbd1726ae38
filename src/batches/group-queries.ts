import { setInsert, setStatement, statement } from '../platform/db/statement.ts';
import type { Mode } from '../platform/tenant.ts';
import { boundedSum, ITEM_COLUMNS } from './item-columns.ts';
import { type ActionKind, EXPLAINING } from './problems.ts';
import { COUNT_CHANGED, countedColumns, type ItemRow } from './queries.ts';

const words = (codes: readonly string[]): string => codes.map((code) => `'${code}'`).join(', ');

/** `25,000/=` and `1,200,000/=` have the same mistake: each figure becomes `#`, and the rest is what is wrong. */
const SHAPE = String.raw`regexp_replace(p.params ->> 'given', '\d{1,3}(,\d{3})+(\.\d+)?|\d+(\.\d+)?', '#', 'g')`;

/** What problems of one code have in common, as a text; null where the code alone says it. */
const CAUSE = `case when p.code = 'BANK_NOT_FOUND' then p.params ->> 'bankCode'
                   when p.code = 'ACCOUNT_NUMBER_NOT_TEN_DIGITS' then length(i.account_number)::text
                   when p.code = 'INVISIBLE_CHARACTERS_REMOVED' then p.params ->> 'column'
                   when p.code = 'OTHER' then p.params ->> 'text'
                   when p.code in ('BANK_TAKES_NO_PAYOUTS', 'ACCOUNT_OWNER_UNKNOWN') then p.params ->> 'bankName'
                   when p.code like 'REPEATS\\_%' then p.params ->> 'batchReference'
                   when p.field = 'bankCode' then p.params ->> 'given'
                   when p.field = 'amount' then ${SHAPE} end`;

const ERRORS = `json_array_elements(i.item_errors::json)`;
const WARNINGS = `json_array_elements(i.item_warnings::json)`;
const IS_EXPLAINING = `o.value ->> 'code' in (${words(EXPLAINING)})`;

/**
 * The problems of an item `i`, each once, with `severity`, `code`, `field`, `params`, `cause`, and whether somebody
 * accepted it. An error and a warning from the file about the same field are one problem: the warning says more.
 */
const LINES = `(select p.severity, p.code, p.field, p.params, ${CAUSE} as cause,
              coalesce(i.accepted::jsonb ? p.code, false) as is_accepted
         from (
           select 'ERROR' as severity, e.value ->> 'code' as code, e.value ->> 'field' as field, e.value -> 'params' as params
             from ${ERRORS} e
            where not exists (select from ${WARNINGS} o where o.value ->> 'field' = e.value ->> 'field' and ${IS_EXPLAINING})
           union all
           select case when w.value ->> 'code' in (${words(EXPLAINING)})
                        and exists (select from ${ERRORS} o where o.value ->> 'field' = w.value ->> 'field')
                       then 'ERROR' else 'WARNING' end,
                  w.value ->> 'code', w.value ->> 'field', w.value -> 'params'
             from ${WARNINGS} w
           union all
           select 'WARNING', 'REPEATS_' || (i.repeats::json ->> 'kind'), null, i.repeats::json
            where i.repeats is not null
         ) p)`;

/** Validated items that have a problem. */
const WITH_PROBLEMS = `i.merchant_id = $1 and i.mode = $2 and i.batch_id = $3 and i.validated_at is not null
      and (i.item_errors is not null or i.item_warnings is not null or i.repeats is not null)`;

/** A condition on an item `i`: it has the problem, whose code and cause are these parameters. */
export const hasProblem = (code: string, cause: string): string =>
  `exists (select from ${LINES} l where l.code = ${code}::text and (${cause}::text is null or l.cause = ${cause}::text))`;

export interface GroupRow {
  code: string;
  cause: string | null;
  severity: 'ERROR' | 'WARNING';
  field: string | null;
  /** Items of the group that nobody accepted, and those that somebody did. */
  items: number;
  accepted: number;
  /** The sum of all of them, at most what a bigint holds: the amounts of invalid items have no upper bound. */
  amount_minor: bigint;
  /** A few of its items: the most different names first, otherwise in their order. */
  samples: string[];
  /** The number of all groups. */
  groups: number;
}

/**
 * The problems of a batch in groups: those that prevent payment first, the largest first; at most `$4`. A cell that
 * could not be read is an error and a warning from the file: it counts as the error.
 */
export const listProblemGroups = statement<GroupRow>(
  'list-batch-problem-groups',
  `with lines as (
     select distinct on (i.id, l.code, l.cause) i.id, i.amount_minor, l.severity, l.code, l.field, l.cause, l.is_accepted,
            row_number() over (partition by l.code, l.cause, l.is_accepted
                               order by case l.code when 'NAME_DIFFERS' then i.match_score end, i.position) as place
       from batch_items i
      cross join lateral ${LINES} l
      where ${WITH_PROBLEMS}
      order by i.id, l.code, l.cause, l.severity
   )
   select coalesce(code, '') as code, cause, case when bool_or(severity = 'ERROR') then 'ERROR' else 'WARNING' end as severity, min(field) as field,
          count(*) filter (where not is_accepted)::int as items, count(*) filter (where is_accepted)::int as accepted,
          ${boundedSum('sum(amount_minor)')} as amount_minor,
          coalesce(array_agg(id order by is_accepted, place) filter (where place <= 3), '{}'::uuid[]) as samples,
          count(*) over ()::int as groups
     from lines
    group by lines.code, cause
    order by 3, (lines.code = 'NAME_DIFFERS') desc, 5 desc, lines.code, cause
    limit $4`,
);

/** How many items a group has that nobody accepted, and their worst severity. */
export const countProblemGroup = statement<{ items: number; severity: string | null; field: string | null }>(
  'count-batch-problem-group',
  `select count(*)::int as items, min(g.severity) as severity, min(g.field) as field
     from (
       select min(l.severity) as severity, min(l.field) as field
         from batch_items i
        cross join lateral ${LINES} l
        where ${WITH_PROBLEMS} and l.code = $4 and l.cause is not distinct from $5 and not l.is_accepted
        group by i.id
     ) g`,
);

/** The next items of a group after a position. */
export const listGroupItems = statement<ItemRow>(
  'list-batch-group-items',
  `select i.* from batch_items i
    where ${WITH_PROBLEMS} and i.position > $6
      and exists (select from ${LINES} l where l.code = $4 and l.cause is not distinct from $5 and not l.is_accepted)
    order by i.position limit $7`,
);

export const listItemsOfIds = statement<ItemRow>(
  'list-batch-items-of-ids',
  'select * from batch_items where merchant_id = $1 and mode = $2 and id = any($3::uuid[])',
);

export interface ActionRow {
  merchant_id: string;
  mode: Mode;
  batch_id: string;
  id: string;
  kind: ActionKind;
  /** Null for an `UNDO`. */
  code: string | null;
  cause: string | null;
  /** `GroupChange` in JSON. */
  change: string | null;
  items: number;
  done_items: number;
  /** Position of the last item that it was applied to. */
  applied_to: number;
  /** The version of the batch after the action. */
  batch_version: number;
  undoes: string | null;
  undone_at: Date | null;
  created_at: Date;
  done_at: Date | null;
}

export const insertActions = setInsert<ActionRow>('batch_actions', {
  merchant_id: 'uuid',
  mode: 'text',
  batch_id: 'uuid',
  id: 'uuid',
  kind: 'text',
  code: 'text',
  cause: 'text',
  change: 'text',
  items: 'integer',
  done_items: 'integer',
  applied_to: 'integer',
  batch_version: 'integer',
  undoes: 'uuid',
  undone_at: 'timestamptz',
  created_at: 'timestamptz',
  done_at: 'timestamptz',
});

export const updateActions = setStatement<
  Pick<
    ActionRow,
    'merchant_id' | 'mode' | 'batch_id' | 'id' | 'items' | 'done_items' | 'applied_to' | 'batch_version' | 'done_at'
  >
>(
  'update-batch-actions',
  {
    merchant_id: 'uuid',
    mode: 'text',
    batch_id: 'uuid',
    id: 'uuid',
    items: 'integer',
    done_items: 'integer',
    applied_to: 'integer',
    batch_version: 'integer',
    done_at: 'timestamptz',
  },
  `update batch_actions a
      set items = rows.items, done_items = rows.done_items, applied_to = rows.applied_to,
          batch_version = rows.batch_version, done_at = rows.done_at
     from :rows
    where a.merchant_id = rows.merchant_id and a.mode = rows.mode and a.batch_id = rows.batch_id and a.id = rows.id`,
);

type OfBatch = { merchant_id: string; mode: Mode; batch_id: string };

/** The verdict about a batch takes a version, and changes nothing that an undo would restore. */
export const updateActionsVersion = setStatement<OfBatch & { batch_version: number }>(
  'update-batch-actions-version',
  { merchant_id: 'uuid', mode: 'text', batch_id: 'uuid', batch_version: 'integer' },
  `update batch_actions a
      set batch_version = rows.batch_version + 1
     from :rows
    where a.merchant_id = rows.merchant_id and a.mode = rows.mode and a.batch_id = rows.batch_id
      and a.batch_version = rows.batch_version`,
);

export const updateActionsUndone = setStatement<OfBatch & { id: string; undone_at: Date }>(
  'update-batch-actions-undone',
  { merchant_id: 'uuid', mode: 'text', batch_id: 'uuid', id: 'uuid', undone_at: 'timestamptz' },
  `update batch_actions a
      set undone_at = rows.undone_at
     from :rows
    where a.merchant_id = rows.merchant_id and a.mode = rows.mode and a.batch_id = rows.batch_id and a.id = rows.id`,
);

/** Which action is being carried out, and that items are validated from the first one again. */
export const updateBatchesAction = setStatement<{
  merchant_id: string;
  mode: Mode;
  id: string;
  action_id: string | null;
}>(
  'update-batches-action',
  { merchant_id: 'uuid', mode: 'text', id: 'uuid', action_id: 'uuid' },
  `update batches b
      set action_id = rows.action_id, looked_up_to = 0, silent_since = null
     from :rows
    where b.merchant_id = rows.merchant_id and b.mode = rows.mode and b.id = rows.id`,
);

export const findAction = statement<ActionRow>(
  'find-batch-action',
  'select * from batch_actions where merchant_id = $1 and mode = $2 and batch_id = $3 and id = $4',
);

/** The newest action of a batch. */
export const findLastAction = statement<ActionRow>(
  'find-last-batch-action',
  `select * from batch_actions
    where merchant_id = $1 and mode = $2 and batch_id = $3
    order by id desc limit 1`,
);

export interface ActionItemRow {
  merchant_id: string;
  mode: Mode;
  action_id: string;
  position: number;
  /** The row of the item, in JSON. */
  before: string;
}

export const insertActionItems = setInsert<ActionItemRow>('batch_action_items', {
  merchant_id: 'uuid',
  mode: 'text',
  action_id: 'uuid',
  position: 'integer',
  before: 'json',
});

/** The items of an action as it found them, after a position. */
export const listActionItems = statement<ActionItemRow>(
  'list-batch-action-items',
  `select * from batch_action_items
    where merchant_id = $1 and mode = $2 and action_id = $3 and position > $4
    order by position limit $5`,
);

/** Puts removed items back. In a movement it comes after the batch's own row, like every change of items. */
export const insertItemsAgain = setStatement<ItemRow>(
  'insert-batch-items-again',
  ITEM_COLUMNS,
  `with back as (
     insert into batch_items as i (
       ${Object.keys(ITEM_COLUMNS).join(', ')}
     )
     select * from :rows
     returning ${countedColumns('i')}
   ), changed as (
     select back.*, 1 as n from back
   )
   ${COUNT_CHANGED}`,
);
