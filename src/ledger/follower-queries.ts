import { statement } from '../platform/db/statement.ts';

/** The merchants whose books in the mode `$1` went on since the reader `$2` came by. $3 how many at most. */
export const listBooksToFollow = statement<{ merchant_id: string }>(
  'list-books-to-follow',
  `select b.merchant_id
     from books b
     left join event_cursors c on c.merchant_id = b.merchant_id and c.mode = b.mode and c.reader = $2
    where b.mode = $1 and b.event_sequence > coalesce(c.event_sequence, 0)
    limit $3`,
);

export const insertEventCursor = statement(
  'insert-event-cursor',
  `insert into event_cursors (merchant_id, mode, reader, event_sequence) values ($1, $2, $3, 0) on conflict do nothing`,
);

/** Nobody else follows these books meanwhile: no row where somebody does. The books themselves are not locked. */
export const lockEventCursor = statement<{ read_to: bigint; last_sequence: bigint }>(
  'lock-event-cursor',
  `select c.event_sequence as read_to, b.event_sequence as last_sequence
     from event_cursors c
     join books b on b.merchant_id = c.merchant_id and b.mode = c.mode
    where c.merchant_id = $1 and c.mode = $2 and c.reader = $3
      for update of c skip locked`,
);

export const updateEventCursor = statement(
  'update-event-cursor',
  `update event_cursors set event_sequence = $4 where merchant_id = $1 and mode = $2 and reader = $3`,
);

export interface FollowedEvent {
  type: string;
  subject_id: string;
  created_at: Date;
}

/** Behind `$3` and up to `$4`, in order, those of the types `$5`. */
export const listFollowedEvents = statement<FollowedEvent>(
  'list-followed-events',
  `select type, subject_id, created_at from events
    where merchant_id = $1 and mode = $2 and sequence > $3 and sequence <= $4 and type = any($5::text[])
    order by sequence`,
);

/** Of books that the reader `$1` has not read to their end, when the first event was that it has not read. $2 how many books. */
export const findOldestUnread = statement<{ at: Date | null }>(
  'find-oldest-unread-event',
  `select min(next.created_at) as at
     from (
       select b.merchant_id, b.mode, coalesce(c.event_sequence, 0) as read_to
         from books b
         left join event_cursors c on c.merchant_id = b.merchant_id and c.mode = b.mode and c.reader = $1
        where b.event_sequence > coalesce(c.event_sequence, 0)
        limit $2
     ) behind
    cross join lateral (
      select e.created_at from events e
       where e.merchant_id = behind.merchant_id and e.mode = behind.mode and e.sequence = behind.read_to + 1
       limit 1
    ) next`,
);
