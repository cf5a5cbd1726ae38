import type { MerchantStatus, ServiceKey } from '../merchants/index.ts';
import type { Tenant } from '../platform/tenant.ts';
import type { KeyKind } from './api-key.ts';
import type { Scope } from './scopes.ts';

/** Who a request speaks for and what it may do, as the database said less than two seconds ago. */
export interface Principal {
  readonly tenant: Tenant;
  readonly keyId: string;
  readonly keyKind: KeyKind;
  readonly via: 'API_KEY' | 'JWT';
  readonly scopes: ReadonlySet<Scope>;
  readonly merchant: {
    readonly status: MerchantStatus;
    /** The operator accepted it and did not suspend it since: it may move money. */
    readonly approved: boolean;
    readonly businessName: string;
  };
  readonly services: ReadonlySet<ServiceKey>;
  /** Null until the merchant has set a PIN. */
  readonly pin: { readonly version: number; readonly lockedUntil: Date | null } | null;
}
