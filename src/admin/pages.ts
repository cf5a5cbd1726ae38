import { type ListRequest, listRequest } from '../platform/lists/list.ts';
import type { FoundList } from '../platform/lists/read-list.ts';
import type { AdminDeps, Given } from './command.ts';

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1_000;

/** What a command that lists takes. */
export const PAGE_OPTIONS = {
  limit: { type: 'string', about: `how many, ${DEFAULT_LIMIT} by default, at most ${MAX_LIMIT}` },
  after: { type: 'string', about: 'the cursor with which the list before ended, for those that follow' },
} as const;

/** @throws AppError 400 `CURSOR_INVALID` */
export function pageOf(options: Given): ListRequest {
  const after = options.maybe('after');
  const size = Math.max(1, Math.min(options.count('limit') ?? DEFAULT_LIMIT, MAX_LIMIT));
  return listRequest({ size, ...(after !== undefined && { after }) });
}

/** That there is nothing, or that there is more. */
export function warnOfRest({ warn }: AdminDeps, { rows, wrapper }: FoundList<unknown>, nothing: string): void {
  if (rows.length === 0) warn(nothing);
  if (wrapper.nextCursor !== null) warn(`There are more: --after ${wrapper.nextCursor}`);
}
