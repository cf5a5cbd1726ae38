import { keyNotActive, keyNotFound } from './errors.ts';
import {
  enterDirectory,
  type IssuedKey,
  insertKeyRow,
  type KeyDeps,
  type KeyMaker,
  makeKeyRow,
} from './issue-api-key.ts';
import { makerOfKey } from './list-api-keys.ts';
import { type ApiKeyRow, findApiKey, lockApiKey, updateKeyExpiry } from './queries.ts';
import type { Role } from './roles.ts';

/** Time to bring the new key to every server before the old one ends. */
export const DEFAULT_OVERLAP_SECONDS = 24 * 60 * 60;
/** Longer is no rotation: the old key would be forgotten. */
export const MAX_OVERLAP_SECONDS = 30 * 24 * 60 * 60;

/**
 * Makes a new key with the name, mode, kind, scopes and addresses of the old one, which goes on working for the overlap.
 * The new key has no end of its own. Whoever rotates a key knows the new one, and is its maker from then on.
 * @throws AppError `KEY_NOT_FOUND`, or `KEY_NOT_ACTIVE` for a key that has ended already.
 */
export async function rotateApiKey(
  deps: KeyDeps,
  input: {
    merchantId: string;
    keyId: string;
    overlapSeconds?: number | undefined;
    /** Left out at the operator's terminal: then the maker stays, to whom the new key goes. */
    createdBy?: KeyMaker | undefined;
    /** Who rotates it, as a sentence to the owners begins with it; left out, nobody is notified. */
    by?: string | undefined;
    /** The role by which they may have it; left out at the operator's terminal. */
    role?: Role | undefined;
    /** Looks at the old key before anything is done, and throws where this caller may not have one like it. */
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
