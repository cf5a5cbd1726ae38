import { randomBytes } from 'node:crypto';
import { pinState, type Sessions, type SignedIn, type SignedInMerchant, sessionExpired } from '../access/index.ts';
import { isApproved, isServiceKey, type ServiceKey } from '../merchants/index.ts';
import { createLruMap } from '../platform/cache.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Queries } from '../platform/db/database.ts';
import { createGroupReader } from '../platform/group-reader.ts';
import type { Logger } from '../platform/logger.ts';
import type { Secrets } from '../platform/secrets.ts';
import {
  findSessionMerchant,
  listSessionStates,
  type SessionMerchantRow,
  type SessionStateRow,
  updateSessionSeen,
} from './session-queries.ts';

/** A session that is not used for so long ends. */
export const IDLE_MS = 30 * 60_000;
/** A session ends so long after it began, even when it is in use. */
export const LIFETIME_MS = 12 * 60 * 60_000;
/** An MFA pending session waits so long for the second factor. */
export const MFA_PENDING_LIFETIME_MS = 10 * 60_000;
/** How long a password counts as just given. */
export const STEP_UP_MS = 5 * 60_000;
/** Requests that were under way while a session's secret changed still arrive with the old one. */
export const PREVIOUS_MS = 10_000;

const SECRET_BYTES = 32;
const SHAPE = /^[A-Za-z0-9_-]{43}$/;

export function makeSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}

export function isSecret(text: string): boolean {
  return SHAPE.test(text);
}

export function hashOfSecret(secrets: Secrets, secret: string): string {
  return secrets.hmac('session', secret);
}

/** The hashes that may be stored: a session survives a change of the pepper, under the one that it began with. */
export function hashesOfSecret(secrets: Secrets, secret: string): string[] {
  return secrets.hmacs('session', secret);
}

/** What was read from the database is used for this long: no revocation takes longer to work. */
const MAX_AGE_MS = 2_000;
/** Sessions kept in memory; beyond it the least recently used are dropped. */
const MAX_REMEMBERED = 10_000;
/** `last_seen_at` is exact to a minute. */
const NOTE_EVERY_MS = 60_000;

export interface SessionGate extends Sessions {
  /** As `authenticate`, without counting as a use: a page that is only open lets its session end. */
  look(secret: string): SignedIn | Promise<SignedIn>;
  /** Drops at once what this process has cached of a person; other processes follow within two seconds. */
  forget(personId: string): void;
  /** The same for one session, by its secret. */
  forgetSecret(secret: string | undefined): void;
}

interface SessionGateDeps {
  database: Database;
  secrets: Secrets;
  clock: Clock;
  logger: Logger;
}

interface Remembered {
  row: SessionStateRow;
  /** Asked with the secret before the last change: it stays valid for a moment, and never counts as stepped up. */
  isPrevious: boolean;
  readStartedAt: number;
  lastSeenAt: Date;
}

