import { ITEM_HASH, ITEMS_DIGEST } from '../batches/index.ts';
import { type Check, check, sameTenant } from './queries.ts';

/** What a batch is after each of its changes. A change of an item leaves it in one of several states. */
const REPORTED_STATE = `case v.type when 'batch.created' then 'VALIDATING' when 'batch.ready' then 'READY'
              when 'batch.needs_fix' then 'NEEDS_FIX' when 'batch.pending_approval' then 'PENDING_APPROVAL'
              when 'batch.dispatched' then 'DISPATCHING' when 'batch.completed' then 'COMPLETED'
              when 'batch.partially_completed' then 'PARTIALLY_COMPLETED' when 'batch.cancelled' then 'CANCELLED'
              when 'batch.expired' then 'EXPIRED' when 'batch.item_updated' then x.status
              when 'batch.item_dropped' then x.status
              when 'batch.items_changed' then x.status end`;

/** Every event of a batch, with how many seconds the sandbox's clock was moved forward after it. */
const REPORTED = `select v.merchant_id, v.mode, v.subject_id, v.sequence, v.type, v.created_at, v.request_id, v.advanced, ${REPORTED_STATE} as state,
              x.id, x."batchReference" as reference, x.status, x.conclusive, x.reason, x.purpose,
              x."itemCount" as item_count, x.version, x.source, x."fileName" as file_name, x.mode as reported_mode,
              x."createdAt" as made_at, x."updatedAt" as changed_at, x."expiresAt" as expires_at,
              x."dispatchedAt" as dispatched_at, x."approvalId" as approval_id, x."originBatchReference" as origin_reference,
              x."repeatedBatchReference" as repeated_reference,
              x.amount * 100 as amount_minor, x."paidAmount" * 100 as paid_minor,
              lag(x.status) over in_order as status_before, lag(x.reason) over in_order as reason_before
         from (
           select *, coalesce(sum(case type when 'sandbox.clock_advanced' then (data::json ->> 'seconds')::bigint end)
                              over (partition by merchant_id, mode order by sequence desc
                                    rows between unbounded preceding and 1 preceding), 0) as advanced
             from events
            where type like 'batch.%' or type = 'sandbox.clock_advanced'
         ) v
        cross join lateral json_to_record(v.data::json)
                as x (id uuid, "batchReference" text, status text, conclusive boolean, reason text, purpose text,
                      "itemCount" integer, version integer, source text, "fileName" text, mode text,
                      "createdAt" timestamptz, "updatedAt" timestamptz, "expiresAt" timestamptz,
                      "dispatchedAt" timestamptz, "approvalId" uuid, "originBatchReference" text,
                      "repeatedBatchReference" text,
                      amount numeric, "paidAmount" numeric)
        where v.type like 'batch.%'
       window in_order as (partition by v.merchant_id, v.mode, v.subject_id order by x.version)`;

/**
 * While a worker looks at it from time to time, a batch in the sandbox runs out sooner when its clock is moved: not before it was
 * made, except where an earlier release moved it.
 */
const RUNS_OUT = `case when b.status not in ('VALIDATING', 'NEEDS_FIX', 'READY', 'DISPATCHING') then b.expires_at = e.expires_at
                        else b.expires_at in (e.expires_at - make_interval(secs => e.advanced),
                                              greatest(e.expires_at - make_interval(secs => e.advanced), b.created_at)) end`;

/** What came back of each batch: before it was concluded, when it was not paid any more, or later. */
const RETURNED = `select p.merchant_id, p.mode, p.batch_id, sum(t.amount_minor) as amount_minor
         from payouts p
         join transactions t on ${sameTenant('t', 'p')} and t.id = p.id
        where p.batch_id is not null and t.status = 'REVERSED'
        group by p.merchant_id, p.mode, p.batch_id`;

const IS_DISPATCHED = `e.status in ('DISPATCHING', 'COMPLETED', 'PARTIALLY_COMPLETED')`;

