import { setStatement, statement } from '../platform/db/statement.ts';
import { queue } from '../platform/jobs/queries.ts';
import type { List } from '../platform/lists/list.ts';
import type { Mode } from '../platform/tenant.ts';

/** Why something is held. A merchant reads `UNDER_REVIEW` of the first ones, and of a limit what it is. */
export const CASE_REASONS = ['FROZEN', 'SCREENING_HIT', 'SCREENING_UNAVAILABLE', 'TIER_LIMIT'] as const;
export type CaseReason = (typeof CASE_REASONS)[number];

export const CASE_STATUSES = ['OPEN', 'RELEASED', 'REFUSED', 'LAPSED'] as const;
export type CaseStatus = (typeof CASE_STATUSES)[number];

export interface CaseRow {
  merchant_id: string;
  mode: Mode;
  id: string;
  subject_type: 'PAYMENT' | 'PAYOUT';
  subject_id: string;
  reason: CaseReason;
  /** The id of the freeze, or what else held it. */
  cause: string;
  freeze_id: string | null;
  /** JSON text. */
  facts: string;
  status: CaseStatus;
  opened_at: Date;
  decided_at: Date | null;
  updated_at: Date;
  digest: string;
}

/** SHA-256, hex, over what a case `c` found. */
export const caseDigest = (c: string): string =>
  `encode(sha256(convert_to(json_build_array(${c}.merchant_id, ${c}.mode, ${c}.id, ${c}.subject_type, ${c}.subject_id,
     ${c}.reason, ${c}.cause, ${c}.freeze_id, ${c}.facts, extract(epoch from ${c}.opened_at))::text, 'UTF8')), 'hex')`;

export type NewCase = Omit<CaseRow, 'status' | 'decided_at' | 'updated_at' | 'digest'>;

/** The same cause holds a payment or a payout once. */
export const insertCases = setStatement<NewCase>(
  'insert-compliance-cases',
  {
    merchant_id: 'uuid',
    mode: 'text',
    id: 'uuid',
    subject_type: 'text',
    subject_id: 'uuid',
    reason: 'text',
    cause: 'text',
    freeze_id: 'uuid',
    facts: 'json',
    opened_at: 'timestamptz',
  },
  `insert into compliance_cases (merchant_id, mode, id, subject_type, subject_id, reason, cause, freeze_id, facts, opened_at, status,
                                 updated_at, digest)
   select rows.merchant_id, rows.mode, rows.id, rows.subject_type, rows.subject_id, rows.reason, rows.cause,
          rows.freeze_id, rows.facts, rows.opened_at, 'OPEN', rows.opened_at, ${caseDigest('rows')}
     from :rows
   on conflict (merchant_id, mode, subject_id, cause) do nothing`,
);

/** What two people decided about a payment ends the cases about it. */
export const updatePaymentCasesDecided = setStatement<{
  merchant_id: string;
  mode: Mode;
  payment_id: string;
  status: string;
  at: Date;
}>(
  'update-compliance-cases-decided',
  { merchant_id: 'uuid', mode: 'text', payment_id: 'uuid', status: 'text', at: 'timestamptz' },
  `update compliance_cases c set status = rows.status, decided_at = rows.at, updated_at = rows.at
     from :rows
    where c.merchant_id = rows.merchant_id and c.mode = rows.mode and c.subject_id = rows.payment_id and c.status = 'OPEN'`,
);

/** Of these payouts: those that two people have released from this cause. $1 merchant, $2 mode, $3 payouts, $4 cause. */
export const listReleasedPayouts = statement<{ subject_id: string }>(
  'list-released-payouts',
  `select subject_id from compliance_cases
    where merchant_id = $1 and mode = $2 and subject_id = any($3::uuid[]) and cause = $4 and status = 'RELEASED'`,
);

export const findCase = statement<CaseRow>(
  'find-compliance-case',
  'select * from compliance_cases where merchant_id = $1 and mode = $2 and id = $3',
);

