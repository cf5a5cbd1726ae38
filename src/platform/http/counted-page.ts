import { type TSchema, Type } from 'typebox';
import { offsetOf, Page, type PageRequest, pageView } from './schemas.ts';

/** Records of a long list are counted up to here and no further: it takes some 20 ms, and nobody pages deeper by number. */
export const MAX_COUNTED = 100_000;

/** The page wrapper of a list that can be very long. */
export const CountedPage = <T extends TSchema>(record: T) =>
  Type.Interface([Page(record)], {
    totalIsExact: Type.Boolean({
      description: 'False beyond 100,000: totalRecords is then a lower bound that grows as you page on.',
    }),
  });

/**
 * The wrapper for `found`, read with a limit of one more than the page's size, and `counted`, which stops at one more
 * than `mostCounted`. Beyond that the total says at least so many, and always more than this page while there is more,
 * so that whoever pages on until `totalPages` misses nothing.
 */
export function countedPageView<T>(
  page: PageRequest,
  counted: number,
  found: readonly T[],
  { mostCounted = MAX_COUNTED } = {},
) {
  const totalIsExact = counted <= mostCounted;
  const total = totalIsExact ? counted : Math.max(mostCounted, offsetOf(page) + found.length);
  return { ...pageView(page, total, found.slice(0, page.size)), totalIsExact };
}
