import { BlockList, isIPv4, isIPv6 } from 'node:net';
import { isApproved, isServiceKey, type ServiceKey } from '../merchants/index.ts';
import { tenantOf } from '../platform/tenant.ts';
import { tokenInvalid } from './errors.ts';
import { type Principal, pinState } from './principal.ts';
import type { KeyStateRow } from './queries.ts';
import { grantedScopes, type Scope } from './roles.ts';
import type { TokenGrant } from './token.ts';

/** A key, or a token made from it, with all that decides about requests without the database. */
export interface Admission {
  principal: Principal;
  /** Milliseconds since the epoch: revoked, expired or the token's own end, whichever is first. */
  validUntil: number;
  /** Undefined: any address. */
  allowedIps: BlockList | undefined;
}

/** @throws AppError `TOKEN_INVALID` for a token that names another mode than its key's. */
export function admissionOf(row: KeyStateRow, token: TokenGrant | undefined): Admission {
  if (token !== undefined && token.mode !== row.mode) throw tokenInvalid();
  const ends = [row.revoked_at, row.expires_at, token?.expiresAt].map((end) => end?.getTime() ?? Infinity);
  return {
    principal: principalOf(row, token),
    validUntil: Math.min(...ends),
    allowedIps: row.allowed_ips.length === 0 ? undefined : ipList(row.allowed_ips),
  };
}

function principalOf(row: KeyStateRow, token: TokenGrant | undefined): Principal {
  const ofKey = grantedScopes(row.kind, row.scopes);
  return {
    tenant: tenantOf(row),
    keyId: row.id,
    keyKind: row.kind,
    keyCreatedBy: row.created_by,
    via: token === undefined ? 'API_KEY' : 'JWT',
    scopes: token === undefined ? ofKey : new Set<Scope>(token.scopes.filter((scope) => ofKey.has(scope))),
    merchant: {
      status: row.status,
      approved: isApproved(row),
      businessName: row.business_name,
    },
    services: new Set<ServiceKey>(row.services.filter(isServiceKey)),
    pin: pinState(row.pin_version, row.pin_locked_until),
    member: null,
  };
}

/** An address, or a range as `10.1.0.0/16`. */
export function isIpOrRange(text: string): boolean {
  const [address = '', bits, more] = text.split('/');
  if (more !== undefined || !(isIPv4(address) || isIPv6(address))) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (isIPv4(address) ? 32 : 128));
}

function ipList(entries: readonly string[]): BlockList {
  const list = new BlockList();
  for (const entry of entries) {
    const [address = '', bits] = entry.split('/');
    const family = isIPv4(address) ? 'ipv4' : 'ipv6';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return list;
}

export function isListed(list: BlockList, ip: string): boolean {
  return list.check(ip, isIPv4(ip) ? 'ipv4' : 'ipv6');
}
