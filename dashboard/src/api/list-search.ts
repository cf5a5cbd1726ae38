/**
 * A place in a list, as it stands in the address: `after.` or `before.` and the cursor that an answer gave. Left out it is
 * the beginning. Rows that come meanwhile change nothing about what is behind a place.
 */
export type ListPlace = string;

const PLACE = /^(after|before)\.([\w-]+)$/;

/** What the interface is asked for a place. */
export function atPlace(place: ListPlace | undefined): { after?: string; before?: string } {
  const [, direction, cursor] = PLACE.exec(place ?? '') ?? [];
  return direction === undefined ? {} : { [direction]: cursor };
}

export type ListSearch<K extends string> = { page?: ListPlace } & { [k in K]?: string };

/**
 * What a list keeps in its address: the place in it and the filters that are named. Anything else in them is left out.
 * `validateSearch: listSearch('status', 'search')`.
 */
export function listSearch<K extends string>(...filters: K[]): (raw: Record<string, unknown>) => ListSearch<K> {
  return (raw) => {
    const { page } = raw;
    // What does not hold is said to be undefined: the router keeps it otherwise.
    const kept: Record<string, unknown> = { page: typeof page === 'string' && PLACE.test(page) ? page : undefined };
    for (const filter of filters) {
      const value = raw[filter];
      const isText = (typeof value === 'string' && value !== '') || typeof value === 'number';
      kept[filter] = isText ? String(value) : undefined;
    }
    return kept as ListSearch<K>;
  };
}

/** The filters of these names that are given. A search has the place and the mode as well, which no list is asked for. */
export function filtersOf<K extends string>(search: { [k in K]?: string }, ...names: K[]): { [k in K]?: string } {
  const given: { [k in K]?: string } = {};
  for (const name of names) if (search[name] !== undefined) given[name] = search[name];
  return given;
}
