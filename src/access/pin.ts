import { hash, randomBytes } from 'node:crypto';
import { notifyOwners } from '../mail/index.ts';
import { createLruMap } from '../platform/cache.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Queries } from '../platform/db/database.ts';
import { invalidField } from '../platform/errors.ts';
import { createGroupReader } from '../platform/group-reader.ts';
import { NIL_ID } from '../platform/ids.ts';
import { type PepperCount, rehash } from '../platform/keyed-hash.ts';
import { createConcurrencyLimit } from '../platform/owner-queue.ts';
import type { Secrets } from '../platform/secrets.ts';
import { type Tenant, tenantKey, tenantOf } from '../platform/tenant.ts';
import { pinInvalid, pinLocked, pinNotSet, pinTrivial } from './errors.ts';
import { pinNotice } from './key-notice.ts';
import { hashOfPin, hashOfPinAs, isStoredPlainly, PIN_PURPOSE } from './pin-hash.ts';
import type { Principal } from './principal.ts';
import {
  countKeysByPepper,
  countPinsByPepper,
  deletePinsUnder,
  listPins,
  listPinsNotUnder,
  type PinRow,
  updateKeysRevokedUnder,
  updatePinHash,
  updatePinsAttempted,
  updatePinsRehashed,
  updatePinUnlocked,
  upsertPin,
} from './queries.ts';

const MAX_ATTEMPTS = 5;
/** How long a lock lasts, and how long a wrong attempt counts. */
const LOCK_MS = 30 * 60_000;
/** How long a lock that this process knows of counts by itself; by then every principal has it from the database. */
const OWN_LOCK_MS = 5_000;
/**
 * Statements that count attempts at once. The others wait, so that a thousand first PINs do not keep everybody else
 * waiting.
 */
const COUNTED_AT_ONCE = 2;
/** Attempts of different tenants that one statement counts, with one commit. */
const COUNTED_TOGETHER = 128;
/** Tenants whose right PIN, or whose lock, is cached; beyond it the least recently used ones are dropped. */
const MAX_REMEMBERED = 50_000;
const PROOF_KEY_BYTES = 32;
const PIN = /^\d{4,6}$/;

export interface PinGuard {
  /**
   * Returns for the right PIN of the principal's mode, at once and without a promise where this process has seen it.
   * Wrong attempts are counted on the row of that mode under its lock: across processes, through restarts, and never
   * more than five, however many come at once. A right PIN does not reset them, or a busy merchant's own traffic would
   * give a guesser new attempts for ever; they expire half an hour after the last one. No connection is held while a
   * hash is made.
   * @throws AppError (at once or as a rejection) 422 `PIN_INVALID` or `PIN_NOT_SET`, 423 `PIN_LOCKED`, 400 for what is
   *   no PIN at all, 503 when it cannot be checked.
   */
  verifyPin(principal: Principal, pin: string): void | Promise<void>;
  /**
   * Sets a PIN, which counts everywhere within two seconds and starts unlocked.
   * @param by who sets it, as the mail to the owners begins; left out, nobody is notified.
   * @throws AppError 400; 422 `PIN_TOO_SIMPLE`.
   */
  setPin(tenant: Tenant, pin: string, by?: string): Promise<void>;
  /** When the PIN was set, and until when wrong attempts lock it; undefined where none was set. */
  readPin(tenant: Tenant): Promise<{ setAt: Date; lockedUntil: Date | null } | undefined>;
  /** Ends a lock early, for the operator. @throws AppError `PIN_NOT_SET`. */
  unlockPin(tenant: Tenant): Promise<void>;
}

interface PinGuardDeps {
  database: Database;
  secrets: Secrets;
  clock: Clock;
}

