import type { Reservation } from '../ledger/index.ts';
import { createCache } from '../platform/cache.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Queries } from '../platform/db/database.ts';
import { type Tenant, tenantKey } from '../platform/tenant.ts';
import { approvalRulesChanged } from './errors.ts';
import type { ApprovalKind } from './queries.ts';
import { findRulesInForce } from './rule-queries.ts';

/** From this amount on, in kobo, so many people have to approve. */
export interface Tier {
  fromMinor: bigint;
  approvals: number;
}

/** What needs the approval of how many people, in one mode of a merchant. */
export interface Rules {
  /** 0: nobody has ever changed them. */
  version: number;
  /** The id of the version; the merchant's own id while there is none. */
  id: string;
  isEnabled: boolean;
  /** Lowest amount first. Below the first, nothing is needed. */
  tiers: readonly Tier[];
}

export const DEFAULT_TIERS: readonly Tier[] = [{ fromMinor: 0n, approvals: 1 }];

/** Cached rules are used for this long; a commit by older rules is refused all the same. */
const MAX_AGE_MS = 2_000;
/** Tenants whose rules one process caches. */
const MAX_REMEMBERED = 20_000;

/** The rules as one process knows them. */
export interface KnownRules {
  /** The rules as they were at most two seconds ago. A movement that was built by them includes `rulesReservation`. */
  read(tenant: Tenant): Promise<Rules>;
  /** Called by code that has changed the rules. */
  forget(tenant: Tenant): void;
}

export function createKnownRules({ database, clock }: { database: Database; clock: Clock }): KnownRules {
  const cache = createCache<Rules>({ clock, ttlMs: MAX_AGE_MS, max: MAX_REMEMBERED });
  return {
    read: (tenant) => cache.read(tenantKey(tenant), () => readRulesNow(database, tenant)),
    forget: (tenant) => cache.forget(tenantKey(tenant)),
  };
}

export async function readRulesNow(queries: Queries, tenant: Tenant): Promise<Rules> {
  const [row] = await queries.query(findRulesInForce, [tenant.merchantId, tenant.mode]);
  if (row === undefined) throw new Error(`no merchant ${tenant.merchantId}`);
  if (row.version === null || row.id === null) {
    const isEnabled = row.is_maker_checker_enabled;
    return { version: 0, id: tenant.merchantId, isEnabled, tiers: isEnabled ? DEFAULT_TIERS : [] };
  }
  return { version: row.version, id: row.id, isEnabled: row.is_enabled === true, tiers: tiersOf(row.tiers ?? '[]') };
}

/** The tiers as they are stored: amounts as text, because JSON numbers are not exact for kobo. */
export function tiersText(tiers: readonly Tier[]): string {
  return JSON.stringify(tiers.map(({ fromMinor, approvals }) => ({ from: String(fromMinor), approvals })));
}

export function tiersOf(text: string): Tier[] {
  const stored = JSON.parse(text) as { from: string; approvals: number }[];
  return stored.map(({ from, approvals }) => ({ fromMinor: BigInt(from), approvals }));
}

/** How many people have to approve; zero is none. `amountMinor` is what leaves without charges. */
export function neededFor(rules: Rules, kind: ApprovalKind, amountMinor: bigint | null): number {
  if (!rules.isEnabled) return 0;
  const { tiers } = rules;
  switch (kind) {
    case 'PAYOUT':
    case 'SCHEDULE':
    case 'BATCH':
    case 'REFUND':
      return tiers.findLast(({ fromMinor }) => fromMinor <= (amountMinor ?? 0n))?.approvals ?? 0;
    // An account is no payment: payments to it are approved by amount.
    case 'BENEFICIARY':
      return tiers[0]?.approvals ?? 1;
    // Otherwise a few people could lift what binds all.
    case 'LIMIT':
    case 'RULES':
      return Math.max(1, ...tiers.map(({ approvals }) => approvals));
  }
}

/**
 * How many people must be able to approve: one more than have to, so that a maker can leave the decision to the others.
 * Zero while approvals are off.
 */
export function decidersNeeded({ isEnabled, tiers }: Rules): number {
  return isEnabled ? Math.max(1, ...tiers.map(({ approvals }) => approvals)) + 1 : 0;
}

/** The same for a merchant in either mode, as of now: asked before one of its approvers is removed. */
export async function approversNeeded(queries: Queries, merchantId: string): Promise<number> {
  const live = await readRulesNow(queries, { merchantId, mode: 'LIVE' });
  const sandbox = await readRulesNow(queries, { merchantId, mode: 'SANDBOX' });
  return Math.max(decidersNeeded(live), decidersNeeded(sandbox));
}

export const RULES_IN_FORCE = { scope: 'APPROVAL_RULES', value: 'IN_FORCE' } as const;
/** One change of the rules waits at a time. */
export const RULES_WAIT = { scope: 'APPROVAL_WAITS', value: 'RULES' } as const;
/** For a reservation without an end. */
export const FOR_EVER_MS = Number.MAX_SAFE_INTEGER;

/**
 * For every movement that was built by these rules: it is refused with `APPROVAL_RULES_CHANGED` where others are in
 * force at its commit. This is decided under the lock of the books, so no cache of any process has to be right.
 */
export function rulesReservation(rules: Rules): Reservation {
  return { ...RULES_IN_FORCE, subjectId: rules.id, withinMs: FOR_EVER_MS, refusal: approvalRulesChanged };
}
