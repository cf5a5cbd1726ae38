import type { StateMachine } from '../ledger/index.ts';
import { stateMachine } from '../ledger/index.ts';
import { setStatement, statement } from '../platform/db/statement.ts';
import type { Mode } from '../platform/tenant.ts';

export type ProposalStatus = 'PENDING' | 'CONFIRMED' | 'REJECTED' | 'STALE';

export const PROPOSED_OUTCOMES = ['SUCCEEDED', 'FAILED', 'REVERSED'] as const;

/** For a refund never `REVERSED`. */
export type ProposedOutcome = (typeof PROPOSED_OUTCOMES)[number];

export type OutcomeEvidence = 'BANK_LETTER' | 'RAIL_DASHBOARD' | 'SETTLEMENT_FILE' | 'RAIL_SUPPORT' | 'OTHER';

/** One person's proposal about the outcome of a payout or a refund, whose id is in the column `Subject`. */
export type ProposalOf<Subject extends string> = Record<Subject, string> & {
  merchant_id: string;
  mode: Mode;
  id: string;
  outcome: ProposedOutcome;
  source: OutcomeEvidence;
  note: string;
  facts_digest: string;
  /** The digest of what was proposed; null for proposals made before it was kept. */
  digest: string | null;
  status: ProposalStatus;
  reason: string | null;
  proposed_by: string;
  proposed_at: Date;
  decided_by: string | null;
  decided_at: Date | null;
  updated_at: Date;
};

/** A proposal is decided once. `STALE`: more became known about its subject, or something else ended it. */
function proposalMachine(subject: string, table: string): StateMachine<ProposalStatus> {
  return stateMachine<ProposalStatus>(subject, table, {
    PENDING: ['CONFIRMED', 'REJECTED', 'STALE'],
    CONFIRMED: [],
    REJECTED: [],
    STALE: [],
  });
}

/** The fingerprint of a row `o` that a second person confirms: a SHA-256 in hex. */
export const proposalFingerprint = (subject: string): string =>
  `encode(sha256(convert_to(json_build_array(o.merchant_id, o.mode, o.id, o.${subject},
  o.outcome, o.source, o.note, o.facts_digest, o.proposed_by, extract(epoch from o.proposed_at))::text, 'UTF8')), 'hex')`;

/** The states and statements of one table of proposals; each of them names its subject in the column `subject`. */
export function proposalQueries<Subject extends string>({
  table,
  subject,
  machine,
  name,
}: {
  table: string;
  subject: Subject;
  machine: string;
  /** Part of the names of the statements. */
  name: string;
}) {
  type Row = ProposalOf<Subject>;
  type Read = Row & { digest_now: string };
  const fingerprint = proposalFingerprint(subject);
  const read = `o.*, ${fingerprint} as digest_now`;
  return {
    states: proposalMachine(machine, table),
    insert: statement<{ digest: string | null }>(
      `insert-${name}-proposal`,
      `insert into ${table} (merchant_id, mode, id, ${subject}, outcome, source, note, facts_digest, proposed_by,
          proposed_at, status, updated_at, digest)
   select o.*, 'PENDING', o.proposed_at, ${fingerprint}
     from (select $1::uuid, $2::text, $3::uuid, $4::uuid, $5::text, $6::text, $7::text, $8::text, $9::uuid,
                  $10::timestamptz) o (merchant_id, mode, id, ${subject}, outcome, source, note, facts_digest, proposed_by,
                                       proposed_at)
   returning digest`,
    ),
    find: statement<Read>(
      `find-${name}-proposal`,
      `select ${read} from ${table} o where merchant_id = $1 and mode = $2 and id = $3`,
    ),
    /** For these subjects, by merchant, mode and id: the proposal that waits for a second person. */
    listOpen: statement<Read>(
      `list-open-${name}-proposals`,
      `select ${read}
     from unnest($1::uuid[], $2::text[], $3::uuid[]) as wanted (merchant_id, mode, ${subject})
     join ${table} o
       on o.merchant_id = wanted.merchant_id and o.mode = wanted.mode and o.${subject} = wanted.${subject}
    where o.status = 'PENDING'`,
    ),
    /** All proposals about one subject, newest first. */
    list: statement<Row>(
      `list-${name}-proposals`,
      `select * from ${table} where merchant_id = $1 and mode = $2 and ${subject} = $3 order by id desc limit $4`,
    ),
    /** Only while it is open: of two decisions the second finds no row. */
    updateDecided: statement<{ id: string }>(
      `update-${name}-proposal-decided`,
      `update ${table}
      set status = $4, reason = $5, decided_by = $6, decided_at = $7, updated_at = $7
    where merchant_id = $1 and mode = $2 and id = $3 and status = 'PENDING'
    returning id`,
    ),
    /** Who confirmed; the movement's transition changes the state. */
    updateConfirmed: setStatement<{
      merchant_id: string;
      mode: Mode;
      id: string;
      decided_by: string;
      decided_at: Date;
    }>(
      `update-${name}-proposals-confirmed`,
      { merchant_id: 'uuid', mode: 'text', id: 'uuid', decided_by: 'uuid', decided_at: 'timestamptz' },
      `update ${table} o
      set decided_by = rows.decided_by, decided_at = rows.decided_at
     from :rows
    where o.merchant_id = rows.merchant_id and o.mode = rows.mode and o.id = rows.id`,
    ),
  };
}
