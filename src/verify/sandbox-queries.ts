import { SANDBOX_SCENARIOS } from '../rails/index.ts';
import { BELIEVED } from './outcomes-queries.ts';
import { type Check, check, LATEST, SOON, sameTenant, valuesOf } from './queries.ts';

/** Of NIP, and the sandbox's own for money that came back. */
const PAID = '00';
const REVERSED = 'RV';
const PENDING = ['09', '97', 'ZZ'];

/** What comes of each scenario: by its name, the account numbers that choose it, and what may be said of it in the end. */
const SCENARIOS = valuesOf(
  SANDBOX_SCENARIOS.map(({ name, suffix, code, later, lost, providerWebhooks, sending }) => {
    const said = [code, later?.code ?? code];
    const ends = [
      ...(said.includes(PAID) ? ['SUCCESS'] : []),
      // Where the first that is heard is that it came back, it was never paid for us.
      ...(said.includes(REVERSED) ? ['REVERSED', 'FAILED'] : []),
      ...(said.some((one) => one !== PAID && one !== REVERSED && !PENDING.includes(one)) ? ['FAILED'] : []),
    ];
    const counts = later !== undefined || sending === 'down';
    const fate = lost === true ? 'LOST' : 'RECEIVED';
    return [
      name,
      suffix,
      ends.join(' '),
      fate,
      String(providerWebhooks?.length ?? 0),
      counts ? 'COUNTED' : 'NOT_COUNTED',
    ];
  }),
);

/** Where people or a file decided, the play of the bank did not. */
const DECIDED = `select distinct merchant_id, mode, payout_id from payout_attempts where kind in ('OPERATOR', 'SETTLEMENT')`;

/** What the sandbox rail was asked about, and answered as one that knows the transfer. What its payee may have had was not sent there. */
const KNOWN = `select a.merchant_id, a.mode, a.payout_id, count(*) filter (where a.kind = 'QUERY') as queries,
              count(*) filter (where a.kind = 'QUERY' and a.code is not null and a.outcome <> 'not_found') as answered_queries,
              bool_or(a.kind = 'SEND') as is_sent, bool_or(a.outcome in ('succeeded', 'failed', 'reversed')) as is_answered,
              count(distinct a.session_id) filter (where a.kind in ('SEND', 'QUERY', 'PROVIDER_WEBHOOK')) as sessions,
              min(a.session_id) filter (where a.kind in ('SEND', 'QUERY', 'PROVIDER_WEBHOOK')) as session_id
         from payout_attempts a
        where a.rail = 'sandbox' and a.kind not in ('OPERATOR', 'SETTLEMENT') and coalesce(a.reason, '') not in ('PAYMENT_REVERSED', 'PAYMENT_UNCERTAIN', 'PAYOUT_DUPLICATE')
          and ${BELIEVED}
        group by a.merchant_id, a.mode, a.payout_id`;

