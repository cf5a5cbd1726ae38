import type { Queries } from '../platform/db/database.ts';
import { statement } from '../platform/db/statement.ts';
import type { Tenant } from '../platform/tenant.ts';

export interface StateChangeRow {
  from_state: string;
  to_state: string;
  reason: string | null;
  created_at: Date;
}

export interface SubjectEventRow {
  id: string;
  sequence: bigint;
  type: string;
  created_at: Date;
}

/** What one subject can have at most; it guards against a loop of requeries, not against a normal life. */
const MAX_HISTORY = 1_000;

const listStateChangesOfSubject = statement<StateChangeRow>(
  'list-state-changes-of-subject',
  `select from_state, to_state, reason, created_at from state_changes
    where merchant_id = $1 and mode = $2 and subject_id = $3
    order by id limit ${MAX_HISTORY}`,
);

const listEventsOfSubject = statement<SubjectEventRow>(
  'list-events-of-subject',
  `select id, sequence, type, created_at from events
    where merchant_id = $1 and mode = $2 and subject_id = $3 and type <> 'transaction.succeeded'
    order by sequence limit ${MAX_HISTORY}`,
);

const findEffectOfKey = statement<{ effect: string | null }>(
  'find-effect-of-key',
  `select coalesce(k.transaction_id, e.subject_id) as effect
     from idempotency_keys k
     left join events e on e.merchant_id = k.merchant_id and e.mode = k.mode and e.sequence = k.event_sequence
    where k.merchant_id = $1 and k.mode = $2 and k.key = $3`,
);

/** The id of what the request with this key made; undefined where it made nothing, or never came. */
export async function findKeyEffect(queries: Queries, tenant: Tenant, key: string): Promise<string | undefined> {
  const [row] = await queries.query(findEffectOfKey, [tenant.merchantId, tenant.mode, key]);
  return row?.effect ?? undefined;
}

/** The steps that a transaction, batch or schedule took from state to state, in order. */
export function listStateChanges(queries: Queries, tenant: Tenant, subjectId: string): Promise<StateChangeRow[]> {
  return queries.query(listStateChangesOfSubject, [tenant.merchantId, tenant.mode, subjectId]);
}

/**
 * The events of a subject, in order. A wallet transfer is left out: it has one, written as it was made, and an
 * index over those would be paid for by every transfer.
 */
export function listSubjectEvents(queries: Queries, tenant: Tenant, subjectId: string): Promise<SubjectEventRow[]> {
  return queries.query(listEventsOfSubject, [tenant.merchantId, tenant.mode, subjectId]);
}
