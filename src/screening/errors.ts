import { AppError } from '../platform/errors.ts';

const figure = (count: number) => count.toLocaleString('en-GB');

/** Where something stands in a file: rows of a list are counted below its header, lines from the top of the file. */
export interface Place {
  row: number;
  line: number;
}

const at = ({ row, line }: Place) => `Row ${figure(row)} (line ${figure(line)} of the file)`;

export const fileUnreadable = (why: string, cause?: unknown) =>
  new AppError('invalid', 'SCREENING_FILE_UNREADABLE', `${why} Nothing of the list was imported.`, { cause });

export const headerUnknown = (found: readonly string[]) =>
  new AppError(
    'invalid',
    'SCREENING_HEADER_UNKNOWN',
    `The first line has to name a column "name". It has: ${found.join(', ').slice(0, 200) || 'nothing'}.`,
  );

export const listEmpty = () => new AppError('invalid', 'SCREENING_LIST_EMPTY', 'The file has no row below its header.');

export const nameMissing = (place: Place) =>
  new AppError('invalid', 'SCREENING_NAME_MISSING', `${at(place)} has no name. Nothing of the list was imported.`);

export const listTooLong = (place: Place, most: number) =>
  new AppError(
    'invalid',
    'SCREENING_LIST_TOO_LONG',
    `${at(place)} is one too many: a list has ${figure(most)} names at most. Nothing of it was imported.`,
  );

export const fileChanged = () =>
  new AppError(
    'conflict',
    'SCREENING_FILE_CHANGED',
    'The file changed while it was read. Nothing of it was imported; please import it again.',
  );

export const listReplaced = () =>
  new AppError(
    'conflict',
    'SCREENING_LIST_REPLACED',
    'Another version of this list was imported at the same moment, and is in force. Look whether yours is newer, and import it again.',
  );
