import { among, setInsert, setStatement, statement } from '../platform/db/statement.ts';
import type { Mode } from '../platform/tenant.ts';

export interface EventRow {
  id: string;
  sequence: bigint;
  type: string;
  subject_id: string;
  /** JSON text. */
  data: string;
  created_at: Date;
  /** The request that caused it; null where none did, as when a payout ends. */
  request_id: string | null;
  idempotency_key: string | null;
}

/** Null: its text cannot be put together, which the proof reports. */
export type StoredRow = Omit<EventRow, 'data'> & { data: string | null };

const EVENT = 'id, sequence, type, subject_id, data, created_at, request_id, idempotency_key';

export const listEventsAfter = statement<StoredRow>(
  'list-events-after',
  `select ${EVENT} from events
    where merchant_id = $1 and mode = $2 and sequence > $3 and sequence <= $4
    order by sequence limit $5`,
);

/** Reads the whole window: every transfer would pay for an index over types. */
export const listEventsOfType = statement<StoredRow>(
  'list-events-of-type',
  `select ${EVENT} from events
    where merchant_id = $1 and mode = $2 and sequence > $3 and sequence <= $4 and type = $6
    order by sequence limit $5`,
);

export const listEventsBySequence = statement<StoredRow>(
  'list-events-by-sequence',
  `select ${EVENT} from events
    where merchant_id = $1 and mode = $2 and sequence = any ($3::bigint[])
    order by sequence`,
);

export const listEventSequences = statement<{ merchant_id: string; mode: Mode; event_sequence: bigint }>(
  'list-event-sequences',
  `select b.merchant_id, b.mode, b.event_sequence
     from unnest($1::uuid[], $2::text[]) as wanted (merchant_id, mode)
     join books b on b.merchant_id = wanted.merchant_id and b.mode = wanted.mode
    where ${among('b.merchant_id', 3)}`,
);

export const insertEvents = setInsert<{
  merchant_id: string;
  mode: Mode;
  sequence: bigint;
  id: string;
  type: string;
  subject_id: string;
  data: string;
  template_id: string | null;
  created_at: string;
  request_id: string | null;
  idempotency_key: string | null;
}>('event_rows', {
  merchant_id: 'uuid',
  mode: 'text',
  sequence: 'bigint',
  id: 'uuid',
  type: 'text',
  subject_id: 'uuid',
  data: 'text',
  template_id: 'uuid',
  created_at: 'timestamptz',
  request_id: 'text',
  idempotency_key: 'text',
});

export const findEventTemplates = statement<{ id: string; text: string; value_count: number }>(
  'find-event-templates',
  `select t.id, t.text, t.value_count
     from unnest($1::uuid[], $2::uuid[]) as wanted (merchant_id, id)
     join event_templates t on t.merchant_id = wanted.merchant_id and t.id = wanted.id
    where ${among('t.merchant_id', 3)}`,
);

/** Which of these templates are in the database. One that is there stays. */
export const findKeptTemplates = statement<{ merchant_id: string; id: string }>(
  'find-kept-templates',
  `select t.merchant_id, t.id
     from unnest($1::uuid[], $2::uuid[]) as wanted (merchant_id, id)
     join event_templates t on t.merchant_id = wanted.merchant_id and t.id = wanted.id
    where ${among('t.merchant_id', 3)}`,
);

/** Templates that nobody has written yet. Another process may do so in the same moment: in one order, no two wait for each other. */
export const insertEventTemplates = setStatement<{
  merchant_id: string;
  id: string;
  text: string;
  value_count: number;
  created_at: string;
}>(
  'insert-event-templates',
  { merchant_id: 'uuid', id: 'uuid', text: 'text', value_count: 'integer', created_at: 'timestamptz' },
  `insert into event_templates (merchant_id, id, text, value_count, created_at)
   select merchant_id, id, text, value_count, created_at from :rows order by merchant_id, id on conflict do nothing`,
);

