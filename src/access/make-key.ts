import { invalidField } from '../platform/errors.ts';
import type { KeyKind } from './api-key.ts';
import { keyNotActive, keyNotFound, keysTooMany, referenceInSandboxOnly, scopeBeyondRole } from './errors.ts';
import {
  checkAddresses,
  enterDirectory,
  type IssuedKey,
  insertKeyRow,
  issueApiKey,
  type KeyDeps,
  type KeyMaker,
  makeKeyRow,
} from './issue-api-key.ts';
import { type ApiKeySummary, keySummary, makerOfKey } from './list-api-keys.ts';
import type { Member, Principal } from './principal.ts';
import {
  type ApiKeyRow,
  countActiveKeys,
  findApiKey,
  lockApiKey,
  updateApiKey,
  updateKeyExpiry,
  updateReferenceKeysRevoked,
} from './queries.ts';
import { EVERY_SCOPE, grantedScopes, type Role, type Scope } from './roles.ts';

/** Time to bring the new key to every server before the old one ends. */
export const DEFAULT_OVERLAP_SECONDS = 24 * 60 * 60;
/** A longer overlap is no rotation: the old key would be forgotten. */
export const MAX_OVERLAP_SECONDS = 30 * 24 * 60 * 60;

/**
 * Makes a new key with the name, mode, kind, scopes and addresses of the old one, which stays valid for the overlap.
 * The new key does not expire. The person who rotates the key sees the new secret, and is its maker from then on.
 * @throws AppError `KEY_NOT_FOUND`, or `KEY_NOT_ACTIVE` for a key that has ended already.
 */
export async function rotateApiKey(
  deps: KeyDeps,
  input: {
    merchantId: string;
    keyId: string;
    overlapSeconds?: number | undefined;
    /** Left out at the operator's terminal: then the maker stays, who gets the new key. */
    createdBy?: KeyMaker | undefined;
    /** Who rotates it, as the mail to the owners begins; left out, nobody is notified. */
    by?: string | undefined;
    /** The role by which they may do so; left out at the operator's terminal. */
    role?: Role | undefined;
    /** Checks the old key before anything is done, and throws where this caller may not have one like it. */
    mayHave?: (old: ApiKeyRow) => void;
  },
): Promise<IssuedKey & { oldEndsAt: Date }> {
  const now = deps.clock.now();
  const [old] = await deps.database.query(findApiKey, [input.merchantId, input.keyId]);
  if (old === undefined) throw keyNotFound();
  input.mayHave?.(old);
  const made = makeKeyRow(deps, {
    merchantId: old.merchant_id,
    mode: old.mode,
    kind: old.kind,
    scopes: old.scopes,
    allowedIps: old.allowed_ips,
    name: old.name,
    createdBy: input.createdBy ?? makerOfKey(old) ?? undefined,
  });
  const overlapEnd = new Date(now.getTime() + (input.overlapSeconds ?? DEFAULT_OVERLAP_SECONDS) * 1000);
  await enterDirectory(deps.database, made.row);
  const oldEndsAt = await deps.database.transaction(async (tx) => {
    const [current] = await tx.query(lockApiKey, [input.merchantId, input.keyId]);
    if (current === undefined || !isActive(current, now)) throw keyNotActive();
    const end = current.expires_at !== null && current.expires_at < overlapEnd ? current.expires_at : overlapEnd;
    await insertKeyRow({ ...deps, queries: tx }, made.row, input);
    await tx.query(updateKeyExpiry, [input.merchantId, input.keyId, end]);
    return end;
  });
  return { keyId: made.row.id, key: made.key, oldEndsAt };
}

function isActive(row: ApiKeyRow, now: Date): boolean {
  return row.revoked_at === null && (row.expires_at === null || row.expires_at > now);
}

/** Far more than a merchant has servers: a program that makes keys in a loop is stopped. */
const MAX_ACTIVE_KEYS = 100;
/** A key for the API reference lasts a day. */
const REFERENCE_KEY_MS = 24 * 60 * 60 * 1000;
const REFERENCE_KEY_NAME = 'API reference';

/** A person who is signed in, in one mode of their merchant. */
export interface Maker {
  principal: Principal;
  member: Member;
}

interface WantedKey {
  name: string;
  kind: KeyKind;
  /** Left out: all that both the person and such a key may have. */
  scopes?: readonly string[] | undefined;
  allowedIps?: readonly string[] | undefined;
  /** ISO 8601 with offset. */
  expiresAt?: string | undefined;
}

interface MadeKey {
  /** The whole key, returned this once. */
  key: string;
  row: ApiKeySummary;
}

/**
 * Makes a key of the mode that a person is in. It can do no more than the person.
 * @throws AppError 403 `SCOPE_NOT_GRANTED`; 422 `KEYS_TOO_MANY`; 400 for a name, address or date that is wrong.
 */
export async function makeKey(deps: KeyDeps, maker: Maker, wanted: WantedKey): Promise<MadeKey> {
  const { tenant } = maker.principal;
  if (wanted.name.trim() === '') throw invalidField('name', 'must not be empty');
  const scopes = scopesWithin(maker, wanted.kind, wanted.scopes);
  await refuseTooMany(deps, maker);
  const issued = await issueApiKey(deps, {
    ...tenant,
    kind: wanted.kind,
    scopes,
    allowedIps: wanted.allowedIps,
    expiresAt: wanted.expiresAt === undefined ? undefined : new Date(wanted.expiresAt),
    name: wanted.name.trim(),
    createdBy: { personId: maker.member.personId, name: maker.member.name },
    by: maker.member.name,
    role: maker.member.role,
  });
  return shown(deps, maker, issued);
}

