import { stateMachine } from '../ledger/index.ts';
import { setStatement, statement } from '../platform/db/statement.ts';
import type { List } from '../platform/lists/list.ts';
import type { Mode } from '../platform/tenant.ts';
import type { DisputeCategory } from '../rails/index.ts';

export const DISPUTE_ENDS = ['WON', 'LOST'] as const;
/** `OPEN`: there is a dispute. `WON`, `LOST`: it ended so. */
export type DisputeAction = 'OPEN' | (typeof DISPUTE_ENDS)[number];
export type DisputeProposalStatus = 'PENDING' | 'CONFIRMED' | 'REJECTED';
export type DisputeKnownBy = 'BANK_LETTER' | 'RAIL_DASHBOARD' | 'SETTLEMENT_FILE' | 'RAIL_SUPPORT' | 'OTHER';

export const disputeProposalStates = stateMachine<DisputeProposalStatus>('dispute_proposal', 'dispute_proposals', {
  PENDING: ['CONFIRMED', 'REJECTED'],
  CONFIRMED: [],
  REJECTED: [],
});

export interface DisputeProposalRow {
  merchant_id: string;
  mode: Mode;
  id: string;
  action: DisputeAction;
  dispute_id: string;
  payment_id: string;
  rail: string;
  provider_dispute_id: string;
  amount_minor: bigint;
  category: DisputeCategory;
  message: string | null;
  due_at: Date | null;
  source: DisputeKnownBy;
  note: string;
  digest: string;
  status: DisputeProposalStatus;
  reason: string | null;
  proposed_by: string;
  proposed_at: Date;
  decided_by: string | null;
  decided_at: Date | null;
  updated_at: Date;
}

/** As it is now: what is confirmed has to be what was proposed. */
export type DisputeProposalRead = DisputeProposalRow & { digest_now: string };

/** What the second person says yes to, of a row `o`: a SHA-256 in hex. */
export const DISPUTE_PROPOSAL_FINGERPRINT = `encode(sha256(convert_to(json_build_array(o.merchant_id, o.mode, o.id, o.action,
  o.dispute_id, o.payment_id, o.rail, o.provider_dispute_id, o.amount_minor, o.category, o.message, extract(epoch from o.due_at),
  o.source, o.note, o.proposed_by, extract(epoch from o.proposed_at))::text, 'UTF8')), 'hex')`;

const READ = `o.*, ${DISPUTE_PROPOSAL_FINGERPRINT} as digest_now`;

/** One open proposal for each number of a provider account: the unique index says so. */
export const insertDisputeProposal = statement<{ digest: string }>(
  'insert-dispute-proposal',
  `insert into dispute_proposals (merchant_id, mode, id, action, dispute_id, payment_id, rail, provider_dispute_id, amount_minor,
                                  category, message, due_at, source, note, proposed_by, proposed_at, status, updated_at, digest)
   select o.*, 'PENDING', o.proposed_at, ${DISPUTE_PROPOSAL_FINGERPRINT}
     from (select $1::uuid, $2::text, $3::uuid, $4::text, $5::uuid, $6::uuid, $7::text, $8::text, $9::bigint, $10::text, $11::text,
                  $12::timestamptz, $13::text, $14::text, $15::uuid, $16::timestamptz)
          o (merchant_id, mode, id, action, dispute_id, payment_id, rail, provider_dispute_id, amount_minor, category, message,
             due_at, source, note, proposed_by, proposed_at)
   returning digest`,
);

export const findDisputeProposal = statement<DisputeProposalRead>(
  'find-dispute-proposal',
  `select ${READ} from dispute_proposals o where merchant_id = $1 and mode = $2 and id = $3`,
);

/** All that was ever proposed about one dispute, newest first. */
export const listDisputeProposals = statement<DisputeProposalRead>(
  'list-dispute-proposals',
  `select ${READ} from dispute_proposals o
    where merchant_id = $1 and mode = $2 and dispute_id = $3 order by id desc limit 50`,
);

/** Turned down, while it is open: of two decisions the second finds nothing. */
export const updateDisputeProposalRejected = statement<{ id: string }>(
  'update-dispute-proposal-rejected',
  `update dispute_proposals
      set status = 'REJECTED', reason = $4, decided_by = $5, decided_at = $6, updated_at = $6
    where merchant_id = $1 and mode = $2 and id = $3 and status = 'PENDING'
    returning id`,
);

/** Who confirmed; the state itself is changed by the movement's transition. */
export const updateDisputeProposalsConfirmed = setStatement<
  Pick<DisputeProposalRow, 'merchant_id' | 'mode' | 'id'> & { decided_by: string; decided_at: Date }
>(
  'update-dispute-proposals-confirmed',
  { merchant_id: 'uuid', mode: 'text', id: 'uuid', decided_by: 'uuid', decided_at: 'timestamptz' },
  `update dispute_proposals o
      set decided_by = rows.decided_by, decided_at = rows.decided_at
     from :rows
    where o.merchant_id = rows.merchant_id and o.mode = rows.mode and o.id = rows.id`,
);

/** Of all merchants, what waits for a second person, longest first. */
export function waitingDisputeProposals(): List<DisputeProposalRead> {
  return {
    name: 'proposals about disputes',
    of: [],
    order: {
      direction: 'asc',
      keys: [
        { sql: 'o.proposed_at', type: 'timestamptz', of: ({ proposed_at }) => proposed_at },
        { sql: 'o.id', type: 'uuid', of: ({ id }) => id },
      ],
    },
    columns: READ,
    from: 'dispute_proposals o',
    where: [`o.status = 'PENDING'`],
    values: [],
  };
}

/** How many wait, and how many of them were made by another person than $1. */
export const countDisputeProposals = statement<{ waiting: number; of_others: number }>(
  'count-dispute-proposals',
  `select count(*)::int as waiting, count(*) filter (where proposed_by <> $1)::int as of_others
     from dispute_proposals where status = 'PENDING'`,
);
