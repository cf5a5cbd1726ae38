import { statement } from '../platform/db/statement.ts';
import type { Mode } from '../platform/tenant.ts';

export type ComplianceProposalStatus = 'PENDING' | 'CONFIRMED' | 'REJECTED' | 'WITHDRAWN';

export interface ComplianceProposal {
  id: string;
  mode: Mode;
  action: 'LIFT' | 'RELEASE';
  freeze_id: string | null;
  merchant_id: string | null;
  case_id: string | null;
  note: string;
  digest: string;
  status: ComplianceProposalStatus;
  reason: string | null;
  proposed_by: string;
  proposed_at: Date;
  decided_by: string | null;
  decided_at: Date | null;
  updated_at: Date;
}

/** What the second person says yes to, of a row `o`: a SHA-256 in hex. */
export const complianceProposalDigest = (o: string): string =>
  `encode(sha256(convert_to(json_build_array(${o}.id, ${o}.mode, ${o}.action, ${o}.freeze_id, ${o}.merchant_id, ${o}.case_id,
     ${o}.note, ${o}.proposed_by, extract(epoch from ${o}.proposed_at))::text, 'UTF8')), 'hex')`;

/** With what its digest is now, which is its `digest` unless it was altered. */
export type ComplianceProposalRead = ComplianceProposal & { digest_now: string };

const READ = `select o.*, ${complianceProposalDigest('o')} as digest_now from compliance_proposals o`;

export const insertComplianceProposal = statement<{ digest: string }>(
  'insert-compliance-proposal',
  `insert into compliance_proposals (id, mode, action, freeze_id, merchant_id, case_id, note, proposed_by, proposed_at, status,
                                     updated_at, digest)
   select o.*, 'PENDING', o.proposed_at, ${complianceProposalDigest('o')}
     from (values ($1::uuid, $2::text, $3::text, $4::uuid, $5::uuid, $6::uuid, $7::text, $8::uuid, $9::timestamptz))
          as o (id, mode, action, freeze_id, merchant_id, case_id, note, proposed_by, proposed_at)
   returning digest`,
);

export const findComplianceProposal = statement<ComplianceProposalRead>(
  'find-compliance-proposal',
  `${READ} where o.id = $1`,
);

/** Of these freezes: the proposals that wait. */
export const listPendingLifts = statement<ComplianceProposalRead & { proposed_by_email: string | null }>(
  'list-pending-lifts',
  `select o.*, ${complianceProposalDigest('o')} as digest_now, p.email as proposed_by_email
     from compliance_proposals o
     left join people p on p.id = o.proposed_by
    where o.freeze_id = any($1::uuid[]) and o.status = 'PENDING'`,
);

/** Only while it is open: of two decisions the second finds nothing. $2 status, $3 reason, $4 who, $5 now. */
export const updateComplianceProposalDecided = statement<{ id: string }>(
  'update-compliance-proposal-decided',
  `update compliance_proposals set status = $2, reason = $3, decided_by = $4, decided_at = $5, updated_at = $5
    where id = $1 and status = 'PENDING'
    returning id`,
);
