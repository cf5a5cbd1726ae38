import {
  type FreezeEntry,
  isInForce,
  type ShownCaseRow,
  type ThresholdRow,
  type TrailRow,
} from '../compliance/index.ts';
import { toNumber, toNumberOrNull } from '../money/index.ts';

export function freezeView(
  { freeze, lift }: FreezeEntry,
  { names, now, personId }: { names: ReadonlyMap<string, string>; now: Date; personId: string },
) {
  return {
    freezeId: freeze.id,
    mode: freeze.mode,
    subject: freeze.subject,
    bankCode: freeze.bank_code,
    bankName: freeze.bank_name,
    accountNumber: freeze.account_number,
    payerName: freeze.payer_name,
    reference: freeze.reference,
    merchantId: freeze.merchant_id,
    businessName: names.get(freeze.merchant_id ?? '') ?? null,
    reason: freeze.reason,
    legalBasis: freeze.legal_basis,
    owner: freeze.owner,
    startsAt: freeze.starts_at.toISOString(),
    inForceAt: freeze.in_force_at.toISOString(),
    endsAt: freeze.ends_at?.toISOString() ?? null,
    madeBy: freeze.made_by_email,
    madeAt: freeze.made_at.toISOString(),
    liftedAt: freeze.lifted_at?.toISOString() ?? null,
    state: stateOf(freeze, now),
    cases: freeze.cases,
    openCases: freeze.open_cases,
    lift:
      lift === undefined
        ? null
        : {
            proposalId: lift.id,
            note: lift.note,
            digest: lift.digest_now,
            proposedBy: lift.proposed_by_email,
            proposedAt: lift.proposed_at.toISOString(),
            isMine: lift.proposed_by === personId,
          },
  };
}

function stateOf(freeze: FreezeEntry['freeze'], now: Date): 'AHEAD' | 'IN_FORCE' | 'LIFTED' | 'ENDED' {
  if (freeze.lifted_at !== null) return 'LIFTED';
  if (freeze.starts_at > now) return 'AHEAD';
  return isInForce(freeze, now) ? 'IN_FORCE' : 'ENDED';
}

export const trailView = ({ at, what, who, detail }: TrailRow) => ({ at: at.toISOString(), what, who, detail });

export function caseView(row: ShownCaseRow, personId: string) {
  return {
    caseId: row.id,
    merchantId: row.merchant_id,
    businessName: row.business_name,
    mode: row.mode,
    subjectType: row.subject_type,
    subjectId: row.subject_id,
    subjectStatus: row.subject_status,
    reason: row.reason,
    cause: row.cause,
    facts: JSON.parse(row.facts) as Record<string, unknown>,
    status: row.status,
    openedAt: row.opened_at.toISOString(),
    decidedAt: row.decided_at?.toISOString() ?? null,
    amount: toNumberOrNull(row.amount_minor),
    partyName: row.party_name,
    partyAccountNumber: row.party_account_number,
    partyBankName: row.party_bank_name,
    reference: row.reference,
    sessionId: row.session_id,
    proposal:
      row.proposal_id === null
        ? null
        : {
            proposalId: row.proposal_id,
            note: row.proposal_note ?? '',
            digest: row.proposal_digest ?? '',
            proposedBy: row.proposed_by_email,
            proposedAt: row.proposed_at?.toISOString() ?? '',
            isMine: row.proposed_by === personId,
          },
  };
}

/** The thresholds above which transactions are reported, in naira. */
export const thresholdsView = (rows: readonly ThresholdRow[]) => ({
  records: rows.map(({ individual_minor, corporate_minor, effective_from, source }) => ({
    individual: toNumber(individual_minor),
    corporate: toNumber(corporate_minor),
    effectiveFrom: effective_from.toISOString(),
    source,
  })),
});
