import type { ServiceKey } from '../merchants/index.ts';
import {
  keyTypeNotAllowed,
  merchantNotApproved,
  merchantSuspended,
  scopeNotGranted,
  serviceNotEnabled,
} from './errors.ts';
import type { Principal } from './principal.ts';
import type { Scope } from './scopes.ts';

/** @throws AppError 403 `KEY_TYPE_NOT_ALLOWED` for a public key, `SCOPE_NOT_GRANTED` otherwise. */
export function requireScope(principal: Principal, scope: Scope): void {
  if (principal.scopes.has(scope)) return;
  throw principal.keyKind === 'PUBLIC' ? keyTypeNotAllowed() : scopeNotGranted(scope);
}

/** @throws AppError 403 `MERCHANT_SUSPENDED` or `MERCHANT_NOT_APPROVED`. */
export function requireApproved(principal: Principal): void {
  if (principal.merchant.approved) return;
  throw principal.merchant.status === 'SUSPENDED' ? merchantSuspended() : merchantNotApproved();
}

/** @throws AppError 403 `SERVICE_NOT_ENABLED`. */
export function requireService(principal: Principal, service: ServiceKey): void {
  if (!principal.services.has(service)) throw serviceNotEnabled(service);
}
