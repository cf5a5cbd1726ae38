import { AppError } from '../platform/errors.ts';
import { type ProblemData, shortened } from '../platform/problem.ts';
import { listProblem, listProblems } from './problems.ts';

const MAX_NAMES = 20;

/** Which sheet is the list has to be said. */
export function sheetUnclear(problem: ProblemData): AppError {
  const shown = listProblems.shown(problem);
  return new AppError('invalid', 'FILE_SHEET_UNCLEAR', shown.message, { problems: [shown] });
}

/**
 * Columns are missing, or what they are has to be said: all of it at once. @param found what stands where the header is, or
 * would be.
 */
export function columnsUnclear(problems: readonly ProblemData[], found: readonly string[]): AppError {
  const missing = problems.flatMap(({ code, params }) => (code === 'COLUMN_MISSING' ? [String(params['column'])] : []));
  const others = problems.filter(({ code }) => code !== 'COLUMN_MISSING');
  const isWrong = missing.length > 0 || others.some(({ code }) => code.startsWith('HEADER'));
  const listed = found.slice(0, MAX_NAMES).map((name) => `"${shortened(name)}"`);
  const sentences = [
    ...others.map(listProblems.sentenceOf),
    ...(missing.length === 0 ? [] : [`The header must name the columns. Missing: ${missing.join(', ')}.`]),
    ...(isWrong ? [`Found: ${listed.join(', ')}${found.length > MAX_NAMES ? ' and more' : ''}.`] : []),
  ];
  const shown = { problems: problems.map(listProblems.shown) };
  const message = sentences.join(' ');
  return isWrong
    ? new AppError('invalid', 'FILE_HEADER_WRONG', message, shown)
    : new AppError('invalid', 'FILE_MAPPING_NEEDED', message, shown);
}

/** @param leftOut rows that are no payments */
export function fileWithoutRows(leftOut: number): AppError {
  if (leftOut === 0) return new AppError('invalid', 'FILE_EMPTY', 'The file has a header and no row below it.');
  const shown = listProblems.shown(listProblem('NO_PAYMENTS', { rows: leftOut }));
  return new AppError('invalid', 'FILE_EMPTY', shown.message, { problems: [shown] });
}

export const fileMissing = () =>
  new AppError('invalid', 'FILE_MISSING', 'The upload has no file. Send it as the field "file" of a multipart form.');

export const filesTooMany = () =>
  new AppError('invalid', 'FILES_TOO_MANY', 'The upload has more than one file. Send one file for one bulk payout.');

export const uploadBroken = () =>
  new AppError('invalid', 'UPLOAD_BROKEN', 'The upload is not a complete multipart form. Nothing was kept of it.');

/** The file is not what its sender believes: nothing of it is kept. */
export function controlMismatch(problems: readonly ProblemData[]): AppError {
  const shown = problems.map(listProblems.shown);
  const message = shown.map((problem) => problem.message).join(' ');
  return new AppError('refused', 'BATCH_CONTROL_MISMATCH', message, { problems: shown });
}

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

/** Only what was paid is a list of people to pay once more. */
export const batchNotPaid = () =>
  new AppError(
    'conflict',
    'BATCH_NOT_PAID',
    'Only a bulk payout that has been paid, whole or in part, can be repeated. This one has not.',
  );
