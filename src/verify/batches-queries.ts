import { LOW_MATCH_BELOW } from '../banks/index.ts';
import { type Check, check, sameTenant } from './queries.ts';

/** Rows of a file are there before their batch is; nothing else is without one. */
const strayItems = check(
  'items-belong-to-batches',
  'Every item belongs to a batch or to a file that is being read.',
  `select i.merchant_id, i.mode, format('%s items of %s, which is no batch and no upload', i.items, i.batch_id) as detail
     from (select merchant_id, mode, batch_id, count(*) as items from batch_items group by 1, 2, 3) i
     left join (
       select merchant_id, mode, id from batches union select merchant_id, mode, batch_id from batch_uploads
     ) b on b.merchant_id = i.merchant_id and b.mode = i.mode and b.id = i.batch_id
    where b.id is null`,
);

const miscountedItems = check(
  'batches-count-their-items',
  'The counters of every batch are those of its items.',
  `select b.merchant_id, b.mode,
          format('batch %s (%s): %s items, %s valid, %s invalid, %s with warnings; it has %s, %s, %s, %s', b.id, b.status,
                 b.item_count, b.valid_items, b.invalid_items, b.warned_items, coalesce(i.items, 0),
                 coalesce(i.valid, 0), coalesce(i.invalid, 0), coalesce(i.warned, 0)) as detail
     from batches b
     left join (
       select merchant_id, mode, batch_id, count(*) as items, count(*) filter (where is_valid) as valid,
              count(*) filter (where validated_at is not null and not is_valid) as invalid,
              count(*) filter (where validated_at is not null and (item_warnings is not null or repeats is not null)) as warned,
              count(*) filter (where validated_at is not null and match_score < ${LOW_MATCH_BELOW}) as low_match,
              sum(amount_minor) filter (where is_valid) as valid_minor
         from batch_items
        group by merchant_id, mode, batch_id
     ) i on i.merchant_id = b.merchant_id and i.mode = b.mode and i.batch_id = b.id
    where b.item_count <> coalesce(i.items, 0) or b.valid_items <> coalesce(i.valid, 0)
       or b.invalid_items <> coalesce(i.invalid, 0) or b.warned_items <> coalesce(i.warned, 0)
       or b.low_match_items <> coalesce(i.low_match, 0) or b.valid_minor <> coalesce(i.valid_minor, 0)
       -- As they were found at the last look: of an open batch items may have been removed since.
       or b.duplicate_items < 0 or (b.dispatched_at is not null and b.duplicate_items > b.item_count)
       or (b.duplicate_items = 0) <> (b.duplicate_minor = 0)`,
);

/** By batch: its payouts as they stand. */
const PAYOUTS = `select p.merchant_id, p.mode, p.batch_id, count(*) as payouts,
              count(*) filter (where t.status = 'SUCCESS') as succeeded,
              count(*) filter (where t.status = 'FAILED') as failed,
              count(*) filter (where t.status = 'REVERSED') as reversed,
              sum(t.amount_minor) filter (where t.status = 'SUCCESS') as succeeded_minor,
              sum(t.amount_minor) as amount_minor, sum(p.fee_minor) as fee_minor, sum(p.vat_minor) as vat_minor,
              sum(p.stamp_duty_minor) as stamp_duty_minor
         from payouts p
         join transactions t on t.merchant_id = p.merchant_id and t.mode = p.mode and t.id = p.id
        where p.batch_id is not null
        group by p.merchant_id, p.mode, p.batch_id`;

/** By batch: what was dispatched, expanded or not. One that was dispatched before there were chunks has none. */
const CHUNKS = `select merchant_id, mode, batch_id, sum(item_count) as payouts, sum(amount_minor) as amount_minor,
              sum(fee_minor) as fee_minor, sum(vat_minor) as vat_minor, sum(stamp_duty_minor) as stamp_duty_minor,
              bool_and(due_at is null) as opened
         from batch_chunks
        group by merchant_id, mode, batch_id`;

const miscountedPayouts = check(
  'batches-count-their-payouts',
  'The counters of every dispatched batch are those of its payouts, and a completed one has none open.',
  `select b.merchant_id, b.mode,
          format('batch %s (%s): %s open, %s succeeded, %s failed, %s reversed; of %s payouts %s, %s, %s', b.id, b.status,
                 b.open_items, b.succeeded_items, b.failed_items, b.reversed_items,
                 coalesce(c.payouts, p.payouts, 0), coalesce(p.succeeded, 0), coalesce(p.failed, 0),
                 coalesce(p.reversed, 0)) as detail
     from batches b
     left join (${PAYOUTS}) p on p.merchant_id = b.merchant_id and p.mode = b.mode and p.batch_id = b.id
     left join (${CHUNKS}) c on c.merchant_id = b.merchant_id and c.mode = b.mode and c.batch_id = b.id
    where b.succeeded_items <> coalesce(p.succeeded, 0) or b.failed_items <> coalesce(p.failed, 0)
       or b.reversed_items <> coalesce(p.reversed, 0) or b.succeeded_minor <> coalesce(p.succeeded_minor, 0)
       or b.open_items <> coalesce(c.payouts, p.payouts, 0) - b.succeeded_items - b.failed_items - b.reversed_items
       or (b.status = 'COMPLETED' and (b.open_items > 0 or b.failed_items > 0))
       or (b.status = 'PARTIALLY_COMPLETED' and b.open_items > 0)
       or (b.dispatched_at is null and coalesce(c.payouts, p.payouts, 0) > 0)`,
);

