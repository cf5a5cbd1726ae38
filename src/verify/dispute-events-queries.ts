import { LOST_AFTER_WIN } from './disputes-queries.ts';
import { type Check, check, sameTenant } from './queries.ts';

/** What is reported of a dispute and never changes, and what of the row it is. */
const ALWAYS = [
  ['disputeId', 'uuid', 'd.id'],
  ['paymentId', 'uuid', 'd.payment_id'],
  ['category', 'text', 'd.category'],
  ['message', 'text', 'd.message'],
  ['currency', 'text', 'd.currency'],
  ['providerDisputeId', 'text', 'd.provider_dispute_id'],
  ['mode', 'text', 'd.mode'],
  ['openedAt', 'timestamptz', 'd.opened_at'],
] as const;

/** What may change with each version, and what of the row it is in the last one. */
const AT_LAST = [
  ['status', 'text', 'd.status'],
  // Events of an earlier release do not say it.
  ['conclusive', 'boolean', 'case when e."its conclusive" is not null then d.ended_at is not null end'],
  ['reason', 'text', 'd.reason'],
  ['amount', 'numeric', 'd.amount_minor / 100.0'],
  ['disputed', 'numeric', 'd.disputed_minor / 100.0'],
  ['held', 'numeric', 'case when d.ended_at is null then d.held_minor else 0 end / 100.0'],
  ['taken', 'numeric', 'd.taken_minor / 100.0'],
  ['loss', 'numeric', 'd.loss_minor / 100.0'],
  ['owed', 'numeric', '(d.loss_minor - d.repaid_minor) / 100.0'],
  ['walletId', 'uuid', 'd.wallet_id'],
  ['answer', 'text', 'd.answer'],
  ['answerStatus', 'text', 'd.answer_status'],
  ['answerReason', 'text', 'd.answer_reason'],
  ['updatedAt', 'timestamptz', 'd.updated_at'],
  ['endedAt', 'timestamptz', 'd.ended_at'],
] as const;

/** What a version is compared with in the one before it. */
const BEFORE = [
  'status',
  'amount',
  'disputed',
  'held',
  'owed',
  'walletId',
  'answer',
  'answerStatus',
  'answerReason',
] as const;

const HAS_ENDED = `e."its status" in ('WON', 'LOST', 'ACCEPTED')`;
const WAS_TAKEN = `e."its status" in ('LOST', 'ACCEPTED')`;
/** While it ran, more was wanted than in the end. */
const ENDED_FOR_LESS = `d.status in ('LOST', 'ACCEPTED') and e."its amount" > d.amount_minor / 100.0`;
const ANSWER = (e: string, which: string) =>
  `(${e}."${which} answer", ${e}."${which} answerStatus", ${e}."${which} answerReason")`;

/** What of a version follows from the one before it, from the row, or from what changed it. */
const FOLLOWS: Readonly<Record<string, string>> = {
  status: `e."its status" = case e.type when 'dispute.opened' then 'OPEN' when 'dispute.updated' then e."earlier status"
                                      else upper(substr(e.type, 9)) end`,
  conclusive: `(e."its conclusive" = (${HAS_ENDED})) is not false`,
  reason: `e."its reason" is not distinct from case when ${HAS_ENDED} then d.reason end`,
  // A provider that ends it may want less than at the opening, and never more.
  amount: `case when ${WAS_TAKEN} then e."its amount" = d.amount_minor / 100.0 and e."its amount" <= coalesce(e."earlier amount", e."its amount")
                else e."its amount" = coalesce(e."earlier amount", e."its amount")
                     and (e."its amount" = d.amount_minor / 100.0 or ${ENDED_FOR_LESS}) end`,
  // A refund that failed meanwhile, or another dispute that left something, leaves more to be taken at the end, and after it.
  disputed: `case when ${WAS_TAKEN} then (e."earlier status" = 'WON'
                            or e."its disputed" >= least(coalesce(e."earlier disputed", 0), e."its amount"))
                       and (e."its disputed" = d.disputed_minor / 100.0
                            or g.payment_id is not null and e."its disputed" < d.disputed_minor / 100.0)
                  else (e."its disputed" = coalesce(e."earlier disputed", e."its disputed")
                        or g.payment_id is not null and e."its disputed" > e."earlier disputed" and e."its held" > e."earlier held")
                       and e."its disputed" >= 0
                       and (e."its disputed" = d.disputed_minor / 100.0
                            or g.payment_id is not null and e."its disputed" < d.disputed_minor / 100.0
                            or e."its disputed" > d.disputed_minor / 100.0 and (${ENDED_FOR_LESS} or b.subject_id is not null)) end`,
  // It holds more as its wallet has more, or as a refund fails, and never less while it runs.
  held: `case when ${HAS_ENDED} or e."its walletId" is null then e."its held" = 0
              else e."its held" between coalesce(e."earlier held", 0) and e."its disputed"
                   and (e."its held" <= d.held_minor / 100.0 or ${ENDED_FOR_LESS} or b.subject_id is not null) end`,
  taken: `e."its taken" = case when ${WAS_TAKEN} then d.taken_minor else 0 end / 100.0`,
  // What is taken after the end is a loss, so at every version the loss is what was not taken of what was disputed.
  loss: `e."its loss" = case when ${WAS_TAKEN} then e."its disputed" - d.taken_minor / 100.0 else 0 end`,
  owed: `e."its owed" = case when ${HAS_ENDED} then e."its loss" - coalesce(r.repaid_minor, 0) / 100.0 else 0 end`,
  // Of a payment that is in no wallet yet there is none until it gets there, and is held, or until the dispute takes it.
  walletId: `case when e."its walletId" is null then e."earlier walletId" is null
                  else e."its walletId" = d.wallet_id
                       and (e.version = 1 or e."earlier walletId" is not null or e."its held" > 0 or ${WAS_TAKEN}) end`,
  answer: `(${ANSWER('e', 'its')} is not distinct from ${ANSWER('e', 'earlier')} or a.dispute_id is not null)`,
  updatedAt: `e."its updatedAt" = e.created_at`,
  // Of one that was won, and lost after all, when it was won.
  endedAt: `e."its endedAt" is not distinct from case when ${WAS_TAKEN} then d.ended_at
                                                      when ${HAS_ENDED} then coalesce(b.won_at, d.ended_at) end`,
};