/** While items are checked, the amount of a batch moves on without a version. What a release before 0034 reported has none. */
const REPORTED_AMOUNTS = `(e.amount_minor is null
                or case when e.type in ('batch.dispatched', 'batch.completed', 'batch.partially_completed')
                        then e.amount_minor = b.amount_minor
                        else e.status not in ('READY', 'NEEDS_FIX') or e.version < b.version
                             or e.amount_minor = b.valid_minor end)
           and (e.paid_minor is null
                or case when e.type in ('batch.completed', 'batch.partially_completed')
                        then e.paid_minor between b.succeeded_minor and b.succeeded_minor + coalesce(r.amount_minor, 0)
                        else e.paid_minor = 0 end)`;

const reportedOtherwise = check(
  'batches-are-reported-as-they-are',
  'Every version of every batch was reported once, and the last one is what the batch is.',
  `select coalesce(b.merchant_id, e.merchant_id) as merchant_id, coalesce(b.mode, e.mode) as mode,
          format('batch %s (%s): version %s %s', coalesce(b.id, e.subject_id), coalesce(b.status, 'not there'),
                 coalesce(b.reported_version, e.version),
                 case when b.id is null then 'was reported by event ' || e.sequence || ', and there is none'
                      when e.version is null then 'was never reported'
                      else 'is another than event ' || e.sequence || ' (' || e.type || ') reports' end) as detail
     from (
       select *, generate_series(1, version) as reported_version from batches
     ) b
     full join (${REPORTED}) e on ${sameTenant('e', 'b')} and e.subject_id = b.id and e.version = b.reported_version
     left join (${RETURNED}) r on ${sameTenant('r', 'b')} and r.batch_id = b.id
     left join approvals a on ${sameTenant('a', 'b')} and a.id = e.approval_id and a.kind = 'BATCH' and a.subject_id = b.id
    where (e.id = b.id and e.reference = 'MNB' || replace(b.id::text, '-', '') and e.status = e.state
           and e.conclusive = (e.status in ('COMPLETED', 'PARTIALLY_COMPLETED', 'CANCELLED', 'EXPIRED'))
           and e.purpose = b.purpose and e.source = b.source and e.file_name is not distinct from b.file_name
           and e.reported_mode = b.mode and e.made_at = b.created_at and e.changed_at = e.created_at
           and e.origin_reference is not distinct from 'MNB' || replace(b.origin_batch_id::text, '-', '')
           and e.repeated_reference is not distinct from 'MNB' || replace(b.repeated_batch_id::text, '-', '')
           and ${REPORTED_AMOUNTS}
           and (e.type <> 'batch.created' or e.version = 1 and e.created_at = b.created_at)
           and (e.type <> 'batch.dispatched' or e.dispatched_at = e.created_at)
           and e.dispatched_at is not distinct from case when ${IS_DISPATCHED} then b.dispatched_at end
           and case when ${IS_DISPATCHED} then e.approval_id is not distinct from b.approval_id
                    when e.status = 'PENDING_APPROVAL' then a.id is not null
                    else e.approval_id is null end
           and (e.type not in ('batch.item_updated', 'batch.item_dropped') or e.request_id is not null)
           and (e.version < b.version
                or (e.status, e.item_count, e.changed_at) = (b.status, b.item_count, b.updated_at)
                   and (e.reason, e.dispatched_at, e.approval_id) is not distinct from (b.reason, b.dispatched_at, b.approval_id)
                   and ${RUNS_OUT})) is not true`,
);

