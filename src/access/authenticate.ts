import { byShard, type ShardOf } from '../ledger/index.ts';
import { answeredWithin } from '../platform/answered-within.ts';
import { createLruMap, type LruMap } from '../platform/cache.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import { columnArrays, merchantsAmong, rowsFor } from '../platform/db/statement.ts';
import { databaseAway } from '../platform/errors.ts';
import { createGroupReader } from '../platform/group-reader.ts';
import type { Logger } from '../platform/logger.ts';
import type { Secrets } from '../platform/secrets.ts';
import { parseApiKey } from './api-key.ts';
import { ipNotAllowed, tokenExpired, tokenInvalid, tokenMissing } from './errors.ts';
import { type Admission, admissionOf, isListed } from './key-state.ts';
import type { Principal } from './principal.ts';
import {
  deleteDirectoryEntry,
  type KeyStateRow,
  listDirectoryEntries,
  listKeyStates,
  listUnchangedKeys,
  updateApiKeyHash,
  updateKeysLastUsed,
  upsertDirectoryEntry,
} from './queries.ts';
import { readToken, type TokenGrant } from './token.ts';

/** @throws AppError `SERVICE_UNAVAILABLE` when a database that neither answers nor refuses has had its time. */
function withinTime<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
  return answeredWithin(work, timeoutMs, () => {
    throw databaseAway('The database did not answer in time. Please try again.');
  });
}

/** What was read from the database is used for this long: no revocation takes longer to work. */
const MAX_AGE_MS = 2_000;
/** The state of a key in use is read again when it is this old. */
const REFRESH_AFTER_MS = 900;
/** So it is read twice before it is too old: one answer may be late or lost. */
const REFRESH_EVERY_MS = 500;
/** A key that is not used for so long is not refreshed; its next request reads. */
const IDLE_AFTER_MS = 10_000;
/** Headers kept in memory; beyond it the least recently used ones are dropped. */
const MAX_REMEMBERED = 20_000;
/** A database that does not answer for so long is treated as absent. */
const READ_TIMEOUT_MS = 3_000;
/** `last_used_at` is for people: a minute is exact enough. */
const NOTE_USE_EVERY_MS = 60_000;
/** Our keys have 57 characters and our tokens under 1,000. */
const MAX_BEARER_LENGTH = 2_048;

export interface Authenticator {
  /**
   * The principal of an `Authorization` header. A header that was seen lately is answered at once, without a promise.
   * @throws AppError (at once or as a rejection) 401 `TOKEN_MISSING`, `TOKEN_INVALID`, `TOKEN_EXPIRED`;
   *   403 `IP_NOT_ALLOWED`; 503 `SERVICE_UNAVAILABLE` when the database cannot be asked.
   */
  authenticate(authorization: string | undefined, ip: string): Principal | Promise<Principal>;
  /** Whether this process has looked up the header before. */
  knows(authorization: string): boolean;
  close(): void;
}

interface KeyRef {
  merchantId: string;
  keyId: string;
}

/** The key of a header never changes; the state of the key does. */
interface Identity {
  ref: KeyRef;
  token: TokenGrant | undefined;
}

interface Remembered extends Identity, Admission {
  /** The version of its state in the database. */
  version: bigint;
  readStartedAt: number;
  usedAt: number;
  notedAt: number;
}

interface AuthenticatorDeps {
  database: Database;
  secrets: Secrets;
  clock: Clock;
  logger: Logger;
  /** Finds the shard of a merchant; unless given, all keys are read together. */
  shardOf?: ShardOf;
}

