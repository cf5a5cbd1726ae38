import { createHash } from 'node:crypto';
import type { Clock } from '../platform/clock.ts';
import type { Queries } from '../platform/db/database.ts';
import { networkOf } from '../platform/http/allowed-hosts.ts';
import { signInLocked } from './errors.ts';
import {
  deleteOldSignInAttempts,
  findSignInLock,
  updateSignInAttemptReleased,
  upsertSignInAttempt,
} from './queries.ts';

/** How long a lock lasts, and how long an attempt counts. */
const LOCK_MS = 15 * 60_000;
/** Rows without an attempt for so long mean nothing any more. */
const FORGET_MS = 24 * 60 * 60_000;

/** Something whose attempts are counted: an account, a network address, a second factor. */
interface Counted {
  /** Only its hash is kept. */
  name: string;
  max: number;
  /** What is locked, for the refusal. */
  of: string;
}

/** Five wrong passwords for one e-mail address, known or not, in browsers that did not sign in with it before. */
export function attemptsOfAccount(email: string): Counted {
  return { name: email, max: 5, of: 'Signing in with this address' };
}

/** Those of a browser that a person has signed in with: what is tried elsewhere does not lock it. @param hash of its secret */
export function attemptsOfBrowser(personId: string, hash: string): Counted {
  return { name: `browser ${hash} of ${personId}`, max: 5, of: 'Signing in with this browser' };
}

/** Those of a session in which the password is given again. */
export function attemptsOfSession(sessionId: string): Counted {
  return { name: `session ${sessionId}`, max: 5, of: 'Giving your password' };
}

/** Those at the terminal, which strangers have not. */
export function attemptsAtTerminal(email: string): Counted {
  return { name: `terminal of ${email}`, max: 5, of: 'Signing in with this address' };
}

/** An office shares one network address, so it has more; a right password releases its attempt. */
export function attemptsFrom(ip: string): Counted {
  return { name: `from ${networkOf(ip)}`, max: 50, of: 'Signing in from your network' };
}

export function attemptsOfSecondFactor(personId: string): Counted {
  return { name: `second factor of ${personId}`, max: 5, of: 'Your second factor' };
}

/** Mails that a stranger may cause to one address, and from one network: these are never released. */
export function mailsTo(email: string): Counted {
  return { name: `mail to ${email}`, max: 5, of: 'Sending mail to this address' };
}

/** Invitations by one organization: what strangers or others ask for keeps nobody from being invited. */
export function invitationsTo(merchantId: string | null, email: string): Counted {
  return {
    name: `invitations of ${merchantId ?? 'the operator'} to ${email}`,
    max: 5,
    of: 'Sending mail to this address',
  };
}

export function mailsFrom(ip: string): Counted {
  return { name: `mail from ${networkOf(ip)}`, max: 30, of: 'Asking for mail from your network' };
}

/**
 * Invitations of one organization: nobody should be able to send mail to a list of strangers through us. These are
 * never released.
 */
export function invitationsOf(merchantId: string | null): Counted {
  return { name: `invitations of ${merchantId ?? 'the operator'}`, max: 50, of: 'Inviting people' };
}

/**
 * Counts one attempt of each, before anything is checked. However many come at once, in however many processes, no more
 * than `max` pass within fifteen minutes.
 * @throws AppError 423 `SIGN_IN_LOCKED`.
 */
export async function countAttempts(
  { queries, clock }: { queries: Queries; clock: Clock },
  ...all: readonly Counted[]
): Promise<void> {
  const now = clock.now();
  const forgottenBefore = new Date(now.getTime() - LOCK_MS);
  const lockedUntil = new Date(now.getTime() + LOCK_MS);
  for (const counted of all) {
    const row = [hashOf(counted), now, forgottenBefore, counted.max, lockedUntil];
    if ((await queries.query(upsertSignInAttempt, row)).length > 0) continue;
    const [lock] = await queries.query(findSignInLock, [hashOf(counted)]);
    throw signInLocked(counted.of, lock?.locked_until ?? lockedUntil, now);
  }
}

/**
 * Releases an attempt that was right. The wrong ones before it still count, or each sign-in would give a guesser new
 * attempts.
 */
export async function releaseAttempts(queries: Queries, ...all: readonly Counted[]): Promise<void> {
  for (const counted of all) await queries.query(updateSignInAttemptReleased, [hashOf(counted)]);
}

/** Checks a guess that was counted; where it could not be checked, as in a flood, the attempt is released. */
export async function judgeCounted<T>(
  queries: Queries,
  counted: readonly Counted[],
  look: () => Promise<T>,
): Promise<T> {
  try {
    return await look();
  } catch (error) {
    await releaseAttempts(queries, ...counted);
    throw error;
  }
}

/** Removes attempts that are a day old. */
export async function deleteOldAttempts({ queries, clock }: { queries: Queries; clock: Clock }): Promise<void> {
  await queries.query(deleteOldSignInAttempts, [new Date(clock.now().getTime() - FORGET_MS)]);
}

function hashOf({ name }: Counted): string {
  return createHash('sha256').update(name).digest('hex');
}
