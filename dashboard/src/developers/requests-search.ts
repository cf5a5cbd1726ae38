import type { ListSearch } from '../api/list-search.ts';

/** The filters of the list of requests, which the page of one request keeps so that it leads on in the same list. */
export const REQUEST_FILTERS = ['status', 'keyId', 'method', 'path', 'code', 'from', 'to'] as const;

export type RequestFilters = { [K in (typeof REQUEST_FILTERS)[number]]?: string };
export type RequestsSearch = ListSearch<(typeof REQUEST_FILTERS)[number] | 'period'>;

const METHODS = ['GET', 'POST', 'PATCH', 'DELETE', 'PUT', 'HEAD'] as const;

/** As the interface takes it. */
export function methodOf(text: string | undefined): { method?: (typeof METHODS)[number] } {
  const method = METHODS.find((each) => each === text);
  return method === undefined ? {} : { method };
}
