-- Two imports at one moment could each say that the same payout is missing there. It waits for people once: the first
-- line stays, and each later one says that it is the same.
update settlement_lines l
   set resolved_how = 'ACCEPTED', resolved_note = 'An earlier import misses the same payout', resolved_by = 'upgrade',
       resolved_at = i.updated_at
  from (
    select import_id, id, row_number() over (partition by payout_id order by id) as copy
      from settlement_lines
     where result = 'MISSING_THERE' and resolved_at is null
  ) missing
  join settlement_imports i on i.id = missing.import_id
 where l.import_id = missing.import_id and l.id = missing.id and missing.copy > 1;