/** Two people released a payout: it goes at once, where nobody has it in hand. $4 when. */
export const updateCaseReleased = statement<{ id: string }>(
  'update-compliance-case-released',
  `with released as (
     update compliance_cases set status = 'RELEASED', decided_at = $4, updated_at = $4
      where merchant_id = $1 and mode = $2 and id = $3 and status = 'OPEN' and subject_type = 'PAYOUT'
      returning merchant_id, mode, id, subject_id
   ), due as (
     update payouts p set due_at = $4
       from released r
      where p.merchant_id = r.merchant_id and p.mode = r.mode and p.id = r.subject_id and p.lease_id is null
        and p.due_at > $4
   )
   select id from released`,
);

/** A case c, of a payout p with its transaction t and perhaps a freeze f, that nobody has to decide any more; $1 now. */
const OVER = `c.status = 'OPEN' and c.subject_type = 'PAYOUT'
        and (t.status in ('SUCCESS', 'REVERSED', 'FAILED', 'CANCELLED') or f.lifted_at <= $1 or f.ends_at <= $1
             -- It was screened since, and goes on.
             or c.reason = 'SCREENING_UNAVAILABLE' and p.operator_reason is null)`;

const OF_CASE = `compliance_cases c
       join transactions t on t.merchant_id = c.merchant_id and t.mode = c.mode and t.id = c.subject_id
       join payouts p on p.merchant_id = c.merchant_id and p.mode = c.mode and p.id = c.subject_id
       left join freezes f on f.id = c.freeze_id`;

/**
 * Cases about payouts that nobody has to decide any more: the payout has ended, or its freeze is over. The first of each
 * merchant, then the second of each, and so on. $1 now, $2 those that are left alone for now, $3 how many.
 */
export const listCasesOver = statement<{ merchant_id: string; mode: Mode; id: string }>(
  'list-compliance-cases-over',
  `select over.merchant_id, over.mode, over.id
     from (
       select c.merchant_id, c.mode, c.id, row_number() over (partition by c.merchant_id, c.mode order by c.id) as place
         from ${OF_CASE}
        where ${OVER} and c.id <> all ($2::uuid[])
     ) over
    order by over.place, over.merchant_id, over.mode
    limit $3`,
);

/** Ends those of a merchant that are still over; what only waited for that is due at once. $1 now, $2 merchant, $3 mode, $4 cases. */
export const updateCasesOver = statement<{ id: string }>(
  'update-compliance-cases-over',
  `with over as (
     select c.merchant_id, c.mode, c.id, c.subject_id,
            case when t.status in ('SUCCESS', 'REVERSED') then 'LAPSED'
                 when t.status in ('FAILED', 'CANCELLED') then 'REFUSED' else 'LAPSED' end as status,
            t.status in ('QUEUED', 'PROCESSING') as is_due
       from ${OF_CASE}
      where c.merchant_id = $2 and c.mode = $3 and c.id = any ($4::uuid[]) and ${OVER}
   ), ended as (
     update compliance_cases c set status = o.status, decided_at = $1, updated_at = $1
       from over o
      where c.merchant_id = o.merchant_id and c.mode = o.mode and c.id = o.id and c.status = 'OPEN'
      returning c.merchant_id, c.mode, c.id, c.subject_id
   ), due as (
     update payouts p set due_at = $1
       from ended e
       join over o on o.merchant_id = e.merchant_id and o.mode = e.mode and o.id = e.id and o.is_due
      where p.merchant_id = e.merchant_id and p.mode = e.mode and p.id = e.subject_id and p.lease_id is null and p.due_at > $1
   )
   select id from ended`,
);

export const OPEN_CASES = queue(listCasesOver, 'compliance_cases', "status = 'OPEN' and subject_type = 'PAYOUT'");

