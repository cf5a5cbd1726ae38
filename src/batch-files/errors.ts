import { AppError } from '../platform/errors.ts';
import type { ProblemData } from '../platform/problem.ts';
import { listProblem, listProblems } from './problems.ts';

const MAX_NAMES = 20;

export const headerIncomplete = (missing: readonly string[], found: readonly string[]) =>
  new AppError(
    'invalid',
    'FILE_HEADER_WRONG',
    `The first row must name the columns. Missing: ${missing.join(', ')}. ` +
      `Found: ${found.slice(0, MAX_NAMES).join(', ')}${found.length > MAX_NAMES ? ' and more' : ''}.`,
    { problems: missing.map((column) => listProblems.shown(listProblem('COLUMN_MISSING', { column }))) },
  );

export function headerTwice(column: string, names: readonly string[]): AppError {
  const twice = listProblems.shown(listProblem('COLUMN_TWICE', { column, names }));
  return new AppError('invalid', 'FILE_HEADER_WRONG', twice.message, { problems: [twice] });
}

export const fileWithoutRows = () =>
  new AppError('invalid', 'FILE_EMPTY', 'The file has a header and no row below it.');

export const fileMissing = () =>
  new AppError('invalid', 'FILE_MISSING', 'The upload has no file. Send it as the field "file" of a multipart form.');

export const filesTooMany = () =>
  new AppError('invalid', 'FILES_TOO_MANY', 'The upload has more than one file. Send one file for one bulk payout.');

export const uploadBroken = () =>
  new AppError('invalid', 'UPLOAD_BROKEN', 'The upload is not a complete multipart form. Nothing was kept of it.');

/** The file is not what its sender believes: nothing of it is kept. */
function controlMismatch(problem: ProblemData): AppError {
  const differs = listProblems.shown(problem);
  return new AppError('refused', 'BATCH_CONTROL_MISMATCH', differs.message, { problems: [differs] });
}

export const controlCountMismatch = (stated: number, found: number) =>
  controlMismatch(listProblem('CONTROL_COUNT_DIFFERS', { stated, found }));

/** Both in kobo. */
export const controlTotalMismatch = (statedMinor: bigint, foundMinor: bigint) =>
  controlMismatch(
    listProblem('CONTROL_TOTAL_DIFFERS', { statedMinor: String(statedMinor), foundMinor: String(foundMinor) }),
  );

/** The upload was abandoned while its rows were still coming in; the sender has the answer or is gone. */
export const uploadAbandoned = () =>
  new AppError(
    'conflict',
    'UPLOAD_ABANDONED',
    'The upload took more than an hour and was abandoned. Nothing was kept of it; send it again, with a new key.',
  );

/** @param retry reference of the newest list that has what was not paid. */
export const nothingToRetry = (retry: string | undefined) =>
  new AppError(
    'conflict',
    'BATCH_NOTHING_TO_RETRY',
    retry === undefined
      ? 'No payout of the bulk payout has failed or was returned.'
      : `What failed or was returned is in another bulk payout already: ${retry}.`,
  );

/** Somebody else made such a list at the same moment; a client gets it only after many attempts. */
export const retriedMeanwhile = () =>
  new AppError(
    'conflict',
    'BATCH_RETRIED_MEANWHILE',
    'Somebody else made a list of the same payouts at the same moment. Please try again.',
    { retryable: true },
  );
