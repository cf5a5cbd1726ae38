import { type Check, check } from '../queries.ts';

const VALUE = `concat_ws(':', t.beneficiary_bank_code, t.beneficiary_account_number, t.amount_minor, t.currency)`;

/**
 * A key of a payout that failed would keep the same from being paid again; one that is missing, or of another payment,
 * would let it be paid twice. Keys are kept for a month; only who was counted against a day came in by a front door.
 */
const wrongDedupeKeys = check(
  'dedupe-keys-are-of-payouts',
  'Every dedupe key is of a payout that has not failed, and every payout on its way has its own.',
  `select k.merchant_id, k.mode,
          format('key %s (%s) is of %s (%s)', k.value, k.scope, k.subject_id, coalesce(t.status, 'no payout')) as detail
     from dedupe_keys k
     left join payouts p on p.merchant_id = k.merchant_id and p.mode = k.mode and p.id = k.subject_id
     left join transactions t on t.merchant_id = p.merchant_id and t.mode = p.mode and t.id = p.id
    where t.id is null or t.status in ('FAILED', 'CANCELLED', 'REVERSED') or k.value <> ${VALUE}
       or k.batch_id is distinct from p.batch_id
       -- An upgrade could not know what was meant.
       or (k.sequence > 0 and k.is_meant <> p.allow_duplicate)
       or (k.scope = 'WAITING' and (t.status <> 'PENDING_APPROVAL' or p.scheduled_for is not null))
   union all
   select t.merchant_id, t.mode, format('payout %s (%s) has no dedupe key', t.id, t.status)
     from payouts p
     join transactions t on t.merchant_id = p.merchant_id and t.mode = p.mode and t.id = p.id
     left join (
       select distinct merchant_id, mode, subject_id from dedupe_keys where scope in ('PAID', 'WAITING')
     ) k on k.merchant_id = p.merchant_id and k.mode = p.mode and k.subject_id = p.id
    where k.subject_id is null
      and (t.status in ('PENDING_APPROVAL', 'SCHEDULED')
           or (t.status in ('QUEUED', 'PROCESSING') and t.created_at > now() - interval '30 days')
           or (t.status = 'SUCCESS' and t.created_at > now() - interval '1 day'))
      and (p.counted_on is not null or p.scheduled_for is not null)
      -- It was paid otherwise, and is about to fail for that.
      and (t.status = 'QUEUED' and t.reason = 'PAYOUT_DUPLICATE') is not true`,
);

/** Of two payments of one amount to one account within the window, the second was meant. */
const unmeantRepeats = check(
  'nothing-is-paid-twice-unless-meant',
  'No amount was paid to one account twice within the window unless the second was meant.',
  `select merchant_id, mode, format('%s was paid by %s and by %s within %s s', value, earlier, subject_id, seconds) as detail
     from (
       select k.merchant_id, k.mode, k.value, k.subject_id, coalesce(k.batch_id, k.subject_id) as party,
              lag(k.subject_id) over keys as earlier, lag(coalesce(k.batch_id, k.subject_id)) over keys as earlier_party,
              extract(epoch from k.until_at - lag(k.until_at) over keys) as seconds,
              least(k.window_seconds, lag(k.window_seconds) over keys) as window_seconds
         from dedupe_keys k
        where k.scope = 'PAID' and not k.is_meant
       window keys as (partition by k.merchant_id, k.mode, k.value order by k.until_at, k.sequence)
     ) pairs
    where party <> earlier_party and seconds < window_seconds`,
);

const wrongHolders = check(
  'batches-hold-keys-until-opened',
  'Every batch that waits for approval or has chunks to open counts its items as taken, and no other.',
  `select b.merchant_id, b.mode,
          format('batch %s (%s) %s keys for its items', b.id, b.status, case when b.holds_keys then 'holds' else 'holds no' end) as detail
     from batches b
     left join (
       select distinct merchant_id, mode, batch_id from batch_chunks where due_at is not null
     ) c on c.merchant_id = b.merchant_id and c.mode = b.mode and c.batch_id = b.id
    where b.holds_keys <> (b.status = 'PENDING_APPROVAL' or c.batch_id is not null)
   union all
   select b.merchant_id, b.mode, format('batch %s (%s) holds keys since event %s, which is %s', b.id, b.status,
                                        coalesce(b.holding_since::text, 'none'), coalesce(e.type || ' of ' || e.subject_id, 'not there'))
     from batches b
     left join events e on e.merchant_id = b.merchant_id and e.mode = b.mode and e.sequence = b.holding_since
    -- What an upgrade found holding has no event.
    where b.holding_since <> 0 and (e.subject_id = b.id or e.type like 'approval.%') is not true
       or b.holding_since is null and (b.holds_keys or b.dispatched_at is not null)`,
);

export const duplicateChecks: readonly Check[] = [wrongDedupeKeys, unmeantRepeats, wrongHolders];
