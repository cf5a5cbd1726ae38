import { type Check, check } from '../queries.ts';

/** An entry is sealed within seconds; ten minutes without a worker are too long to say that nobody touched it. */
const unsealedEntries = check(
  'audit-entries-are-sealed',
  'Every entry of the audit log that is older than ten minutes is sealed, and none is gone.',
  `select e.merchant_id, coalesce(e.mode, '') as mode,
          format('entry %s of %s has no seal', e.id, to_char(e.at at time zone 'UTC', 'YYYY-MM-DD HH24:MI')) as detail
     from audit_entries e
     left join audit_seals s on s.merchant_id = e.merchant_id and s.entry_id = e.id
    where s.entry_id is null and e.at < now() - interval '10 minutes'
   union all
   select u.merchant_id, '', format('entry %s was recorded and is gone', u.entry_id)
     from audit_unsealed u
     left join audit_entries e on e.merchant_id = u.merchant_id and e.id = u.entry_id
    where e.id is null`,
);

export const auditChecks: readonly Check[] = [unsealedEntries];
