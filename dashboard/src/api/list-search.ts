export type ListSearch<K extends string> = { page?: number } & { [k in K]?: string };

/**
 * What a list keeps in its address: the page and the filters that are named. Anything else in them is left out.
 * `validateSearch: listSearch('status', 'search')`.
 */
export function listSearch<K extends string>(...filters: K[]): (raw: Record<string, unknown>) => ListSearch<K> {
  return (raw) => {
    const page = Number(raw['page']);
    // What does not hold is said to be undefined: the router leaves it standing otherwise.
    const kept: Record<string, unknown> = { page: Number.isInteger(page) && page > 1 ? page : undefined };
    for (const filter of filters) {
      const value = raw[filter];
      const isText = (typeof value === 'string' && value !== '') || typeof value === 'number';
      kept[filter] = isText ? String(value) : undefined;
    }
    return kept as ListSearch<K>;
  };
}

/** The filters of these names that are given. A search has the page and the mode as well, which no list is asked for. */
export function filtersOf<K extends string>(search: { [k in K]?: string }, ...names: K[]): { [k in K]?: string } {
  const given: { [k in K]?: string } = {};
  for (const name of names) if (search[name] !== undefined) given[name] = search[name];
  return given;
}
