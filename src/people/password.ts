import { availableParallelism } from 'node:os';
import { slowHash, slowHashMatches } from '../access/index.ts';
import { madeOnce } from '../platform/cache.ts';
import { invalidField } from '../platform/errors.ts';
import { createConcurrencyLimit } from '../platform/owner-queue.ts';
import { passwordTooCommon, tooBusyToHash } from './errors.ts';

/** The length makes a password strong. */
const MIN_LENGTH = 12;
/** A longer one only takes time to hash. */
export const MAX_PASSWORD_LENGTH = 256;

/** What people see on the page while they think of a password. */
const OURS = 'Manilla';

/** What an attacker who knows the person would guess first. */
interface Known {
  email: string;
  businessName?: string | undefined;
}

/**
 * Requires a password that is long enough, and not guessed first: none of the fifty thousand most common ones, with or
 * without digits and signs after it, and not the person's own address or business, nor ours.
 * @throws AppError 400 for its length; 422 `PASSWORD_TOO_COMMON`. Both name `field`.
 */
export async function checkPassword(password: string, known: Known, field = 'password'): Promise<void> {
  if (password.length < MIN_LENGTH) throw invalidField(field, `must have at least ${MIN_LENGTH} characters`);
  if (password.length > MAX_PASSWORD_LENGTH) {
    throw invalidField(field, `must have at most ${MAX_PASSWORD_LENGTH} characters`);
  }
  const common = await commonPasswords();
  const near = [known.email, known.email.split('@')[0] ?? '', known.businessName ?? '', OURS];
  const guesses = new Set(near.map(plain));
  const cores = coresOf(password.normalize('NFKC').toLowerCase());
  if (cores.some((core) => common.has(core) || guesses.has(plain(core)))) throw passwordTooCommon(field);
}

/** The password, and the rest of it without the digits and signs around it and without repetitions. */
function coresOf(password: string): string[] {
  const bare = password.replace(/(?<![^\p{L}])[^\p{L}]+$/u, '').replace(/^[^\p{L}]+/u, '');
  return [password, bare, onceOf(password), onceOf(bare)];
}

/** `abcabc` as `abc`. */
function onceOf(text: string): string {
  const again = `${text}${text}`.indexOf(text, 1);
  return text === '' ? text : text.slice(0, again);
}

function plain(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/** A megabyte or so, read when the first password is chosen. */
const commonPasswords = madeOnce(async (): Promise<ReadonlySet<string>> => {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  const passwords = dictionary['passwords-common'] as readonly string[];
  // One letter again and again, and runs of digits, are in no list at this length. The rest of them is empty.
  return new Set(['', ...passwords, ...'abcdefghijklmnopqrstuvwxyz']);
});

/**
 * So many passwords are hashed at once, and at least one core is left for everything else: a flood of sign-ins is slow
 * for those who sign in, and for nobody who moves money. A request behind about a second's work is refused for now.
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
