import { approvalStates } from '../approvals/index.ts';
import { batchStates } from '../batches/index.ts';
import { beneficiaryStates } from '../beneficiaries/index.ts';
import { inboundStates } from '../collections/index.ts';
import { disputeProposalStates } from '../dispute-proposals/index.ts';
import { disputeStates } from '../disputes/index.ts';
import { manualCreditStates } from '../manual-credits/index.ts';
import { settlementStates } from '../merchant-settlements/index.ts';
import { proposalStates } from '../outcomes/index.ts';
import { paymentLinkStates } from '../payment-links/index.ts';
import { paymentSessionStates } from '../payment-sessions/index.ts';
import { refundProposals } from '../refund-outcomes/index.ts';
import { paymentToRefundStates, refundStates } from '../refunds/index.ts';
import { suspenseProposalStates } from '../suspense/index.ts';
import { transactionStates } from '../transactions/index.ts';
import { virtualAccountStates } from '../wallets/index.ts';
import { endpointStates } from '../webhooks/index.ts';
import { BORN } from './events-queries.ts';
import { type Check, check, sameTenant, valuesOf } from './queries.ts';

const MACHINES = [
  transactionStates,
  batchStates,
  approvalStates,
  beneficiaryStates,
  proposalStates,
  refundProposals.states,
  manualCreditStates,
  endpointStates,
  virtualAccountStates,
  inboundStates,
  disputeStates,
  disputeProposalStates,
  suspenseProposalStates,
  paymentSessionStates,
  paymentLinkStates,
  settlementStates,
  refundStates,
  paymentToRefundStates,
];

/** The tables of the machines themselves: there is no second list of what is allowed. */
const ALLOWED = valuesOf(
  MACHINES.flatMap(({ subject, transitions }) =>
    Object.entries<readonly string[]>(transitions).flatMap(([from, tos]) => tos.map((to) => [subject, from, to])),
  ),
);

/** States that say all: a step that leads there has no reason beside it. */
const SAYS_ALL = `values ('transaction', 'SCHEDULED'), ('transaction', 'QUEUED'), ('transaction', 'PROCESSING'),
              ('approval', 'APPROVED'), ('outcome_proposal', 'CONFIRMED'), ('refund_outcome_proposal', 'CONFIRMED'), ('dispute_proposal', 'CONFIRMED'), ('suspense_proposal', 'CONFIRMED'),
              ('manual_credit', 'APPROVED'), ('virtual_account', 'OPEN'), ('virtual_account', 'CLOSED'),
              ('payment_session', 'OPEN'), ('payment_session', 'PARTIALLY_PAID'), ('payment_session', 'PAID'),
              ('payment_session', 'EXPIRED'), ('payment_session', 'CANCELLED'), ('payment_link', 'ACTIVE'),
              ('payment_link', 'INACTIVE'), ('merchant_settlement', 'PAID'), ('merchant_settlement', 'PROCESSING'),
              ('inbound_payment', 'KEPT'), ('dispute', 'EVIDENCE_SENT'), ('dispute', 'WON'), ('dispute', 'ACCEPTED'),
              ('refund', 'QUEUED'), ('refund', 'PROCESSING'), ('refund', 'SUCCESS'), ('inbound_payment', 'RETURNED'),
              ('payment_to_refund', 'REFUNDED')`;

const wrongSteps = check(
  'steps-are-allowed',
  'Every step of a payout, a batch, an approval, a beneficiary, a proposal, a manual credit, an account, a payment in, a proposal about one, a refund, a payment to refund, a dispute, a payment session, a payment link or a settlement to a bank is one that its states allow, with an id of its own, and with a reason only where its state leaves one open.',
  `select s.merchant_id, s.mode, format('%s %s went from %s to %s', s.subject, s.subject_id, s.from_state, s.to_state) as detail
     from state_changes s
     left join ${ALLOWED} as a (subject, from_state, to_state)
       on a.subject = s.subject and a.from_state = s.from_state and a.to_state = s.to_state
    where a.subject is null
   union all
   select merchant_id, mode, format('%s %s became %s for the reason %s, and that has none', subject, subject_id, to_state, reason)
     from state_changes
    where reason is not null and (subject, to_state) in (${SAYS_ALL})
   union all
   -- What is odd about a payment in is said of it as long as it waits.
   select s.merchant_id, s.mode, format('payment %s was credited (%s), and it says %s', s.subject_id, coalesce(s.reason, 'no reason'),
                                        coalesce(p.reason, 'no reason'))
     from state_changes s
     join inbound_payments p on ${sameTenant('p', 's')} and p.id = s.subject_id
    where s.subject = 'inbound_payment' and s.to_state = 'CREDITED'
      and case s.from_state when 'PENDING_SETTLEMENT' then s.reason is distinct from p.reason else s.reason is not null end
   union all
   select merchant_id, min(mode), format('%s steps have the id %s: one of them was written again', count(*), id)
     from state_changes
    group by merchant_id, id
   having count(*) > 1`,
);

