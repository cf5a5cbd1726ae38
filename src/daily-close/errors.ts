import { AppError } from '../platform/errors.ts';

export const dayNotOver = (day: string) =>
  new AppError('conflict', 'CLOSE_DAY_NOT_OVER', `${day} is closed from 15 minutes after its end in Lagos on.`);

export const closeNotFound = () => new AppError('not_found', 'CLOSE_NOT_FOUND', 'There is no such close.');

export const closeSigned = () =>
  new AppError('conflict', 'CLOSE_SIGNED', 'This day is signed already. Reopen it to sign it anew.');

export const closeChanged = () =>
  new AppError('conflict', 'CLOSE_CHANGED', 'The figures are no longer those that were shown. Look at them again.');

export const closeReopened = () =>
  new AppError('conflict', 'CLOSE_REOPENED', 'This close was reopened: it counts no more.');

export const closeSignedTwice = () =>
  new AppError('conflict', 'CLOSE_SIGNED_TWICE', 'This close has its second signature already.');

export const closeNeedsAnother = () =>
  new AppError('forbidden', 'SECOND_PERSON_NEEDED', 'The second signature is of another person than the first.');
