import type { MerchantStatus, ReviewStatus, ServiceKey } from '../merchants/index.ts';
import type { Mode } from '../platform/tenant.ts';
import { mustBeMember } from './errors.ts';
import type { PinState, Principal } from './principal.ts';
import { permissionsOfRole, type Role, scopesOfRole } from './roles.ts';

export type PersonKind = 'MEMBER' | 'OPERATOR';

/** One sign-in of one person, as the database said less than two seconds ago. */
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

/** Where sessions are kept. The guards ask it; `people` is behind it. */
export interface Sessions {
  /**
   * Who a session's secret speaks for. One seen lately is answered at once, without a promise.
   * @throws AppError (at once or as a rejection) 401 `SESSION_EXPIRED`; 503 when the database cannot be asked.
   */
  authenticate(secret: string): SignedIn | Promise<SignedIn>;
  /** True of a secret that was good when it was last looked up, by this process. */
  knows(secret: string): boolean;
  /** What a page sends back to prove that it is ours. It stays the same for the life of a session. */
  csrfToken(sessionId: string): string;
  /** What it may be for pages that were opened under an older pepper, too. */
  csrfTokens(sessionId: string): string[];
}

/** The person's full name, or the address of someone who has given none. */
export function nameOfPerson(person: { firstName: string; lastName: string; email: string }): string {
  return `${person.firstName} ${person.lastName}`.trim() || person.email;
}

/** A merchant's person as the principal of a request. @throws AppError 403 for the operator's staff. */
export function principalOfMember(session: SignedIn, mode: Mode): Principal {
  const { merchant, role } = session;
  if (merchant === null || role === null) throw mustBeMember();
  return {
    tenant: { merchantId: merchant.merchantId, mode },
    keyId: session.sessionId,
    keyKind: 'SECRET',
    keyCreatedBy: null,
    via: 'SESSION',
    scopes: scopesOfRole(role, mode),
    merchant: { status: merchant.status, approved: merchant.approved, businessName: merchant.businessName },
    services: merchant.services,
    pin: merchant.pins[mode],
    member: {
      personId: session.personId,
      sessionId: session.sessionId,
      email: session.email,
      name: nameOfPerson(session),
      role,
      permissions: permissionsOfRole(role),
      stepUpUntil: session.stepUpUntil,
      supportView: null,
    },
  };
}
