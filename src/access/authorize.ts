import type { FastifyRequest } from 'fastify';
import type { ServiceKey } from '../merchants/index.ts';
import {
  keyTypeNotAllowed,
  merchantNotApproved,
  merchantSuspended,
  notInSupportView,
  permissionNotGranted,
  personRequired,
  scopeNotGranted,
  serviceNotEnabled,
  stepUpRequired,
} from './errors.ts';
import type { Member, Principal } from './principal.ts';
import { type Permission, rolesWith, type Scope } from './roles.ts';
import { deviceSecretOf } from './session.ts';

/** Where a request came from, as it is kept with a session and in the audit log. */
export interface Visitor {
  ip: string;
  userAgent: string;
  requestId: string;
  /** The address of this service as the visitor can reach it: links in mails begin with it. */
  baseUrl: string;
  /** The secret by which a browser is recognized; it signs nobody in. */
  deviceSecret?: string | undefined;
}

/** @param publicUrl as `baseUrlOf` has it */
export function visitorOf(request: FastifyRequest, publicUrl: string | undefined): Visitor {
  return {
    ip: request.ip,
    userAgent: request.headers['user-agent'] ?? '',
    requestId: request.id,
    baseUrl: baseUrlOf(request, publicUrl),
    deviceSecret: deviceSecretOf(request),
  };
}

/**
 * The beginning of a link to this service.
 * @param publicUrl the address under which people reach the service. Without it links lead to the socket that the
 *   request came in by. The Host header is not used: a client chooses it, and a link made from it could lead to an
 *   attacker.
 */
export function baseUrlOf(request: FastifyRequest, publicUrl: string | undefined): string {
  return (publicUrl ?? ownAddress(request)).replace(/\/+$/, '');
}

function ownAddress({ socket }: FastifyRequest): string {
  const address = (socket.localAddress ?? '127.0.0.1').replace(/^::ffff:(?=\d+\.)/, '');
  const host = address.includes(':') ? `[${address}]` : address;
  return socket.localPort === undefined ? `http://${host}` : `http://${host}:${socket.localPort}`;
}

/**
 * @throws AppError 403 `KEY_TYPE_NOT_ALLOWED` for a public key, `PERMISSION_NOT_GRANTED` for a person,
 *   `NOT_IN_SUPPORT_VIEW` in a support view, `SCOPE_NOT_GRANTED` otherwise.
 */
export function requireScope(principal: Principal, scope: Scope): void {
  if (principal.scopes.has(scope)) return;
  const { member, tenant } = principal;
  if (member !== null && member.supportView !== null) throw notInSupportView();
  if (member !== null) throw permissionNotGranted(member.role, rolesWith(scope, tenant.mode));
  throw principal.keyKind === 'PUBLIC' ? keyTypeNotAllowed() : scopeNotGranted(scope);
}

/**
 * Requires a signed-in person whose role allows this.
 * @throws AppError 403 `PERSON_REQUIRED`, `PERMISSION_NOT_GRANTED`.
 */
export function requirePerson(principal: Principal, permission: Permission | undefined): Member {
  const { member, tenant } = principal;
  if (member === null) throw personRequired();
  if (permission !== undefined && !member.permissions.has(permission)) {
    if (member.supportView !== null) throw notInSupportView();
    throw permissionNotGranted(member.role, rolesWith(permission, tenant.mode));
  }
  return member;
}

/** Refuses a support view, for what it never shows. @throws AppError 403 `NOT_IN_SUPPORT_VIEW`. */
export function requireOwn({ member }: Principal): void {
  if (member !== null && member.supportView !== null) throw notInSupportView();
}

/** @throws AppError 403 `STEP_UP_REQUIRED` unless the password was given within the last minutes. */
export function requireStepUp(stepUpUntil: Date | null, now: Date): void {
  if (stepUpUntil === null || stepUpUntil <= now) throw stepUpRequired();
}

/** Why a merchant may not move money in this mode; null where it may. A sandbox needs no approval. */
export function hindranceOf({ merchant, tenant }: Principal): 'SUSPENDED' | 'NOT_APPROVED' | null {
  if (merchant.approved) return null;
  if (merchant.status === 'SUSPENDED') return 'SUSPENDED';
  return tenant.mode === 'LIVE' ? 'NOT_APPROVED' : null;
}

/** @throws AppError 403 `MERCHANT_SUSPENDED`; `MERCHANT_NOT_APPROVED` in live mode. */
export function requireApproved(principal: Principal): void {
  const hindrance = hindranceOf(principal);
  if (hindrance !== null) throw hindrance === 'SUSPENDED' ? merchantSuspended() : merchantNotApproved();
}

/** @throws AppError 403 `SERVICE_NOT_ENABLED`. */
export function requireService(services: ReadonlySet<ServiceKey>, service: ServiceKey): void {
  if (!services.has(service)) throw serviceNotEnabled(service);
}