const stepsUnreported = check(
  'steps-of-batches-are-reported',
  'Every step of a batch was reported at its moment, with its reason; and what was reported without a step says the state and the reason that were reported before.',
  `select coalesce(s.merchant_id, e.merchant_id) as merchant_id, coalesce(s.mode, e.mode) as mode,
          case when e.subject_id is null then format('batch %s became %s (%s), and no event reports it', s.subject_id, s.to_state,
                                                     coalesce(s.reason, 'no reason'))
               else format('batch %s: event %s reports %s (%s) after %s (%s), and it took no step then', e.subject_id, e.sequence, e.status,
                           coalesce(e.reason, 'no reason'), e.status_before, coalesce(e.reason_before, 'no reason')) end as detail
     from (select * from state_changes where subject = 'batch') s
     full join (${REPORTED}) e
       on ${sameTenant('e', 's')} and e.subject_id = s.subject_id and e.state = s.to_state and e.created_at = s.created_at
      and coalesce(e.reason, '') = coalesce(s.reason, '')
    where e.subject_id is null
       or (s.subject_id is null
           and case when e.type = 'batch.created' then e.reason is null
                    else (e.status, e.reason) is not distinct from (e.status_before, e.reason_before) end is not true)`,
);

/** Before its dispatch a batch has paid nothing, and what it did not pay it has no words for. */
const paidAndCalledOff = check(
  'batches-that-paid-were-dispatched',
  'Only a batch that was dispatched has paid anything: none that was cancelled or ran out has.',
  `select b.merchant_id, b.mode,
          format('batch %s (%s), dispatched %s: %s and charges, %s open, counted on %s', b.id, b.status,
                 coalesce(b.dispatched_at::text, 'never'), coalesce(b.amount_minor::text, 'nothing'), b.open_items,
                 coalesce(b.counted_on::text, 'no day')) as detail
     from batches b
     left join (
       select merchant_id, mode, batch_id from payouts where batch_id is not null
        union
       select merchant_id, mode, batch_id from batch_chunks
     ) p on ${sameTenant('p', 'b')} and p.batch_id = b.id
    where case when b.status in ('DISPATCHING', 'COMPLETED', 'PARTIALLY_COMPLETED')
               then num_nulls(p.batch_id, b.dispatched_at, b.amount_minor, b.fee_minor, b.vat_minor, b.stamp_duty_minor,
                              b.rules_version, b.dispatched_digest) = 0
                and b.counted_on = (b.dispatched_at at time zone 'Africa/Lagos')::date
               else num_nonnulls(p.batch_id, b.dispatched_at, b.amount_minor, b.fee_minor, b.vat_minor, b.stamp_duty_minor,
                                 b.dispatched_digest, b.counted_on) = 0
                and b.open_items + b.succeeded_items + b.failed_items + b.reversed_items = 0
                and (b.status = 'PENDING_APPROVAL') = (num_nonnulls(b.approval_id, b.rules_version) = 2)
                and (b.status = 'PENDING_APPROVAL' or num_nonnulls(b.approval_id, b.rules_version) = 0) end is not true`,
);

/** Versions of which there is a digest, and since which no item has changed: of a dispatched batch the one that was. */
const SEEN = `select b.merchant_id, b.mode, b.id, b.items_digest, b.digest_version, e.version - 1 as version
         from batches b
         join (${REPORTED}) e on ${sameTenant('e', 'b')} and e.subject_id = b.id and e.type = 'batch.dispatched'
        union all
       select b.merchant_id, b.mode, b.id, b.items_digest, b.digest_version, b.digest_version
         from batches b
         left join (
           select merchant_id, mode, subject_id, max((data::json ->> 'version')::integer) as version
             from events
            where type in ('batch.item_updated', 'batch.item_dropped', 'batch.items_changed')
            group by merchant_id, mode, subject_id
         ) changed on ${sameTenant('changed', 'b')} and changed.subject_id = b.id
        where b.dispatched_at is null and b.digest_version >= coalesce(changed.version, 0)`;

