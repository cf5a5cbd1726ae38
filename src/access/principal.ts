import type { MerchantStatus, ServiceKey } from '../merchants/index.ts';
import type { Tenant } from '../platform/tenant.ts';
import type { KeyKind } from './api-key.ts';
import type { Permission, Role, Scope } from './roles.ts';

/** Who a request acts for and what it may do, as of two seconds ago at most. */
export interface Principal {
  readonly tenant: Tenant;
  /** The session's id for a request of a person. */
  readonly keyId: string;
  readonly keyKind: KeyKind;
  /** The person who made the key; null for a key of the operator's terminal and for a session. */
  readonly keyCreatedBy: string | null;
  readonly via: 'API_KEY' | 'JWT' | 'SESSION';
  readonly scopes: ReadonlySet<Scope>;
  readonly merchant: {
    readonly status: MerchantStatus;
    /** The operator accepted it and has not suspended it since: it may move money. */
    readonly approved: boolean;
    readonly businessName: string;
  };
  readonly services: ReadonlySet<ServiceKey>;
  /** The PIN of the tenant's mode; null until one is set. */
  readonly pin: PinState | null;
  /** The person behind a session; null for a key or a token. */
  readonly member: Member | null;
}

export interface PinState {
  readonly version: number;
  readonly lockedUntil: Date | null;
}

/** Null where there is no PIN. */
export function pinState(version: number | null, lockedUntil: Date | null): PinState | null {
  return version === null ? null : { version, lockedUntil };
}

/** A merchant's person who is signed in. */
export interface Member {
  readonly personId: string;
  readonly sessionId: string;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly permissions: ReadonlySet<Permission>;
  /** Until then the password counts as just given. */
  readonly stepUpUntil: Date | null;
  /** Set for one of the operator's staff who reads in a support view; null for the merchant's own people. */
  readonly supportView: { readonly supportViewId: string; readonly reason: string } | null;
}

/** The name of the caller, for people to read. */
export function nameOfCaller({ member }: Principal): string {
  return member?.name ?? 'A program, by an API key,';
}
