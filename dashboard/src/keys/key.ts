import type { Session } from '../api/session.ts';
import type { Data } from '../api/types.ts';

export type KeyRow = Data<'get', '/key'>[number];

/** Keys of before had no names. */
export const keyName = ({ name, kind }: Pick<KeyRow, 'name' | 'kind'>): string =>
  name === '' ? (kind === 'SECRET' ? 'Secret key' : 'Public key') : name;

/** What a person wants of a new key. */
export interface KeyForm {
  name: string;
  kind: 'SECRET' | 'PUBLIC';
  may: 'ALL' | 'SOME';
  scopes: Scope[];
  allowedIps: string;
  /** A day in Lagos, or nothing. */
  expiresAt: string;
}

/** What was typed as addresses, one a line or divided by commas and spaces, without what stands there twice. */
export function parseAddresses(text: string): string[] {
  return [...new Set(text.split(/[\s,;]+/).filter((entry) => entry !== ''))];
}

const V4 = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})(?:\/(\d{1,2}))?$/;
const V6 = /^[0-9a-f:]+(?:\/(\d{1,3}))?$/i;

/** The sentence for the field where something typed is no address; the service has the last word. */
export function complainAboutAddresses(text: string): string | undefined {
  const wrong = parseAddresses(text).find((entry) => !isAddressOrRange(entry));
  return wrong === undefined
    ? undefined
    : `${wrong} is not an IP address or range. Write 203.0.113.7 or 203.0.113.0/24.`;
}

function isAddressOrRange(entry: string): boolean {
  const v4 = V4.exec(entry);
  if (v4 !== null) return v4.slice(1, 5).every((part) => Number(part) <= 255) && Number(v4[5] ?? 0) <= 32;
  const v6 = V6.exec(entry);
  return v6 !== null && entry.includes(':') && Number(v6[1] ?? 0) <= 128;
}

export type Scope = Session['scopes']['SANDBOX'][number];

export interface ScopeGroup {
  title: string;
  scopes: readonly { scope: Scope; words: string }[];
}

/** What a key can be allowed, in the order of a merchant's day. */
export const SCOPE_GROUPS: readonly ScopeGroup[] = [
  {
    title: 'Payouts',
    scopes: [
      { scope: 'payout:read', words: 'Read payouts, batches and schedules, and ask for quotes' },
      { scope: 'payout:write', words: 'Create, schedule, correct, dispatch and cancel payouts' },
      { scope: 'transaction:read', words: 'Read transactions and their evidence' },
      { scope: 'transaction:requery', words: 'Ask the rail about a payout again' },
      { scope: 'bank:resolve', words: 'Ask a bank for the name on an account' },
    ],
  },
  {
    title: 'Wallets',
    scopes: [
      { scope: 'wallet:read', words: 'Read balances and statements' },
      {
        scope: 'collection:read',
        words: 'Read payments that came in, sessions, links, customers, refunds, disputes and settlements',
      },
      {
        scope: 'collection:write',
        words:
          'Ask for account numbers, create payment sessions and links, keep customers, refund payments and answer disputes',
      },
      { scope: 'store:read', words: 'Read stores' },
      { scope: 'store:write', words: 'Create stores and debit them' },
      { scope: 'subaccount:read', words: 'Read subaccounts' },
      { scope: 'subaccount:write', words: 'Create, credit and debit subaccounts' },
    ],
  },
  {
    title: 'Business and webhooks',
    scopes: [
      { scope: 'merchant:read', words: 'Read the business profile' },
      { scope: 'merchant:write', words: 'Change webhook addresses and contact fields' },
      { scope: 'event:read', words: 'Read the event log' },
      { scope: 'webhook:read', words: 'Read deliveries and the signing secret' },
      { scope: 'webhook:write', words: 'Replay and test deliveries, rotate the signing secret' },
    ],
  },
  {
    title: 'Other',
    scopes: [
      { scope: 'public:read', words: 'Read public data, such as the list of banks' },
      { scope: 'session:create', words: 'Create payment sessions' },
      { scope: 'sandbox:write', words: 'Add test money and move sandbox time' },
    ],
  },
];

/** What a public key may have at most: it sits in a browser, where anyone can read it. */
export const PUBLIC_SCOPES: readonly Scope[] = ['public:read', 'session:create'];

/** A line for a list: `Everything`, `payout:read and 3 more`. */
export function summariseScopes(scopes: readonly string[], kind: 'SECRET' | 'PUBLIC'): string {
  if (scopes.includes('*')) return kind === 'PUBLIC' ? 'Public data and payment sessions' : 'Everything';
  const [first = 'Nothing', ...others] = scopes;
  if (others.length === 0) return first;
  return others.length === 1 ? `${first} and ${others[0]}` : `${first} and ${others.length} more`;
}
