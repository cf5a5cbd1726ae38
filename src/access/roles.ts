import type { Mode } from '../platform/tenant.ts';
import type { KeyKind } from './api-key.ts';

/** Everything that a key or token can be allowed, with the text of the API reference. */
export const SCOPES = {
  'public:read': 'Read public data, such as the bank directory',
  'session:create': 'Create payment sessions',
  'merchant:read': 'Read the merchant profile',
  'merchant:write': 'Change webhook addresses and contact fields',
  'wallet:read': 'Read wallets and statements',
  'store:read': 'Read stores',
  'store:write': 'Create stores and debit them',
  'subaccount:read': 'Read subaccounts',
  'subaccount:write': 'Create, credit and debit subaccounts',
  'collection:read': 'Read payments that came in, payment sessions, payment links and customers',
  'collection:write':
    'Ask for account numbers, make payment sessions and payment links, keep customers, and say what public keys may do',
  'bank:resolve': 'Ask a bank for the name on an account',
  'payout:read': 'Read payouts, batches and schedules, and ask for quotes',
  'payout:write': 'Make, schedule, correct, dispatch and cancel payouts',
  'transaction:read': 'Read transactions and their evidence',
  'transaction:requery': 'Ask the rail about a payout again',
  'event:read': 'Read the event log',
  'webhook:read': 'Read deliveries and the signing secret',
  'webhook:write': 'Replay and test deliveries, rotate the signing secret',
  'sandbox:write': 'Put money into sandbox wallets and move sandbox time',
} as const;

export type Scope = keyof typeof SCOPES;

const ALL_SCOPES = Object.keys(SCOPES) as Scope[];

/** The most that each kind of key may be given: a public key is in a browser, where anyone can read it. */
const SCOPES_OF_KIND: Record<KeyKind, ReadonlySet<Scope>> = {
  SECRET: new Set(ALL_SCOPES),
  PUBLIC: new Set<Scope>(['public:read', 'session:create']),
};

/** Stored for a key with all that its kind may have, so that it includes scopes of later releases. */
export const EVERY_SCOPE = '*';

export function isScope(text: string): text is Scope {
  return Object.hasOwn(SCOPES, text);
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

/** What only people do, never a key, with the text that the dashboard shows. */
export const PERMISSIONS = {
  'member:read': 'See who belongs to the business',
  'member:manage': 'Invite people, change their roles and remove them',
  'key:read': 'See API keys',
  'key:manage': 'Make, change, rotate and revoke API keys',
  'pin:manage': 'Set and change the PIN',
  'profile:manage': 'Fill in and submit the business profile',
  'document:read': 'Open the documents of the business',
  'approval:read': 'See what waits for approval',
  'approval:decide': 'Approve and reject what others made',
  'rule:manage': 'Change the rules of approval and of refunds',
  'limit:manage': "Change the business's own limits",
  'settlement:manage': 'Say when collections go to the bank of the business',
  'audit:read': 'Read who did what',
  'request:read': 'Read the log of API requests',
  'request:manage': 'Say whether bodies of API requests are kept, and for how long',
} as const;

export type Permission = keyof typeof PERMISSIONS;

interface Grants {
  readonly scopes: Readonly<Record<Mode, ReadonlySet<Scope>>>;
  readonly permissions: ReadonlySet<Permission>;
}

const ALL_READS = ALL_SCOPES.filter((scope) => scope.endsWith(':read'));
/** The signing secret of webhooks is shown to those with `webhook:read`. */
const MONEY_READS = ALL_READS.filter((scope) => scope !== 'webhook:read');
const ALL_PERMISSIONS = Object.keys(PERMISSIONS) as Permission[];

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

const everything = grants(ALL_SCOPES, ALL_PERMISSIONS);

const GRANTS: Readonly<Record<Role, Grants>> = {
  OWNER: everything,
  // Only the owner decides when, and how much, money is settled to the merchant's bank.
  ADMIN: grants(
    ALL_SCOPES,
    ALL_PERMISSIONS.filter((permission) => permission !== 'settlement:manage'),
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
    const has: ReadonlySet<string> = needed in PERMISSIONS ? permissionsOfRole(role) : scopesOfRole(role, mode);
    return has.has(needed);
  }).map((role) => role.toLowerCase());
  const last = having.pop() ?? 'nobody';
  return having.length === 0 ? last : `${having.join(', ')} or ${last}`;
}
