import { stateMachine } from '../ledger/index.ts';
import type { Currency } from '../money/index.ts';
import { movedBack, setInsert, setStatement, statement } from '../platform/db/statement.ts';
import { queue } from '../platform/jobs/queries.ts';
import type { List, ListOrder } from '../platform/lists/list.ts';
import type { Mode, Tenant } from '../platform/tenant.ts';

export const APPROVAL_STATUSES = ['PENDING', 'APPROVED', 'REJECTED', 'WITHDRAWN', 'EXPIRED', 'VOID'] as const;

export type ApprovalStatus = (typeof APPROVAL_STATUSES)[number];

/** Decided once. It stays `PENDING` while more people have to approve; `VOID`: its subject has changed. */
export const approvalStates = stateMachine<ApprovalStatus>('approval', 'approvals', {
  PENDING: ['PENDING', 'APPROVED', 'REJECTED', 'WITHDRAWN', 'EXPIRED', 'VOID'],
  APPROVED: [],
  REJECTED: [],
  WITHDRAWN: [],
  EXPIRED: [],
  VOID: [],
});

export const APPROVAL_KINDS = ['PAYOUT', 'SCHEDULE', 'BATCH', 'LIMIT', 'BENEFICIARY', 'RULES', 'REFUND'] as const;

export type ApprovalKind = (typeof APPROVAL_KINDS)[number];

export interface ApprovalRow {
  merchant_id: string;
  mode: Mode;
  id: string;
  kind: ApprovalKind;
  subject_id: string;
  title: string;
  amount_minor: bigint | null;
  charges_minor: bigint | null;
  currency: Currency;
  digest: string;
  /** JSON text. */
  shown: string;
  /** JSON text. */
  payload: string;
  status: ApprovalStatus;
  reason: string | null;
  needed: number;
  given: number;
  rules_version: number;
  made_by: string | null;
  made_by_name: string;
  made_via: 'DASHBOARD' | 'API';
  made_by_key: string | null;
  /** The address that it was requested from; null for approvals made before this was kept. */
  made_ip: string | null;
  made_at: Date;
  expires_at: Date;
  updated_at: Date;
}

export const insertApprovals = setInsert<ApprovalRow>('approvals', {
  merchant_id: 'uuid',
  mode: 'text',
  id: 'uuid',
  kind: 'text',
  subject_id: 'uuid',
  title: 'text',
  amount_minor: 'bigint',
  charges_minor: 'bigint',
  currency: 'text',
  digest: 'text',
  shown: 'text',
  payload: 'text',
  status: 'text',
  reason: 'text',
  needed: 'integer',
  given: 'integer',
  rules_version: 'integer',
  made_by: 'uuid',
  made_by_name: 'text',
  made_via: 'text',
  made_by_key: 'uuid',
  made_ip: 'text',
  made_at: 'timestamptz',
  expires_at: 'timestamptz',
  updated_at: 'timestamptz',
});

/** Comes before the change of state in its movement: an approval that is approved has all that it needs. */
export const updateApprovalsGiven = setStatement<Pick<ApprovalRow, 'merchant_id' | 'mode' | 'id' | 'given'>>(
  'update-approvals-given',
  { merchant_id: 'uuid', mode: 'text', id: 'uuid', given: 'integer' },
  `update approvals a
      set given = rows.given
     from :rows
    where a.merchant_id = rows.merchant_id and a.mode = rows.mode and a.id = rows.id`,
);

/** Moves time forward in a sandbox. */
export const updateApprovalsAdvanced = setStatement<{ merchant_id: string; mode: Mode; seconds: number }>(
  'update-approvals-advanced',
  { merchant_id: 'uuid', mode: 'text', seconds: 'integer' },
  `update approvals a
      set expires_at = ${movedBack('a.expires_at', 'advance.seconds', 'a.made_at')}
     from (select rows.merchant_id, rows.mode, sum(rows.seconds)::float8 as seconds from :rows group by 1, 2) advance
    where a.merchant_id = advance.merchant_id and a.mode = advance.mode and a.status = 'PENDING'`,
);

export const findApproval = statement<ApprovalRow>(
  'find-approval',
  'select * from approvals where merchant_id = $1 and mode = $2 and id = $3',
);

/** The filters of a list. All given conditions must hold. */
export interface ApprovalFilter {
  /** Undefined: any state except the one that `not` names. */
  status?: ApprovalStatus | undefined;
  not?: ApprovalStatus | undefined;
  kind?: ApprovalKind | undefined;
  subjectId?: string | undefined;
  madeBy?: string | undefined;
  /** Made by this key, or by the person who made the key. */
  madeByKey?: { keyId: string; personId: string | null } | undefined;
  /** What this person may decide about at this moment, if their role lets them. */
  decidedBy?: { personId: string; now: Date; notOf: readonly string[] } | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
  /** The list is empty: the caller may decide about nothing. */
  nothing?: boolean;
}

const NEWEST: ListOrder<ApprovalRow> = { direction: 'desc', keys: [{ sql: 'id', type: 'uuid', of: ({ id }) => id }] };

