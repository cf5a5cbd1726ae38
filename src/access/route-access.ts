import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify';
import {
  type AuditActor,
  type AuditCategory,
  type Audited,
  type Disclosure,
  type Disclosures,
  SUPPORT_ROLE,
} from '../audit/index.ts';
import type { IdempotencyKey } from '../ledger/index.ts';
import type { ServiceKey } from '../merchants/index.ts';
import type { Tenant } from '../platform/tenant.ts';
import type { Principal } from './principal.ts';
import type { Permission, Scope } from './roles.ts';
import { nameOfPerson, type SignedIn } from './session.ts';

/**
 * What a merchant's route requires of its caller, in `config.access`. A route without it does not start: nothing is
 * open by mistake.
 */
export interface Access {
  /** Null: any key, token or person, and the command decides what it gets. */
  scope: Scope | null;
  /** Opens it as well; the command decides what for. */
  orScope?: Scope;
  /** Only a person who is signed in, never a key or token. */
  person?: true;
  /** Only a person whose role has it. */
  permission?: Permission;
  /** Only a person who gave the password within the last minutes. */
  stepUp?: true;
  /** The merchant must have this service enabled. */
  service?: ServiceKey;
  /** The body carries the merchant's PIN, and it is checked before the command runs. */
  pin?: true;
  /** Open to a merchant that is not approved yet. */
  beforeApproval?: true;
  /** Closed to a support view of the operator's staff: a secret, a document, or data of one person. */
  own?: true;
  /**
   * The category of its entries in the audit log. With a category, reads are recorded too, and requests of programs.
   */
  audit?: AuditCategory;
}

/** What a route of the operator's staff requires. */
export interface OperatorAccess extends Disclosure {
  operator: true;
  stepUp?: true;
  audit?: AuditCategory;
  /** The merchant's own log names the member of the staff. */
  named?: true;
  /** A read whose answer has nobody's details: it is not recorded. */
  impersonal?: true;
}

/**
 * What a route about signing in requires: nothing, a session whose second factor may be outstanding, or a full session
 * of any person.
 */
export interface SessionAccess {
  session: 'OPEN' | 'MFA_PENDING' | 'FULL';
  stepUp?: true;
  audit?: AuditCategory;
}

/** One of the operator's staff, as a request carries it. */
export interface OperatorOfRequest {
  readonly personId: string;
  readonly email: string;
  readonly name: string;
  readonly sessionId: string;
  readonly stepUpUntil: Date | null;
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

/** What the API document says of a route beside its schemas. */
export interface RouteFacts {
  /** Error codes of its guards and its command, beside those that every route has. */
  codes: readonly string[];
  /** Its answer is kept under the `Idempotency-Key` of the request. */
  isIdempotent: boolean;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Error codes of the command behind the route, for the API document. */
    errorCodes?: readonly string[];
    /** False where no answer is kept under an `Idempotency-Key`: it has a secret, or is harmless to repeat. */
    idempotent?: false;
  }
}

const JSON_BODY = [
  'BODY_MISSING',
  'BODY_NOT_UTF8',
  'BODY_TOO_DEEP',
  'BODY_TOO_LARGE',
  'CONTENT_LENGTH_WRONG',
  'CONTENT_TYPE_UNSUPPORTED',
  'FIELD_REPEATED',
  'HALF_CHARACTER',
  'JSON_MALFORMED',
  'NUMBER_TOO_LARGE',
];
const CREDENTIALS = ['TOKEN_MISSING', 'TOKEN_INVALID', 'TOKEN_EXPIRED', 'IP_NOT_ALLOWED', 'MERCHANT_SUSPENDED'];
const PIN = ['PIN_NOT_SET', 'PIN_INVALID', 'PIN_LOCKED'];
const IDEMPOTENCY = ['IDEMPOTENCY_KEY_ARCHIVED', 'IDEMPOTENCY_KEY_REUSED', 'LEDGER_BUSY', 'OUTCOME_UNKNOWN'];
const CURSOR = ['CURSOR_CONFLICT', 'CURSOR_INVALID', 'CURSOR_MISMATCH'];

/** The facts of a merchant's route that keys may call. For routes of people alone the document lists no codes. */
export function factsOf({ method, schema, config }: RouteOptions): RouteFacts {
  const access = config?.access;
  if (access === undefined || !('scope' in access)) return { codes: [], isIdempotent: false };
  const isIdempotent = method !== 'GET' && config?.idempotent !== false;
  const codes = [
    // Read with the request, also for an operation that needs none.
    ...(method === 'GET' ? [] : JSON_BODY),
    ...guardCodes(access),
    ...(method === 'GET' ? [] : ['IDEMPOTENCY_KEY_MALFORMED']),
    ...(isIdempotent ? IDEMPOTENCY : []),
    ...(method === 'GET' || isIdempotent ? [] : ['OUTCOME_UNKNOWN']),
    ...(takesCursor(schema?.querystring) ? CURSOR : []),
    ...(config?.errorCodes ?? []),
  ];
  return { codes, isIdempotent };
}