export function createAuthenticator(deps: AuthenticatorDeps): Authenticator {
  const remembered = createLruMap<Remembered>(MAX_REMEMBERED);
  // A flood of unknown keys shares one statement at a time: it costs one connection, not all of them.
  const findRef = createGroupReader((wanted: readonly string[][]) => readDirectory(deps.database, wanted));
  const findState = createGroupReader(async (refs: KeyRef[]) => {
    const readStartedAt = deps.clock.elapsedMs();
    const states = await readStates(deps, refs);
    return refs.map((ref) => ({ row: states.get(nameOf(ref)), readStartedAt }));
  });

  async function identify(authorization: string): Promise<Identity> {
    const bearer = bearerOf(authorization);
    if (bearer === undefined) throw /^Bearer +\S/i.test(authorization) ? tokenInvalid() : tokenMissing();
    if (parseApiKey(bearer) !== undefined) {
      const [hash = '', ...older] = deps.secrets.hmacs('api-key', bearer);
      const found = await findRef([hash, ...older]);
      if (found === undefined) throw tokenInvalid();
      if (found.hash !== hash) void renewHash(deps, found.ref, { from: found.hash, to: hash });
      return { ref: found.ref, token: undefined };
    }
    const token = await readToken(deps, bearer);
    return { ref: { merchantId: token.merchantId, keyId: token.keyId }, token };
  }

  async function lookUp(authorization: string, ip: string, known: Identity | undefined): Promise<Principal> {
    const { ref, token } = known ?? (await identify(authorization));
    const { row, readStartedAt } = await findState(ref);
    if (row === undefined) throw tokenInvalid();
    const admission = admissionOf(row, token);
    const notedAt = remembered.get(authorization)?.notedAt ?? -Infinity;
    const seen = { version: row.version, readStartedAt, usedAt: deps.clock.elapsedMs(), notedAt };
    remembered.set(authorization, { ref, token, ...admission, ...seen });
    return admit(admission, ip, deps.clock);
  }

  const refresher = startRefresher(deps, remembered);

  return {
    authenticate(authorization, ip) {
      if (authorization === undefined || authorization === '') throw tokenMissing();
      const known = remembered.get(authorization);
      const now = deps.clock.elapsedMs();
      if (known === undefined || now - known.readStartedAt >= MAX_AGE_MS) return lookUp(authorization, ip, known);
      known.usedAt = now;
      return admit(known, ip, deps.clock);
    },
    knows: (authorization) => remembered.has(authorization),
    close: () => refresher.stop(),
  };
}

function bearerOf(authorization: string): string | undefined {
  if (authorization.length > MAX_BEARER_LENGTH) return undefined;
  return /^Bearer +(\S+)$/i.exec(authorization)?.[1];
}

function admit(admission: Admission, ip: string, clock: Clock): Principal {
  if (admission.validUntil <= clock.now().getTime()) throw tokenExpired();
  if (admission.allowedIps !== undefined && !isListed(admission.allowedIps, ip)) throw ipNotAllowed();
  return admission.principal;
}

/** Refreshes in the background what is in use, so that no request waits for it: only what changed is read again. */
function startRefresher(deps: AuthenticatorDeps, remembered: LruMap<Remembered>) {
  const { database, clock, logger } = deps;
  let busy = false;
  let failing = false;

  async function refresh(): Promise<void> {
    const readStartedAt = clock.elapsedMs();
    const recent = usedSince(remembered, readStartedAt - IDLE_AFTER_MS);
    void noteUse(recent, readStartedAt);
    const due = recent.filter(([, entry]) => readStartedAt - entry.readStartedAt >= REFRESH_AFTER_MS);
    if (due.length === 0) return;
    const unchanged = await readUnchanged(
      deps,
      due.map(([, entry]) => entry),
    );
    // A request may have read later than this refresh; the later read counts.
    const isOurs = ({ readStartedAt: read }: Remembered) => read <= readStartedAt;
    const changed = due.filter(([, entry]) => {
      if (unchanged.has(entry) && isOurs(entry)) entry.readStartedAt = readStartedAt;
      return !unchanged.has(entry);
    });
    const states = await readStates(
      deps,
      changed.map(([, entry]) => entry.ref),
    );
    for (const [authorization, entry] of changed) {
      if (!isOurs(entry)) continue;
      const row = states.get(nameOf(entry.ref));
      if (row === undefined) remembered.delete(authorization);
      else Object.assign(entry, admissionOf(row, entry.token), { version: row.version, readStartedAt });
    }
  }

  async function noteUse(recent: readonly [string, Remembered][], now: number): Promise<void> {
    const due = recent.map(([, entry]) => entry).filter((entry) => now - entry.notedAt >= NOTE_USE_EVERY_MS);
    const keys = new Map(due.map((entry) => [nameOf(entry.ref), entry.ref]));
    for (const entry of due) entry.notedAt = now;
    // In one order everywhere, so that two processes do not deadlock.
    const rows = [...keys.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, ref]) => ref);
    const usedAt = clock.now();
    try {
      await database.run(
        updateKeysLastUsed,
        rows.map((ref) => ({ merchant_id: ref.merchantId, id: ref.keyId, used_at: usedAt })),
      );
    } catch (error) {
      logger.debug({ err: error }, 'the use of API keys was not noted');
    }
  }

  const timer = setInterval(() => {
    if (busy) return;
    busy = true;
    refresh()
      .then(() => (failing = false))
      .catch((error: unknown) => {
        if (!failing)
          logger.warn({ err: error }, 'API keys could not be refreshed; requests will wait for the database');
        failing = true;
      })
      .finally(() => (busy = false));
  }, REFRESH_EVERY_MS).unref();

  return { stop: () => clearInterval(timer) };
}

