-- A batch of 100,000 rows is asked about every second while it is checked and sent: it counts as it goes, and remembers
-- what it cost, so that nobody has to count items to say how far it is.
alter table batches
  add column source text not null default 'JSON' constraint batches_source check (source in ('JSON', 'CSV', 'XLSX')),
  add column file_name text,
  add column valid_items integer not null default 0,
  add column invalid_items integer not null default 0,
  add column succeeded_items integer not null default 0,
  add column failed_items integer not null default 0,
  add column reversed_items integer not null default 0,
  -- Fingerprint of the items as they were at `digest_version`; counts only while that is the batch's version.
  add column items_digest text,
  add column digest_version integer,
  -- What was held at dispatch; null before.
  add column amount_minor bigint,
  add column fee_minor bigint,
  add column vat_minor bigint,
  add column stamp_duty_minor bigint;

update batches b
   set valid_items = counted.valid, invalid_items = counted.invalid
  from (
    select merchant_id, mode, batch_id, count(*) filter (where is_valid)::int as valid,
           count(*) filter (where validated_at is not null and not is_valid)::int as invalid
      from batch_items group by 1, 2, 3
  ) counted
 where b.merchant_id = counted.merchant_id and b.mode = counted.mode and b.id = counted.batch_id;

update batches b
   set succeeded_items = paid.succeeded, failed_items = paid.failed, reversed_items = paid.reversed,
       amount_minor = paid.amount_minor, fee_minor = paid.fee_minor, vat_minor = paid.vat_minor,
       stamp_duty_minor = paid.stamp_duty_minor
  from (
    select p.merchant_id, p.mode, p.batch_id,
           count(*) filter (where t.status = 'SUCCESS')::int as succeeded,
           count(*) filter (where t.status = 'FAILED')::int as failed,
           count(*) filter (where t.status = 'REVERSED')::int as reversed,
           sum(t.amount_minor)::bigint as amount_minor, sum(p.fee_minor)::bigint as fee_minor,
           sum(p.vat_minor)::bigint as vat_minor, sum(p.stamp_duty_minor)::bigint as stamp_duty_minor
      from payouts p
      join transactions t on t.merchant_id = p.merchant_id and t.mode = p.mode and t.id = p.id
     where p.batch_id is not null
     group by 1, 2, 3
  ) paid
 where b.merchant_id = paid.merchant_id and b.mode = paid.mode and b.id = paid.batch_id;