function takesCursor(query: unknown): boolean {
  const { properties = {} } = (query ?? {}) as { properties?: object };
  return 'before' in properties && 'after' in properties;
}

function guardCodes({ scope, service, pin, beforeApproval }: Access): string[] {
  return [
    ...CREDENTIALS,
    ...(scope === null ? [] : ['KEY_TYPE_NOT_ALLOWED', 'SCOPE_NOT_GRANTED']),
    ...(beforeApproval === true ? [] : ['MERCHANT_NOT_APPROVED']),
    ...(service === undefined ? [] : ['SERVICE_NOT_ENABLED']),
    ...(pin === true ? PIN : []),
  ];
}

/** What a merchant reads of each route of the operator, by action. Call it before the first route is added. */
export function collectDisclosures(app: FastifyInstance): Disclosures {
  const disclosures = new Map<string, Disclosure>();
  app.addHook('onRoute', ({ method, url, config }) => {
    const access = config?.access;
    if (access === undefined || !('operator' in access)) return;
    for (const each of [method].flat()) disclosures.set(`${each} ${url}`, access);
  });
  return disclosures;
}

/** Methods that change nothing. */
const READS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Whether and how a request is recorded in the audit log. Of people: all that may change something, and reads whose
 * route names a category. Of programs: what has a category; the rest is in the request log, for a week. Of the
 * operator's staff: every read as well, unless its route says that nobody's details are in it, and all that they read
 * in a support view.
 */
export function auditedRequest(request: FastifyRequest): Audited | undefined {
  const { signedIn, principal } = request;
  const inView = principal?.member?.supportView ?? null;
  if (inView !== null && signedIn != null) return auditedView(signedIn, principal.tenant, inView);
  const access = request.route.config.access;
  const isRead = READS.has(request.method);
  const category = categoryOf(access, isRead);
  if (isRead && category === null) return undefined;
  if (signedIn != null) {
    const merchantId = signedIn.merchant?.merchantId ?? null;
    const actor = { ...actorOf(signedIn), ...(isNamed(access) ? { role: SUPPORT_ROLE } : {}) };
    return { merchantId, mode: principal?.tenant.mode ?? null, category, isRead, actor };
  }
  if (principal == null || category === null) return undefined;
  const actor: AuditActor = { kind: 'KEY', id: principal.keyId, name: 'An API key', role: null, sessionId: null };
  return { ...principal.tenant, category, isRead, actor };
}

/** Any read in a support view: the merchant sees who looked, when, why and at which pages. */
function auditedView(session: SignedIn, tenant: Tenant, about: { supportViewId: string; reason: string }): Audited {
  const actor = { ...actorOf(session), role: SUPPORT_ROLE };
  return { ...tenant, category: 'PERSONAL_DATA', isRead: true, actor, about };
}

const isNamed = (access: FastifyRequest['routeOptions']['config']['access']): boolean =>
  access !== undefined && 'operator' in access && access.named === true;

/** The category of changes by these permissions, unless the route names another. */
const BY_PERMISSION: Partial<Record<Permission, AuditCategory>> = {
  'member:manage': 'PEOPLE',
  'key:manage': 'KEYS',
  'pin:manage': 'KEYS',
  'rule:manage': 'SETTINGS',
  'limit:manage': 'SETTINGS',
  'profile:manage': 'SETTINGS',
};

function categoryOf(
  access: Access | OperatorAccess | SessionAccess | undefined,
  isRead: boolean,
): AuditCategory | null {
  if (access === undefined) return null;
  if (access.audit !== undefined) return access.audit;
  if ('operator' in access) return isRead && access.impersonal !== true ? 'PERSONAL_DATA' : null;
  if (isRead) return null;
  if ('session' in access) return 'SIGN_IN';
  return access.permission === undefined ? null : (BY_PERMISSION[access.permission] ?? null);
}

function actorOf(session: SignedIn): AuditActor {
  return {
    kind: session.kind === 'OPERATOR' ? 'OPERATOR' : 'PERSON',
    id: session.personId,
    name: nameOfPerson(session),
    role: session.role,
    sessionId: session.sessionId,
  };
}
