import { AppError } from '../platform/errors.ts';

export const announcementNotFound = () =>
  new AppError('not_found', 'ANNOUNCEMENT_NOT_FOUND', 'There is no announcement with this id.');

export const announcementEnded = () =>
  new AppError('conflict', 'ANNOUNCEMENT_ENDED', 'This announcement has ended. Write a new one.');

export const announcementPublished = () =>
  new AppError('conflict', 'ANNOUNCEMENT_PUBLISHED', 'This announcement is published already.');

export const announcementsTooMany = (most: number) =>
  new AppError(
    'refused',
    'ANNOUNCEMENTS_TOO_MANY',
    `There are ${most} announcements that have not ended. End one that is not needed.`,
  );
