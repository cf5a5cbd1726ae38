import { isDatabaseAway } from '../platform/errors.ts';

/** Lines of one call that cannot be posted: more than this is nobody's own fault. */
const MOST_FAILED = 100;

/**
 * Posts lines at once, each for itself: one that cannot be posted keeps none of the others from it.
 * @param failed what they were not posted for; of one call, for whoever throws it once all had their turn
 * @returns how many this call posted.
 * @throws the first error where it is no line's own: the database is away, or too many fail.
 */
export async function postEach<Line>(
  lines: readonly Line[],
  failed: unknown[],
  post: (line: Line) => Promise<boolean>,
): Promise<number> {
  const done = await Promise.allSettled(lines.map(post));
  for (const one of done) if (one.status === 'rejected') failed.push(one.reason);
  const shared = failed.length > MOST_FAILED ? failed[0] : failed.find(isDatabaseAway);
  if (shared !== undefined) throw shared as Error;
  return done.filter((one) => one.status === 'fulfilled' && one.value).length;
}
