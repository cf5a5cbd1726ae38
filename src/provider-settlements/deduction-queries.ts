import type { DeductionOwner } from '../collections/index.ts';
import { setInsert, statement } from '../platform/db/statement.ts';
import type { Mode } from '../platform/tenant.ts';
import type { ProviderLineRow } from './queries.ts';

/** A deduction of a file, whose amounts could be read. */
export type DeductionLine = ProviderLineRow & {
  line_number: number;
  gross_minor: bigint;
  fee_minor: bigint;
  net_minor: bigint;
  currency: string;
};

/**
 * Deductions without an owner so far, that were taken before their refund or dispute had ended here, or with another
 * amount: a lost dispute may have taken more since. In the order of the file, after a given line.
 */
export const listDeductionsToCompare = statement<DeductionLine>(
  'list-provider-settlement-deductions-to-compare',
  `select * from provider_settlement_lines
    where settlement_id = $1 and line_number > $2 and deduction is not null
      and result in ('DEDUCTION', 'STATUS_DIFFERS', 'AMOUNT_DIFFERS')
      and gross_minor is not null and fee_minor is not null and net_minor is not null and currency is not null
      and resolved_at is null
    order by line_number limit $3`,
);

/**
 * Settlements to continue. Either a refund or dispute that one took too early has ended since; or a lost dispute has by
 * now taken as much as the settlement did; or the process that continued it died. $1 mode, $2 what lines say of one
 * that has not ended, $3 when at the latest it was last gone on with, $4 those that are left alone for now, $5 how
 * many.
 */
export const listSettlementsToResume = statement<{ id: string }>(
  'list-provider-settlements-to-resume',
  `select f.id from provider_settlements f
    where f.mode = $1 and f.id <> all ($4::uuid[])
      and (f.status = 'APPLYING' and f.updated_at < $3
           or f.status = 'DONE' and exists (
             select from provider_settlement_lines l
               left join refunds r
                 on l.subject_type = 'REFUND' and r.merchant_id = l.merchant_id and r.mode = f.mode and r.id = l.subject_id
               left join disputes d
                 on l.subject_type = 'DISPUTE' and d.merchant_id = l.merchant_id and d.mode = f.mode and d.id = l.subject_id
              where l.settlement_id = f.id and l.result in ('STATUS_DIFFERS', 'AMOUNT_DIFFERS') and l.resolved_at is null
                and l.subject_id is not null
                and case l.result when 'STATUS_DIFFERS'
                    then r.status = 'SUCCESS' or d.status in ('LOST', 'ACCEPTED')
                         or (r.status in ('FAILED', 'CANCELLED') or d.ended_at is not null) and l.detail = any($2::text[])
                    else d.status in ('LOST', 'ACCEPTED') and d.taken_minor + d.loss_minor = -l.gross_minor end))
    order by f.updated_at limit $5`,
);

/** Lines of a settlement that are posted for these subjects. */
export const listLinesOfSubjects = statement<{ subject_id: string; line_number: number }>(
  'list-provider-settlement-lines-of-subjects',
  `select subject_id, line_number from provider_settlement_lines
    where settlement_id = $1 and subject_id = any($2::uuid[]) and result = 'DEDUCTION_MATCHED' and line_number is not null`,
);

/**
 * Of these subjects, those that an earlier settlement of the account, which is not applied yet, is to take. $1 the
 * settlement that asks, $2 account, $3 mode, $4 subjects.
 */
export const listSubjectsOfOthers = statement<{ subject_id: string }>(
  'list-subjects-of-other-provider-settlements',
  `select distinct l.subject_id
     from provider_settlements f
     join provider_settlement_lines l
       on l.settlement_id = f.id and l.subject_id = any($4::uuid[]) and l.result = 'DEDUCTION_MATCHED'
    where f.rail = $2 and f.mode = $3 and f.id <> $1 and f.status in ('MATCHING', 'READY', 'APPLYING')
      and l.subject_id is not null`,
);

export interface DeductionSettlementRow {
  merchant_id: string;
  mode: Mode;
  subject_type: DeductionOwner['subjectType'];
  subject_id: string;
  id: string;
  settlement_id: string;
  line_id: string;
  receivable_id: string;
  amount_minor: bigint;
  fee_minor: bigint;
  settled_at: Date;
}

/** Which of these subjects a settlement took. $1 merchants, $2 mode, $3 types, $4 subjects. */
export const listSettledDeductions = statement<DeductionSettlementRow & { settled_by: string }>(
  'list-settled-deductions',
  `select d.*, s.reference as settled_by
     from unnest($1::uuid[], $3::text[], $4::uuid[]) as w (merchant_id, subject_type, subject_id)
     join deduction_settlements d
       on d.merchant_id = w.merchant_id and d.mode = $2 and d.subject_type = w.subject_type and d.subject_id = w.subject_id
     join provider_settlements s on s.id = d.settlement_id`,
);

/** Deductions that agree, after a given line, and are not posted yet. */
export const listDeductionsToPost = statement<
  DeductionLine & {
    merchant_id: string;
    subject_type: DeductionOwner['subjectType'];
    subject_id: string;
    receivable_id: string;
    our_amount_minor: bigint;
  }
>(
  'list-provider-settlement-deductions-to-post',
  `select l.* from provider_settlement_lines l
     join provider_settlements f on f.id = l.settlement_id
     left join deduction_settlements d
       on d.merchant_id = l.merchant_id and d.mode = f.mode and d.subject_type = l.subject_type
      and d.subject_id = l.subject_id and d.line_id = l.id
    where l.settlement_id = $1 and l.line_number > $2 and l.result = 'DEDUCTION_MATCHED' and d.line_id is null
      and l.gross_minor is not null and l.fee_minor is not null and l.net_minor is not null and l.currency is not null
      and l.merchant_id is not null and l.our_amount_minor is not null and l.subject_type is not null
      and l.subject_id is not null and l.receivable_id is not null
    order by l.line_number limit $3`,
);
export type DeductionToPost = NonNullable<typeof listDeductionsToPost.row>;

export const insertDeductionSettlements = setInsert<DeductionSettlementRow>('deduction_settlements', {
  merchant_id: 'uuid',
  mode: 'text',
  subject_type: 'text',
  subject_id: 'uuid',
  id: 'uuid',
  settlement_id: 'uuid',
  line_id: 'uuid',
  receivable_id: 'uuid',
  amount_minor: 'bigint',
  fee_minor: 'bigint',
  settled_at: 'timestamptz',
});
