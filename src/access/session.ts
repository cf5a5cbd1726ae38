import { timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { MerchantStatus, ReviewStatus, ServiceKey } from '../merchants/index.ts';
import type { Mode } from '../platform/tenant.ts';
import { csrfRefused, mustBeMember } from './errors.ts';
import type { Member, PinState, Principal } from './principal.ts';
import { permissionsOfRole, type Role, scopesOfRole } from './roles.ts';

export type PersonKind = 'MEMBER' | 'OPERATOR';

/** One sign-in of one person, as the database had it less than two seconds ago. */
export interface SignedIn {
  readonly sessionId: string;
  /** MFA_PENDING: the password was right and the second factor is still to come. It opens nothing else. */
  readonly stage: 'MFA_PENDING' | 'FULL';
  readonly personId: string;
  readonly kind: PersonKind;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  /** Null for the operator's staff. */
  readonly role: Role | null;
  readonly secondFactor: boolean;
  readonly recoveryCodesLeft: number;
  readonly expiresAt: Date;
  readonly idleExpiresAt: Date;
  /** Until then the password counts as just given. */
  readonly stepUpUntil: Date | null;
  readonly merchant: SignedInMerchant | null;
}

export interface SignedInMerchant {
  readonly merchantId: string;
  readonly businessName: string;
  readonly status: MerchantStatus;
  readonly reviewStatus: ReviewStatus;
  readonly approved: boolean;
  readonly isMakerCheckerEnabled: boolean;
  readonly services: ReadonlySet<ServiceKey>;
  readonly pins: Readonly<Record<Mode, PinState | null>>;
}

/** The store of sessions, for the guards; the module `people` implements it. */
export interface Sessions {
  /**
   * The session of a secret. One that was seen lately is answered at once, without a promise.
   * @throws AppError (at once or as a rejection) 401 `SESSION_EXPIRED`; 503 when the database cannot be asked.
   */
  authenticate(secret: string): SignedIn | Promise<SignedIn>;
  /** Whether the secret was valid when this process last looked it up. */
  knows(secret: string): boolean;
  /** What a page sends back to prove that it is ours. It is the same for the life of a session. */
  csrfToken(sessionId: string): string;
  /** All valid tokens, also those of pages that were opened under an older pepper. */
  csrfTokens(sessionId: string): string[];
}

/** The person's full name, or the address of a person who has given none. */
export function nameOfPerson(person: { firstName: string; lastName: string; email: string }): string {
  return `${person.firstName} ${person.lastName}`.trim() || person.email;
}

/** A merchant's person as the principal of a request. @throws AppError 403 for the operator's staff. */
export function principalOfMember(session: SignedIn, mode: Mode): Principal {
  const { merchant, role } = session;
  if (merchant === null || role === null) throw mustBeMember();
  return principalOfPerson(session, merchant, mode, {
    scopes: scopesOfRole(role, mode),
    role,
    permissions: permissionsOfRole(role),
    stepUpUntil: session.stepUpUntil,
    supportView: null,
  });
}

/** A person who is signed in, as a principal at a merchant, with what the person may do there. */
export function principalOfPerson(
  session: SignedIn,
  merchant: SignedInMerchant,
  mode: Mode,
  { scopes, ...may }: Pick<Principal, 'scopes'> & Pick<Member, 'role' | 'permissions' | 'stepUpUntil' | 'supportView'>,
): Principal {
  return {
    tenant: { merchantId: merchant.merchantId, mode },
    keyId: session.sessionId,
    keyKind: 'SECRET',
    keyCreatedBy: null,
    via: 'SESSION',
    scopes,
    merchant: { status: merchant.status, approved: merchant.approved, businessName: merchant.businessName },
    services: merchant.services,
    pin: merchant.pins[mode],
    member: {
      personId: session.personId,
      sessionId: session.sessionId,
      email: session.email,
      name: nameOfPerson(session),
      ...may,
    },
  };
}

/** Reads change nothing, and a link from anywhere may open them. */
export function isRead(request: FastifyRequest): boolean {
  return request.method === 'GET' || request.method === 'HEAD';
}

/**
 * Requires that a request does not come from another site's page, by what the browser says. Programs that are no
 * browser say nothing.
 * @param publicUrl the address under which people reach the service, where one is set.
 * @throws AppError 403 `CSRF_REFUSED`.
 */
export function requireOwnPage(request: FastifyRequest, publicUrl: string | undefined): void {
  if (isRead(request)) return;
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin') throw csrfRefused();
  const { origin } = request.headers;
  if (origin !== undefined && !isOurs(origin, request, publicUrl)) throw csrfRefused();
}

/** A page cannot choose the Host of its requests, so an origin that agrees with it is the page's own server: us. */
function isOurs(origin: string, request: FastifyRequest, publicUrl: string | undefined): boolean {
  if (!URL.canParse(origin)) return false;
  if (publicUrl !== undefined && new URL(origin).origin === new URL(publicUrl).origin) return true;
  return new URL(origin).host === request.host;
}

/** @throws AppError 403 `CSRF_REFUSED` where the request lacks its session's token. */
export function requireCsrfToken(request: FastifyRequest, sessions: Sessions, sessionId: string): void {
  if (isRead(request)) return;
  const given = Buffer.from(String(request.headers['x-csrf-token'] ?? ''));
  const isTheirs = sessions.csrfTokens(sessionId).some((token) => {
    const expected = Buffer.from(token);
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
  if (!isTheirs) throw csrfRefused();
}

/**
 * `__Host-` makes a browser accept it from this very host alone, over an encrypted connection: no subdomain and no
 * plain connection can set one.
 */
const NAME = '__Host-manilla_session';
/** Distinguishes a browser from one that was never seen before. It signs nobody in. */
const DEVICE = '__Host-manilla_device';
/** As long as browsers keep one. */
const DEVICE_SECONDS = 400 * 24 * 60 * 60;
const ATTRIBUTES = 'Path=/; HttpOnly; Secure; SameSite=Lax';
/** A longer header was not written by us. */
const MAX_COOKIES_LENGTH = 8_192;

/** The secret of the session that a request names, if it names one. */
export function sessionSecretOf(request: FastifyRequest): string | undefined {
  return cookieOf(request, NAME);
}

/** The secret of the browser that a request comes from, if it has one. */
export function deviceSecretOf(request: FastifyRequest): string | undefined {
  return cookieOf(request, DEVICE);
}

/** A cookie of a request, if it has one that is not empty. Of two with the name the first counts. */
export function cookieOf({ headers }: Pick<FastifyRequest, 'headers'>, wanted: string): string | undefined {
  const header = headers.cookie;
  if (header === undefined || header.length > MAX_COOKIES_LENGTH) return undefined;
  for (const pair of header.split(';')) {
    const [name, value] = pair.trim().split('=', 2);
    if (name === wanted) return value || undefined;
  }
  return undefined;
}

/** Secrets are base64url, so nothing in them needs escaping. */
export function setSessionCookie(
  reply: FastifyReply,
  session: { secret: string; expiresAt: Date; deviceSecret?: string },
): void {
  reply.header('set-cookie', `${NAME}=${session.secret}; ${ATTRIBUTES}; Expires=${session.expiresAt.toUTCString()}`);
  if (session.deviceSecret === undefined) return;
  reply.header('set-cookie', `${DEVICE}=${session.deviceSecret}; ${ATTRIBUTES}; Max-Age=${DEVICE_SECONDS}`);
}

export function clearSessionCookie(reply: FastifyReply): void {
  reply.header('set-cookie', `${NAME}=; ${ATTRIBUTES}; Max-Age=0`);
}
