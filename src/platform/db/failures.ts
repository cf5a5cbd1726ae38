import pg from 'pg';
import { AppError, databaseAway, unavailable } from '../errors.ts';
import { NoPrimaryError, ReadOnlyServerError } from './primary.ts';

/** The statement was sent to a standby, or to a former primary. */
export const isReadOnly = (error: unknown) => sqlState(error) === '25006';

/** The SQLSTATE of an internal error. */
const INTERNAL = 'XX000';
/**
 * What a shard of Citus refuses of rows that are sent to it as a COPY is reported here as an internal error: only its
 * words say what it was.
 */
const BY_WORDS: readonly (readonly [words: RegExp, state: string])[] = [
  [/^duplicate key value violates unique constraint/, '23505'],
  [/violates check constraint/, '23514'],
  [/^null value in column .* violates not-null constraint/, '23502'],
  [/violates foreign key constraint/, '23503'],
  [/^value .* is out of range|^numeric field overflow/, '22003'],
  [/^invalid byte sequence/, '22021'],
  [/^invalid input syntax/, '22P02'],
];

/** The five-character SQLSTATE of a database error. */
export function sqlState(error: unknown): string | undefined {
  // Not any five characters: EPIPE and some codes of our own have the same form.
  if (!(error instanceof pg.DatabaseError)) return undefined;
  const { code, message } = error;
  return code === INTERNAL ? (BY_WORDS.find(([words]) => words.test(message))?.[1] ?? code) : code;
}

/**
 * On a shard of Citus a constraint has its number after its name, and of an error on a worker only the words arrive:
 * the name is the last one that they quote.
 */
function constraintOf(error: unknown): string | undefined {
  const { constraint, message } = error as { constraint?: string; message: string };
  return (constraint ?? /"([^"]+)"[^"]*$/.exec(message)?.[1])?.replace(/_\d{6,}$/, '');
}

/** The name of the violated constraint, when the error is a unique violation. */
export function violatedUnique(error: unknown): string | undefined {
  return sqlState(error) === '23505' ? constraintOf(error) : undefined;
}

/** The name of the violated constraint, when the error is a check violation. */
export function violatedCheck(error: unknown): string | undefined {
  return sqlState(error) === '23514' ? constraintOf(error) : undefined;
}

/** Whether a value in a row is not what the statement expects, such as a text that is no number. */
export function isUnreadable(error: unknown): boolean {
  return sqlState(error)?.startsWith('22') === true;
}

/** Whether the values of a statement are at fault, and not the database: other values would have been accepted. */
export function isValueFault(error: unknown): boolean {
  const kind = sqlState(error)?.slice(0, 2);
  return kind === '22' || kind === '23' || error instanceof RangeError;
}

/**
 * Whether nothing can be written now: the connection failed or was ended by the server, as it ends one that idles in a
 * transaction, or the server is starting, stopping, full, no primary, or admits nobody.
 */
export function isUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof ReadOnlyServerError || error instanceof NoPrimaryError) return true;
  const state = sqlState(error);
  if (state !== undefined) return /^(08...|57P..|53300|25P03)$/.test(state) || isAccessRefused(error);
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return syscall === 'connect';
  if (typeof code === 'string' && (NETWORK_FAILURE.test(code) || TLS_FAILURE.test(code))) return true;
  return DRIVER_FAILURE.test(error.message) || isTimeout(error);
}

/** Class 53: its disk or memory is full. The statement did nothing, and its transaction is rolled back. */
export function isOutOfSpace(error: unknown): boolean {
  return sqlState(error)?.startsWith('53') === true;
}

/**
 * Whether the server cannot load a library of its own, as one that runs on while its package is upgraded. The code is that
 * of whatever the system said before: only the words say what it was.
 */
export function isLibraryMissing(error: unknown): boolean {
  return error instanceof pg.DatabaseError && /^could not (load library|access file) "/.test(error.message);
}

/** Whether the server answers and does not admit this account, or has no such database. */
export function isAccessRefused(error: unknown): boolean {
  const state = error instanceof Error ? sqlState(error) : undefined;
  return state?.startsWith('28') === true || state === '3D000';
}

/** The role may not do what a statement does. Its message is for the operator, who can let it. */
export class RightMissingError extends Error {}

export function isRightMissing(error: unknown): boolean {
  return isRefusedByRights(error) || (error instanceof AppError && isRefusedByRights(error.cause));
}

/** Not what refuses with the same code what nobody may do, such as the audit log a change of it. */
function isRefusedByRights(error: unknown): boolean {
  if (error instanceof RightMissingError) return true;
  return sqlState(error) === '42501' && (error as pg.DatabaseError).routine !== 'exec_stmt_raise';
}

/** Whether a statement names a table or column that this database does not have: it is of another version. */
export function isNotMigrated(error: unknown): boolean {
  const state = error instanceof Error ? sqlState(error) : undefined;
  return state === '42P01' || state === '42703';
}

/** A connection could not be opened, or broke; without a free file descriptor there is none either. */
const NETWORK_FAILURE =
  /^(ECONN|EPIPE$|ETIMEDOUT$|EHOSTUNREACH$|ENETUNREACH$|ENOTFOUND$|EAI_AGAIN$|EADDRNOTAVAIL$|EMFILE$|ENFILE$)/;
/** A certificate has expired, is for another name, or is signed by nobody who is trusted. */
const TLS_FAILURE = /^(CERT_|ERR_TLS_|ERR_SSL_|UNABLE_TO_(GET|VERIFY|DECRYPT)_|(DEPTH_ZERO_)?SELF_SIGNED_CERT)/;
const DRIVER_FAILURE =
  /does not support SSL|Connection terminated|connection error and is not queryable|Client was closed|after calling end on the pool/;

/** A statement was sent and had no answer for as long as it was waited for. */
export const isUnanswered = (error: unknown): boolean =>
  error instanceof Error && error.message.includes('Query read timeout');

/** Something was waited for as long as allowed: an answer, a connection of the pool, or a new one. */
export function isTimeout(error: unknown): boolean {
  return (
    error instanceof Error &&
    /timeout exceeded when trying to connect|connection timeout|timeout expired|Query read timeout/.test(error.message)
  );
}

/** Nobody here knows more: what keeps a statement waiting is known to the server alone. */
const NOT_IN_TIME =
  'The database did not answer in time: it is busy, waits for a lock, or is not there. Please try again shortly.';

/** The 503 for an error that is not the caller's fault; any other error unchanged. */
export function asUnavailable(error: unknown): unknown {
  if (isTimeout(error)) return databaseAway(NOT_IN_TIME, error);
  if (isUnreachable(error)) return databaseAway('The database cannot be reached. Please try again shortly.', error);
  if (isOutOfSpace(error))
    return databaseAway('The database has no space left at the moment. Please try again later.', error);
  if (isLibraryMissing(error))
    return databaseAway('The database cannot be used at the moment. Please try again later.', error);
  // For jobs it is a failure like any other: what failed is left alone for longer and longer.
  if (isRightMissing(error)) return unavailable('The database refuses this. Please try again later.', error);
  return error;
}
