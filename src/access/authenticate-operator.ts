import { createHash } from 'node:crypto';
import type { Clock } from '../platform/clock.ts';
import type { Database, Queries } from '../platform/db/database.ts';
import { operatorNotFound, signInLocked, signInRefused } from './errors.ts';
import {
  deleteOldSignInTries,
  findOperatorByEmail,
  findOperatorById,
  findSignInLock,
  updateSignInTryReturned,
  upsertSignInTry,
} from './queries.ts';
import { slowHash, slowHashMatches } from './slow-hash.ts';

const MAX_SIGN_IN_TRIES = 5;
/** How long a lock lasts, and how long a wrong try counts. */
const LOCK_MS = 15 * 60_000;
/** Rows of addresses that nobody tried for so long say nothing any more. */
const FORGET_MS = 24 * 60 * 60_000;

/** One of the operator's staff who has proved it. */
export interface Operator {
  personId: string;
  email: string;
}

/** Compared with where nobody has the address, so that this takes as long as a wrong password. */
let nobodysHash: Promise<string> | undefined;

/**
 * Proves that somebody is one of the operator's staff. A try is counted before the password is looked at, and given back
 * when it was right: however many guesses come at once, in however many processes, at most five are looked at in fifteen
 * minutes. A right password does not wipe the wrong ones out, or each sign-in would hand a guesser new tries.
 * @throws AppError 401 `SIGN_IN_REFUSED`, the same for an unknown address, a merchant's person and a wrong password;
 *   423 `SIGN_IN_LOCKED`, also for an address that is nobody's.
 */
export async function authenticateOperator(
  deps: { database: Database; clock: Clock },
  input: { email: string; password: string },
): Promise<Operator> {
  const email = input.email.trim().toLowerCase();
  const key = createHash('sha256').update(email).digest('hex');
  await countTry(deps, key);
  const [person] = await deps.database.query(findOperatorByEmail, [email]);
  nobodysHash ??= slowHash('nobody');
  const right = await slowHashMatches(input.password, person?.password_hash ?? (await nobodysHash));
  if (person === undefined || !right) throw signInRefused();
  await deps.database.query(updateSignInTryReturned, [key]);
  return { personId: person.id, email: person.email };
}

async function countTry({ database, clock }: { database: Database; clock: Clock }, key: string): Promise<void> {
  const now = clock.now();
  const forgottenBefore = new Date(now.getTime() - LOCK_MS);
  const lockedUntil = new Date(now.getTime() + LOCK_MS);
  const counted = await database.query(upsertSignInTry, [key, now, forgottenBefore, MAX_SIGN_IN_TRIES, lockedUntil]);
  if (counted.length > 0) {
    await database.query(deleteOldSignInTries, [new Date(now.getTime() - FORGET_MS)]);
    return;
  }
  const [lock] = await database.query(findSignInLock, [key]);
  throw signInLocked(lock?.locked_until ?? lockedUntil, now);
}

/** The operator's person with this id, for whoever was handed an id. @throws AppError 403 `OPERATOR_NOT_FOUND`. */
export async function requireOperator(queries: Queries, personId: string): Promise<Operator> {
  const [person] = await queries.query(findOperatorById, [personId]);
  if (person === undefined) throw operatorNotFound();
  return { personId: person.id, email: person.email };
}
