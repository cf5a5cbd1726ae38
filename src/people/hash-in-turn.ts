import { slowHash, slowHashMatches } from '../access/index.ts';
import { tooBusyToHash } from './errors.ts';

/** Hashes at once: half of the threads that Node has for them, so that a flood of sign-ins leaves PINs the others. */
const LANES = 2;
/** About a second's work. Who comes after it is asked to come again. */
const MAX_WAITING = 64;

let running = 0;
const waiting: (() => void)[] = [];

/** @throws AppError 503 `OVERLOADED` when too many wait. */
export function hashPassword(password: string): Promise<string> {
  return inTurn(() => slowHash(oneForm(password)));
}

/** @throws AppError 503 `OVERLOADED` when too many wait. */
export function passwordMatches(password: string, stored: string): Promise<boolean> {
  return inTurn(() => slowHashMatches(oneForm(password), stored));
}

/** An é is one character on some keyboards and two on others; both are the same password. */
function oneForm(password: string): string {
  return password.normalize('NFKC');
}

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= LANES) {
    if (waiting.length >= MAX_WAITING) throw tooBusyToHash();
    // Whoever ends hands its lane over, so that nobody who comes meanwhile overtakes.
    await new Promise<void>((resolve) => waiting.push(resolve));
  } else {
    running += 1;
  }
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next === undefined) running -= 1;
    else next();
  }
}