export function createPinGuard(deps: PinGuardDeps): PinGuard {
  const { database, clock } = deps;
  const attempt = createAttempts(deps);
  const proofKey = randomBytes(PROOF_KEY_BYTES).toString('base64url');
  /** It never leaves the process, and is computed with every request: a hash that is made in one call is enough. */
  const proofOf = ({ merchantId, mode }: Tenant, pin: string) =>
    hash('sha256', `${proofKey}:${merchantId}:${mode}:${pin}`, 'base64url');
  /**
   * The right PIN of a tenant, hashed, with its version. A change makes another version, which every principal has
   * within two seconds.
   */
  const proofs = createLruMap<{ version: number; hash: string }>(MAX_REMEMBERED);
  const locks = createLruMap<{ until: Date; knownAt: number }>(MAX_REMEMBERED);
  const queues = new Map<string, { tail: Promise<void>; waiting: number }>();

  function refuseWhileLocked({ tenant, pin }: Principal): void {
    const now = clock.now();
    const own = locks.get(tenantKey(tenant));
    const ownLockedUntil = own !== undefined && clock.elapsedMs() - own.knownAt < OWN_LOCK_MS ? own.until : null;
    const until = ownLockedUntil ?? pin?.lockedUntil;
    if (until !== null && until !== undefined && until > now) throw pinLocked(tenant.mode, until, now);
  }

  function isProved(principal: Principal, pin: string): boolean {
    const proof = proofs.get(tenantKey(principal.tenant));
    if (proof === undefined || proof.version !== principal.pin?.version) return false;
    return proof.hash === proofOf(principal.tenant, pin);
  }

  /**
   * One at a time for each tenant: of several requests with the right PIN one is checked, and each wrong guess is
   * counted before the next is compared.
   */
  function inTurn(principal: Principal, pin: string): Promise<void> {
    const name = tenantKey(principal.tenant);
    const queue = queues.get(name) ?? { tail: Promise.resolve(), waiting: 0 };
    queues.set(name, queue);
    queue.waiting += 1;
    const turn = queue.tail.then(async () => {
      try {
        refuseWhileLocked(principal);
        if (!isProved(principal, pin)) await evaluate(principal.tenant, pin);
      } finally {
        queue.waiting -= 1;
        if (queue.waiting === 0) queues.delete(name);
      }
    });
    queue.tail = turn.catch(() => undefined);
    return turn;
  }

  async function evaluate(tenant: Tenant, pin: string): Promise<void> {
    const verdict = await attempt(tenant, pin);
    switch (verdict.kind) {
      case 'RIGHT':
        proofs.set(tenantKey(tenant), { version: verdict.version, hash: proofOf(tenant, pin) });
        return;
      case 'LOCKED':
        locks.set(tenantKey(tenant), { until: verdict.until, knownAt: clock.elapsedMs() });
        throw pinLocked(tenant.mode, verdict.until, clock.now());
      case 'WRONG':
        throw pinInvalid(verdict.attemptsLeft);
    }
  }

  function forget(tenant: Tenant): void {
    proofs.delete(tenantKey(tenant));
    locks.delete(tenantKey(tenant));
  }

  return {
    verifyPin(principal, pin) {
      if (!PIN.test(pin)) throw invalidField('pin', 'must be 4 to 6 digits');
      refuseWhileLocked(principal);
      // No request overtakes a queue: otherwise a flood of guesses could find the right PIN in the cache before the
      // lock.
      if (!queues.has(tenantKey(principal.tenant)) && isProved(principal, pin)) return;
      return inTurn(principal, pin);
    },
    async setPin(tenant, pin, by) {
      await storePin(deps, tenant, pin, by);
      forget(tenant);
    },
    async readPin(tenant) {
      const [state] = await database.query(listPins, [[tenant.merchantId], [tenant.mode]]);
      if (state === undefined) return undefined;
      const locked = state.locked_until !== null && state.locked_until > clock.now();
      return { setAt: state.set_at, lockedUntil: locked ? state.locked_until : null };
    },
    async unlockPin(tenant) {
      const unlocked = await database.query(updatePinUnlocked, [tenant.merchantId, tenant.mode]);
      if (unlocked.length === 0) throw pinNotSet(tenant.mode);
      forget(tenant);
    },
  };
}

/** Whether a PIN is set for a tenant, whatever its state. */
export async function hasPin(database: Queries, { merchantId, mode }: Tenant): Promise<boolean> {
  return (await database.query(listPins, [[merchantId], [mode]])).length > 0;
}

/**
 * Stores a PIN without the cache of a running guard: the new version replaces the old one there within two seconds.
 * @param by who sets it, as the mail to the owners begins; left out, nobody is notified.
 * @throws AppError 400; 422 `PIN_TOO_SIMPLE`.
 */
export async function storePin(deps: PinGuardDeps, tenant: Tenant, pin: string, by?: string): Promise<void> {
  if (!PIN.test(pin)) throw invalidField('pin', 'must be 4 to 6 digits');
  if (isTrivialPin(pin)) throw pinTrivial();
  const { database, secrets, clock } = deps;
  const { merchantId, mode } = tenant;
  const at = clock.now();
  const row = [merchantId, mode, hashOfPin(secrets, tenant, pin), [secrets.pepperId], at];
  await database.transaction(async (tx) => {
    await tx.query(upsertPin, row);
    if (by !== undefined) await notifyOwners({ queries: tx, secrets, clock }, merchantId, pinNotice(at, by, mode));
  });
}

type Verdict =
  | { kind: 'RIGHT'; version: number }
  | { kind: 'WRONG'; attemptsLeft: number }
  | { kind: 'LOCKED'; until: Date };

/** A guess, hashed as the PIN is stored, and the hash as it was read. */
interface Attempt {
  tenant: Tenant;
  stored: string;
  guess: string;
}

/**
 * Checks one guess. It reads how the PIN is stored and hashes the guess in the same way, without holding a connection;
 * then a single statement compares it under the row's lock, and counts it where it is wrong. Guesses for other tenants
 * that come meanwhile share the next statement. The result is returned only after it was committed.
 */