/** The map is ordered from the most to the least recently used. */
function usedSince(remembered: LruMap<Remembered>, since: number): [string, Remembered][] {
  const recent: [string, Remembered][] = [];
  for (const [authorization, entry] of remembered.entries()) {
    if (entry.usedAt < since) break;
    recent.push([authorization, entry]);
  }
  return recent;
}

function nameOf(ref: KeyRef): string {
  return `${ref.merchantId}/${ref.keyId}`;
}

/** Each key is looked up by its hash under every given pepper. */
async function readDirectory(
  database: Database,
  wanted: readonly string[][],
): Promise<({ ref: KeyRef; hash: string } | undefined)[]> {
  const rows = await withinTime(database.query(listDirectoryEntries, [wanted.flat()]), READ_TIMEOUT_MS);
  const found = new Map(
    rows.map((row) => [row.key_hash, { ref: { merchantId: row.merchant_id, keyId: row.key_id }, hash: row.key_hash }]),
  );
  return wanted.map((hashes) => hashes.map((hash) => found.get(hash)).find((entry) => entry !== undefined));
}

/** A key that was found under an older pepper is known in full here: from now on it is stored under the newest. */
async function renewHash(
  { database, secrets, logger }: AuthenticatorDeps,
  { merchantId, keyId }: KeyRef,
  { from, to }: { from: string; to: string },
): Promise<void> {
  try {
    await database.query(upsertDirectoryEntry, [to, merchantId, keyId]);
    await database.query(updateApiKeyHash, [merchantId, keyId, from, to, secrets.pepperId]);
    await database.query(deleteDirectoryEntry, [from]);
  } catch (error) {
    logger.debug({ err: error }, 'an API key was not put under the newest pepper; its next use does it');
  }
}

/** @returns those that are unchanged since their version */
async function readUnchanged(
  { database, shardOf }: AuthenticatorDeps,
  known: readonly Remembered[],
): Promise<ReadonlySet<Remembered>> {
  const ask = async (part: readonly Remembered[]) => {
    const versions = part.map(({ ref, version }) => ({ merchant_id: ref.merchantId, id: ref.keyId, version }));
    const values = columnArrays(...rowsFor(listUnchangedKeys, versions));
    const rows = await database.query<{ place: number; is_same: boolean }>(listUnchangedKeys, values);
    return rows.filter(({ is_same }) => is_same).map(({ place }) => part[place - 1] as Remembered);
  };
  return new Set(await askShards(shardOf, known, ({ ref }) => ref, ask));
}

async function readStates(
  { database, shardOf }: AuthenticatorDeps,
  refs: readonly KeyRef[],
): Promise<Map<string, KeyStateRow>> {
  if (refs.length === 0) return new Map();
  // Many tokens may come from one key: each key is read once.
  const keys = [...new Map(refs.map((ref) => [nameOf(ref), ref])).values()];
  const ask = (part: readonly KeyRef[]) => {
    const merchants = part.map(({ merchantId }) => merchantId);
    const ids = part.map(({ keyId }) => keyId);
    return database.query(listKeyStates, [merchants, ids, merchantsAmong(merchants)]);
  };
  const rows = await askShards(shardOf, keys, (ref) => ref, ask);
  return new Map(rows.map((row) => [nameOf({ merchantId: row.merchant_id, keyId: row.id }), row]));
}

/** Asks each shard for its own keys, within the time of a read. */
function askShards<Wanted, Row>(
  shardOf: ShardOf | undefined,
  all: readonly Wanted[],
  refOf: (one: Wanted) => KeyRef,
  ask: (part: readonly Wanted[]) => Promise<Row[]>,
): Promise<Row[]> {
  const askAll = async () => {
    const parts = await byShard(shardOf ?? (() => undefined), all, (one) => refOf(one).merchantId);
    return (await Promise.all(parts.map(ask))).flat();
  };
  return withinTime(askAll(), READ_TIMEOUT_MS);
}
