import type { Writable } from 'node:stream';
import { ConfigError } from './config.ts';
import {
  isAccessRefused,
  isLibraryMissing,
  isNotMigrated,
  isOutOfSpace,
  isRightMissing,
  isTimeout,
  isUnreachable,
  RightMissingError,
} from './platform/db/database.ts';
import { NotDurableError } from './platform/db/durability.ts';
import { EmbeddedPostgresError } from './platform/db/embedded/index.ts';
import { MigrationError } from './platform/db/migrate.ts';
import { PoolerError } from './platform/db/pooler.ts';
import { AppError, isDatabaseAway } from './platform/errors.ts';
import { ListenError } from './platform/processes/port.ts';
import { OtherSecretsError, SecretsFileError } from './platform/secrets.ts';

/** Its message is for the person who runs the command. */
class AnswerLostError extends Error {}

const IN_WORDS = [
  ...[AnswerLostError, ConfigError, EmbeddedPostgresError, ListenError, MigrationError, OtherSecretsError, PoolerError],
  ...[NotDurableError, RightMissingError, SecretsFileError],
];

/** Of what ended a command, the sentence for who runs it; undefined for a defect, which is printed with its trace. */
export function sentenceOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if (IN_WORDS.some((kind) => error instanceof kind)) return error.message;
  if (isDatabaseAway(error) || (error instanceof AppError && isRightMissing(error)))
    return sentenceOf(error.cause) ?? error.message;
  if (error instanceof AppError) return error.kind === 'unavailable' ? error.message : undefined;
  if (isAccessRefused(error)) return `The database refuses what DATABASE_URL says: ${error.message}.`;
  if (isRightMissing(error))
    return `The account in DATABASE_URL lacks a right: ${error.message}. It has to own its database and all in it.`;
  if (isTimeout(error))
    return `The database did not answer in time (${error.message}): it is busy, waits for a lock, or is not there.`;
  if (isUnreachable(error)) return `The database cannot be reached: ${whyUnreachable(error)}`;
  if (isOutOfSpace(error)) return `The database has no space left: ${error.message}.`;
  if (isLibraryMissing(error))
    return `The database server cannot load a library: ${error.message}. If its package was upgraded, restart it.`;
  if (isFileRefused(error)) return `A file or folder of the settings cannot be used: ${error.message}.`;
  if (isNotMigrated(error)) return 'The database has not the tables of this version: run npm run migrate.';
  return undefined;
}

/** Of a certificate whose authority is not known Node says how to start Node. */
function whyUnreachable({ code, message }: NodeJS.ErrnoException): string {
  if (!AUTHORITY_UNKNOWN.has(code)) return message;
  const [what] = message.split(';');
  return `${what}. In DATABASE_URL sslrootcert= names the file of the authority that signed it.`;
}

const AUTHORITY_UNKNOWN: ReadonlySet<unknown> = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

/** By the rights of this user, a disk that is full or read only, or a path that leads through a file. */
function isFileRefused(error: Error): boolean {
  const { code, path, syscall } = error as NodeJS.ErrnoException;
  // Folders are made with those above them: where one is missing all the same, the disk is read only.
  if (code === 'ENOENT' && syscall === 'mkdir') return true;
  // What is written into an open file fails without its path.
  return path === undefined ? DISK_FULL.has(code) : FILE_REFUSED.has(code);
}

const DISK_FULL: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT']);

const FILE_REFUSED: ReadonlySet<unknown> = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST', ...DISK_FULL]);

/**
 * Runs a command whose answer goes to this stream. Where the disk did not take all of it the exit code says so: half a list
 * must not be taken for the whole. A reader that goes away has seen enough.
 * @throws AnswerLostError
 */
export async function withAnswer(stream: Writable, run: () => Promise<number>): Promise<number> {
  let lost: Error | undefined;
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') lost ??= error;
  });
  const code = await run();
  // Behind all that was written.
  await new Promise<void>((resolve) => void stream.write('', () => resolve()));
  if (lost === undefined) return code;
  throw new AnswerLostError(
    `What was asked for is done, but its answer could not be written as a whole: ${lost.message}.`,
  );
}