/** What has a state, with the one in which it was made. A proposal may be decided without a step. */
const KEPT = `select t.merchant_id, t.mode, 'transaction' as subject, t.id, ${BORN} as born, t.status
         from transactions t
         join payouts p on ${sameTenant('p', 't')} and p.id = t.id
        union all
       select merchant_id, mode, 'batch', id, 'VALIDATING', status from batches
        union all
       select merchant_id, mode, 'approval', id, 'PENDING', status from approvals
        union all
       select merchant_id, mode, 'payment_session', id, 'OPENING', status from payment_sessions
        union all
       select merchant_id, mode, 'merchant_settlement', id, 'PROCESSING', status from merchant_settlements
        union all
       select merchant_id, mode, 'dispute', id, 'OPEN', status from disputes
        union all
       select merchant_id, mode, 'payment_link', id, 'ACTIVE', status from payment_links
        union all
       select merchant_id, mode, 'beneficiary', id, case when approval_id is null then 'ACTIVE' else 'PENDING_APPROVAL' end,
              status
         from beneficiaries
        union all
       select merchant_id, mode, 'refund', id, case when approval_id is null then 'QUEUED' else 'PENDING_APPROVAL' end, status
         from refunds
        union all
       select merchant_id, mode, 'payment_to_refund', id, 'WAITING', status from payments_to_refund
        union all
       select merchant_id, mode, 'virtual_account', id, 'REQUESTED', status from virtual_accounts
        union all
       select p.merchant_id, p.mode, 'inbound_payment', p.id,
              case h.code when 'COLLECTION_SUSPENSE' then 'SUSPENSE' when 'COLLECTION_PENDING' then 'PENDING_SETTLEMENT'
                          else 'CREDITED' end,
              p.status
         from inbound_payments p
         left join (
           select distinct t.merchant_id, t.mode, t.transaction_id, t.code
             from transfers t
             join accounts a on a.merchant_id = t.merchant_id and a.id = t.debit_account_id and a.kind = 'COLLECTION_RECEIVABLE'
            where t.code in ('COLLECTION_SUSPENSE', 'COLLECTION_PENDING')
         ) h on ${sameTenant('h', 'p')} and h.transaction_id = p.id`;

/**
 * A path leaves its first state once more than it enters it, enters its last state once more than it leaves it, and
 * enters and leaves every other state equally often. So the steps are checked without an order by time, and a step that
 * is missing or there twice is found.
 */
const brokenPaths = check(
  'history-leads-to-the-status',
  'The history of every payout, batch, approval, beneficiary, account at a provider, payment in, refund, payment to refund, dispute, payment session, payment link and settlement to a bank leads from the state in which it was made to the one that it has.',
  `select coalesce(k.merchant_id, h.merchant_id) as merchant_id, coalesce(k.mode, h.mode) as mode,
          format('%s %s: its history comes to %s %s times more than it leaves it, and should %s times',
                 coalesce(k.subject, h.subject), coalesce(k.id, h.subject_id), coalesce(k.state, h.state),
                 coalesce(h.net, 0), coalesce(k.net, 0)) as detail
     from (
       select merchant_id, mode, subject, id, unnest(array[born, status]) as state, unnest(array[-1, 1]) as net
         from (${KEPT}) kept
        where born <> status
     ) k
     full join (
       select merchant_id, mode, subject, subject_id, state, sum(step) as net
         from (
           select merchant_id, mode, subject, subject_id, unnest(array[from_state, to_state]) as state,
                  unnest(array[-1, 1]) as step
             from state_changes
            where subject in ('transaction', 'batch', 'approval', 'beneficiary', 'virtual_account', 'inbound_payment',
                              'dispute', 'refund', 'payment_to_refund', 'payment_session', 'payment_link', 'merchant_settlement')
         ) steps
        group by merchant_id, mode, subject, subject_id, state
       having sum(step) <> 0
     ) h on ${sameTenant('h', 'k')} and h.subject = k.subject and h.subject_id = k.id and h.state = k.state
    where h.net is distinct from k.net`,
);

