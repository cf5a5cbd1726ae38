import type { KeyKind } from './api-key.ts';

/** Everything a key or token can be allowed, with the words that the reference shows. */
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

/** What each kind of key may be given at most: a public key sits in a browser, where anyone can read it. */
const SCOPES_OF_KIND: Record<KeyKind, ReadonlySet<Scope>> = {
  SECRET: new Set(ALL_SCOPES),
  PUBLIC: new Set<Scope>(['public:read', 'session:create']),
};

/** Stored for a key with all that its kind may have, so that a scope added later is in it too. */
export const EVERY_SCOPE = '*';

export function isScope(text: string): text is Scope {
  return Object.hasOwn(SCOPES, text);
}

/** The scopes of a stored list; what its kind may not have, or what this version does not know, is left out. */
export function grantedScopes(kind: KeyKind, stored: readonly string[]): ReadonlySet<Scope> {
  const allowed = SCOPES_OF_KIND[kind];
  if (stored.includes(EVERY_SCOPE)) return allowed;
  return new Set(stored.filter(isScope).filter((scope) => allowed.has(scope)));
}
