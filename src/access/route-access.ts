import type { AuditCategory } from '../audit/index.ts';
import type { IdempotencyKey } from '../ledger/index.ts';
import type { ServiceKey } from '../merchants/index.ts';
import type { Principal } from './principal.ts';
import type { Permission } from './roles.ts';
import type { Scope } from './scopes.ts';
import type { SignedIn } from './session.ts';

/**
 * What a merchant's route asks of its caller, in `config.access`. A route without it does not start: nothing is open by
 * mistake.
 */
export interface Access {
  /** Null: any key, token or person, and the command decides what it gets. */
  scope: Scope | null;
  /** Only somebody who is signed in, never a key or token. */
  person?: true;
  /** Only somebody whose role has it; a person, therefore. */
  permission?: Permission;
  /** Only where the password was given within the last minutes; a person, therefore. */
  fresh?: true;
  /** The merchant must have this service enabled. */
  service?: ServiceKey;
  /** The body carries the merchant's PIN, and it is checked before the command runs. */
  pin?: true;
  /** Open to a merchant that is not approved yet. */
  beforeApproval?: true;
  /** Of what kind its entries in the audit log are. With one, reads are written down, and what programs ask. */
  audit?: AuditCategory;
}

/** What a route of the operator's staff asks. */
export interface OperatorAccess {
  operator: true;
  fresh?: true;
  audit?: AuditCategory;
  /** A read whose answer holds nobody's details: it is not written down. */
  impersonal?: true;
}

/**
 * What a route about signing in asks: nothing, a session whose second factor may be outstanding, or a whole session of
 * whoever.
 */
export interface SessionAccess {
  session: 'OPEN' | 'HALF' | 'WHOLE';
  fresh?: true;
  audit?: AuditCategory;
}

/** One of the operator's staff, as a request carries it. */
export interface OperatorOfRequest {
  readonly personId: string;
  readonly email: string;
  readonly name: string;
  readonly sessionId: string;
  readonly freshUntil: Date | null;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access | OperatorAccess | SessionAccess;
  }
  interface FastifyRequest {
    /** Set on a merchant's routes. */
    principal: Principal;
    idempotency: IdempotencyKey | undefined;
    /** Set on the operator's routes. */
    operator: OperatorOfRequest;
    /** Set wherever a session was used. */
    signedIn: SignedIn | null;
  }
}
