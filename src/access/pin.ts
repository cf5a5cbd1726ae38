import { hash, randomBytes } from 'node:crypto';
import { tellOwners } from '../mail/index.ts';
import type { Clock } from '../platform/clock.ts';
import { CommitUnknownError, type Database, type Tx } from '../platform/db/database.ts';
import { invalidField, unavailable } from '../platform/errors.ts';
import type { Secrets } from '../platform/secrets.ts';
import { pinInvalid, pinLocked, pinNotSet, pinTrivial } from './errors.ts';
import { pinNotice } from './key-notice.ts';
import type { Principal } from './principal.ts';
import { findPinState, lockPin, type PinRow, updatePinTries, updatePinUnlocked, upsertPin } from './queries.ts';
import { slowHash, slowHashMatches } from './slow-hash.ts';

const MAX_TRIES = 5;
/** How long a lock lasts, and how long a wrong try counts. */
const LOCK_MS = 30 * 60_000;
/** How long a right PIN may be believed without asking the database again. */
const REMEMBER_MS = 60_000;
/** How long this process's own word of a lock counts; by then every principal has it from the database. */
const OWN_WORD_MS = 5_000;
const PIN = /^\d{4,6}$/;

export interface PinGuard {
  /**
   * Returns for the right PIN, at once and without a promise where it was proved less than a minute ago.
   *
   * Wrong tries count on the merchant's row under its lock: across processes, through restarts, and never more than
   * five, however many come at once. A right PIN does not wipe them out, or a busy merchant's own traffic would hand a
   * guesser new tries for ever; they are forgotten half an hour after the last one.
   * @throws AppError (at once or as a rejection) 422 `PIN_INVALID` or `PIN_NOT_SET`, 423 `PIN_LOCKED`, 400 for what is
   *   no PIN at all, 503 when the database cannot be asked.
   */
  verifyPin(principal: Principal, pin: string): void | Promise<void>;
  /**
   * The new PIN counts everywhere within two seconds and starts unlocked.
   * @param by who sets it, as a sentence to the owners begins with it; left out, nobody is told.
   * @throws AppError 400; 422 `PIN_TOO_SIMPLE`.
   */
  setPin(merchantId: string, pin: string, by?: string): Promise<void>;
  /** Since when there is a PIN, and until when wrong tries lock it; undefined where none was set. */
  readPin(merchantId: string): Promise<{ setAt: Date; lockedUntil: Date | null } | undefined>;
  /** The operator ends a lock early. @throws AppError `PIN_NOT_SET`. */
  unlockPin(merchantId: string): Promise<void>;
}

interface Proof {
  version: number;
  /** Under a key that lives as long as the process. */
  pinMac: string;
  until: number;
}

type Verdict =
  | { kind: 'RIGHT'; version: number }
  | { kind: 'WRONG'; triesLeft: number }
  | { kind: 'LOCKED'; until: Date };