/** Every version as it was reported, beside the one before it, and how many repayments had been reported by then. */
const REPORTED = `select versions.*,
              count(*) filter (where "its owed" < "earlier owed") over (partition by merchant_id, mode, subject_id order by version) as repayments
         from (
           select v.merchant_id, v.mode, v.subject_id, v.sequence, v.type, v.created_at, x.version, x."dueAt" as due_at,
                  count(*) over of_dispute as events, row_number() over in_order as place,
                  ${[...ALWAYS, ...AT_LAST].map(([key]) => `x."${key}" as "its ${key}"`).join(', ')},
                  ${BEFORE.map((key) => `lag(x."${key}") over in_order as "earlier ${key}"`).join(', ')}
             from events v
            cross join lateral json_to_record(v.data::json)
                    as x (version int, "dueAt" timestamptz, ${[...ALWAYS, ...AT_LAST].map(([key, type]) => `"${key}" ${type}`).join(', ')})
            where v.type like 'dispute.%'
           window of_dispute as (partition by v.merchant_id, v.mode, v.subject_id),
                  in_order as (partition by v.merchant_id, v.mode, v.subject_id order by x.version)
         ) versions`;

/** What was repaid of a dispute with each of its repayments. */
const REPAID = `select merchant_id, mode, dispute_id, row_number() over in_order as place, sum(amount_minor) over in_order as repaid_minor
         from dispute_repayments
       window in_order as (partition by merchant_id, mode, dispute_id order by created_at, id)`;

/** What an answer changes of its dispute: as it is made, and as a worker is done with it. */
const ANSWERED = `select merchant_id, mode, dispute_id, made_at as at, action, 'QUEUED' as status, null as reason from dispute_answers
        union
       select merchant_id, mode, dispute_id, ended_at, action, status, reason from dispute_answers where ended_at is not null`;

/** Payments of which something that was to go back did not. */
const RELEASED = `select merchant_id, mode, payment_id from refunds where status in ('FAILED', 'CANCELLED')
        union
       select d.merchant_id, d.mode, d.payment_id
         from disputes d
         join events o on ${sameTenant('o', 'd')} and o.subject_id = d.id and o.type = 'dispute.opened'
        where d.status = 'WON' or (o.data::json ->> 'disputed')::numeric > d.disputed_minor / 100.0`;

const reportedOtherwise = check(
  'disputes-are-reported-as-they-are',
  'Every version of every dispute was reported once, as it was opened and with each change: what never changes as it is, what changes as its steps, its answers and its repayments changed it; and the last one says what the dispute is.',
  `select coalesce(d.merchant_id, e.merchant_id) as merchant_id, coalesce(d.mode, e.mode) as mode,
          format('dispute %s (%s, version %s): %s events; event %s, of version %s, reports another %s', coalesce(d.id, e.subject_id),
                 coalesce(d.status, 'not there'), d.version, coalesce(e.events, 0), coalesce(e.sequence::text, 'none'), e.version,
                 coalesce(nullif(concat_ws(', ', ${[
                   ...ALWAYS.map(([key, , of]) => [key, `e."its ${key}" is not distinct from ${of}`]),
                   ...Object.entries(FOLLOWS),
                 ]
                   .map(([key, holds]) => `case when (${holds}) is not true then '${key}' end`)
                   .join(', ')}), ''), 'version')) as detail
     from disputes d
     full join (${REPORTED}) e on ${sameTenant('e', 'd')} and e.subject_id = d.id
     left join (${ANSWERED}) a
       on ${sameTenant('a', 'd')} and a.dispute_id = d.id and a.at = e.created_at and a.action = e."its answer"
      and a.status = e."its answerStatus" and coalesce(a.reason, '') = coalesce(e."its answerReason", '')
     left join (${REPAID}) r on ${sameTenant('r', 'd')} and r.dispute_id = d.id and r.place = e.repayments
     left join (${LOST_AFTER_WIN}) b on ${sameTenant('b', 'd')} and b.subject_id = d.id
     left join (${RELEASED}) g on ${sameTenant('g', 'd')} and g.payment_id = d.payment_id
     left join (select distinct merchant_id, mode from events where type = 'sandbox.clock_advanced') m on ${sameTenant('m', 'd')}
    where (e.events = d.version and e.version = e.place and (e.version = 1) = (e.type = 'dispute.opened')
           and ${ALWAYS.map(([key, , of]) => `e."its ${key}" is not distinct from ${of}`).join(' and ')}
           and ${Object.values(FOLLOWS)
             .map((holds) => `(${holds})`)
             .join('\n           and ')}
           and (e.version < d.version
                or ${AT_LAST.map(([key, , of]) => `e."its ${key}" is not distinct from ${of}`).join(' and ')}
                   -- The sandbox's clock moves what was reported back, by whole seconds.
                   and (e.due_at is not distinct from d.due_at
                        or m.merchant_id is not null and d.due_at <= e.due_at
                           and mod(extract(epoch from e.due_at - d.due_at), 1) = 0))) is not true`,
);

export const disputeEventChecks: readonly Check[] = [reportedOtherwise];
