import { NotSentError } from './port.ts';
import type { CreditHint, CreditPage } from './wallet-provider.ts';

/** @throws NotSentError `LIST_CURSOR_INVALID` where the cursor is none that `creditPage` gave */
export function pageOf(cursor: string | null): number {
  if (cursor === null) return 1;
  if (!/^[1-9]\d{0,6}$/.test(cursor)) throw cursorInvalid();
  return Number(cursor);
}

/** A cursor that is none of the list: nothing is asked of the provider. */
export function cursorInvalid(): NotSentError {
  const message = 'This is not a cursor of the list of credits';
  return new NotSentError(message, { reason: 'LIST_CURSOR_INVALID', answered: true });
}

/**
 * One page of a list. Only an empty page ends it, or the provider's own word that it is the last: a page may have fewer
 * lines than were asked for, because the provider has a limit of its own.
 *
 * @param page from one; `lines` are all of the page, `listed` those of them that are credits of the window.
 */
export function creditPage(
  { page, lines, isLast }: { page: number; lines: readonly unknown[]; isLast: boolean },
  listed: readonly unknown[],
  hintOf: (line: unknown) => CreditHint | undefined,
): CreditPage {
  const credits = listed.map(hintOf).filter((hint) => hint !== undefined);
  const next = lines.length === 0 || isLast ? null : String(page + 1);
  return { credits, unreadable: listed.length - credits.length, next };
}

/** By the provider's count of pages, where it gives one: of a page with lines it is no less than one. */
export function isLastOf(page: number, pageCount: unknown): boolean {
  return typeof pageCount === 'number' && Number.isSafeInteger(pageCount) && pageCount > 0 && page >= pageCount;
}
