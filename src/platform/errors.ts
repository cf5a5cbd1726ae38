import type { Problem } from './problem.ts';

/** The kind of a refusal. HTTP turns each into one status; nothing else knows statuses. */
export type ErrorKind =
  | 'invalid'
  | 'misdirected'
  | 'unauthenticated'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'refused'
  | 'locked'
  | 'rate_limited'
  | 'unavailable';

export interface FieldError {
  field: string;
  message: string;
}

interface AppErrorOptions {
  errors?: readonly FieldError[];
  /** The problems as data, where there may be several. */
  problems?: readonly Problem[];
  /** Whole seconds after which the same request may succeed. */
  retryAfterSeconds?: number;
  retryable?: true;
  cause?: unknown;
}

/**
 * A refusal that a client may read: a stable UPPER_SNAKE `code` and a sentence. Modules make theirs in `errors.ts`;
 * anything else that is thrown is a defect, and the client gets 500 with a fixed text.
 */
export class AppError extends Error {
  readonly kind: ErrorKind;
  readonly code: string;
  readonly errors: readonly FieldError[] | undefined;
  readonly problems: readonly Problem[] | undefined;
  readonly retryAfterSeconds: number | undefined;
  /** Two requests met at one moment, and the command that gets this reads again by itself: no key remembers it. */
  readonly retryable: boolean;
  /** Set by the ledger when it kept this refusal under the request's idempotency key: it is the first answer. */
  kept = false;

  constructor(kind: ErrorKind, code: string, message: string, options: AppErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'AppError';
    this.kind = kind;
    this.code = code;
    this.errors = options.errors;
    this.problems = options.problems;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.retryable = options.retryable ?? false;
  }
}

/**
 * 400 for one field of the request body or query.
 * @param complaint what is said of the field, without its name and without a full stop: `must not be negative`
 */
export function invalidField(field: string, complaint: string): AppError {
  const errors = [{ field, message: complaint }];
  return new AppError('invalid', 'VALIDATION_FAILED', sentenceAbout(errors), { errors });
}

/** One sentence of what is wrong with each field. A name that is no plain word stands in quotes. */
export const sentenceAbout = (errors: readonly FieldError[]): string =>
  `${errors.map(({ field, message }) => `${/^[\w.[\]-]+$/.test(field) ? field : `"${field}"`} ${message}`).join('; ')}.`;

/** 503: nothing was done; the client may send the same request again after a moment. */
export function unavailable(message: string, cause?: unknown): AppError {
  return new AppError('unavailable', 'SERVICE_UNAVAILABLE', message, { retryAfterSeconds: 2, cause });
}

/** 503 like others; it is no failure of its own of the work that gets it, and ends for all work at once. */
class DatabaseAwayError extends AppError {
  constructor(message: string, cause: unknown) {
    super('unavailable', 'SERVICE_UNAVAILABLE', message, { retryAfterSeconds: 2, cause });
  }
}

/** 503 for a database that is away: nothing was done; the client may send the same request again after a moment. */
export function databaseAway(message: string, cause?: unknown): AppError {
  return new DatabaseAwayError(message, cause);
}

export const isDatabaseAway = (error: unknown): boolean => error instanceof DatabaseAwayError;

/** The disk is full; other codes mean too many files, too little memory, or no thread. */
const NO_SPACE: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT']);
const NO_MORE: ReadonlySet<unknown> = new Set(['EMFILE', 'ENFILE', 'ENOMEM', 'ERR_WORKER_INIT_FAILED']);

/** 503 for a system error by which the machine is full, which passes; undefined for any other. */
export function outOfResources(error: Error): AppError | undefined {
  const code = 'code' in error ? error.code : undefined;
  if (NO_SPACE.has(code)) {
    const message = 'The service has no disk space left at the moment. Nothing was kept; please try again later.';
    return new AppError('unavailable', 'DISK_FULL', message, { retryAfterSeconds: 30, cause: error });
  }
  return NO_MORE.has(code) ? noMore(error) : undefined;
}

/** The 503 of a machine that gives no more of something. */
export function noMore(cause: unknown): AppError {
  const message = 'The service is busy. Please try again shortly.';
  return new AppError('unavailable', 'OVERLOADED', message, { retryAfterSeconds: 2, cause });
}

/** What an error may have, of which people need no stack: what they have to put right, as a clause without a full stop. */
interface Advised {
  readonly advice?: string | undefined;
  readonly reason?: string;
}

/**
 * A failure as a line of the log: with its error, or, where people have to put something right, with what and at which account.
 * @returns the fields and the message
 */
export function lineOfFailure(
  error: unknown,
  message: string,
  about: Readonly<Record<string, unknown>>,
): [fields: Record<string, unknown>, message: string] {
  const { advice, reason } = (error instanceof Error ? error : {}) as Advised;
  if (advice === undefined) return [{ err: error, ...about }, message];
  const account = typeof about['rail'] === 'string' ? ` (account ${about['rail']})` : '';
  return [{ ...about, reason }, `${message}${account}: ${advice}`];
}
