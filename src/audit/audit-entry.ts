import type { Mode } from '../platform/tenant.ts';

/** `ASKED` before anything happens; then `DONE`, or `REFUSED` with the error's code. */
export const AUDIT_OUTCOMES = ['ASKED', 'DONE', 'REFUSED'] as const;
export type AuditOutcome = (typeof AUDIT_OUTCOMES)[number];

/**
 * Kinds of actions that somebody looks for among all others: keys, PIN and signing secrets; who belongs to an organization; who is
 * signed in; whose details were looked at; rules, limits and addresses. Everything else has none.
 */
export const AUDIT_CATEGORIES = ['KEYS', 'PEOPLE', 'SIGN_IN', 'PERSONAL_DATA', 'SETTINGS'] as const;
export type AuditCategory = (typeof AUDIT_CATEGORIES)[number];

export const ACTOR_KINDS = ['PERSON', 'OPERATOR', 'KEY', 'SYSTEM'] as const;

/**
 * The role of somebody of the operator's staff who opened a support view or reads in one. The merchant sees their name
 * then; of everything else it sees that it was the operator.
 */
export const SUPPORT_ROLE = 'SUPPORT';

export interface AuditActor {
  /** Somebody of a merchant, of the operator, an API key, or the service and its terminal. */
  kind: (typeof ACTOR_KINDS)[number];
  id: string | null;
  name: string;
  role: string | null;
  sessionId: string | null;
}

/** One action, as it is kept for good. It never carries a PIN, a password, a code, a token, a BVN or a file. */
export interface AuditEntry {
  /** Whose log it belongs to; null for the operator's own, and for what belongs to no merchant. */
  merchantId: string | null;
  mode: Mode | null;
  at: Date;
  /** Stable, for programs: `POST /payout/single`, `sign-in`. */
  action: string;
  /** The same in words. */
  summary: string;
  category?: AuditCategory | null;
  outcome: AuditOutcome;
  code: string | null;
  /** What it was about: ids, amounts in naira, names. */
  subject: Record<string, string | number | boolean | null>;
  actor: AuditActor;
  ip: string | null;
  userAgent: string | null;
  requestId: string | null;
}
