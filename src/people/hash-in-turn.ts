import { availableParallelism } from 'node:os';
import { slowHash, slowHashMatches } from '../access/index.ts';
import { createConcurrencyLimit } from '../platform/queues/concurrency-limit.ts';
import { tooBusyToHash } from './errors.ts';

/**
 * Passwords are hashed so many at once, and one core at least is left to everything else: a flood of sign-ins is slow for
 * those who sign in, and for nobody who moves money. Who comes after about a second's work is asked to come again.
 */
const turns = createConcurrencyLimit({
  atOnce: Math.max(1, Math.min(2, availableParallelism() - 1)),
  maxWaiting: 64,
  tooMany: tooBusyToHash,
});

/** @throws AppError 503 `OVERLOADED` when too many wait. */
export function hashPassword(password: string): Promise<string> {
  return turns.run(() => slowHash(oneForm(password)));
}

/** @throws AppError 503 `OVERLOADED` when too many wait. */
export function passwordMatches(password: string, stored: string): Promise<boolean> {
  return turns.run(() => slowHashMatches(oneForm(password), stored));
}

/** An é is one character on some keyboards and two on others; both are the same password. */
function oneForm(password: string): string {
  return password.normalize('NFKC');
}
