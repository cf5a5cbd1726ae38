import type { Currency } from '../money/index.ts';
import { setInsert, setStatement, statement } from '../platform/db/statement.ts';
import type { Mode } from '../platform/tenant.ts';
import type { ApprovalStatus } from './approval-state.ts';

export const APPROVAL_KINDS = ['PAYOUT', 'SCHEDULE', 'BATCH', 'LIMIT', 'BENEFICIARY', 'RULES'] as const;

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
  made_at: string | Date;
  expires_at: string | Date;
  updated_at: string | Date;
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
  made_at: 'timestamptz',
  expires_at: 'timestamptz',
  updated_at: 'timestamptz',
});

/** Goes before the change of state in its movement: an approval that is approved has all that it needs. */
export const updateApprovalsGiven = setStatement<Pick<ApprovalRow, 'merchant_id' | 'mode' | 'id' | 'given'>>(
  'update-approvals-given',
  { merchant_id: 'uuid', mode: 'text', id: 'uuid', given: 'integer' },
  `update approvals a
      set given = rows.given
     from :rows
    where a.merchant_id = rows.merchant_id and a.mode = rows.mode and a.id = rows.id`,
);

/** Time forward in a sandbox. */
export const updateApprovalsAdvanced = setStatement<{ merchant_id: string; mode: string; seconds: number }>(
  'update-approvals-advanced',
  { merchant_id: 'uuid', mode: 'text', seconds: 'integer' },
  `update approvals a
      set expires_at = a.expires_at - make_interval(secs => advance.seconds)
     from (select rows.merchant_id, rows.mode, sum(rows.seconds)::float8 as seconds from :rows group by 1, 2) advance
    where a.merchant_id = advance.merchant_id and a.mode = advance.mode and a.status = 'PENDING'`,
);

export const findApproval = statement<ApprovalRow>(
  'find-approval',
  'select * from approvals where merchant_id = $1 and mode = $2 and id = $3',
);

const LISTED = `merchant_id = $1 and mode = $2 and ($3::text is null or status = $3)
      and ($4::text is null or kind = $4) and ($5::uuid is null or subject_id = $5)`;

/** Newest first. */
export const listApprovals = statement<ApprovalRow>(
  'list-approvals',
  `select * from approvals where ${LISTED} order by id desc offset $6 limit $7`,
);

/** Stops counting at `$6`. */
export const countApprovals = statement<{ total: number }>(
  'count-approvals',
  `select count(*)::int as total from (select 1 from approvals where ${LISTED} limit $6) counted`,
);

/** What has run out, whoever's it is, oldest first. Looks across merchants, outside money transactions. */
export const listExpiredApprovals = statement<ApprovalRow>(
  'list-expired-approvals',
  `select * from approvals where status = 'PENDING' and expires_at <= $1 order by expires_at limit $2`,
);

export interface DecisionRow {
  merchant_id: string;
  mode: string;
  approval_id: string;
  person_id: string;
  decision: 'APPROVE' | 'REJECT';
  person_name: string;
  person_role: string;
  digest: string;
  note: string | null;
  decided_at: string | Date;
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

/** $1 merchant, $2 roles: who of its people has one of them now. Reads what `people` writes. */
export const listPeopleOfRoles = statement<{ id: string; email: string }>(
  'list-people-of-roles',
  `select id, email from people
    where merchant_id = $1 and kind = 'MEMBER' and disabled_at is null and role = any($2::text[])`,
);

export const findPersonName = statement<{ first_name: string; last_name: string; email: string }>(
  'find-person-name',
  'select first_name, last_name, email from people where merchant_id = $1 and id = $2',
);

/** The change of the rules that waits, if one does. */
export const findRulesWaiting = statement<{ id: string }>(
  'find-approval-of-rules-waiting',
  `select id from approvals where merchant_id = $1 and mode = $2 and status = 'PENDING' and kind = 'RULES'`,
);
