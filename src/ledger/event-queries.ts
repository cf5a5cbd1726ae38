import { among, setInsert, statement } from '../platform/db/statement.ts';
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

const EVENT = 'id, sequence, type, subject_id, data, created_at, request_id, idempotency_key';

export const listEventsAfter = statement<EventRow>(
  'list-events-after',
  `select ${EVENT} from events
    where merchant_id = $1 and mode = $2 and sequence > $3 and sequence <= $4
    order by sequence limit $5`,
);

/** Reads the whole window: every transfer would pay for an index over types. */
export const listEventsOfType = statement<EventRow>(
  'list-events-of-type',
  `select ${EVENT} from events
    where merchant_id = $1 and mode = $2 and sequence > $3 and sequence <= $4 and type = $6
    order by sequence limit $5`,
);

export const listEventsBySequence = statement<EventRow>(
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
  created_at: string;
  request_id: string | null;
  idempotency_key: string | null;
}>('events', {
  merchant_id: 'uuid',
  mode: 'text',
  sequence: 'bigint',
  id: 'uuid',
  type: 'text',
  subject_id: 'uuid',
  data: 'json',
  created_at: 'timestamptz',
  request_id: 'text',
  idempotency_key: 'text',
});

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

/** The subjects of a tenant's events, except those of the type `$5` whose data match `$6`. */
export const listEventSubjects = statement<Pick<EventRow, 'sequence' | 'type' | 'subject_id'>>(
  'list-event-subjects',
  `select sequence, type, subject_id from events
    where merchant_id = $1 and mode = $2 and sequence > $3 and sequence <= $4 and not (type = $5 and data like $6)
    order by sequence`,
);

/**
 * SQL for those of the books of `askedBooks` that have new events for a reader with the cursors `c`, or that it has not
 * finished. `is_empty`: there are at most `$4` new events, and all are of the type `$5`
 * with data like `$6`.
 */
export const booksBehind = (cursors: string, isUnfinished: string): string =>
  `select b.merchant_id, c.event_sequence as read_to, b.event_sequence as last_sequence,
          coalesce(not (${isUnfinished}) and b.event_sequence <= c.event_sequence + $4::bigint and not exists (
            select from events e
             where e.merchant_id = b.merchant_id and e.mode = b.mode and e.sequence > c.event_sequence
               and e.sequence <= b.event_sequence and not (e.type = $5 and e.data like $6)
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
