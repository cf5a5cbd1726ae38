import { nameOfPerson, type PersonKind, type Role, type Visitor } from '../access/index.ts';
import { type AuditEntry, recordAudit } from '../audit/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Queries, Tx } from '../platform/db/database.ts';
import type { PeopleDeps } from './deps.ts';
import { type Organization, updateRoleGiven } from './member-queries.ts';
import { findPerson } from './queries.ts';
import { deciderNotice, decides, notifyOrganization } from './request-change.ts';

/** The actor, as far as the audit log needs it. */
interface Actor {
  id: string;
  kind: PersonKind;
  merchant_id: string | null;
  email: string;
  first_name: string;
  last_name: string;
  role: Role | null;
}

/** Records an action of this module in the audit log that no entry of a request has. */
export async function recordAction(
  { queries, clock }: { queries: Queries; clock: Clock },
  visitor: Visitor,
  actor: Actor,
  entry: Pick<AuditEntry, 'action' | 'summary' | 'category' | 'outcome' | 'code'> &
    Partial<Pick<AuditEntry, 'mode' | 'subject'>> & { sessionId?: string },
): Promise<void> {
  const name = nameOfPerson({ firstName: actor.first_name, lastName: actor.last_name, email: actor.email });
  await recordAudit(queries, {
    merchantId: actor.merchant_id,
    mode: entry.mode ?? null,
    at: clock.now(),
    action: entry.action,
    summary: entry.summary,
    category: entry.category ?? 'SIGN_IN',
    outcome: entry.outcome,
    code: entry.code,
    subject: entry.subject ?? { email: actor.email },
    actor: {
      kind: actor.kind === 'OPERATOR' ? 'OPERATOR' : 'PERSON',
      id: actor.id,
      name,
      role: actor.role,
      sessionId: entry.sessionId ?? null,
    },
    ip: visitor.ip,
    userAgent: visitor.userAgent,
    requestId: visitor.requestId,
  });
}

/**
 * Notes who brought somebody in or gave them more than they had, in the transaction that does it: for a day the two may
 * not decide about each other's work. Every owner gets a mail about a person who may decide from now on.
 */
export async function noteRoleGiven(
  { secrets, clock }: Pick<PeopleDeps, 'secrets' | 'clock'>,
  tx: Tx,
  given: { personId: string; email: string; role: Role | null; merchantId: Organization; by: string },
): Promise<void> {
  const { personId, email, role, merchantId, by } = given;
  await tx.query(updateRoleGiven, [personId, by, clock.now()]);
  if (merchantId !== null && !decides(role)) return;
  const [giver] = await tx.query(findPerson, [by]);
  const name =
    giver === undefined
      ? 'Somebody who is gone'
      : nameOfPerson({ firstName: giver.first_name, lastName: giver.last_name, email: giver.email });
  await notifyOrganization({ queries: tx, secrets, clock }, merchantId, deciderNotice({ email, role, by: name }));
}
