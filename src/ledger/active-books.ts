import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import { arraysByMerchant } from '../platform/db/statement.ts';
import { NIL_ID } from '../platform/ids.ts';
import type { Mode } from '../platform/tenant.ts';
import { type ActiveBooksRow, findActivityEnded, listActiveBooks } from './active-queries.ts';

/**
 * What a reader of events behind the books looks at: the books that went on since it looked last, and not those of every
 * merchant. It remembers what it handed out until the reader has read that, so that nothing is forgotten where the reader fails
 * or has no time.
 */
export interface ActiveBooks {
  /**
   * The merchants whose events may be new to the reader: those that became active since the last call, and those of earlier
   * calls that it has not read. The books of all merchants come again from time to time, and in a small installation at each
   * call.
   */
  look(): Promise<ReadonlySet<string>>;
  /**
   * Of the merchants `asked` about only those `behind` have something that the reader has not read. They are handed out again
   * after all others.
   */
  answered(asked: Iterable<string>, behind: readonly { merchant_id: string }[]): void;
  /** The reader has something to read of these, for another reason than that they went on. */
  handOut(merchants: Iterable<string>): void;
}

export interface ActiveBooksOptions {
  /** So many books or fewer are all looked at, each time. */
  fewBooks?: number;
  /** Books that one look reads of those that went on. */
  pageSize?: number;
  /** Books that one look reads of all. */
  lapSize?: number;
}

const FEW_BOOKS = 500;
const PAGE_SIZE = 5_000;
const LAP_SIZE = 2_000;
/**
 * Between two pages of a lap through the books of all merchants, but for the first lap. Laps find what no activity tells: what a
 * process of the release before wrote, what was committed later than is looked back, and cursors that somebody set back. So few
 * books come by often, and many cost no more.
 */
const LAP_PAGE_EVERY_MS = 6_000;
/** More books have larger pages: a lap takes some five minutes, however many there are. */
const LAP_PAGES = 50;
/** A new reader begins with those that were active within this time, while its first lap goes through all. */
const FIRST_BACK_MS = 60 * 60_000;
/** With so many handed out and not read, laps wait. Those that go on do not. */
const MOST_HANDED_OUT = 20_000;

interface Place {
  activeAt: Date;
  merchantId: string;
}

const beginningOf = (activeAt: Date): Place => ({ activeAt, merchantId: NIL_ID });
const BEGINNING = beginningOf(new Date(0));

/** For one reader and one mode. It locks nothing, and knows nothing of other processes. */
export function followActiveBooks(
  { database, clock }: { database: Database; clock: Clock },
  mode: Mode,
  { fewBooks = FEW_BOOKS, pageSize = PAGE_SIZE, lapSize = LAP_SIZE }: ActiveBooksOptions = {},
): ActiveBooks {
  const handedOut = new Set<string>();
  /** What was handed out of books that may still be active: their rows are read again at each look. */
  const recent = new Map<string, ActiveBooksRow>();
  /** Where those that went on are read further; none before the first look. */
  let newest: Place | undefined;
  /** Where to go back to at the end of these pages: what went on after the first of them may lie before it. */
  let pagesBeganAt: Date | undefined;
  let lap = BEGINNING;
  let isFirstLap = true;
  let inThisLap = 0;
  let lapPageSize = lapSize;
  let lapAfter = Number.NEGATIVE_INFINITY;

  /** @returns the books after this place, and the place after them; none where these are the last */
  async function readPage({ activeAt, merchantId }: Place, most: number) {
    const rows = await database.query(listActiveBooks, [mode, activeAt, merchantId, most]);
    const last = rows.at(-1);
    if (last === undefined || rows.length < most) return { rows, next: undefined };
    return { rows, next: { activeAt: last.active_at, merchantId: last.merchant_id } };
  }

  async function readNewest(): Promise<void> {
    const [ended] = await database.query(findActivityEnded, []);
    const endedAt = ended?.ended_at ?? BEGINNING.activeAt;
    newest ??= beginningOf(new Date(endedAt.getTime() - FIRST_BACK_MS));
    pagesBeganAt ??= endedAt;
    const { rows, next } = await readPage(newest, pageSize);
    for (const row of rows) {
      if (recent.get(row.merchant_id)?.event_sequence === row.event_sequence) continue;
      recent.set(row.merchant_id, row);
      handedOut.add(row.merchant_id);
    }
    newest = next;
    if (next !== undefined) return;
    newest = beginningOf(pagesBeganAt);
    for (const [id, { active_at }] of recent) if (active_at < pagesBeganAt) recent.delete(id);
    pagesBeganAt = undefined;
  }

  /** @returns whether there are so few that these are all */
  async function readLap(): Promise<boolean> {
    if (clock.elapsedMs() < lapAfter || handedOut.size >= MOST_HANDED_OUT) return false;
    const { rows, next } = await readPage(lap, isFirstLap ? pageSize : lapPageSize);
    for (const { merchant_id } of rows) handedOut.add(merchant_id);
    const areAll = lap === BEGINNING && next === undefined && rows.length <= fewBooks;
    if (areAll) return true;
    lap = next ?? BEGINNING;
    inThisLap += rows.length;
    if (next === undefined) {
      isFirstLap = false;
      lapPageSize = Math.max(lapSize, Math.ceil(inThisLap / LAP_PAGES));
      inThisLap = 0;
    }
    if (!isFirstLap) lapAfter = clock.elapsedMs() + LAP_PAGE_EVERY_MS;
    return false;
  }

  return {
    async look() {
      if (!(await readLap())) await readNewest();
      return handedOut;
    },
    answered(asked, behind) {
      for (const merchantId of asked) handedOut.delete(merchantId);
      for (const { merchant_id } of behind) handedOut.add(merchant_id);
    },
    handOut(merchants) {
      for (const merchantId of merchants) handedOut.add(merchantId);
    },
  };
}

/**
 * The parameters of a question about the books of these merchants: an array of them, one of their modes, and the merchants by name.
 * The mode is in an array too, so that nothing but the key of the books leads to them, however small the tables were when
 * the plan was made.
 */
export const askedBooks = (merchants: readonly string[], mode: Mode) =>
  arraysByMerchant(merchants, (merchantId) => merchantId, ['text', () => mode]);
