import { AppError } from '../platform/errors.ts';

export const fileUnreadable = (why: string, cause?: unknown) =>
  new AppError('invalid', 'SETTLEMENT_FILE_UNREADABLE', `The file cannot be read as CSV: ${why}.`, { cause });

export const headerUnknown = (needed: readonly string[], found: readonly string[]) =>
  new AppError(
    'invalid',
    'SETTLEMENT_HEADER_UNKNOWN',
    `No header was found that names ${needed.join(', ')}. The first line has: ${found.join(', ') || 'nothing'}.`,
  );

export const tooManyLines = (most: number) =>
  new AppError('invalid', 'SETTLEMENT_FILE_TOO_LONG', `The file has more than ${most.toLocaleString('en-GB')} lines.`);

export const fileChanged = () =>
  new AppError('conflict', 'SETTLEMENT_FILE_CHANGED', 'The file changed while it was read. Please import it again.');

export const alreadyImported = (importId: string, at: Date) =>
  new AppError(
    'conflict',
    'SETTLEMENT_ALREADY_IMPORTED',
    `This very file was imported on ${at.toISOString()} as ${importId}.`,
  );

export const merchantNeeded = (rail: string) =>
  new AppError(
    'invalid',
    'SETTLEMENT_MERCHANT_NEEDED',
    `The rail ${rail} keeps each merchant's books apart: name the merchant.`,
  );

export const railUnknown = (rail: string) =>
  new AppError('not_found', 'RAIL_NOT_FOUND', `There is no rail ${rail} in this mode.`);

export const importNotFound = () =>
  new AppError('not_found', 'SETTLEMENT_NOT_FOUND', 'There is no imported settlement with this id.');

export const lineNotFound = () =>
  new AppError('not_found', 'SETTLEMENT_LINE_NOT_FOUND', 'The imported settlement has no line with this id.');

export const lineAlreadyResolved = () =>
  new AppError('conflict', 'SETTLEMENT_LINE_RESOLVED', 'This line has already been resolved.');

export const lineNotApplicable = (why: string) =>
  new AppError('conflict', 'SETTLEMENT_LINE_NOT_APPLICABLE', `This line cannot be applied: ${why}.`);

export const secondPersonForFile = () =>
  new AppError(
    'forbidden',
    'SECOND_PERSON_NEEDED',
    'You imported this file yourself: another person has to apply what it says.',
  );

/** For settling: another process settled one of them first. Never returned to a client. */
export const alreadySettled = () =>
  new AppError('conflict', 'PAYOUT_ALREADY_SETTLED', 'One of these payouts has been settled already.');
