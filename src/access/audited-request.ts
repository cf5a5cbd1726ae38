import type { FastifyRequest } from 'fastify';
import { type AuditActor, type AuditCategory, type Audited, SUPPORT_ROLE } from '../audit/index.ts';
import type { Tenant } from '../platform/tenant.ts';
import type { Permission } from './roles.ts';
import type { Access, OperatorAccess, SessionAccess } from './route-access.ts';
import { nameOfPerson, type SignedIn } from './session.ts';

/** Methods that change nothing. */
const READS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Whether a request is written down, and how. Of people: all that may change something, and reads whose route names a
 * category. Of programs: what has a category; the rest is in the request log, for a week. Of the operator's staff: every
 * read as well, unless its route says that nobody's details are in it, and all that they read in a support view.
 */
export function auditedRequest(request: FastifyRequest): Audited | undefined {
  const { signedIn, principal } = request;
  const inView = principal?.member?.supportView ?? null;
  if (inView !== null && signedIn != null) return auditedView(signedIn, principal.tenant, inView);
  const access = request.routeOptions.config.access;
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

/** What is read in a support view, whatever it is: the merchant sees who looked, when, why and at which pages. */
function auditedView(session: SignedIn, tenant: Tenant, about: { supportViewId: string; reason: string }): Audited {
  const actor = { ...actorOf(session), role: SUPPORT_ROLE };
  return { ...tenant, category: 'PERSONAL_DATA', isRead: true, actor, about };
}

const isNamed = (access: FastifyRequest['routeOptions']['config']['access']): boolean =>
  access !== undefined && 'operator' in access && access.named === true;

/** What changes by these permissions is of this kind, unless its route names another. */
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