/** A case with what it is about, and the proposal that waits. */
export interface ShownCaseRow extends CaseRow {
  business_name: string | null;
  amount_minor: bigint | null;
  subject_status: string | null;
  party_name: string | null;
  party_account_number: string | null;
  party_bank_name: string | null;
  reference: string | null;
  session_id: string | null;
  proposal_id: string | null;
  proposal_note: string | null;
  proposal_digest: string | null;
  proposed_by: string | null;
  proposed_by_email: string | null;
  proposed_at: Date | null;
}

type Join = (table: string, name: string, on: string) => string;

/** Row by row by the key: else, while tables are small, a plan for any values reads all of a merchant's for each case. */
const joinedByKey: Join = (table, name, on) =>
  `left join lateral (select * from ${table} ${name} where ${on} offset 0) ${name} on true`;
/** As Citus takes it. */
const joined: Join = (table, name, on) => `left join ${table} ${name} on ${on}`;

const isSubject = (name: string, type: 'PAYMENT' | 'PAYOUT') =>
  `${name}.merchant_id = c.merchant_id and ${name}.mode = c.mode and ${name}.id = c.subject_id and c.subject_type = '${type}'`;

const shownCases = (join: Join): string => `(
     select c.*, m.business_name, coalesce(p.amount_minor, t.amount_minor) as amount_minor,
            coalesce(p.status, t.status) as subject_status, coalesce(p.payer_name, t.beneficiary_account_name) as party_name,
            coalesce(p.payer_account_number, t.beneficiary_account_number) as party_account_number,
            coalesce(p.payer_bank_name, t.beneficiary_bank_name) as party_bank_name,
            coalesce(p.provider_reference, t.client_reference) as reference, coalesce(p.session_id, o.session_id) as session_id,
            r.id as proposal_id, r.note as proposal_note, r.digest as proposal_digest, r.proposed_by,
            e.email as proposed_by_email, r.proposed_at
       from compliance_cases c
       ${join('merchants', 'm', 'm.id = c.merchant_id')}
       ${join('inbound_payments', 'p', isSubject('p', 'PAYMENT'))}
       ${join('transactions', 't', isSubject('t', 'PAYOUT'))}
       ${join('payouts', 'o', isSubject('o', 'PAYOUT'))}
       ${join('compliance_proposals', 'r', `r.case_id = c.id and r.status = 'PENDING'`)}
       ${join('people', 'e', 'e.id = r.proposed_by')}
   ) q`;

export interface CaseFilter {
  mode?: Mode | undefined;
  status?: CaseStatus | undefined;
  merchantId?: string | undefined;
  /** What this freeze holds, or held. */
  freezeId?: string | undefined;
  /** Of one payment or payout. Found by its index with the merchant and the mode alone. */
  subjectId?: string | undefined;
}

/** Across merchants, newest first. */
export function caseList({ mode, status, merchantId, freezeId, subjectId }: CaseFilter): List<ShownCaseRow> {
  const values: unknown[] = [];
  // It is true of all; the index of all has it, so that no question of another kind is read from there.
  const where = [`q.opened_at > '-infinity'`];
  if (freezeId !== undefined) where.push(`q.freeze_id = $${values.push(freezeId)}`);
  if (subjectId !== undefined) where.push(`q.subject_id = $${values.push(subjectId)}`);
  if (merchantId !== undefined) where.push(`q.merchant_id = $${values.push(merchantId)}`);
  if (mode !== undefined) where.push(`q.mode = $${values.push(mode)}`);
  // In the text: the index of those that are open is chosen only so.
  if (status !== undefined) where.push(`q.status = '${status}'`);
  return {
    name: 'compliance cases',
    of: [{ mode, status, merchantId, freezeId, subjectId }],
    order: { direction: 'desc', keys: [{ sql: 'q.id', type: 'uuid', of: ({ id }) => id }] },
    columns: 'q.*',
    from: shownCases(joinedByKey),
    whereDistributed: shownCases(joined),
    countFrom: 'compliance_cases q',
    where,
    values,
  };
}
