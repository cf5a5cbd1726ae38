import { CREDIT_PROPOSAL_FINGERPRINT, SUSPENSE_FINGERPRINT } from '../suspense/index.ts';
import { type Check, check, sameTenant } from './queries.ts';

/** What leads to no merchant. */
const NOBODY = `'00000000-0000-0000-0000-000000000000'::uuid`;

/** What left suspense, and what went back while it waited for its settlement, by the payment and the state that it left. */
const LEFT = `select t.merchant_id, t.mode, t.transaction_id,
              case d.kind when 'SUSPENSE' then 'SUSPENSE' else 'PENDING_SETTLEMENT' end as from_state, count(*) as made,
              sum(t.amount_minor) as amount_minor, min(t.credit_account_id::text) as credited_id, min(t.code) as code,
              min(t.created_at) as created_at
         from transfers t
         join accounts d on d.merchant_id = t.merchant_id and d.id = t.debit_account_id
          and (d.kind = 'SUSPENSE' or d.kind = 'PENDING_COLLECTIONS' and t.code = 'COLLECTION_RETURN')
        group by t.merchant_id, t.mode, t.transaction_id, 4`;

/** Steps of payments in and of the proposals about them. */
const stepsOf = (
  subject: string,
) => `select merchant_id, mode, subject_id, count(*) as steps, min(to_state) as to_state,
              min(created_at) as created_at
         from state_changes
        where subject = '${subject}'
        group by merchant_id, mode, subject_id`;

/** A payment with the step by which it left suspense, or went back. */
const ENDED = `select s.merchant_id, s.mode, s.subject_id as id, s.from_state, s.to_state, s.created_at, p.status, p.amount_minor,
              p.attributed_wallet_id, p.receivable_id, p.reason, p.updated_at, c.settled_at,
              count(*) over (partition by s.merchant_id, s.mode, s.subject_id, s.from_state) as steps
         from state_changes s
         left join inbound_payments p on ${sameTenant('p', 's')} and p.id = s.subject_id
         left join collection_settlements c on ${sameTenant('c', 's')} and c.payment_id = s.subject_id
        where s.subject = 'inbound_payment' and (s.from_state = 'SUSPENSE' or s.to_state = 'RETURNED')`;

