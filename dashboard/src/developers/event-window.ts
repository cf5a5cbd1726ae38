/** Events of one page, and of one page of a single type: that many are looked through for it. */
const PAGE = 50;
const LOOKED_THROUGH = 1_000;

export interface EventWindow {
  /** What the interface is asked: events behind this sequence, at most so many. */
  after: number;
  limit: number;
  /** The last sequence in it. */
  last: number;
  /** Where the page with later events ends, and the one with earlier events; undefined where there is none. */
  later: number | undefined;
  earlier: number | undefined;
}

/**
 * A page of the log, which the interface numbers from the beginning, seen from its end.
 * @param before the last sequence to show; undefined is the newest.
 */
export function eventWindow(lastSequence: number, before: number | undefined, ofOneType: boolean): EventWindow {
  const limit = ofOneType ? LOOKED_THROUGH : PAGE;
  const last = Math.min(before ?? lastSequence, lastSequence);
  const after = Math.max(0, last - limit);
  return {
    after,
    limit: Math.max(1, last - after),
    last,
    later: last < lastSequence ? Math.min(last + limit, lastSequence) : undefined,
    earlier: after > 0 ? after : undefined,
  };
}