const otherItems = check(
  'items-are-those-that-were-seen',
  'The items of a dispatched batch are, to the letter, those of its digest: of the version that was dispatched.',
  `select s.merchant_id, s.mode,
          format('batch %s: the digest of version %s is not that of its items at version %s', s.id,
                 coalesce(s.digest_version::text, 'none'), s.version) as detail
     from (${SEEN}) s
     left join (
       select merchant_id, mode, batch_id, ${ITEMS_DIGEST}
         from (select merchant_id, mode, batch_id, position, ${ITEM_HASH} from batch_items) hashed
        group by merchant_id, mode, batch_id
     ) i on ${sameTenant('i', 's')} and i.batch_id = s.id
    -- Of a batch from which every item was removed it is the digest of nothing.
    where (s.digest_version = s.version and coalesce(i.items, encode(sha256(''), 'hex')) = s.items_digest) is not true
   union all
   select i.merchant_id, i.mode, format('batch %s: its items came at %s moments, after itself or at the same position', i.batch_id,
                                        i.moments)
     from (
       select merchant_id, mode, batch_id, count(distinct created_at) as moments, max(created_at) as came_at,
              count(distinct position) = count(*) and min(position) > 0 as in_order
         from batch_items
        group by merchant_id, mode, batch_id
     ) i
     left join batches b on ${sameTenant('b', 'i')} and b.id = i.batch_id
    where i.moments > 1 or i.came_at > b.created_at or not i.in_order
   union all
   select merchant_id, mode, format('batch %s at version %s has a digest of version %s', id, version, coalesce(digest_version::text, 'none'))
     from batches
    where num_nulls(items_digest, digest_version) = 1 or digest_version not between 1 and version
   union all
   select b.merchant_id, b.mode, format('batch %s, whose last item stands at %s, was looked at up to %s', b.id,
                                        i.last_position, b.looked_up_to)
     from batches b
     join (${REPORTED}) e on ${sameTenant('e', 'b')} and e.subject_id = b.id and e.version = 1
     left join (
       select merchant_id, mode, batch_id, count(*) as items, max(position) as last_position
         from batch_items
        group by merchant_id, mode, batch_id
     ) i on ${sameTenant('i', 'b')} and i.batch_id = b.id
    where b.looked_up_to < 0
       -- Banks are asked for names before it is said what the batch came to.
       or (b.status <> 'VALIDATING' and b.silent_since > b.updated_at)
       -- A dropped item is deleted, and with the last one its position.
       or (b.looked_up_to > i.last_position and i.items = e.item_count)`,
);

/** Asked about between its coming and the first verdict about its batch, or just before it was reported as corrected. */
const wrongVerdicts = check(
  'items-were-looked-at-in-time',
  'Every item was looked at while its batch was validated or as it was corrected, and has a name from the bank only where it can be paid.',
  `select i.merchant_id, i.mode, format('item %s of batch %s: looked at %s, valid %s, named %s, like %s (%s%%)', i.id, i.batch_id,
          coalesce(i.validated_at::text, 'never'), i.is_valid, coalesce(i.account_name, 'nobody'), coalesce(i.given_name, 'nobody'),
          i.match_score) as detail
     from batch_items i
     join batches b on ${sameTenant('b', 'i')} and b.id = i.batch_id
     left join (
       select merchant_id, mode, subject_id, max(created_at) as until
         from events
        where type in ('batch.ready', 'batch.needs_fix', 'batch.item_updated', 'batch.items_changed')
        group by merchant_id, mode, subject_id
     ) e on ${sameTenant('e', 'i')} and e.subject_id = i.batch_id
    where (case when i.validated_at is null then num_nonnulls(i.account_name, i.bank_name, i.match_score, i.item_errors) = 0
                when i.is_valid then (i.match_score is null) = (i.given_name is null)
                else i.item_errors is not null and num_nonnulls(i.match_score, i.account_name) = 0 end) is not true
       or i.validated_at < b.created_at - interval '1 minute'
       -- While it is validated, nothing has been said yet.
       or (b.status <> 'VALIDATING' and i.validated_at > e.until + interval '1 minute')`,
);

export const batchChangeChecks: readonly Check[] = [
  reportedOtherwise,
  stepsUnreported,
  paidAndCalledOff,
  otherItems,
  wrongVerdicts,
];