const otherEnds = check(
  'suspense-ends-as-two-people-decided',
  'Every payment that left suspense did so once, whole, by what two people had confirmed at that moment, and so did every one that went back; and nothing else left.',
  `select coalesce(p.merchant_id, o.merchant_id, t.merchant_id) as merchant_id, coalesce(p.mode, o.mode, t.mode) as mode,
          format('payment %s (%s) of %s: %s confirmed, %s postings of %s by %s',
                 coalesce(p.id, o.payment_id, t.transaction_id), coalesce(p.status, 'not out of suspense'), p.amount_minor,
                 coalesce(o.action, 'nothing'), coalesce(t.made, 0), coalesce(t.amount_minor, 0), coalesce(t.code, 'none'))
            as detail
     from (${ENDED}) p
     full join (select * from suspense_proposals where status = 'CONFIRMED') o
       on ${sameTenant('o', 'p')} and o.payment_id = p.id and o.decided_at = p.created_at
     full join (${LEFT}) t on t.merchant_id = coalesce(p.merchant_id, o.merchant_id) and t.mode = coalesce(p.mode, o.mode)
                          and t.transaction_id = coalesce(p.id, o.payment_id) and t.from_state = p.from_state
     left join accounts f on f.merchant_id = t.merchant_id and f.id = t.credited_id::uuid
    where (t.made = 1 and t.amount_minor = p.amount_minor and o.amount_minor = p.amount_minor and p.steps = 1
           and t.created_at = o.decided_at
           -- What it has come to since has steps of its own.
           and (p.to_state = 'PENDING_SETTLEMENT' or p.to_state = p.status and p.updated_at = o.decided_at and p.reason is null)
           and case o.action
                 when 'ATTRIBUTE' then p.attributed_wallet_id = o.wallet_id
                                       and case p.to_state when 'CREDITED' then t.code = 'COLLECTION' and t.credited_id = o.wallet_id::text
                                                           when 'PENDING_SETTLEMENT' then t.code = 'COLLECTION_PENDING'
                                                                                         and (p.settled_at < o.decided_at) is not true end
                 -- What the provider had settled leaves the float.
                 when 'RETURN' then p.to_state = 'RETURNED' and t.code = 'COLLECTION_RETURN'
                                    and case when p.settled_at is null then t.credited_id = p.receivable_id::text
                                             else f.kind = 'PROVIDER_FLOAT' and p.settled_at <= o.decided_at end
                 when 'KEEP' then p.to_state = 'KEPT' and t.code = 'SUSPENSE_KEPT' and f.kind = 'FEE_INCOME'
               end) is not true
   union all
   select p.merchant_id, p.mode, format('payment %s (%s) was attributed to %s, and nobody confirmed that', p.id, p.status,
                                        p.attributed_wallet_id)
     from inbound_payments p
     left join (select distinct merchant_id, mode, payment_id, wallet_id from suspense_proposals
                 where status = 'CONFIRMED' and action = 'ATTRIBUTE') o
       on ${sameTenant('o', 'p')} and o.payment_id = p.id and o.wallet_id = p.attributed_wallet_id
    where p.attributed_wallet_id is not null and o.payment_id is null
   union all
   select p.merchant_id, p.mode, format('payment %s was held, and is %s without a step out of suspense', p.id, p.status)
     from inbound_payments p
     join (select distinct merchant_id, mode, transaction_id from transfers where code = 'COLLECTION_SUSPENSE') t
       on ${sameTenant('t', 'p')} and t.transaction_id = p.id
     left join (select distinct merchant_id, mode, subject_id from state_changes
                 where subject = 'inbound_payment' and from_state = 'SUSPENSE') s
       on ${sameTenant('s', 'p')} and s.subject_id = p.id
    where p.status <> 'SUSPENSE' and s.subject_id is null`,
);

/** What holds of a proposal in each state; and, beside it, of one that was confirmed and of any other. */
const isDecidedByTwo = (confirmed: string, otherwise: string) => `a.id is not null
           and coalesce(o.decided_at, o.proposed_at) >= o.proposed_at - interval '1 minute'
           and case o.status
                 when 'PENDING' then num_nonnulls(o.decided_by, o.decided_at, o.reason) = 0 and o.updated_at = o.proposed_at
                 when 'CONFIRMED' then b.id <> a.id and o.reason is null and o.updated_at = o.decided_at
                 when 'REJECTED' then b.id <> a.id and o.reason is not null and o.updated_at = o.decided_at
                 when 'WITHDRAWN' then b.id = a.id and o.reason is not null and o.updated_at = o.decided_at
                 when 'STALE' then o.decided_by is null and o.reason is not null and o.updated_at = o.decided_at
               end
           and case when o.status = 'CONFIRMED' then ${confirmed} else ${otherwise} end`;

const PEOPLE = `left join people a on a.id = o.proposed_by and a.kind = 'OPERATOR'
     left join people b on b.id = o.decided_by and b.kind = 'OPERATOR'`;