const wrongTotals = check(
  'batch-totals-are-those-of-their-payouts',
  'What a batch says it cost is the sum of its chunks, and of its payouts once all are expanded.',
  `select b.merchant_id, b.mode,
          format('batch %s: %s and charges %s, %s, %s; %s %s and %s, %s, %s', b.id, b.amount_minor, b.fee_minor,
                 b.vat_minor, b.stamp_duty_minor, s.of_what, s.amount_minor, s.fee_minor, s.vat_minor,
                 s.stamp_duty_minor) as detail
     from batches b
     join (
       select merchant_id, mode, batch_id, 'its chunks' as of_what, amount_minor, fee_minor, vat_minor, stamp_duty_minor
         from (${CHUNKS}) c
        union all
       select p.merchant_id, p.mode, p.batch_id, 'its payouts', p.amount_minor, p.fee_minor, p.vat_minor,
              p.stamp_duty_minor
         from (${PAYOUTS}) p
         left join (${CHUNKS}) c on c.merchant_id = p.merchant_id and c.mode = p.mode and c.batch_id = p.batch_id
        where coalesce(c.opened, true)
     ) s on s.merchant_id = b.merchant_id and s.mode = b.mode and s.batch_id = b.id
    where (b.amount_minor = s.amount_minor and b.fee_minor = s.fee_minor and b.vat_minor = s.vat_minor
           and b.stamp_duty_minor = s.stamp_duty_minor) is not true`,
);

/** Each valid item with the chunk that it falls into: the last one that begins at or before it. */
const CHUNKED_ITEMS = `select merchant_id, mode, batch_id, id, amount_minor, position, bank_code, account_number, account_name,
              bank_name, narration, phone_number,
              max(chunk) over (partition by merchant_id, mode, batch_id order by position, chunk nulls last
                               rows unbounded preceding) as chunk, chunk is null as is_item
         from (
           select merchant_id, mode, batch_id, id, amount_minor, position, null::int as chunk, bank_code, account_number,
                  account_name, bank_name, narration, phone_number
             from batch_items where is_valid
            union all
           select merchant_id, mode, batch_id, null, null, first_position, chunk, null, null, null, null, null, null
             from batch_chunks
         ) both_kinds`;

const wrongChunks = check(
  'chunks-come-to-their-items',
  'The chunks of every dispatched batch follow each other, and each comes to the number, the places and the sum of its items.',
  `select c.merchant_id, c.mode,
          format('chunk %s (the %sth) of batch %s: %s items of %s from place %s to %s; they are %s of %s from %s to %s', c.chunk,
                 c.place, c.batch_id, c.item_count, c.amount_minor, c.first_position, c.last_position, coalesce(i.items, 0),
                 coalesce(i.amount_minor, 0), i.first_position, i.last_position) as detail
     from (
       select *, row_number() over (partition by merchant_id, mode, batch_id order by first_position) as place
         from batch_chunks
     ) c
     left join (
       select merchant_id, mode, batch_id, chunk, count(*) as items, sum(amount_minor) as amount_minor,
              min(position) as first_position, max(position) as last_position
         from (${CHUNKED_ITEMS}) placed
        where is_item and chunk is not null
        group by merchant_id, mode, batch_id, chunk
     ) i on i.merchant_id = c.merchant_id and i.mode = c.mode and i.batch_id = c.batch_id and i.chunk = c.chunk
    where (c.chunk = c.place and i.items = c.item_count and i.amount_minor = c.amount_minor
           and i.first_position = c.first_position and i.last_position = c.last_position) is not true`,
);

