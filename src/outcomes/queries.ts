import { type AttemptRow, EACH_WITH_TRANSACTION, type PayoutRecord, WITH_TRANSACTION } from '../payouts/index.ts';
import { statement } from '../platform/db/statement.ts';
import type { List, ListOrder } from '../platform/lists/list.ts';
import type { Mode } from '../platform/tenant.ts';
import type { TransactionStatus } from '../transactions/index.ts';
import { type ProposalOf, proposalFingerprint, proposalQueries } from './proposal-queries.ts';

export { PROPOSED_OUTCOMES, type ProposedOutcome } from './proposal-queries.ts';

export type ProposalRow = ProposalOf<'payout_id'>;

/** A proposal with its present digest, which equals its `digest` unless it was altered. */
export type ProposalRead = ProposalRow & { digest_now: string };

export const PROPOSAL_FINGERPRINT = proposalFingerprint('payout_id');

export const payoutProposals = proposalQueries({
  table: 'outcome_proposals',
  subject: 'payout_id',
  machine: 'outcome_proposal',
  name: 'outcome',
});
export const {
  states: proposalStates,
  find: findProposal,
  listOpen: listOpenProposals,
  list: listProposals,
  updateDecided: updateProposalDecided,
  updateConfirmed: updateProposalsConfirmed,
} = payoutProposals;

/**
 * What was reported about a payout, each fact once: an hourly question with the same answer adds nothing. A call
 * without an answer reports nothing either, but that it was sent is a fact.
 */
export const listOutcomeFacts = statement<{ fact: string }>(
  'list-outcome-facts',
  `select distinct concat_ws('|', kind, rail, outcome, code, session_id, reported) as fact
     from payout_attempts
    where merchant_id = $1 and mode = $2 and payout_id = $3
      and ended_at is not null and (code is not null or outcome <> 'unknown')
   union all
   select concat_ws('|', 'SENT', rail, count(*)) as fact
     from payout_attempts
    where merchant_id = $1 and mode = $2 and payout_id = $3 and kind = 'SEND'
    group by rail
    order by fact`,
);

/** What was reported about a payout, with equal responses in a row as one. */
export interface SaidRow {
  /** The id of the first of them. */
  id: string;
  kind: AttemptRow['kind'];
  rail: string;
  outcome: string | null;
  code: string | null;
  reason: string | null;
  message: string | null;
  session_id: string | null;
  reported: string | null;
  times: number;
  first_at: Date;
  last_at: Date;
  /** False: there is no answer, because the call is under way or its worker died. */
  is_answered: boolean;
}

/**
 * Calls, provider webhooks, lines of files and decisions, newest first; a response that repeats the one before is
 * counted with it.
 */
export const listSaid = statement<SaidRow>(
  'list-said-of-payout',
  `select (array_agg(id order by id))[1] as id, kind, rail, outcome, code, reason, message, session_id, reported,
          count(*)::int as times, min(started_at) as first_at, max(started_at) as last_at, is_answered
     from (
       select a.*, a.ended_at is not null as is_answered,
              row_number() over (order by a.id) - row_number() over (
                partition by a.kind, a.rail, a.outcome, a.code, a.reason, a.message, a.session_id, a.reported,
                             a.ended_at is not null
                    order by a.id) as island
         from payout_attempts a
        where a.merchant_id = $1 and a.mode = $2 and a.payout_id = $3
     ) said
    group by kind, rail, outcome, code, reason, message, session_id, reported, is_answered, island
    order by (array_agg(id order by id))[1] desc limit $4`,
);

/** A payout as a line of a rail's file is compared with it. */
export interface RailPayoutRow {
  merchant_id: string;
  mode: Mode;
  id: string;
  status: TransactionStatus;
  amount_minor: bigint;
  currency: PayoutRecord['currency'];
  rail: string;
  rail_reference: string;
  session_id: string | null;
  paid_at: Date | null;
  beneficiary_account_number: string;
  beneficiary_bank_code: string;
}

const RAIL_PAYOUT = `p.merchant_id, p.mode, p.id, t.status, t.amount_minor, t.currency, p.rail, p.rail_reference,
  p.session_id, t.paid_at, t.beneficiary_account_number, t.beneficiary_bank_code`;

/** Found by its key for each payout `p`, whatever other conditions there are. */
const ITS_TRANSACTION = `cross join lateral (
      select * from transactions where merchant_id = p.merchant_id and mode = p.mode and id = p.id offset 0
    ) t`;

export const listRailPayouts = statement<RailPayoutRow>(
  'list-rail-payouts',
  `select ${RAIL_PAYOUT}
     from unnest($1::uuid[], $2::uuid[]) as wanted (merchant_id, id)
     join payouts p on p.merchant_id = wanted.merchant_id and p.mode = $3 and p.id = wanted.id
     join transactions t on t.merchant_id = p.merchant_id and t.mode = p.mode and t.id = p.id`,
);

export const listRailReferences = statement<{ rail_reference: string; merchant_id: string; payout_id: string }>(
  'list-rail-references',
  `select rail_reference, merchant_id, payout_id from rail_references
    where rail = $1 and mode = $2 and rail_reference = any($3::text[])`,
);

/** Session ids have no index: payouts that are young enough are read once for all of them. After `planReport`. */
export const listRailPayoutsBySession = statement<RailPayoutRow>(
  'list-rail-payouts-by-session',
  `select ${RAIL_PAYOUT}
     from payouts p
    ${ITS_TRANSACTION}
    where p.session_id = any($1::text[]) and p.mode = $2 and p.rail = $3
      and ($4::uuid is null or p.merchant_id = $4)`,
);

