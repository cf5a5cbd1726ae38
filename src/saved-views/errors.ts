import { AppError } from '../platform/errors.ts';

export const viewNotFound = () =>
  new AppError('not_found', 'SAVED_VIEW_NOT_FOUND', 'There is no view of yours with this id.');

export const viewNameTaken = () =>
  new AppError('conflict', 'SAVED_VIEW_NAME_TAKEN', 'You have a view of this list with this name already.', {
    errors: [{ field: 'name', message: 'is the name of another view' }],
  });

export const viewsTooMany = (most: number) =>
  new AppError('conflict', 'SAVED_VIEWS_TOO_MANY', `You have ${most} views of this list. Delete one first.`);