/**
 * Makes a new key that may do what the old one may, which stays valid for the overlap. The person who rotates the key
 * holds the new one, so it never gets more scopes than that person may grant.
 * @throws AppError 404 `KEY_NOT_FOUND`; 409 `KEY_NOT_ACTIVE`; 403 `SCOPE_NOT_GRANTED`; 422 `KEYS_TOO_MANY`.
 */
export async function rotateKey(
  deps: KeyDeps,
  maker: Maker,
  input: { keyId: string; overlapSeconds?: number | undefined },
): Promise<MadeKey & { oldEndsAt: Date }> {
  const { merchantId, mode } = maker.principal.tenant;
  await refuseTooMany(deps, maker);
  const rotated = await rotateApiKey(deps, {
    merchantId,
    ...input,
    createdBy: { personId: maker.member.personId, name: maker.member.name },
    by: maker.member.name,
    role: maker.member.role,
    mayHave(old) {
      if (old.mode !== mode) throw keyNotFound();
      requireWithinReach(maker, old);
    },
  });
  return { ...(await shown(deps, maker, rotated)), oldEndsAt: rotated.oldEndsAt };
}

/**
 * Renames a key or changes the addresses from which it may be used. A person could open a key to an address of their
 * own, so the key may have no scope that this person may not grant.
 * @throws AppError 404 `KEY_NOT_FOUND`; 403 `SCOPE_NOT_GRANTED`; 400 for an address.
 */
export async function changeKey(
  deps: KeyDeps,
  maker: Maker,
  input: { keyId: string; name?: string | undefined; allowedIps?: readonly string[] | undefined },
): Promise<ApiKeySummary> {
  const { merchantId, mode } = maker.principal.tenant;
  if (input.name?.trim() === '') throw invalidField('name', 'must not be empty');
  checkAddresses(input.allowedIps);
  const [key] = await deps.database.query(findApiKey, [merchantId, input.keyId]);
  if (key === undefined || key.mode !== mode) throw keyNotFound();
  requireWithinReach(maker, key);
  const values = [merchantId, input.keyId, mode, input.name?.trim() ?? null, input.allowedIps ?? null];
  await deps.database.query(updateApiKey, values);
  return readKey(deps, maker, input.keyId);
}

/**
 * Makes a secret sandbox key that is valid for a day, to try the API reference; the former one of the person ends.
 * Nobody is notified: it opens only the sandbox, to a person who may make such a key by hand.
 * @throws AppError 403 `SANDBOX_ONLY` in live mode.
 */
export async function makeReferenceKey(deps: KeyDeps, maker: Maker): Promise<MadeKey> {
  const { principal, member } = maker;
  const { tenant } = principal;
  if (tenant.mode !== 'SANDBOX') throw referenceInSandboxOnly();
  const now = deps.clock.now();
  await deps.database.query(updateReferenceKeysRevoked, [tenant.merchantId, member.personId, now]);
  const issued = await issueApiKey(deps, {
    ...tenant,
    kind: 'SECRET',
    scopes: [...principal.scopes],
    expiresAt: new Date(now.getTime() + REFERENCE_KEY_MS),
    name: REFERENCE_KEY_NAME,
    createdBy: { personId: member.personId, name: member.name },
    role: member.role,
    forReference: true,
  });
  return shown(deps, maker, issued);
}

/**
 * Requires that the person who rotates a key, or changes its addresses, may do all that it may. What a key may do never
 * changes.
 */
function requireWithinReach(maker: Maker, { kind, scopes }: ApiKeyRow): void {
  scopesWithin(maker, kind, [...grantedScopes(kind, scopes)]);
}

/** The scopes that are stored for the key: "everything, now and later" only for a person who has everything. */
function scopesWithin({ principal, member }: Maker, kind: KeyKind, wanted: readonly string[] | undefined) {
  if (wanted === undefined) {
    const most = grantedScopes(kind, [EVERY_SCOPE]);
    const own = [...most].filter((scope) => principal.scopes.has(scope));
    return own.length === most.size ? undefined : own;
  }
  const beyond = wanted.find((scope) => !principal.scopes.has(scope as Scope));
  if (beyond !== undefined) throw scopeBeyondRole(beyond, member.role, principal.tenant.mode.toLowerCase());
  return [...new Set(wanted)];
}

async function refuseTooMany(deps: KeyDeps, { principal }: Maker): Promise<void> {
  const { merchantId, mode } = principal.tenant;
  const [active] = await deps.database.query(countActiveKeys, [merchantId, mode, deps.clock.now()]);
  if ((active?.keys ?? 0) >= MAX_ACTIVE_KEYS) throw keysTooMany(MAX_ACTIVE_KEYS);
}

async function shown(deps: KeyDeps, maker: Maker, { key, keyId }: IssuedKey): Promise<MadeKey> {
  return { key, row: await readKey(deps, maker, keyId) };
}

async function readKey(deps: KeyDeps, { principal }: Maker, keyId: string): Promise<ApiKeySummary> {
  const [row] = await deps.database.query(findApiKey, [principal.tenant.merchantId, keyId]);
  if (row === undefined) throw keyNotFound();
  return keySummary(row, deps.clock.now());
}
