import { attemptDigest } from '../payouts/index.ts';
import { type Check, check, SEALED_SINCE, sameTenant } from './queries.ts';

const alteredEvidence = check(
  'evidence-is-what-was-said',
  'Every call to a rail and every response that was kept of one is, by its digest, what it was when it was written.',
  `select a.merchant_id, a.mode, format('%s %s of payout %s (%s said %s) is not what was written', lower(a.kind), a.id, a.payout_id,
                                        a.rail, coalesce(a.outcome, 'nothing yet')) as detail
     from payout_attempts a
    where a.digest <> ${attemptDigest('a')} or (a.digest is null and a.started_at > ${SEALED_SINCE})`,
);

/** Nothing has left by a call that was abandoned before, or that its rail refused to take. */
const MAY_HAVE_LEFT = `a.kind = 'SEND' and a.reason is distinct from 'RAIL_ANSWER_MISMATCH'
                                          and (a.outcome is null or a.outcome <> 'unknown' or a.code is not null
                                               or a.reason in ('RAIL_TIMEOUT', 'RAIL_UNREACHABLE'))`;

/**
 * By how many seconds at most a sandbox's clock was moved forward while one of its payouts was under way: so much earlier
 * than its calls it may say it was sent. What a worker has in its hands is not moved. A minute is for clocks.
 */
const ADVANCED = `select merchant_id, mode, payout_id, max(passed) - min(passed) as seconds
              from (
                select merchant_id, mode, payout_id, sum(seconds) over (partition by merchant_id, mode order by at) as passed
                  from (
                    select merchant_id, mode, null::uuid as payout_id, created_at as at, (data::json ->> 'seconds')::bigint as seconds
                      from events where type = 'sandbox.clock_advanced'
                     union all
                    select p.merchant_id, p.mode, p.id, x.at, 0
                      from payouts p
                      join (select distinct merchant_id, mode from events where type = 'sandbox.clock_advanced') m
                        on ${sameTenant('m', 'p')}
                      join (
                        select merchant_id, mode, payout_id, min(started_at) as at
                          from payout_attempts where kind = 'SEND' group by merchant_id, mode, payout_id
                      ) a on ${sameTenant('a', 'p')} and a.payout_id = p.id
                      left join state_changes s
                        on ${sameTenant('s', 'p')} and s.subject_id = p.id and s.to_state in ('SUCCESS', 'FAILED')
                     cross join lateral unnest(array[
                       a.at - interval '1 minute', coalesce(s.created_at + interval '1 minute', 'infinity')
                     ]) x (at)
                  ) moments
              ) so_far
             where payout_id is not null
             group by merchant_id, mode, payout_id`;

/** By payout: its calls. A question that a merchant asked is one of them, and no step of a worker. */
const CALLS = `select a.merchant_id, a.mode, a.payout_id, count(*) filter (where a.kind in ('SEND', 'QUERY')) as calls,
              count(*) filter (where a.kind = 'SEND') as sends,
              count(*) filter (where a.kind = 'SEND' and a.rail = p.rail) as sends_by_it,
              count(*) filter (where a.kind = 'SEND' and ${MAY_HAVE_LEFT} and a.outcome is not null) as answered_sends,
              min(a.started_at) filter (where a.kind = 'SEND') as first_at, max(a.started_at) filter (where a.kind = 'SEND') as last_at,
              bool_or(case when p.first_sent_at >= a.started_at - make_interval(secs => coalesce(v.seconds, 0))
                           then p.first_sent_at <= a.started_at and mod(extract(epoch from a.started_at - p.first_sent_at), 1) = 0
                      end) filter (where a.kind = 'SEND') as has_first,
              max(greatest(a.ended_at, a.started_at)) filter (where a.kind = 'SEND') as ended_at,
              max(a.id::text) filter (where ${MAY_HAVE_LEFT} and a.outcome is not null and a.rail = p.rail) as last_sent,
              max(a.id::text) filter (where a.outcome = 'not_found') as last_not_found,
              max(a.started_at) filter (where ${MAY_HAVE_LEFT} and a.outcome is not null and a.rail = p.rail) as last_sent_at,
              max(coalesce(v.seconds, 0)) as advanced,
              bool_or(a.rail = p.refused_by and a.outcome = 'failed') as is_refused
         from payout_attempts a
         join payouts p on ${sameTenant('p', 'a')} and p.id = a.payout_id
         left join (${ADVANCED}) v on ${sameTenant('v', 'a')} and v.payout_id = a.payout_id
        group by a.merchant_id, a.mode, a.payout_id`;

