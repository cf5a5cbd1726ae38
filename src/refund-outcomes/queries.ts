import { type ProposalOf, proposalFingerprint, proposalQueries } from '../outcomes/index.ts';
import { statement } from '../platform/db/statement.ts';
import type { List, ListOrder } from '../platform/lists/list.ts';
import type { Mode } from '../platform/tenant.ts';
import { REFUND, type RefundAttemptRow, type RefundRow, type RefundStatus } from '../refunds/index.ts';

export const REFUND_OUTCOMES = ['SUCCEEDED', 'FAILED'] as const;
export type RefundDecision = (typeof REFUND_OUTCOMES)[number];

export type RefundProposal = ProposalOf<'refund_id'>;
export type RefundProposalRead = RefundProposal & { digest_now: string };

export const REFUND_PROPOSAL_FINGERPRINT = proposalFingerprint('refund_id');

export const refundProposals = proposalQueries({
  table: 'refund_outcome_proposals',
  subject: 'refund_id',
  machine: 'refund_outcome_proposal',
  name: 'refund-outcome',
});

/** What was said about a refund, each thing once: the same answer again adds nothing. That it was sent does. */
export const listRefundFacts = statement<{ fact: string }>(
  'list-refund-facts',
  `select distinct concat_ws('|', kind, rail, outcome, code, provider_refund_id, reported) as fact
     from refund_attempts
    where merchant_id = $1 and mode = $2 and refund_id = $3
      and ended_at is not null and (code is not null or outcome <> 'unknown')
   union all
   select concat_ws('|', 'SENT', count(*)) as fact
     from refund_attempts
    where merchant_id = $1 and mode = $2 and refund_id = $3 and kind in ('SEND', 'DETAILS')
    order by fact`,
);

/** What was asked, answered and decided about a refund, the newest first. */
export const listLastRefundAttempts = statement<RefundAttemptRow>(
  'list-last-refund-attempts',
  `select merchant_id, mode, refund_id, id, rail, kind, started_at, ended_at, outcome, code, reason, message,
          provider_refund_id, reported
     from refund_attempts where merchant_id = $1 and mode = $2 and refund_id = $3 order by id desc limit $4`,
);

export interface OperatorRefundFilter {
  /** Only what is before the operator. */
  needsDecision?: boolean | undefined;
  merchantId?: string | undefined;
  mode?: Mode | undefined;
  status?: RefundStatus | undefined;
  rail?: string | undefined;
}

const BY_ID = { sql: 'r.id', type: 'uuid', of: ({ id }: RefundRow) => id } as const;

const NEWEST: ListOrder<RefundRow> = { direction: 'desc', keys: [BY_ID] };

const LONGEST_BEFORE_OPERATOR: ListOrder<RefundRow> = {
  direction: 'asc',
  keys: [{ sql: 'r.operator_since', type: 'timestamptz', of: ({ operator_since }) => operator_since }, BY_ID],
};

/** Refunds of all merchants: what needs a decision longest first, or else all, for which the whole table is read: after `planReport`. */
export function operatorRefundList(filter: OperatorRefundFilter): List<RefundRow> {
  const { needsDecision = false, merchantId, mode, status, rail } = filter;
  const values: unknown[] = [];
  const where = needsDecision ? ['r.operator_reason is not null'] : ['true'];
  const equals = (column: string, value: string | undefined) => {
    if (value !== undefined) where.push(`${column} = $${values.push(value)}`);
  };
  equals('r.merchant_id', merchantId);
  equals('r.mode', mode);
  equals('r.status', status);
  equals('r.rail', rail);
  return {
    name: 'refunds-of-all',
    of: [needsDecision, merchantId, mode, status, rail],
    order: needsDecision ? LONGEST_BEFORE_OPERATOR : NEWEST,
    columns: REFUND,
    from: 'refunds r',
    where,
    values,
  };
}
