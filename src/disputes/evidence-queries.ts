import { setStatement, statement } from '../platform/db/statement.ts';
import type { Mode } from '../platform/tenant.ts';

/** Why the provider was asked; `OPERATOR`: two people entered it. */
export type DisputeSource = 'WEBHOOK' | 'POLL' | 'CHECK' | 'OPERATOR';

export interface DisputeEvidenceRow {
  merchant_id: string;
  mode: Mode;
  dispute_id: string;
  id: string;
  source: DisputeSource;
  state: string;
  code: string | null;
  reported: string;
  received_at: Date;
}

/** The digest of a row `e` of the evidence: a SHA-256 in hex. */
export const disputeEvidenceDigest = (e: string) =>
  `encode(sha256(convert_to(json_build_array(${e}.merchant_id, ${e}.mode, ${e}.dispute_id, ${e}.id, ${e}.source, ${e}.state,
  ${e}.code, ${e}.reported, extract(epoch from ${e}.received_at))::text, 'UTF8')), 'hex')`;

export const insertDisputeEvidence = setStatement<DisputeEvidenceRow>(
  'insert-dispute-evidence',
  {
    merchant_id: 'uuid',
    mode: 'text',
    dispute_id: 'uuid',
    id: 'uuid',
    source: 'text',
    state: 'text',
    code: 'text',
    reported: 'json',
    received_at: 'timestamptz',
  },
  `insert into dispute_evidence (merchant_id, mode, dispute_id, id, source, state, code, reported, received_at, digest)
   select rows.merchant_id, rows.mode, rows.dispute_id, rows.id, rows.source, rows.state, rows.code, rows.reported,
          rows.received_at, ${disputeEvidenceDigest('rows')}
     from :rows`,
);

export const listDisputeEvidence = statement<DisputeEvidenceRow>(
  'list-dispute-evidence',
  `select merchant_id, mode, dispute_id, id, source, state, code, reported, received_at from dispute_evidence
    where merchant_id = $1 and mode = $2 and dispute_id = $3 order by id limit 50`,
);

/** The last report of a provider. */
export const findLastEvidence = statement<DisputeEvidenceRow>(
  'find-last-dispute-evidence',
  `select merchant_id, mode, dispute_id, id, source, state, code, reported, received_at from dispute_evidence
    where merchant_id = $1 and mode = $2 and dispute_id = $3 and source <> 'OPERATOR' order by id desc limit 1`,
);