/** Reads a session at most every two seconds, however many requests use it, and many sessions with one statement. */
export function createSessionGate(deps: SessionGateDeps): SessionGate {
  const { database, secrets, clock, logger } = deps;
  const remembered = createLruMap<Remembered>(MAX_REMEMBERED);
  const findState = createGroupReader(async (wanted: readonly string[][]) => {
    const readStartedAt = clock.elapsedMs();
    const rows = await database.query(listSessionStates, [wanted.flat()]);
    const byHash = new Map(rows.map((row) => [row.secret_hash, { row, isPrevious: false }]));
    const byPrevious = new Map(rows.map((row) => [row.previous_hash, { row, isPrevious: true }]));
    return wanted.map((hashes) => ({
      found: firstOf(hashes, byHash) ?? firstOf(hashes, byPrevious),
      readStartedAt,
    }));
  });

  async function lookUp(secret: string, isUse: boolean): Promise<SignedIn> {
    const { found: state, readStartedAt } = await findState(hashesOfSecret(secrets, secret));
    if (state === undefined) {
      remembered.delete(secret);
      throw sessionExpired();
    }
    const { row, isPrevious } = state;
    const seenBefore = remembered.get(secret)?.lastSeenAt ?? row.last_seen_at;
    const lastSeenAt = seenBefore > row.last_seen_at ? seenBefore : row.last_seen_at;
    const found = { row, isPrevious, readStartedAt, lastSeenAt };
    remembered.set(secret, found);
    return admit(found, isUse);
  }

  function admit(found: Remembered, isUse: boolean): SignedIn {
    const now = clock.now();
    const { row, isPrevious } = found;
    const isIdle = now.getTime() - found.lastSeenAt.getTime() >= IDLE_MS;
    const isReplaced = isPrevious && (row.previous_until === null || row.previous_until <= now);
    if (row.expires_at <= now || isIdle || isReplaced || row.disabled_at !== null) throw sessionExpired();
    if (isUse && now.getTime() - found.lastSeenAt.getTime() >= NOTE_EVERY_MS) noteSeen(found, now);
    return signedIn(found);
  }

  function noteSeen(found: Remembered, now: Date): void {
    found.lastSeenAt = now;
    database.query(updateSessionSeen, [found.row.id, now]).catch((error: unknown) => {
      logger.debug({ err: error }, 'the use of a session was not noted');
    });
  }

  /**
   * Its row is read before it is used again. The time of its last use is kept: the note of that may still be on its
   * way.
   */
  function outdate(known: Remembered | undefined): void {
    if (known !== undefined) known.readStartedAt = Number.NEGATIVE_INFINITY;
  }

  function find(secret: string, isUse: boolean): SignedIn | Promise<SignedIn> {
    if (!isSecret(secret)) throw sessionExpired();
    const known = remembered.get(secret);
    if (known === undefined || clock.elapsedMs() - known.readStartedAt >= MAX_AGE_MS) return lookUp(secret, isUse);
    return admit(known, isUse);
  }

  return {
    authenticate: (secret) => find(secret, true),
    look: (secret) => find(secret, false),
    knows: (secret) => remembered.has(secret),
    csrfToken: (sessionId) => secrets.hmac('csrf', sessionId),
    csrfTokens: (sessionId) => secrets.hmacs('csrf', sessionId),
    forget(personId) {
      for (const known of remembered.values()) if (known.row.person_id === personId) outdate(known);
    },
    forgetSecret(secret) {
      if (secret !== undefined) outdate(remembered.peek(secret));
    },
  };
}

function firstOf<T>(hashes: readonly string[], found: ReadonlyMap<string | null, T>): T | undefined {
  return hashes.map((hash) => found.get(hash)).find((entry) => entry !== undefined);
}

function signedIn({ row, isPrevious, lastSeenAt }: Remembered): SignedIn {
  return {
    sessionId: row.id,
    stage: row.stage,
    personId: row.person_id,
    kind: row.kind,
    email: row.email,
    firstName: row.first_name,
    lastName: row.last_name,
    // A release before roles may have made a member without one.
    role: row.kind === 'MEMBER' ? (row.role ?? 'VIEWER') : null,
    secondFactor: row.second_factor,
    recoveryCodesLeft: row.recovery_codes_left,
    expiresAt: row.expires_at,
    idleExpiresAt: new Date(lastSeenAt.getTime() + IDLE_MS),
    stepUpUntil: isPrevious ? null : row.step_up_until,
    merchant: row.merchant_id === null ? null : merchantOf(row),
  };
}

/** A merchant in the sessions of its people, as it is now; undefined where there is none. */
export async function readSessionMerchant(queries: Queries, merchantId: string): Promise<SignedInMerchant | undefined> {
  const [row] = await queries.query(findSessionMerchant, [merchantId]);
  return row && merchantOf(row);
}

type MerchantFacts = SessionMerchantRow &
  Pick<
    SessionStateRow,
    'services' | 'sandbox_pin_version' | 'sandbox_pin_locked_until' | 'live_pin_version' | 'live_pin_locked_until'
  >;

function merchantOf(row: MerchantFacts): SignedInMerchant {
  return {
    merchantId: row.merchant_id,
    businessName: row.business_name,
    status: row.status,
    reviewStatus: row.review_status,
    approved: isApproved(row),
    isMakerCheckerEnabled: row.is_maker_checker_enabled,
    services: new Set<ServiceKey>(row.services.filter(isServiceKey)),
    pins: {
      SANDBOX: pinState(row.sandbox_pin_version, row.sandbox_pin_locked_until),
      LIVE: pinState(row.live_pin_version, row.live_pin_locked_until),
    },
  };
}
