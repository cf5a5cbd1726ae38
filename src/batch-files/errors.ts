import { DEFAULT_CURRENCY, formatMoney } from '../money/index.ts';
import { AppError } from '../platform/errors.ts';

const MAX_NAMES = 20;

export const headerIncomplete = (missing: readonly string[], found: readonly string[]) =>
  new AppError(
    'invalid',
    'FILE_HEADER_WRONG',
    `The first row must name the columns. Missing: ${missing.join(', ')}. ` +
      `Found: ${found.slice(0, MAX_NAMES).join(', ')}${found.length > MAX_NAMES ? ' and more' : ''}.`,
  );

export const headerTwice = (field: string, both: readonly string[]) =>
  new AppError(
    'invalid',
    'FILE_HEADER_WRONG',
    `Two columns would both be the ${field}: ${both.join(' and ')}. Remove or rename one of them.`,
  );

export const fileWithoutRows = () =>
  new AppError('invalid', 'FILE_EMPTY', 'The file has a header and no row below it.');

export const fileMissing = () =>
  new AppError('invalid', 'FILE_MISSING', 'The upload has no file. Send it as the field "file" of a multipart form.');

export const filesTooMany = () =>
  new AppError('invalid', 'FILES_TOO_MANY', 'The upload has more than one file. Send one file for one bulk payout.');

export const uploadBroken = () =>
  new AppError('invalid', 'UPLOAD_BROKEN', 'The upload is not a complete multipart form. Nothing was kept of it.');

/** The file is not what its sender believes: nothing of it is kept. */
const controlMismatch = (what: 'count' | 'total', stated: string, found: string) =>
  new AppError(
    'refused',
    'BATCH_CONTROL_MISMATCH',
    `The control ${what} says ${stated}, the rows come to ${found}. Nothing was kept of them.`,
  );

export const controlCountMismatch = (stated: number, found: number) =>
  controlMismatch('count', String(stated), String(found));

/** Both in kobo. */
export const controlTotalMismatch = (statedMinor: bigint, foundMinor: bigint) =>
  controlMismatch('total', formatMoney(statedMinor, DEFAULT_CURRENCY), formatMoney(foundMinor, DEFAULT_CURRENCY));

/** The rows were given up while they were still coming in; the sender has been told or is gone. */
export const uploadGivenUp = () =>
  new AppError(
    'conflict',
    'UPLOAD_GIVEN_UP',
    'The upload took more than an hour and was given up. Nothing was kept of it; send it again, with a new key.',
  );