const lonelyProposals = check(
  'suspense-is-decided-by-two',
  'Every proposal about money in suspense is what was proposed, and was confirmed or rejected by another of the operator’s people or withdrawn by the same.',
  `select o.merchant_id, o.mode,
          format('proposal %s (%s): proposed by %s, decided by %s%s', o.id, o.status, coalesce(a.email, 'nobody'),
                 coalesce(b.email, 'nobody'), case when o.digest = ${SUSPENSE_FINGERPRINT} then '' else ', and altered since' end)
            as detail
     from suspense_proposals o
     ${PEOPLE}
     left join (${stepsOf('suspense_proposal')}) s on ${sameTenant('s', 'o')} and s.subject_id = o.id
    where (o.digest = ${SUSPENSE_FINGERPRINT} and ${isDecidedByTwo(
      's.steps = 1 and s.to_state = o.status and s.created_at = o.decided_at',
      's.steps is null',
    )}) is not true
   union all
   select s.merchant_id, s.mode, format('proposal %s took a step to %s, and there is none', s.subject_id, s.to_state)
     from state_changes s
     left join suspense_proposals o on ${sameTenant('o', 's')} and o.id = s.subject_id
    where s.subject = 'suspense_proposal' and o.id is null
   union all
   select o.merchant_id, o.mode,
          format('proposal %s about %s of %s (%s): proposed by %s, decided by %s%s', o.id, o.credit_key, o.rail, o.status,
                 coalesce(a.email, 'nobody'), coalesce(b.email, 'nobody'),
                 case when o.digest = ${CREDIT_PROPOSAL_FINGERPRINT} then '' else ', and altered since' end)
     from open_credit_proposals o
     ${PEOPLE}
    where (o.digest = ${CREDIT_PROPOSAL_FINGERPRINT} and ${isDecidedByTwo('true', 'true')}) is not true`,
);

const otherOwners = check(
  'credits-without-an-owner-end-as-decided',
  'Every reported credit that two people attributed leads to a payment of that wallet, every one that they returned to nobody, and none ended so without them.',
  `select o.merchant_id, o.mode,
          format('%s of %s, %s: it leads to wallet %s, and is %s', o.credit_key, o.rail, o.action,
                 coalesce(d.wallet_id::text, 'none'), coalesce(c.status, 'not there')) as detail
     from open_credit_proposals o
     left join open_credits c on c.rail = o.rail and c.credit_key = o.credit_key
     left join credit_directory d on d.rail = o.rail and d.provider_transaction_id = o.provider_transaction_id
     left join inbound_payments p on ${sameTenant('p', 'd')} and p.id = d.payment_id
    where o.status = 'CONFIRMED'
      and case o.action
            -- Between the decision and the posting it waits for the provider's answer.
            when 'ATTRIBUTE' then ${sameTenant('d', 'o')} and d.wallet_id = o.wallet_id
                                  and (c.status <> 'DONE' or (p.id is not null and p.amount_minor = o.amount_minor))
            when 'RETURN' then d.rail is not null and c.status = 'RETURNED' and d.mode = o.mode
                               and num_nonnulls(d.merchant_id, d.virtual_account_id) = 0
                               and d.session_id is not distinct from c.confirmed::json ->> 'sessionId'
            -- A provider may confirm later what nobody confirmed then, or something that contradicts it anew.
            when 'DISMISS' then c.status in ('DISMISSED', 'DONE') or c.status = 'CONTRADICTED' and c.updated_at >= o.decided_at
          end is not true
   union all
   select ${NOBODY}, c.mode, format('%s of %s is %s, and nobody confirmed that', c.credit_key, c.rail, c.status)
     from open_credits c
     left join open_credit_proposals o
       on o.rail = c.rail and o.credit_key = c.credit_key and o.status = 'CONFIRMED'
      and o.action = case c.status when 'RETURNED' then 'RETURN' else 'DISMISS' end
    where c.status in ('RETURNED', 'DISMISSED') and o.id is null
   union all
   select ${NOBODY}, d.mode, format('%s of %s leads to nobody, and nobody confirmed that', d.provider_transaction_id, d.rail)
     from credit_directory d
     left join open_credit_proposals o
       on o.rail = d.rail and o.provider_transaction_id = d.provider_transaction_id and o.status = 'CONFIRMED'
      and o.action = 'RETURN'
    where d.merchant_id is null and o.id is null`,
);

export const suspenseChecks: readonly Check[] = [otherEnds, lonelyProposals, otherOwners];