/** The types of the events of tenants between two sequences each, newest first; at most $5 events are read. */
export const listEventTypes = statement<{ merchant_id: string; mode: Mode; types: string[] }>(
  'list-event-types',
  `select wanted.merchant_id, wanted.mode, array_agg(distinct newest.type) as types
     from unnest($1::uuid[], $2::text[], $3::bigint[], $4::bigint[]) as wanted (merchant_id, mode, after, up_to)
     join events newest
       on newest.merchant_id = wanted.merchant_id and newest.mode = wanted.mode
      and newest.sequence > greatest(wanted.after, wanted.up_to - $5::bigint) and newest.sequence <= wanted.up_to
    group by wanted.merchant_id, wanted.mode`,
);

/**
 * SQL for an event of the type `$5` that begins like `$6`, or whose template does like `$7`: its text is not put together
 * for it.
 */
const PASSED_OVER = `(e.type = $5 and case when e.template_id is null then e.data like $6 else exists (
          select from event_templates t where t.merchant_id = e.merchant_id and t.id = e.template_id and t.text like $7
        ) end)`;

/** The parameters of `PASSED_OVER`. */
export const passedOver = ({ type, begins }: PassedOver): [type: string, data: string, template: string] => [
  type,
  `${begins({ subject: '_'.repeat(36), withoutHyphens: '_'.repeat(32) })}%`,
  `${begins({ subject: '_1$s', withoutHyphens: '_2$s' })}%`,
];

/** Events that a reader skips. */
export interface PassedOver {
  type: string;
  /** How their data begin, which names their subject. `_` stands for any character. */
  begins(of: { subject: string; withoutHyphens: string }): string;
}

/** The subjects of a tenant's events, except those that are passed over. */
export const listEventSubjects = statement<Pick<EventRow, 'sequence' | 'type' | 'subject_id'>>(
  'list-event-subjects',
  `select e.sequence, e.type, e.subject_id from event_rows e
    where e.merchant_id = $1 and e.mode = $2 and e.sequence > $3 and e.sequence <= $4 and not ${PASSED_OVER}
    order by e.sequence`,
);

/**
 * SQL for those of the books of `askedBooks` that have new events for a reader with the cursors `c`, or that it has not
 * finished. `is_empty`: there are at most `$4` new events, and all are passed over.
 */
export const booksBehind = (cursors: string, isUnfinished: string): string =>
  `select b.merchant_id, c.event_sequence as read_to, b.event_sequence as last_sequence,
          coalesce(not (${isUnfinished}) and b.event_sequence <= c.event_sequence + $4::bigint and not exists (
            select from event_rows e
             where e.merchant_id = b.merchant_id and e.mode = b.mode and e.sequence > c.event_sequence
               and e.sequence <= b.event_sequence and not ${PASSED_OVER}
          ), false) as is_empty
     from unnest($1::uuid[], $2::text[]) as asked (merchant_id, mode)
     join books b on b.merchant_id = asked.merchant_id and b.mode = asked.mode
     left join ${cursors} c on c.merchant_id = b.merchant_id and c.mode = b.mode
    where (c.merchant_id is null or ${isUnfinished} or c.event_sequence < b.event_sequence)
      and ${among('b.merchant_id', 3)}`;

/** For every merchant with books in the mode `$1`. */
export const listLastEvents = statement<{ merchant_id: string; event_sequence: bigint }>(
  'list-last-events',
  'select merchant_id, event_sequence from books where mode = $1',
);

/** A query of the events of these types that a reader has read, of all merchants. */
export const eventsRead = (reader: string, types: readonly string[]): string =>
  `select v.merchant_id, v.mode, v.subject_id, v.type, v.created_at as at
             from events v
             join event_cursors c on c.merchant_id = v.merchant_id and c.mode = v.mode and c.reader = '${reader}'
              and v.sequence <= c.event_sequence
            where v.type in (${types.map((type) => `'${type}'`).join(', ')})`;
