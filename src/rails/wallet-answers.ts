import { NotSentError } from './port.ts';
import { readListed, shortened, textOf } from './provider-answers.ts';
import type { ConfirmedCredit, CreditHint, CreditPage, OpenPageAnswer, PaymentChannel } from './wallet-provider.ts';

/** What an adapter's table says of a status or a refusal; the outcome is the caller's. */
export interface WalletReading {
  reason: string | null;
  message: string;
}

/** @param code the provider's own, kept as evidence; null where it was not asked. */
export function saidOf({ reason, message }: WalletReading, code: string | null, at: Date) {
  return { code, reason, message: shortened(message), at };
}

export const OPENED: WalletReading = { reason: null, message: 'Opened' };
export const CLOSED: WalletReading = { reason: null, message: 'Closed' };
/** An account that has no number yet. */
export const ASSIGNING: WalletReading = { reason: 'RAIL_PENDING', message: 'The provider is assigning an account' };

/** Why nothing was opened for a payment. */
export type NotOpened = Extract<OpenPageAnswer, { outcome: 'refused' | 'unknown' }>;

/** Every way to pay that the port has a word for, of a provider whose pages offer them all. */
export const PAGE_CHANNELS: readonly PaymentChannel[] = ['BANK_TRANSFER', 'CARD', 'USSD'];

/** A failed payment is pending where it is one attempt of several. */
export const ATTEMPT_FAILED: WalletReading = {
  reason: 'PAYMENT_ATTEMPT_FAILED',
  message: 'An attempt to pay failed, and the payer can make another',
};

/** By its text, a refusal that may be gone at the next attempt: it ends nothing. */
export function isTemporary(message: string): boolean {
  return /try again|temporar|downtime|time[ds]?[ -]?out|unavailable|in progress/i.test(message);
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

type RequiredFacts = Pick<ConfirmedCredit, 'providerTransactionId' | 'amountMinor' | 'currency'>;

/** The facts without which there is no credit; undefined where one of them is missing, not exact or not positive. */
export function requiredFactsOf(
  providerTransactionId: string,
  amountMinor: bigint | null,
  currency: string,
): RequiredFacts | undefined {
  if (providerTransactionId === '' || amountMinor === null || amountMinor <= 0n) return undefined;
  return /^[A-Z]{3}$/.test(currency) ? { providerTransactionId, amountMinor, currency } : undefined;
}

/**
 * The part of a provider's fee that the payer paid on top of what is the merchant's: it is neither credited nor kept of the
 * credit. Minor units.
 */
export function feeOnTop({ paid, asked, fee }: { paid: bigint; asked: bigint; fee: bigint }): bigint {
  const more = paid > asked ? paid - asked : 0n;
  return more < fee ? more : fee;
}

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

/** As this service makes references of its own, of an id without its hyphens: no provider's look like that. */
export function isOurReference(text: string | null): text is string {
  return text !== null && /^[0-9a-f]{32}$/.test(text);
}

/**
 * The address of a page to which payers are sent: https, at a domain of the provider or under one; null for any other.
 * An attacker who could change it would get the payers' cards.
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
  const { read: credits, unreadable } = readListed(listed, hintOf);
  const next = lines.length === 0 || isLast ? null : String(page + 1);
  return { credits, unreadable, next };
}

/** By the provider's count of pages, where it gives one: of a page with lines it is no less than one. */
export function isLastOf(page: number, pageCount: unknown): boolean {
  return typeof pageCount === 'number' && Number.isSafeInteger(pageCount) && pageCount > 0 && page >= pageCount;
}