/** A payout of a batch is one of its items, paid as it stands there; an item of an expanded chunk is a payout. */
const wrongItemPayouts = check(
  'items-become-payouts-once-expanded',
  'Every item of an expanded chunk is a payout, made as it was expanded, of its amount to its account by the terms of its batch; no other is.',
  `select i.merchant_id, i.mode,
          format('item %s of batch %s (chunk %s, %s): %s to %s %s; its payout is %s', i.id, i.batch_id, i.chunk,
                 case when c.due_at is null then 'opened' else 'not opened' end, i.amount_minor, i.bank_code, i.account_number,
                 coalesce(format('%s to %s %s of batch %s', t.amount_minor, t.beneficiary_bank_code,
                                 t.beneficiary_account_number, coalesce(p.batch_id::text, 'none')), 'not there')) as detail
     from (${CHUNKED_ITEMS}) i
     join batch_chunks c
       on c.merchant_id = i.merchant_id and c.mode = i.mode and c.batch_id = i.batch_id and c.chunk = i.chunk
     left join batches b on b.merchant_id = c.merchant_id and b.mode = c.mode and b.id = c.batch_id
     left join transfers v on v.merchant_id = c.merchant_id and v.pending_id = c.amount_hold_id
     -- A clerk may give either of a bank's two codes.
     left join banks n on n.nip_code = i.bank_code
     left join payouts p on p.merchant_id = c.merchant_id and p.mode = c.mode and p.id = i.id
     left join transactions t on t.merchant_id = p.merchant_id and t.mode = p.mode and t.id = p.id
    where i.is_item
      and (case when c.due_at is null
                then p.batch_id = i.batch_id and t.amount_minor = i.amount_minor and t.created_at = v.created_at
                 and t.beneficiary_account_number = i.account_number and t.beneficiary_account_name = i.account_name
                 and t.beneficiary_bank_name = i.bank_name and t.beneficiary_bank_code in (i.bank_code, n.code)
                 and t.narration = i.narration and p.phone_number is not distinct from i.phone_number
                 and p.purpose = b.purpose and p.scenario is not distinct from b.scenario and p.allow_duplicate = b.allow_duplicate
                 and (p.approval_id, p.rules_version) is not distinct from (b.approval_id, b.rules_version)
                else p.id is null end) is not true
   union all
   select p.merchant_id, p.mode, format('payout %s is no item of its batch %s', p.id, p.batch_id)
     from payouts p
     left join batch_items i
       on i.merchant_id = p.merchant_id and i.mode = p.mode and i.id = p.id and i.batch_id = p.batch_id and i.is_valid
    where p.batch_id is not null and i.id is null`,
);

export const batchChecks: readonly Check[] = [
  strayItems,
  miscountedItems,
  miscountedPayouts,
  wrongTotals,
  wrongChunks,
  wrongItemPayouts,
];

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
  'batches-hold-keys-until-expanded',
  'Every batch that waits for approval or has chunks to expand counts its items as taken, and no other.',
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

const strayActions = check(
  'batches-are-changed-by-one-action',
  'A batch that is being changed by a group action has that action, and nothing is dispatched meanwhile.',
  `select b.merchant_id, b.mode, format('batch %s (%s): action %s is %s', b.id, b.status, b.action_id,
                                        case when a.id is null then 'not there' else 'over' end) as detail
     from batches b
     left join batch_actions a on ${sameTenant('a', 'b')} and a.batch_id = b.id and a.id = b.action_id
    where b.action_id is not null
      and (a.done_at is null and a.id is not null and b.status in ('VALIDATING', 'CANCELLED', 'EXPIRED')) is not true`,
);

/** Only what failed for good or came back is paid again, by one other item of one list. */
const wrongRetries = check(
  'only-what-was-not-paid-is-paid-again',
  'Each item of a list that pays again is of a payout of its origin batch that failed or was returned, and no payout is paid again twice.',
  `select i.merchant_id, i.mode, format('item %s of batch %s pays again %s of batch %s, which is %s', i.id, i.batch_id,
                                        coalesce(i.origin_item_id::text, 'nothing'), coalesce(b.origin_batch_id::text, 'none'),
                                        coalesce(t.status, 'no payout')) as detail
     from batch_items i
     join batches b on ${sameTenant('b', 'i')} and b.id = i.batch_id
     left join batch_items o on ${sameTenant('o', 'i')} and o.id = i.origin_item_id
     left join transactions t on ${sameTenant('t', 'i')} and t.id = i.origin_item_id
    where num_nonnulls(i.origin_item_id, b.origin_batch_id) > 0
      and (o.batch_id = b.origin_batch_id and t.status in ('FAILED', 'REVERSED')) is not true
   union all
   select i.merchant_id, i.mode, format('item %s was paid again by %s payouts', i.origin_item_id, count(*)) as detail
     from batch_items i
     join transactions t on ${sameTenant('t', 'i')} and t.id = i.id
    where i.origin_item_id is not null and t.status not in ('FAILED', 'REVERSED', 'CANCELLED')
    group by i.merchant_id, i.mode, i.origin_item_id
   having count(*) > 1
   union all
   select merchant_id, mode, format('batch %s has %s items that pay again %s', batch_id, count(*), origin_item_id) as detail
     from batch_items
    where origin_item_id is not null
    group by merchant_id, mode, batch_id, origin_item_id
   having count(*) > 1`,
);

/** What was not paid, or was paid later, is nobody's earlier list. */
const wrongRepeats = check(
  'repeated-lists-were-paid-before',
  'A list that was made to pay the same people once more names one that had been paid, and pays nothing again of what failed.',
  `select b.merchant_id, b.mode, format('batch %s repeats batch %s, which is %s', b.id, b.repeated_batch_id,
                                        coalesce(o.status, 'not there')) as detail
     from batches b
     left join batches o on ${sameTenant('o', 'b')} and o.id = b.repeated_batch_id
    where b.repeated_batch_id is not null
      and (o.status in ('COMPLETED', 'PARTIALLY_COMPLETED') and o.dispatched_at <= b.created_at
           and o.updated_at <= b.created_at and b.origin_batch_id is null) is not true`,
);

export const batchGroupChecks: readonly Check[] = [strayActions, wrongRetries, wrongRepeats];