const PAID_BETWEEN = `select ${RAIL_PAYOUT}
     from payouts p
    ${ITS_TRANSACTION}
    where (p.merchant_id, p.mode, p.id) > ($1::uuid, $2::text, $3::uuid)
      and p.mode = $2 and p.rail = $4 and ($5::uuid is null or p.merchant_id = $5)
      and t.status = 'SUCCESS' and t.paid_at >= $6 and t.paid_at <= $7`;

/** What we say this rail paid between two times, of payouts with ids from `$8` on: a page, by merchant and id. */
export const listPaidPayouts = statement<RailPayoutRow>(
  'list-paid-payouts',
  `${PAID_BETWEEN} and p.id >= $8
    order by p.merchant_id, p.mode, p.id limit $9`,
);

/** The same for payouts that are older than `$8` because they waited for their day. */
export const listPaidSchedules = statement<RailPayoutRow>(
  'list-paid-schedules',
  `${PAID_BETWEEN} and p.scheduled_for is not null and p.id < $8
    order by p.merchant_id, p.mode, p.id limit $9`,
);

/** The columns of a payout in the operator's queue. */
export type OpenPayoutRow = Pick<
  PayoutRecord,
  | 'merchant_id'
  | 'mode'
  | 'id'
  | 'status'
  | 'reason'
  | 'amount_minor'
  | 'currency'
  | 'rail'
  | 'rail_reference'
  | 'first_sent_at'
  | 'operator_reason'
>;

type ListedPayout = OpenPayoutRow & { operator_since: Date | null };

const OPEN_PAYOUT = `${RAIL_PAYOUT}, t.reason, p.first_sent_at, p.operator_reason, p.operator_since`;

const BY_ID = { sql: 'p.id', type: 'uuid', of: ({ id }: ListedPayout) => id } as const;

const LONGEST_BEFORE_OPERATOR: ListOrder<ListedPayout> = {
  direction: 'asc',
  keys: [{ sql: 'p.operator_since', type: 'timestamptz', of: ({ operator_since }) => operator_since }, BY_ID],
};

const LONGEST_SENT: ListOrder<ListedPayout> = {
  direction: 'asc',
  keys: [
    {
      sql: `coalesce(p.first_sent_at, 'infinity')`,
      type: 'timestamptz',
      of: ({ first_sent_at }) => first_sent_at,
    },
    BY_ID,
  ],
};

/**
 * Proposals `o` that a second person can say yes or no to: the payout has not ended by itself meanwhile, or that it came back is
 * what was proposed. Each payout by its key, whatever else is asked.
 */
const PROPOSED = `outcome_proposals o
    cross join lateral (
      select operator_reason from payouts where merchant_id = o.merchant_id and mode = o.mode and id = o.payout_id offset 0
    ) of_payout
    cross join lateral (
      select status from transactions where merchant_id = o.merchant_id and mode = o.mode and id = o.payout_id offset 0
    ) made
    where o.status = 'PENDING'
      and (made.status in ('QUEUED', 'PROCESSING') or of_payout.operator_reason is not null
           or made.status = 'SUCCESS' and o.outcome = 'REVERSED')`;

/** Which payouts people look at. */
export type OutcomesShown = 'OPERATOR' | 'ALL' | 'PROPOSED';

/**
 * What people have to decide, whoever's it is, what waits longest first: what is before the operator; what an outcome is
 * proposed for, however young; or all that was sent and has no outcome, and what another is proposed for. Whole tables are
 * read for the last: after `planReport`.
 */
export function outcomeList(shown: OutcomesShown): List<ListedPayout> {
  const isProposed = `(p.merchant_id, p.mode, p.id) in (select o.merchant_id, o.mode, o.payout_id from ${PROPOSED})`;
  if (shown === 'PROPOSED') {
    return {
      ...{ name: 'payouts-with-proposed-outcomes', of: [], order: LONGEST_SENT, columns: OPEN_PAYOUT },
      ...{ from: WITH_TRANSACTION, where: [isProposed], values: [] },
    };
  }
  const all = shown === 'ALL';
  const undecided = [
    `(p.due_at is not null and t.status = 'PROCESSING' and t.reason = 'OUTCOME_UNKNOWN' or ${isProposed})`,
  ];
  return {
    name: 'payouts-to-decide',
    of: [all],
    order: all ? LONGEST_SENT : LONGEST_BEFORE_OPERATOR,
    columns: OPEN_PAYOUT,
    from: all ? WITH_TRANSACTION : EACH_WITH_TRANSACTION,
    where: all ? undecided : ['p.operator_reason is not null'],
    values: [],
    ...(all ? {} : { countFrom: 'payouts p' }),
  };
}

/** For these payouts, the last code and the last session id that a rail named, in whatever call. */
export const listLastResponses = statement<{ payout_id: string; code: string | null; session_id: string | null }>(
  'list-last-responses-of-payouts',
  `select a.payout_id, (array_agg(a.code order by a.id desc) filter (where a.code is not null))[1] as code,
          (array_agg(a.session_id order by a.id desc) filter (where a.session_id is not null))[1] as session_id
     from unnest($1::uuid[], $2::text[], $3::uuid[]) as wanted (merchant_id, mode, payout_id)
     join payout_attempts a
       on a.merchant_id = wanted.merchant_id and a.mode = wanted.mode and a.payout_id = wanted.payout_id
    group by a.payout_id`,
);

/**
 * Across merchants, outside money transactions. $1 is the person who looks: their own proposals wait for somebody else.
 */
export const countOutcomes = statement<{ before_operator: number; proposals: number }>(
  'count-outcomes-to-decide',
  `select (select count(*)::int from payouts p where p.operator_reason is not null) as before_operator,
          (select count(*)::int from ${PROPOSED} and o.proposed_by <> $1) as proposals`,
);