/** Newest first. States and kinds are our own words, so they may stand in the text, where the planner sees them. */
export function approvalList({ merchantId, mode }: Tenant, filter: ApprovalFilter): List<ApprovalRow> {
  const values: unknown[] = [merchantId, mode];
  const where = ['merchant_id = $1', 'mode = $2'];
  const place = (value: unknown) => `$${values.push(value)}`;
  const { status, not, kind, subjectId, madeBy, madeByKey, decidedBy, from, to } = filter;
  if (filter.nothing === true) where.push('false');
  if (status !== undefined) where.push(`status = '${status}'`);
  if (not !== undefined) where.push(`status <> '${not}'`);
  if (kind !== undefined) where.push(`kind = '${kind}'`);
  if (subjectId !== undefined) where.push(`subject_id = ${place(subjectId)}`);
  if (madeBy !== undefined) where.push(`made_by = ${place(madeBy)}`);
  if (madeByKey !== undefined) {
    const { keyId, personId } = madeByKey;
    where.push(`(made_by_key = ${place(keyId)} or made_by = ${place(personId)})`);
  }
  if (from !== undefined) where.push(`made_at >= ${place(from)}`);
  if (to !== undefined) where.push(`made_at < ${place(to)}`);
  if (decidedBy !== undefined) {
    const person = place(decidedBy.personId);
    where.push(
      `status = 'PENDING' and expires_at > ${place(decidedBy.now)} and made_by is distinct from ${person}`,
      `not exists (select 1 from approval_decisions d
        where d.merchant_id = approvals.merchant_id and d.mode = approvals.mode and d.approval_id = approvals.id
          and d.person_id = ${person})`,
    );
    if (decidedBy.notOf.length > 0) {
      where.push(`(made_by is null or made_by <> all(${place(decidedBy.notOf)}::uuid[]))`);
    }
  }
  const of = [merchantId, mode, { ...filter, decidedBy: decidedBy?.personId }];
  return { name: 'approvals', of, order: NEWEST, columns: '*', from: 'approvals', where, values };
}

/**
 * Approvals of all merchants, in one order, after a given one: for a job that checks each. Outside money transactions.
 */
export const listApprovalsOfAll = statement<ApprovalRow>(
  'list-approvals-of-all',
  `select * from approvals where (merchant_id, mode, id) > ($1::uuid, $2::text, $3::uuid)
    order by merchant_id, mode, id limit $4`,
);

/**
 * Approvals of mode $1 that have expired by $2, except the ids in $3: $4 of a merchant and $5 in all, the oldest of
 * each first. Reads across merchants, outside money transactions.
 */
export const listExpiredApprovals = statement<ApprovalRow>(
  'list-expired-approvals',
  `select expired.*
     from (
       select a.*, row_number() over (partition by a.merchant_id order by a.expires_at, a.id) as place
         from approvals a
        where a.mode = $1 and a.status = 'PENDING' and a.expires_at <= $2 and a.id <> all ($3::uuid[])
     ) expired
    where expired.place <= $4
    order by expired.place, expired.expires_at
    limit $5`,
);

export const EXPIRED_APPROVALS = queue(listExpiredApprovals, 'approvals', "status = 'PENDING' and expires_at <= $1");

/** The last approval that was requested for a subject. */
export const findApprovalOfSubject = statement<ApprovalRow>(
  'find-approval-of-subject',
  `select * from approvals where merchant_id = $1 and mode = $2 and subject_id = $3 order by id desc limit 1`,
);

/** What cleared the dispatch of a batch: that none was needed, or the approval of this batch that was given. */
export const findDispatchClearance = statement<{ rules_version: number | null; approval_id: string | null }>(
  'find-dispatch-clearance',
  `select b.rules_version, b.approval_id
     from batches b
    where b.merchant_id = $1 and b.mode = $2 and b.id = $3 and b.dispatched_at is not null
      and (b.approval_id is null or exists (
        select 1 from approvals a
         where a.merchant_id = $1 and a.mode = $2 and a.id = b.approval_id
           and a.kind = 'BATCH' and a.subject_id = b.id and a.status = 'APPROVED'))`,
);

/** A version of a merchant's refund rule: how payments that came late, and what was paid too much, go back. */
export const findRefundRuleVersion = statement<{ late: string; excess: string }>(
  'find-refund-rule-version',
  'select late, excess from refund_rules where merchant_id = $1 and mode = $2 and version = $3',
);

export interface DecisionRow {
  merchant_id: string;
  mode: Mode;
  approval_id: string;
  person_id: string;
  decision: 'APPROVE' | 'REJECT';
  person_name: string;
  person_role: string;
  digest: string;
  note: string | null;
  decided_at: Date;
}

export const insertDecisions = setInsert<DecisionRow>('approval_decisions', {
  merchant_id: 'uuid',
  mode: 'text',
  approval_id: 'uuid',
  person_id: 'uuid',
  decision: 'text',
  person_name: 'text',
  person_role: 'text',
  digest: 'text',
  note: 'text',
  decided_at: 'timestamptz',
});

export const listDecisions = statement<DecisionRow>(
  'list-approval-decisions',
  `select * from approval_decisions
    where merchant_id = $1 and mode = $2 and approval_id = any($3::uuid[])
    order by decided_at, person_id`,
);

export const findPersonName = statement<{ first_name: string; last_name: string; email: string }>(
  'find-person-name',
  'select first_name, last_name, email from people where merchant_id = $1 and id = $2',
);

/** The change of the rules that waits, if there is one. */
export const findRulesWaiting = statement<{ id: string }>(
  'find-approval-of-rules-waiting',
  `select id from approvals where merchant_id = $1 and mode = $2 and status = 'PENDING' and kind = 'RULES'`,
);
