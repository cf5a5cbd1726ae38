import { invalidField } from '../platform/errors.ts';

/** Names of rails in order of choice; a `first` of null takes a choice back. */
export interface RailOrder {
  first: string | null;
  second?: string | null | undefined;
}

/** @throws AppError `VALIDATION_FAILED` */
export function checkOrder({ first, second }: RailOrder): { first: string | null; second: string | null } {
  if (second === undefined || second === null) return { first, second: null };
  if (first === null) throw invalidField('second', 'must be left out where first is null.');
  if (second === first) throw invalidField('second', 'must be another rail than first.');
  return { first, second };
}
