import { EVERY_TENANT } from '../ledger/index.ts';
import { type ProposalOf, proposalFingerprint, proposalQueries } from '../outcomes/index.ts';
import { statement } from '../platform/db/statement.ts';
import { firstIdOf } from '../platform/ids.ts';
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
  /** Only what somebody proposed an outcome for. */
  isProposed?: boolean | undefined;
  merchantId?: string | undefined;
  mode?: Mode | undefined;
  status?: RefundStatus | undefined;
  rail?: string | undefined;
  /** Made since then. */
  from?: Date | undefined;
}

const BY_ID = { sql: 'r.id', type: 'uuid', of: ({ id }: RefundRow) => id } as const;

const NEWEST: ListOrder<RefundRow> = { direction: 'desc', keys: [BY_ID] };

const LONGEST_BEFORE_OPERATOR: ListOrder<RefundRow> = {
  direction: 'asc',
  keys: [{ sql: 'r.operator_since', type: 'timestamptz', of: ({ operator_since }) => operator_since }, BY_ID],
};

/** Merchants and modes that have refunds, found by hopping through the key: it costs as much as there are of them. */
const TENANTS = `with recursive tenants as (
     (select merchant_id, mode from refunds order by merchant_id, mode limit 1)
     union all
     select next.merchant_id, next.mode
       from tenants
      cross join lateral (
        select t.merchant_id, t.mode from refunds t
         where (t.merchant_id, t.mode) > (tenants.merchant_id, tenants.mode)
         order by t.merchant_id, t.mode limit 1
      ) next
   )`;

/** The same conditions, order and limit for each of them, by its key: no more rows of each are read than the list has. */
const ofEachTenant = (tail: string): string =>
  `(${TENANTS}
    select r.* from tenants
     cross join lateral (
       select * from refunds r
        where r.merchant_id = tenants.merchant_id and r.mode = tenants.mode and ${tail.replace(/^where /, '')}
     ) r) r`;

/** The same of every merchant and mode, each shard for itself: a recursion cannot go over shards. */
const ofEachBooks = (tail: string): string =>
  `(select r.* from ${EVERY_TENANT} b
     cross join lateral (
       select * from refunds r
        where r.merchant_id = b.merchant_id and r.mode = b.mode and ${tail.replace(/^where /, '')}
     ) r) r`;

/** What one person proposed an outcome for, and another has not decided yet. */
const PROPOSED = `refund_outcome_proposals o
     join refunds r on r.merchant_id = o.merchant_id and r.mode = o.mode and r.id = o.refund_id`;

/** More nobody counts: it would read them of every merchant. */
const MOST_COUNTED = 1_000;

/**
 * Refunds of all merchants: what needs a decision longest first, by an index of that alone, or else all that were made since
 * then, by the key of each merchant.
 */
export function operatorRefundList(filter: OperatorRefundFilter, since: Date): List<RefundRow> {
  const { needsDecision = false, isProposed = false, merchantId, mode, status, rail } = filter;
  const values: unknown[] = [];
  const isAll = !needsDecision && !isProposed;
  const where = isAll ? [`r.id >= $${values.push(firstIdOf(since))}`] : [];
  if (needsDecision) where.push('r.operator_reason is not null');
  if (isProposed) where.push("o.status = 'PENDING'");
  const equals = (column: string, value: string | undefined) => {
    if (value !== undefined) where.push(`${column} = $${values.push(value)}`);
  };
  equals('r.merchant_id', merchantId);
  equals('r.mode', mode);
  equals('r.status', status);
  equals('r.rail', rail);
  const plain = isProposed ? PROPOSED : 'refunds r';
  return {
    name: 'refunds-of-all',
    of: [needsDecision, isProposed, merchantId, mode, status, rail, filter.from],
    order: needsDecision ? LONGEST_BEFORE_OPERATOR : NEWEST,
    ...(isAll && { since }),
    columns: REFUND,
    from: isAll && merchantId === undefined ? ofEachTenant : plain,
    ...(isAll && merchantId === undefined && { whereDistributed: ofEachBooks }),
    where,
    values,
    mostCounted: MOST_COUNTED,
  };
}

/** How many refunds people have to decide, and how many proposals of others $1 could confirm. */
export const countRefundOutcomes = statement<{ before_operator: number; proposals: number }>(
  'count-refund-outcomes',
  `select (select count(*)::int from refunds where operator_reason is not null) as before_operator,
          (select count(*)::int from refund_outcome_proposals where status = 'PENDING' and proposed_by <> $1) as proposals`,
);
