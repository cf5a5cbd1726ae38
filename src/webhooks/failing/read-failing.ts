import type { Queries } from '../../platform/db/database.ts';
import type { ListRequest } from '../../platform/lists/list.ts';
import { countList, type FoundList, readList } from '../../platform/lists/read-list.ts';
import { type FailingEndpointRow, failingList } from './queries.ts';

/** Webhook addresses of all merchants that need somebody's eye, what waits longest first. @throws AppError 400 `CURSOR_INVALID` */
export const readFailingEndpoints = (queries: Queries, request: ListRequest): Promise<FoundList<FailingEndpointRow>> =>
  readList(queries, failingList, request);

export const countFailing = (queries: Queries): Promise<number> => countList(queries, failingList);