const otherBook = check(
  'the-sandbox-rail-has-the-same-book',
  'The sandbox rail’s own book has every payout that was sent there, to the same account over the same amount, and says of it what ours does.',
  `select coalesce(r.merchant_id, k.merchant_id) as merchant_id, coalesce(r.mode, k.mode) as mode,
          format('payout %s (%s) of %s to %s %s: the rail has %s of %s to %s %s, %s, %s', coalesce(p.id, k.payout_id), t.status,
                 t.amount_minor, t.beneficiary_bank_code, t.beneficiary_account_number, coalesce(r.rail_reference, 'nothing'),
                 r.amount_minor, r.bank_code, r.account_number, r.scenario,
                 case when r.received_at is null then 'not received' else 'received' end) as detail
     from sandbox_rail_transfers r
     left join payouts p on ${sameTenant('p', 'r')} and p.rail_reference = r.rail_reference
     left join transactions t on ${sameTenant('t', 'p')} and t.id = p.id
     left join ${SCENARIOS} as s (name, suffix, ends, fate, webhooks, queries) on s.name = r.scenario
     left join ${SCENARIOS} as chosen (name, suffix, ends, fate, webhooks, queries) on chosen.suffix = right(r.account_number, 6)
     left join (${DECIDED}) d on ${sameTenant('d', 'p')} and d.payout_id = p.id
     full join (${KNOWN}) k on ${sameTenant('k', 'r')} and k.payout_id = p.id
    where case when r.rail_reference is null then k.is_answered
               else (t.amount_minor = r.amount_minor and t.currency = r.currency and t.beneficiary_bank_code = r.bank_code
                     and t.beneficiary_account_number = r.account_number and t.beneficiary_account_name = r.account_name
                     and t.narration = r.narration and k.is_sent
                     and r.scenario = coalesce(p.scenario, chosen.name, 'success')
                     and (k.session_id is null or k.sessions = 1 and k.session_id = r.session_id)
                     and (t.status not in ('SUCCESS', 'FAILED', 'REVERSED') or p.ended_by <> 'sandbox' or d.payout_id is not null
                          or r.received_at is not null and strpos(s.ends, t.status) > 0)
                     and (s.fate = 'LOST' or r.received_at = r.first_sent_at) and coalesce(r.received_at >= r.first_sent_at, true)
                     and r.webhooks_delivered between 0 and s.webhooks::int
                     and (r.next_webhook_at is null or r.webhooks_delivered < s.webhooks::int)
                     and (r.next_webhook_at is not null or r.received_at is null or r.webhooks_delivered = s.webhooks::int)
                     and case s.queries when 'COUNTED' then r.queries between k.answered_queries and k.queries
                                        else r.queries = 0 end) is not true end
   union all
   select merchant_id, mode, format('%s %s plays %s, which is no scenario', what, id, scenario)
     from (
       select merchant_id, mode, 'payout' as what, id, scenario from payouts where scenario is not null
        union all
       select merchant_id, mode, 'batch', id, scenario from batches where scenario is not null
     ) played
    where scenario not in (select name from ${SCENARIOS} as s (name, suffix, ends, fate, webhooks, queries))`,
);

export const sandboxChecks: readonly Check[] = [otherBook];

/** Whose clock was moved, what waits for a time there may be due before it. */
const MOVED = `select distinct merchant_id, mode from events where type = 'sandbox.clock_advanced'`;

const forgottenPayouts = check(
  'open-payouts-are-due',
  'Every payout that is open is due to a worker, a schedule at its time and not before; and none that is over or waits for approval is.',
  `select p.merchant_id, p.mode,
          format('payout %s (%s) is due at %s to %s%s, in hand %s', p.id, t.status, coalesce(p.due_at::text, 'no time'), p.next_step,
                 ', for ' || p.scheduled_for, coalesce(p.lease_id::text, 'of nobody')) as detail
     from payouts p
     join transactions t on ${sameTenant('t', 'p')} and t.id = p.id
     left join (${MOVED}) m on ${sameTenant('m', 'p')}
    cross join ${LATEST} latest
    where (p.due_at is not null) <> (t.status in ('SCHEDULED', 'QUEUED', 'PROCESSING'))
       or (p.lease_id is not null and p.due_at is null)
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
  'Every batch that is open is due to a worker, by the time that it runs out at the latest, and every chunk that is not expanded is; none that is over or waits for approval is.',
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
        where kind in ('PROVIDER_WEBHOOK', 'SETTLEMENT', 'SEND', 'QUERY') and outcome is not null
     ) a on ${sameTenant('a', 'p')} and a.payout_id = p.id
    where (p.operator_reason = 'UNKNOWN_TOO_LONG' and t.status <> 'PROCESSING')
       or (p.operator_reason = 'UNDER_REVIEW' and t.status not in ('QUEUED', 'PROCESSING'))
       -- What is not as it was approved was never sent.
       or (p.operator_reason not in ('APPROVAL_SUBJECT_ALTERED', 'UNDER_REVIEW') and (a.payout_id is null or p.operator_since < p.first_sent_at))`,
);

export const workChecks: readonly Check[] = [forgottenPayouts, forgottenBatches, strayQueues];
