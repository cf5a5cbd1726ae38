import { type Check, check, sameTenant } from '../queries.ts';

/** The latest moment that the books know of, or now: a clock that was set forward does not make what is due late. */
const LATEST = `(select greatest(now(), (select max(created_at) from state_changes), (select max(started_at) from payout_attempts),
                      (select max(created_at) from batches)) as at)`;

/** Whose clock was moved, what waits for a time there may be due before it. */
const MOVED = `select distinct merchant_id, mode from events where type = 'sandbox.clock_advanced'`;

/** The longest that a worker leaves a payout alone is an hour and a fifth; a claim and a pause are minutes. */
const SOON = `interval '2 hours'`;

const forgottenPayouts = check(
  'open-payouts-are-due',
  'Every payout that is open is due to a worker, a schedule at its time and not before; and none that is over or waits for approval is.',
  `select p.merchant_id, p.mode,
          format('payout %s (%s) is due at %s to %s%s, in hand %s', p.id, t.status, coalesce(p.due_at::text, 'no time'), p.next_step,
                 ', for ' || p.scheduled_for, coalesce(p.claim_id::text, 'of nobody')) as detail
     from payouts p
     join transactions t on ${sameTenant('t', 'p')} and t.id = p.id
     left join (${MOVED}) m on ${sameTenant('m', 'p')}
    cross join ${LATEST} latest
    where (p.due_at is not null) <> (t.status in ('SCHEDULED', 'QUEUED', 'PROCESSING'))
       or (p.claim_id is not null and p.due_at is null)
       -- What was paid otherwise meanwhile is held, and fires to fail.
       or ((p.next_step = 'FIRE') <> (p.amount_hold_id is null) and t.reason is distinct from 'PAYOUT_DUPLICATE')
       or (p.next_step = 'QUERY' and p.first_sent_at is null)
       or case t.status when 'SCHEDULED' then p.due_at > greatest(p.scheduled_for, latest.at + ${SOON})
                                            or (p.due_at < p.scheduled_for and m.merchant_id is null)
                        else p.due_at > latest.at + ${SOON} end
       -- Made for later than it was made.
       or p.scheduled_for <= t.created_at`,
);

const forgottenBatches = check(
  'open-batches-are-due',
  'Every batch that is open is due to a worker, by the time that it runs out at the latest, and every chunk that is not opened is; none that is over or waits for approval is.',
  `select b.merchant_id, b.mode, format('batch %s (%s) is due at %s, and runs out at %s', b.id, b.status,
                                        coalesce(b.due_at::text, 'no time'), b.expires_at) as detail
     from batches b
    cross join ${LATEST} latest
    where (b.due_at is not null) <> (b.status in ('VALIDATING', 'NEEDS_FIX', 'READY', 'DISPATCHING'))
       or b.due_at > case when b.status in ('NEEDS_FIX', 'READY') then greatest(b.expires_at, latest.at + ${SOON})
                          else latest.at + ${SOON} end
   union all
   select c.merchant_id, c.mode, format('chunk %s of batch %s (%s) is due at %s', c.chunk, c.batch_id, coalesce(b.status, 'not there'),
                                        c.due_at)
     from batch_chunks c
     left join batches b on ${sameTenant('b', 'c')} and b.id = c.batch_id
    cross join ${LATEST} latest
    where c.due_at is not null and (b.status = 'DISPATCHING' and c.due_at < latest.at + ${SOON}) is not true`,
);

/** Nobody asks the operator for what is over, unless a rail contradicts it. */
const strayQueues = check(
  'the-operator-is-asked-about-what-is-open',
  'What is before the operator because nobody says what became of it is open, and has been since it was sent.',
  `select p.merchant_id, p.mode, format('payout %s (%s) is before the operator since %s as %s', p.id, t.status, p.operator_since,
                                        p.operator_reason) as detail
     from payouts p
     join transactions t on ${sameTenant('t', 'p')} and t.id = p.id
     left join (
       select distinct merchant_id, mode, payout_id from payout_attempts
        where kind in ('NOTICE', 'SETTLEMENT', 'SEND', 'QUERY') and outcome is not null
     ) a on ${sameTenant('a', 'p')} and a.payout_id = p.id
    where (p.operator_reason = 'UNKNOWN_TOO_LONG' and t.status <> 'PROCESSING')
       -- What is not as it was approved was never sent.
       or (p.operator_reason <> 'APPROVAL_SUBJECT_ALTERED' and (a.payout_id is null or p.operator_since < p.first_sent_at))`,
);

export const workChecks: readonly Check[] = [forgottenPayouts, forgottenBatches, strayQueues];
