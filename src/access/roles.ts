import type { Mode } from '../platform/tenant.ts';
import type { KeyKind } from './api-key.ts';

/** Everything that a key or token can be allowed. */
export const SCOPES = [
  'public:read',
  'session:create',
  'merchant:read',
  'merchant:write',
  'wallet:read',
  'store:read',
  'store:write',
  'subaccount:read',
  'subaccount:write',
  'collection:read',
  'collection:write',
  'bank:resolve',
  'payout:read',
  'payout:write',
  'transaction:read',
  'transaction:requery',
  'event:read',
  'webhook:read',
  'webhook:write',
  'sandbox:write',
] as const;

export type Scope = (typeof SCOPES)[number];

/** The most that each kind of key may be given: a public key is in a browser, where anyone can read it. */
const SCOPES_OF_KIND: Record<KeyKind, ReadonlySet<Scope>> = {
  SECRET: new Set(SCOPES),
  PUBLIC: new Set<Scope>(['public:read', 'session:create']),
};

/** Stored for a key with all that its kind may have, so that it includes scopes of later releases. */
export const EVERY_SCOPE = '*';

export function isScope(text: string): text is Scope {
  return (SCOPES as readonly string[]).includes(text);
}

/** The scopes of a stored list, without those that its kind may not have or that this version does not know. */
export function grantedScopes(kind: KeyKind, stored: readonly string[]): ReadonlySet<Scope> {
  const allowed = SCOPES_OF_KIND[kind];
  if (stored.includes(EVERY_SCOPE)) return allowed;
  return new Set(stored.filter(isScope).filter((scope) => allowed.has(scope)));
}

/** The roles of a merchant's people, the widest first. */
export const ROLES = ['OWNER', 'ADMIN', 'MAKER', 'APPROVER', 'VIEWER', 'DEVELOPER'] as const;

export type Role = (typeof ROLES)[number];

/** What only people do, never a key. */
export const PERMISSIONS = [
  'member:read',
  'member:manage',
  'key:read',
  'key:manage',
  'pin:manage',
  'profile:manage',
  'document:read',
  'approval:read',
  'approval:decide',
  'rule:manage',
  'limit:manage',
  'settlement:manage',
  'audit:read',
  'request:read',
  'request:manage',
] as const;

export type Permission = (typeof PERMISSIONS)[number];

interface Grants {
  readonly scopes: Readonly<Record<Mode, ReadonlySet<Scope>>>;
  readonly permissions: ReadonlySet<Permission>;
}

const ALL_READS = SCOPES.filter((scope) => scope.endsWith(':read'));
/** The signing secret of webhooks is shown to those with `webhook:read`. */
const MONEY_READS = ALL_READS.filter((scope) => scope !== 'webhook:read');

const MAKES: readonly Scope[] = [
  'store:write',
  'subaccount:write',
  'payout:write',
  'collection:write',
  'transaction:requery',
  'bank:resolve',
  'sandbox:write',
];
const BUILDS: readonly Scope[] = [
  'merchant:write',
  'webhook:write',
  'transaction:requery',
  'bank:resolve',
  'sandbox:write',
];
/** Developers may move money in the sandbox. */
const BUILDS_IN_SANDBOX: readonly Scope[] = ['collection:write', 'payout:write', 'store:write', 'subaccount:write'];

const everything = grants(SCOPES, PERMISSIONS);

const GRANTS: Readonly<Record<Role, Grants>> = {
  OWNER: everything,
  // Only the owner decides when, and how much, money is settled to the merchant's bank.
  ADMIN: grants(
    SCOPES,
    PERMISSIONS.filter((permission) => permission !== 'settlement:manage'),
  ),
  MAKER: grants([...MONEY_READS, ...MAKES], ['member:read', 'approval:read']),
  APPROVER: grants(
    [...MONEY_READS, 'bank:resolve', 'transaction:requery'],
    ['member:read', 'approval:read', 'approval:decide'],
  ),
  VIEWER: grants(MONEY_READS, ['approval:read']),
  DEVELOPER: grants(
    [...ALL_READS, ...BUILDS],
    ['member:read', 'approval:read', 'key:read', 'key:manage', 'request:read'],
    BUILDS_IN_SANDBOX,
  ),
};

/**
 * What the operator's staff see in a support view: what the business's own people read. Documents have a page of their
 * own for the operator; a route for the business's own people alone says so (`own`).
 */
export const SUPPORT_SCOPES: ReadonlySet<Scope> = new Set(ALL_READS);
export const SUPPORT_PERMISSIONS: ReadonlySet<Permission> = new Set([
  'member:read',
  'key:read',
  'approval:read',
  'audit:read',
  'request:read',
]);

function grants(
  scopes: readonly Scope[],
  permissions: readonly Permission[],
  inSandbox: readonly Scope[] = [],
): Grants {
  return {
    scopes: { LIVE: new Set(scopes), SANDBOX: new Set([...scopes, ...inSandbox]) },
    permissions: new Set(permissions),
  };
}

/** What a person with this role may do through the interface in one mode. */
export function scopesOfRole(role: Role, mode: Mode): ReadonlySet<Scope> {
  return GRANTS[role].scopes[mode];
}

/** What a person with this role may do that no key can. */
export function permissionsOfRole(role: Role): ReadonlySet<Permission> {
  return GRANTS[role].permissions;
}

/** The roles that have it, for a sentence: `owner, admin or approver`. */
export function rolesWith(needed: Scope | Permission, mode: Mode): string {
  const having = ROLES.filter((role) => {
    const has: ReadonlySet<string> = isScope(needed) ? scopesOfRole(role, mode) : permissionsOfRole(role);
    return has.has(needed);
  }).map((role) => role.toLowerCase());
  const last = having.pop() ?? 'nobody';
  return having.length === 0 ? last : `${having.join(', ')} or ${last}`;
}
