-- The guard is whole from the upgrade on: what was accepted before it has its keys too, for as long as they may count.
-- What is older than a day and of a batch counts no more; nobody knows any more what was meant twice, so all of it was.
insert into dedupe_keys (
  merchant_id, mode, subject_id, scope, value, batch_id, from_at, until_at, window_seconds, is_meant, sequence
)
select p.merchant_id, p.mode, p.id, case when a.id is null then 'PAID' else 'WAITING' end,
       concat_ws(':', t.beneficiary_bank_code, t.beneficiary_account_number, t.amount_minor, t.currency), p.batch_id,
       greatest(t.created_at, p.scheduled_for), coalesce(a.expires_at, greatest(t.created_at, p.scheduled_for)), 0, true, 0
  from payouts p
  join transactions t on t.merchant_id = p.merchant_id and t.mode = p.mode and t.id = p.id
  left join approvals a
    on a.merchant_id = p.merchant_id and a.mode = p.mode and a.id = p.approval_id
   and t.status = 'PENDING_APPROVAL' and p.scheduled_for is null
 where t.status not in ('FAILED', 'CANCELLED', 'REVERSED')
   and (t.created_at > now() - interval '1 day' or t.status in ('QUEUED', 'PROCESSING')
        or (p.batch_id is null and (t.created_at > now() - interval '30 days' or p.scheduled_for > now() - interval '30 days')));

-- Items of lists that can still be paid, under the code of the directory.
update batch_items i
   set directory_bank_code = k.code
  from batches b
 cross join banks k
 where b.status in ('VALIDATING', 'NEEDS_FIX', 'READY', 'PENDING_APPROVAL')
   and i.merchant_id = b.merchant_id and i.mode = b.mode and i.batch_id = b.id and i.is_valid
   and k.nip_code = i.bank_code and k.code <> i.bank_code
   and not exists (select 1 from banks own where own.code = i.bank_code);

-- The marks that they replace.
delete from marks where scope in ('PAYOUT_DUPLICATE', 'BATCH_CONTENT');
