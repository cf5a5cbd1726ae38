import { createHash, timingSafeEqual } from 'node:crypto';
import { factsOf, parseExactly } from '../platform/json-source.ts';
import type { Tenant } from '../platform/tenant.ts';
import { cleanedText, firstCharacters } from '../platform/text.ts';
import { NotSentError, type RailAnswer, type RailOutcome } from './port.ts';
import { NOTHING_REPORTED, type ReportedFacts, UNREADABLE } from './reported.ts';

/** What an adapter's table says of a status or a refusal. */
export interface ProviderReading {
  outcome: RailOutcome;
  reason: string | null;
  message: string;
}

/** The network carries a hundred characters of narration; some providers refuse more instead of cutting it. */
const NARRATION_MAX = 100;
/** What a provider says about itself is kept, but no more of it than a person reads. */
const MESSAGE_MAX = 300;
/** No provider's sentence is longer. */
const SAID_MAX = 1_000;

/** Where our own copy of an answer says so, this is the reading: nothing of it ends a payout. */
export function unknown(reason: string, message: string): ProviderReading {
  return { outcome: 'unknown', reason, message };
}

export function answerOf(
  reading: ProviderReading,
  code: string | null,
  sessionId: string | null,
  at: Date,
  reported: ReportedFacts = NOTHING_REPORTED,
): RailAnswer {
  return { ...reading, message: shortened(reading.message), code, sessionId, at, reported };
}

/** A fact that the provider gives in this place: where it is missing it is unreadable, and not left out. */
export function expected<Fact extends string | bigint>(fact: Fact | null): Fact | typeof UNREADABLE {
  return fact === null || fact === '' ? UNREADABLE : fact;
}

/**
 * The lines of a list, as `read` has them. Those that it cannot read are named by what tells them from others: the provider's id
 * where a line has one, since the rest of it may change from day to day, or else all of it.
 */
export function readListed<Line>(
  lines: readonly unknown[],
  read: (line: unknown) => Line | undefined,
): { read: Line[]; unreadable: string[] } {
  const found = { read: [] as Line[], unreadable: [] as string[] };
  for (const line of lines) {
    const one = read(line);
    if (one === undefined) found.unreadable.push(lineKey(line));
    else found.read.push(one);
  }
  return found;
}

function lineKey(line: unknown): string {
  const id = typeof line === 'object' && line !== null && 'id' in line ? line.id : undefined;
  const named = typeof id === 'string' || typeof id === 'number' ? { id } : { line };
  const text = JSON.stringify(named, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
  return createHash('sha256').update(text).digest('base64url');
}

/** The provider's numbering of banks, and the way back to ours. */
export interface BankNumbering {
  theirs(ours: string): string;
  /** As it came where it stands for none of ours by itself; null where it stands for several. */
  ours(theirs: string): string | null;
}

/** @param table ours -> the provider's, where they differ. */
export function bankNumbering(table: Readonly<Record<string, string>>): BankNumbering {
  const back = new Map<string, string | null>();
  for (const [ours, theirs] of Object.entries(table)) back.set(theirs, back.has(theirs) ? null : ours);
  return {
    theirs: (ours) => listedIn(table, ours) ?? ours,
    ours(theirs) {
      if (theirs === '') return null;
      const ours = back.get(theirs);
      return ours === undefined ? theirs : ours;
    },
  };
}

export function shortened(given: string): string {
  const text = cleanedText(given);
  return text.length > MESSAGE_MAX ? `${firstCharacters(text, MESSAGE_MAX - 1)}…` : text;
}

/** One line, as long as the network carries it. */
export function narrationOf(text: string): string {
  return firstCharacters(text.replace(/\s+/g, ' ').trim(), NARRATION_MAX);
}

/** Compares without showing by its time where, or whether only the lengths, differ. */
export function isSameSecret(given: string, ours: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(ours));
}

/**
 * A test key pays nobody, a live key pays from a sandbox: either would be false in the books.
 * @throws NotSentError `RAIL_MODE_MISMATCH`
 */
export function requireMode(tenant: Tenant, keyMode: Tenant['mode']): void {
  if (tenant.mode === keyMode) return;
  throw new NotSentError(`The rail's key is for ${keyMode} and the request is ${tenant.mode}`, {
    reason: 'RAIL_MODE_MISMATCH',
    answered: true,
  });
}

/** @throws NotSentError `CURRENCY_NOT_SUPPORTED` */
export function requireNaira(currency: string): void {
  if (currency === 'NGN') return;
  throw new NotSentError(`The rail is set up for NGN only, not for ${currency}`, {
    reason: 'CURRENCY_NOT_SUPPORTED',
    answered: true,
  });
}

/**
 * JSON that a provider wrote; undefined where it is none. A number with more digits than can be kept is none that any
 * reader takes for an amount or an id.
 */
export function readJson(bytes: Buffer): unknown {
  try {
    const text = bytes.toString('utf8');
    const parsed = JSON.parse(text) as unknown;
    // Number by number it takes five times as long, in which nobody is served: a page of settlements has megabytes.
    return factsOf(text).hasLongNumbers ? parseExactly(text) : parsed;
  } catch {
    return undefined;
  }
}

/** An object of a JSON document, to be read field by field; undefined for anything else. */
export function fieldsOf(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
}

/** What a table has for a word that came from outside; undefined where it does not list it, `constructor` included. */
export function listedIn<Entry>(table: Readonly<Record<string, Entry>>, word: string): Entry | undefined {
  return Object.hasOwn(table, word) ? table[word] : undefined;
}

/**
 * What a provider says of a refusal, for an adapter's patterns and as evidence. A sentence has a few hundred characters; in a
 * page of a megabyte a pattern would look for minutes, and its beginning alone might say the opposite of the whole: nothing
 * is read in it, so that it ends no payout.
 */
export function providerMessage(value: unknown): string {
  const text = textOf(value);
  return text.length > SAID_MAX ? `(${text.length} characters)` : text;
}

/** Text as it is, a whole number as its digits (providers write ids both ways), anything else as nothing. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : '';
}
