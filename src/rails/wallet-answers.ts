import { shortened, textOf } from './provider-answers.ts';

/** What an adapter's table says of a status or a refusal; the outcome is the caller's. */
export interface WalletReading {
  reason: string | null;
  message: string;
}

/** @param code the provider's own, kept as evidence; null where it was not asked. */
export function saidOf({ reason, message }: WalletReading, code: string | null, at: Date) {
  return { code, reason, message: shortened(message), at };
}

/** Why an answer about a credit is not one: it shows another than the one that was asked for. */
export const ANOTHER_CREDIT: WalletReading = {
  reason: 'RAIL_ANSWER_MISMATCH',
  message: 'The provider answered about another credit than the one that it was asked about',
};

/** Why an answer about a credit is not one: its id, amount, currency or mode is missing or cannot be read exactly. */
export const UNREADABLE_CREDIT: WalletReading = {
  reason: 'RAIL_ANSWER_UNEXPECTED',
  message: 'The answer leaves out a fact of the credit, or it cannot be read exactly',
};

/** Nothing was asked: the provider finds no credit by what is known of it. */
export const NO_KEY: WalletReading = {
  reason: 'CREDIT_KEY_UNUSABLE',
  message: 'The provider cannot be asked for a credit by what is known of it',
};

/** Why a second opening has no answer: the provider has the first one and does not show it again. */
export const OPENED_BEFORE: WalletReading = {
  reason: 'RAIL_DUPLICATE',
  message: 'The provider opened this before, and does not show it again',
};

/** Why the answer to an opening is not one: it is about another reference, or asks for less than was asked for. */
export const ANOTHER_OPENING: WalletReading = {
  reason: 'RAIL_ANSWER_MISMATCH',
  message: 'The provider answered about another payment than the one that was asked for',
};

/** As this service makes references of its own: no provider's look like that. */
export function isOurReference(reference: string): boolean {
  return /^[0-9a-f]{32}$/.test(reference);
}

/**
 * The address of a page to which payers are sent: https, at a domain of the provider or under one; null for any other.
 * Whoever could change it would have payers give their cards to somebody else.
 */
export function pageAddressOf(value: unknown, domains: readonly string[]): string | null {
  const url = URL.canParse(textOf(value)) ? new URL(textOf(value)) : undefined;
  if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '' || url.port !== '') return null;
  return domains.some((domain) => url.hostname === domain || url.hostname.endsWith(`.${domain}`)) ? url.href : null;
}

/** A time with its zone; null for any other text, since nobody knows whose time that is. */
export function instantOf(value: unknown): Date | null {
  const text = textOf(value);
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(text)) return null;
  const instant = new Date(text);
  return Number.isNaN(instant.getTime()) ? null : instant;
}

/** Text, or nothing where the provider has none: some write "N/A" then. */
export function factOf(value: unknown): string | null {
  const text = textOf(value).trim();
  return text === '' || text === 'N/A' ? null : text;
}

/** Ten digits; a number has lost its leading zeros. */
export function accountNumberOf(value: unknown): string | null {
  return typeof value === 'number' ? textOf(value).padStart(10, '0') : factOf(value);
}

/** An address of the same mailbox that no other reference has: ada@shop.ng is ada+<tag>@shop.ng. */
export function taggedEmail(email: string, tag: string): string {
  const at = email.lastIndexOf('@');
  return `${email.slice(0, at)}+${tag}${email.slice(at)}`.toLowerCase();
}

/** Providers want two names: who has one alone has it twice. */
export function twoNames(name: string): { first: string; last: string } {
  const [first = '', ...rest] = name.trim().split(/\s+/);
  return { first, last: rest.length === 0 ? first : rest.join(' ') };
}

/**
 * The page after this one, as the cursor of a list. The provider's count of pages decides. Without one, only an empty page
 * is the last: a page may have fewer rows than were asked for, because the provider has a limit of its own.
 */
export function nextPage(page: number, rows: number, pageCount: unknown): string | null {
  const count = typeof pageCount === 'number' && Number.isSafeInteger(pageCount) ? pageCount : undefined;
  const isLast = rows === 0 || (count !== undefined && page >= count);
  return isLast ? null : String(page + 1);
}

/** @throws where the cursor is none that `nextPage` gave */
export function pageOf(cursor: string | null): number {
  if (cursor === null) return 1;
  if (!/^[1-9]\d{0,6}$/.test(cursor)) throw new Error('This is not a cursor of the list of credits');
  return Number(cursor);
}