function createAttempts({ database, secrets, clock }: PinGuardDeps): (tenant: Tenant, pin: string) => Promise<Verdict> {
  const findPin = createGroupReader((tenants: Tenant[]) => readPins(database, tenants));
  const judge = createJudge({ database, clock });

  return async (tenant, pin) => {
    const { merchantId, mode } = tenant;
    for (;;) {
      const stored = await findPin(tenant);
      if (stored === undefined) throw pinNotSet(mode);
      if (stored.locked_until !== null && stored.locked_until > clock.now())
        return { kind: 'LOCKED', until: stored.locked_until };
      const guess = await hashOfPinAs(stored, secrets, tenant, pin);
      const row = await judge({ tenant, stored: stored.hash, guess });
      if (row === undefined) throw pinNotSet(mode);
      if (row.verdict === 'RIGHT') {
        if (!isStoredPlainly(stored, secrets)) {
          const plainly = [hashOfPin(secrets, tenant, pin), [secrets.pepperId]];
          await database.query(updatePinHash, [merchantId, mode, stored.hash, ...plainly]);
        }
        return { kind: 'RIGHT', version: row.version };
      }
      if (row.verdict === 'WRONG') return { kind: 'WRONG', attemptsLeft: MAX_ATTEMPTS - row.failed_attempts };
      if (row.locked_until !== null) return { kind: 'LOCKED', until: row.locked_until };
      // The PIN was changed, or stored anew, since it was read: the guess is checked again.
    }
  };
}

/** Attempts of one tenant come one at a time: those that are counted together are of different tenants. */
function createJudge({ database, clock }: Pick<PinGuardDeps, 'database' | 'clock'>) {
  const counted = createConcurrencyLimit({ atOnce: COUNTED_AT_ONCE });

  async function judgeSome(some: readonly Attempt[]) {
    const now = clock.now();
    const forgottenBefore = new Date(now.getTime() - LOCK_MS);
    const merchants = some.map(({ tenant }) => tenant.merchantId);
    const modes = some.map(({ tenant }) => tenant.mode);
    const hashes = [some.map(({ stored }) => stored), some.map(({ guess }) => guess)];
    const limits = [now, forgottenBefore, MAX_ATTEMPTS, new Date(now.getTime() + LOCK_MS)];
    const values = [merchants, modes, ...hashes, ...limits];
    const rows = await database.query(updatePinsAttempted, values);
    const byPlace = new Map(rows.map((row) => [row.place, row]));
    return some.map((_, at) => byPlace.get(at + 1));
  }

  return createGroupReader(async (attempts: Attempt[]) => {
    const pieces: Attempt[][] = [];
    for (let at = 0; at < attempts.length; at += COUNTED_TOGETHER)
      pieces.push(attempts.slice(at, at + COUNTED_TOGETHER));
    return (await Promise.all(pieces.map((some) => counted.run(() => judgeSome(some))))).flat();
  });
}

async function readPins(database: Database, tenants: readonly Tenant[]): Promise<(PinRow | undefined)[]> {
  const wanted = new Map(tenants.map((tenant) => [tenantKey(tenant), tenant]));
  const ids = [...wanted.values()].map(({ merchantId }) => merchantId);
  const modes = [...wanted.values()].map(({ mode }) => mode);
  const rows = await database.query(listPins, [ids, modes]);
  const found = new Map(rows.map((row) => [tenantKey(tenantOf(row)), row]));
  return tenants.map((tenant) => found.get(tenantKey(tenant)));
}

const RUNS = '01234567890 09876543210';

/** One digit repeated, or a run: what is guessed first. */
export function isTrivialPin(pin: string): boolean {
  return /^(\d)\1+$/.test(pin) || RUNS.includes(pin);
}

/** Rows read and written at once. */
const PIECE = 500;

/** How many PINs and API keys in force need each pepper. */
export async function countAccessPeppers(
  queries: Queries,
  now: Date,
): Promise<{ pins: PepperCount[]; keys: PepperCount[] }> {
  const [pins, keys] = await Promise.all([queries.query(countPinsByPepper), queries.query(countKeysByPepper, [now])]);
  return { pins, keys };
}

/**
 * Hashes every stored PIN that is not under the newest pepper once more, under that one, and removes what earlier
 * releases kept of it: the older pepper alone opens no PIN of a database dump from now on. A PIN that is given
 * meanwhile is stored in this way anyway.
 * @returns how many were hashed.
 */
export async function rehashPins({ database, secrets }: { database: Database; secrets: Secrets }): Promise<number> {
  let changed = 0;
  let after = { merchant_id: NIL_ID, mode: '' };
  for (;;) {
    const rows = await database.query(listPinsNotUnder, [after.merchant_id, after.mode, secrets.pepperId, PIECE]);
    const last = rows.at(-1);
    if (last === undefined) break;
    await database.run(
      updatePinsRehashed,
      rows.map(({ merchant_id, mode, hash: stored }) => ({
        merchant_id,
        mode,
        before: stored,
        hash: rehash(secrets, PIN_PURPOSE, stored),
        pepper_id: secrets.pepperId,
      })),
    );
    changed += rows.length;
    after = last;
  }
  return changed;
}

/** For a pepper that is lost: PINs that need it are set anew, and keys that do are revoked. */
export async function forgetAccessUnder(queries: Queries, pepperId: string, now: Date): Promise<void> {
  await queries.query(deletePinsUnder, [pepperId]);
  await queries.query(updateKeysRevokedUnder, [pepperId, now]);
}
