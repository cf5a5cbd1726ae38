import { hash } from 'node:crypto';
import type { Clock } from '../clock.ts';
import type { Mode } from '../tenant.ts';
import type { JobFailures, Unreadable } from './job-monitor.ts';

/** A list with more pages is faulty: with a hundred lines each they are a million in one window. */
const MAX_PAGES = 10_000;
/** The same for a list that takes longer. It is read again from its beginning then, where new lines may be. */
const MAX_MS = 60 * 60_000;

/** Lines that cannot be read and are kept apart. Beyond them their number counts. */
const MOST_UNREADABLE = 1_000;

/** A list of a provider, read from time to time, under a lease. */
interface PolledList {
  name: string;
  mode: Mode;
}

/**
 * Reads each due list, all at once. A failure of one does not affect the others: it releases its lease, and is left
 * alone for a while.
 * @param read undefined where another process, or the run before, reads it at this moment: it is skipped
 * @param stopped a reading that is cut short by it has not failed
 * @returns how much was taken
 */
export async function pollLists<List extends PolledList>(
  lists: readonly List[],
  given: {
    failures: JobFailures;
    message: string;
    stopped: AbortSignal | undefined;
    read(list: List): Promise<number | undefined>;
    release(list: List): Promise<unknown>;
  },
): Promise<number> {
  const { failures, message, stopped, read, release } = given;
  const due = lists.filter(({ name }) => !failures.isBackingOff(name));
  const taken = await Promise.all(
    due.map(async (list) => {
      const { name, mode } = list;
      try {
        const count = await read(list);
        if (count !== undefined) failures.succeeded(name);
        return count ?? 0;
      } catch (error) {
        if (stopped?.aborted !== true) failures.failed(name, error, { message, mode, rail: name });
        await release(list).catch(() => undefined);
        return 0;
      }
    }),
  );
  return taken.reduce((sum, count) => sum + count, 0);
}

interface ListPage {
  /** Lines of it that cannot be read, each by what tells it from others. */
  unreadable: readonly string[];
  next: string | null;
}

/**
 * Reads a list page by page to its end. What was taken before it throws stays taken.
 * @param idsOf what distinguishes a page from others
 * @throws Error where it does not end; the reason of `stopped`
 */
export async function readPages<Page extends ListPage>(
  { clock, stopped }: { clock: Pick<Clock, 'elapsedMs'>; stopped: AbortSignal | undefined },
  list: {
    page(cursor: string | null): Promise<Page>;
    idsOf(page: Page): readonly (string | undefined)[];
    take(page: Page): Promise<number>;
  },
): Promise<{ taken: number; unreadable: Unreadable }> {
  const begun = clock.elapsedMs();
  const seen = new Set<string>();
  const keys = new Set<string>();
  const read = { taken: 0, unreadable: { lines: 0, keys } };
  let cursor: string | null = null;
  for (let pages = 0; pages < MAX_PAGES && clock.elapsedMs() - begun < MAX_MS; pages += 1) {
    stopped?.throwIfAborted();
    const page: Page = await list.page(cursor);
    const ids = list.idsOf(page).filter((id) => id !== undefined);
    const key = hash('sha256', ids.join(), 'base64url');
    // Some providers answer with their last page, or their first ones, to any page number.
    if (ids.length > 0 && seen.has(key)) throw new Error('the list has the same page again and again');
    seen.add(key);
    read.taken += await list.take(page);
    read.unreadable.lines += page.unreadable.length;
    for (const line of page.unreadable) if (keys.size < MOST_UNREADABLE) keys.add(line);
    if (page.next === null) return read;
    cursor = page.next;
  }
  throw new Error(`the list has no end after ${seen.size} different pages`);
}
