import { isNoRange } from '../format/money.ts';
import { endsBeforeItBegins, isEnd, type Period } from '../format/period.ts';

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
 * What a list keeps in its address: the place in it and the filters that are named. Anything else in them is left out,
 * and so is what can only be refused: a day that no calendar has, or an end before the beginning.
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
    return { ...kept, ...rangesIn(kept) } as ListSearch<K>;
  };
}

/** The period in an address, without what is none. */
export function daysIn({ from, to }: Record<string, unknown>): Period {
  const [begin, end] = [from, to].map((text) => (typeof text === 'string' && isEnd(text) ? text : undefined));
  return {
    ...(begin !== undefined && { from: begin }),
    ...(end !== undefined && !endsBeforeItBegins({ from: begin, to: end }) && { to: end }),
  };
}

/** The ends of a period and of amounts that a list keeps, where they are none: said to be undefined. */
function rangesIn(kept: Readonly<Record<string, unknown>>): Record<string, undefined> {
  const days = daysIn(kept);
  const { amountFrom, amountTo } = kept;
  const isNone = typeof amountFrom === 'string' && typeof amountTo === 'string' && isNoRange(amountFrom, amountTo);
  return {
    ...('from' in kept && days.from === undefined && { from: undefined }),
    ...('to' in kept && days.to === undefined && { to: undefined }),
    ...(isNone && { amountTo: undefined }),
  };
}

/** The filters of these names that are given. A search has the place and the mode as well, which no list is asked for. */
export function filtersOf<K extends string>(search: { [k in K]?: string }, ...names: K[]): { [k in K]?: string } {
  const given: { [k in K]?: string } = {};
  for (const name of names) if (search[name] !== undefined) given[name] = search[name];
  return given;
}