/** Asked in between without an answer that ends it, a payout says so, as of the response that did not. */
const UNKNOWN = `t.status = 'PROCESSING' and t.reason = 'OUTCOME_UNKNOWN'`;

const otherLastSteps = check(
  'the-last-step-says-when-and-why',
  'Every payout, approval, beneficiary and account at a provider says when it changed last, and why, as its last step does.',
  `select t.merchant_id, t.mode,
          format('payout %s (%s, %s) changed last at %s, by its history at %s (%s)', t.id, t.status, coalesce(t.reason, 'no reason'),
                 t.updated_at, coalesce(s.created_at, t.created_at), coalesce(s.reason, 'no reason')) as detail
     from transactions t
     join payouts p on ${sameTenant('p', 't')} and p.id = t.id
     left join state_changes s
       on ${sameTenant('s', 't')} and s.subject = 'transaction' and s.subject_id = t.id and s.to_state = t.status
     left join (
       select merchant_id, mode, payout_id, ended_at from payout_attempts
        where outcome in ('unknown', 'not_found')
        group by merchant_id, mode, payout_id, ended_at
     ) a on ${UNKNOWN} and ${sameTenant('a', 't')} and a.payout_id = t.id and a.ended_at = t.updated_at
    where case when ${UNKNOWN} then a.payout_id is null
               else (t.updated_at, t.reason) is distinct from (coalesce(s.created_at, t.created_at), s.reason) end
   union all
   select r.merchant_id, r.mode, format('%s %s (%s, %s) changed last at %s, by its history at %s (%s)', r.subject, r.id, r.status,
          coalesce(r.reason, 'no reason'), r.updated_at, coalesce(s.at, r.made_at), coalesce(s.reason, 'no reason'))
     from (
       select merchant_id, mode, 'approval' as subject, id, status, reason, updated_at, made_at from approvals
        union all
       select merchant_id, mode, 'beneficiary', id, status, reason, updated_at, created_at from beneficiaries
        union all
       -- While it is asked for, or is to be closed there too, it says what the provider said last.
       select merchant_id, mode, 'virtual_account', id, status, case when closed_at is null then reason end,
              coalesce(closed_at, updated_at), requested_at from virtual_accounts
        where status <> 'REQUESTED'
     ) r
     left join (
       select merchant_id, mode, subject, subject_id, to_state, max(created_at) as at, min(reason) as reason
         from state_changes
        where subject in ('approval', 'beneficiary', 'virtual_account')
        group by merchant_id, mode, subject, subject_id, to_state
     ) s on ${sameTenant('s', 'r')} and s.subject = r.subject and s.subject_id = r.id and s.to_state = r.status
    where (r.updated_at, r.reason) is distinct from (coalesce(s.at, r.made_at), s.reason)`,
);

/** Machines whose every step is an event of their own. */
const unreportedSteps = check(
  'steps-are-reported',
  'Every step of a refund, a dispute and a settlement to a bank was reported at the moment at which it was taken, and a payment that a refund rule is for says when its last was.',
  `select s.merchant_id, s.mode, format('%s %s went to %s at %s, when nothing was reported of it', s.subject, s.subject_id, s.to_state,
                                        s.created_at) as detail
     from state_changes s
     left join (
       select distinct merchant_id, mode, subject_id, created_at
         from events
        where type like 'refund.%' or type like 'dispute.%' or type like 'merchant_settlement.%'
     ) e on ${sameTenant('e', 's')} and e.subject_id = s.subject_id and e.created_at = s.created_at
    where s.subject in ('refund', 'dispute', 'merchant_settlement') and e.subject_id is null
   union all
   select s.merchant_id, s.mode, format('payment %s became %s for a refund rule at %s, and says %s', s.subject_id, s.to_state, s.created_at,
                                        p.updated_at)
     from state_changes s
     left join payments_to_refund p on ${sameTenant('p', 's')} and p.id = s.subject_id
    where s.subject = 'payment_to_refund' and s.created_at is distinct from p.updated_at`,
);

export const historyChecks: readonly Check[] = [wrongSteps, brokenPaths, otherLastSteps, unreportedSteps];
