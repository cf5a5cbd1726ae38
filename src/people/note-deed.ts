import type { Visitor } from '../access/index.ts';
import { nameOfPerson, type PersonKind, type Role } from '../access/index.ts';
import { type AuditEntry, recordAudit } from '../audit/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Queries } from '../platform/db/database.ts';

/** Whoever did it, as far as the audit log needs to know. */
export interface Doer {
  id: string;
  kind: PersonKind;
  merchant_id: string | null;
  email: string;
  first_name: string;
  last_name: string;
  role: Role | null;
}

/** What a command of this module leaves in the audit log that no entry of a request says. */
export async function noteDeed(
  { queries, clock }: { queries: Queries; clock: Clock },
  visitor: Visitor,
  doer: Doer,
  deed: Pick<AuditEntry, 'action' | 'summary' | 'category' | 'outcome' | 'code'> &
    Partial<Pick<AuditEntry, 'mode' | 'subject'>> & { sessionId?: string },
): Promise<void> {
  const name = nameOfPerson({ firstName: doer.first_name, lastName: doer.last_name, email: doer.email });
  await recordAudit(queries, {
    merchantId: doer.merchant_id,
    mode: deed.mode ?? null,
    at: clock.now(),
    action: deed.action,
    summary: deed.summary,
    category: deed.category ?? 'SIGN_IN',
    outcome: deed.outcome,
    code: deed.code,
    subject: deed.subject ?? { email: doer.email },
    actor: {
      kind: doer.kind === 'OPERATOR' ? 'OPERATOR' : 'PERSON',
      id: doer.id,
      name,
      role: doer.role,
      sessionId: deed.sessionId ?? null,
    },
    ip: visitor.ip,
    userAgent: visitor.userAgent,
    requestId: visitor.requestId,
  });
}