export function createPinGuard(deps: { database: Database; secrets: Secrets; clock: Clock }): PinGuard {
  const { database, secrets, clock } = deps;
  const processKey = randomBytes(32).toString('base64');
  const proofs = new Map<string, Proof>();
  const locks = new Map<string, { until: Date; knownAt: number }>();
  const queues = new Map<string, { tail: Promise<void>; waiting: number }>();

  // A one-shot hash over a secret prefix: it never leaves this memory, and making an HMAC costs ten times as much.
  const macOf = (merchantId: string, pin: string) => hash('sha256', `${processKey}:${merchantId}:${pin}`, 'base64');

  function refuseWhileLocked(principal: Principal): void {
    const now = clock.now();
    const own = locks.get(principal.tenant.merchantId);
    const ownWord = own !== undefined && performance.now() - own.knownAt < OWN_WORD_MS ? own.until : null;
    const until = ownWord ?? principal.pin?.lockedUntil;
    if (until !== null && until !== undefined && until > now) throw pinLocked(until, now);
  }

  function isProved(principal: Principal, pin: string): boolean {
    const { merchantId } = principal.tenant;
    const proof = proofs.get(merchantId);
    if (proof === undefined || performance.now() >= proof.until) return false;
    return proof.version >= (principal.pin?.version ?? 0) && proof.pinMac === macOf(merchantId, pin);
  }

  /**
   * One at a time for each merchant: a burst with the right PIN is evaluated once, a flood of guesses holds one
   * connection, and each wrong guess is counted before the next is compared with anything.
   */
  function inTurn(principal: Principal, pin: string): Promise<void> {
    const { merchantId } = principal.tenant;
    const queue = queues.get(merchantId) ?? { tail: Promise.resolve(), waiting: 0 };
    queues.set(merchantId, queue);
    queue.waiting += 1;
    const turn = queue.tail.then(async () => {
      try {
        refuseWhileLocked(principal);
        if (!isProved(principal, pin)) await evaluate(merchantId, pin);
      } finally {
        queue.waiting -= 1;
        if (queue.waiting === 0) queues.delete(merchantId);
      }
    });
    queue.tail = turn.catch(() => undefined);
    return turn;
  }

  async function evaluate(merchantId: string, pin: string): Promise<void> {
    const startedAt = performance.now();
    const verdict = await verdictOf(deps, merchantId, pin);
    switch (verdict.kind) {
      case 'RIGHT':
        proofs.set(merchantId, {
          version: verdict.version,
          pinMac: macOf(merchantId, pin),
          until: startedAt + REMEMBER_MS,
        });
        return;
      case 'LOCKED':
        locks.set(merchantId, { until: verdict.until, knownAt: performance.now() });
        throw pinLocked(verdict.until, clock.now());
      case 'WRONG':
        throw pinInvalid(verdict.triesLeft);
    }
  }

  return {
    verifyPin(principal, pin) {
      if (!PIN.test(pin)) throw invalidField('pin', 'must be 4 to 6 digits');
      refuseWhileLocked(principal);
      // Nobody overtakes a queue: else a flood of guesses could find the right PIN in the proof before the lock.
      if (!queues.has(principal.tenant.merchantId) && isProved(principal, pin)) return;
      return inTurn(principal, pin);
    },
    async setPin(merchantId, pin, by) {
      if (!PIN.test(pin)) throw invalidField('pin', 'must be 4 to 6 digits');
      if (isTrivial(pin)) throw pinTrivial();
      const hash = await slowHash(peppered(secrets, merchantId, pin));
      const at = clock.now();
      await database.transaction(async (tx) => {
        await tx.query(upsertPin, [merchantId, hash, at]);
        if (by !== undefined) await tellOwners({ queries: tx, secrets, clock }, merchantId, pinNotice(at, by));
      });
      proofs.delete(merchantId);
      locks.delete(merchantId);
    },
    async readPin(merchantId) {
      const [state] = await database.query(findPinState, [merchantId]);
      if (state === undefined) return undefined;
      const locked = state.locked_until !== null && state.locked_until > clock.now();
      return { setAt: state.set_at, lockedUntil: locked ? state.locked_until : null };
    },
    async unlockPin(merchantId) {
      const unlocked = await database.query(updatePinUnlocked, [merchantId]);
      if (unlocked.length === 0) throw pinNotSet();
      locks.delete(merchantId);
    },
  };
}

/** Evaluates one guess under the row's lock and commits what it cost before anyone hears the verdict. */
async function verdictOf(
  deps: { database: Database; secrets: Secrets; clock: Clock },
  merchantId: string,
  pin: string,
): Promise<Verdict> {
  try {
    return await deps.database.transaction(async (tx) => {
      const [row] = await tx.query(lockPin, [merchantId]);
      if (row === undefined) throw pinNotSet();
      const now = deps.clock.now();
      if (row.locked_until !== null && row.locked_until > now) return { kind: 'LOCKED', until: row.locked_until };
      if (await slowHashMatches(peppered(deps.secrets, merchantId, pin), row.pin_hash)) {
        return { kind: 'RIGHT', version: row.version };
      }
      return countWrongTry(tx, merchantId, row, now);
    });
  } catch (error) {
    // Whether the try was counted is not known, so its verdict is not told.
    if (error instanceof CommitUnknownError)
      throw unavailable('The PIN could not be checked. Please try again.', error);
    throw error;
  }
}

async function countWrongTry(tx: Tx, merchantId: string, row: PinRow, now: Date): Promise<Verdict> {
  const forgotten = row.last_failed_at === null || now.getTime() - row.last_failed_at.getTime() >= LOCK_MS;
  const tries = (forgotten ? 0 : row.failed_tries) + 1;
  const until = tries >= MAX_TRIES ? new Date(now.getTime() + LOCK_MS) : null;
  await tx.query(updatePinTries, [merchantId, tries, now, until]);
  return until === null ? { kind: 'WRONG', triesLeft: MAX_TRIES - tries } : { kind: 'LOCKED', until };
}

/** Without the pepper, which is not in the database, not even all million PINs could be tried against a stolen row. */
function peppered(secrets: Secrets, merchantId: string, pin: string): string {
  return secrets.hmac('pin', `${merchantId}:${pin}`);
}

const RUNS = '01234567890 09876543210';

function isTrivial(pin: string): boolean {
  return /^(\d)\1+$/.test(pin) || RUNS.includes(pin);
}