const otherCalls = check(
  'payouts-are-what-their-calls-made-them',
  'Every payout knows since when and how often its rail was called, and which rail refused it, as its calls have it.',
  `select p.merchant_id, p.mode,
          format('payout %s by %s (refused by %s): %s calls, first sent at %s, sent at %s; it has %s calls, %s of them sends, from %s to %s',
                 p.id, p.rail, coalesce(p.refused_by, 'none'), p.attempts, p.first_sent_at, p.sent_at, coalesce(c.calls, 0),
                 coalesce(c.sends, 0), c.first_at, c.last_at) as detail
     from payouts p
     left join (${CALLS}) c on ${sameTenant('c', 'p')} and c.payout_id = p.id
    where p.attempts not between coalesce(c.sends_by_it, 0) and coalesce(c.calls, 0)
       or (p.first_sent_at is null and coalesce(c.answered_sends, 0) > 0)
       or (p.first_sent_at is not null and c.has_first is not true)
       or (p.first_sent_at is null) <> (p.sent_at is null) and (p.sent_at is not null or p.refused_by is null)
       or p.sent_at < p.first_sent_at
       or p.sent_at not between c.last_sent_at - make_interval(secs => c.advanced) and c.ended_at + interval '10 minutes'
       or (p.refused_by is not null and c.is_refused is not true)`,
);

/** A call by a rail that the payout does not have any more was refused by it, or never left. */
const strayCalls = check(
  'calls-are-of-the-rail-of-their-payout',
  'Every call and every response is of a payout that there is, and by the rail that has it, that refused it or that was never asked.',
  `select a.merchant_id, a.mode,
          format('%s %s by %s is of payout %s, which %s has', lower(a.kind), a.id, a.rail, a.payout_id, coalesce(p.rail, 'nobody')) as detail
     from payout_attempts a
     left join payouts p on ${sameTenant('p', 'a')} and p.id = a.payout_id
    where p.id is null or p.amount_hold_id is null
       or (a.rail <> p.rail and a.rail is distinct from p.refused_by and a.kind in ('SEND', 'QUERY') and ${MAY_HAVE_LEFT})`,
);

/** A rail that does not say whose transfer its webhook is about finds it there: from the first send on. */
const wrongReferences = check(
  'rail-references-lead-to-their-payouts',
  'Every reference that a rail knows leads to the payout that was sent under it, and where a rail needs that, none is missing.',
  `select r.merchant_id, r.mode, format('reference %s of %s leads to payout %s, which was not sent so', r.rail_reference, r.rail,
                                        r.payout_id) as detail
     from rail_references r
     left join payouts p on ${sameTenant('p', 'r')} and p.id = r.payout_id and p.rail_reference = r.rail_reference
     left join (select distinct merchant_id, mode, payout_id, rail from payout_attempts where kind = 'SEND') a
       on ${sameTenant('a', 'r')} and a.payout_id = r.payout_id and a.rail = r.rail
    where p.id is null or a.payout_id is null
   union all
   select a.merchant_id, a.mode, format('payout %s was sent by %s, where its reference leads nowhere', a.payout_id, a.rail)
     from (select distinct merchant_id, mode, payout_id, rail from payout_attempts where kind = 'SEND') a
     -- The sandbox's own bank says whose transfer it is about.
     join (select distinct rail, mode from rail_references where rail <> 'sandbox') known on known.rail = a.rail and known.mode = a.mode
     left join rail_references r on ${sameTenant('r', 'a')} and r.payout_id = a.payout_id and r.rail = a.rail
    where r.payout_id is null`,
);

/** "Not found" is the one reason to send again what may have left before. */
const sentAgain = check(
  'what-may-have-left-is-asked-about',
  'No payout is to be sent again after a call that may have paid it, before its rail has said that it knows nothing of it.',
  `select p.merchant_id, p.mode, format('payout %s is to be sent again by %s, after call %s', p.id, p.rail, c.last_sent) as detail
     from payouts p
     join transactions t on ${sameTenant('t', 'p')} and t.id = p.id
     join (${CALLS}) c on ${sameTenant('c', 'p')} and c.payout_id = p.id
    where t.status = 'PROCESSING' and p.next_step = 'SEND'
      and c.last_sent > coalesce(c.last_not_found, '')`,
);

export const attemptChecks: readonly Check[] = [alteredEvidence, otherCalls, strayCalls, wrongReferences, sentAgain];
