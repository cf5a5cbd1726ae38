import type { Tenant } from '../platform/tenant.ts';

/** A longer field is cut for the index: nobody remembers a name by its two hundredth letter. */
const MAX_FIELD = 200;

const SIGNS = /[^\p{L}\p{N}]+/gu;

/** Most texts are ASCII only: no accents, and one small letter for each capital. */
const ASCII = /^[\p{ASCII}]*$/u;
/** Ids, account numbers and references that need no folding. */
const FOLDED_WORD = /^[a-z0-9]+$/;

function plain(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  return text
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .toLowerCase()
    .normalize('NFKC');
}

/**
 * A text as it is compared: small letters, without accents and without any sign but the spaces between words. So `O'Neil`
 * is found by `oneil`, and a reference with or without its hyphens.
 */
export function folded(text: string): string {
  if (FOLDED_WORD.test(text)) return text.slice(0, MAX_FIELD);
  return plain(text)
    .split(/\s+/u)
    .map((part) => part.replaceAll(SIGNS, ''))
    .filter((part) => part !== '')
    .join(' ')
    .slice(0, MAX_FIELD);
}

/** The words of a text, each as a beginning that a search of two letters finds, whatever sign stands before it. */
function wordsOf(text: string): string[] {
  return plain(text)
    .slice(0, MAX_FIELD)
    .split(SIGNS)
    .filter((word) => word !== '');
}

/** The beginning of our own references. An id follows. */
const OWN_REFERENCE = /^mn[lb](?=[0-9a-f]{4,32}$)/;

/** The words of a search, folded. Our own references lose their first letters, because ids are kept without them. */
export function searchedWords(query: string): string[] {
  return folded(query)
    .split(' ')
    .filter((word) => word !== '')
    .map((word) => word.replace(OWN_REFERENCE, ''));
}

const AMOUNT = /^(?:₦|#|ngn)?\s*(\d{1,3}(?:,\d{3})+|\d{1,13})(?:\.(\d{1,2}))?$/i;

/** The amount that somebody may mean, in minor units: `25000`, `25,000.50`, `₦25,000`. */
export function searchedAmount(query: string): bigint | undefined {
  const match = AMOUNT.exec(query.trim());
  if (match === null) return undefined;
  const [, major = '', fraction = ''] = match;
  const digits = major.replaceAll(',', '');
  if (digits.length > 13) return undefined;
  const minor = BigInt(digits) * 100n + BigInt(fraction.padEnd(2, '0'));
  return minor === 0n ? undefined : minor;
}

/**
 * Documents of one kind that share an era. A search reads one era after the other, the newest first: the more in one, the
 * longer a frequent word takes; the fewer, the more eras a rare word has to go through.
 */
export const ERA_DOCUMENTS = 8_192;

/** An odd number whose multiples are spread over all 32 bits. The statement that searches uses it too. */
export const ERA_FACTOR = 2_654_435_761;

const HASH_START = 0x811c9dc5 | 0;

/**
 * 32 bits: where two texts have one hash, the text itself decides.
 * @param from and to: of a part of the text, which need not be cut out for it
 * @param begun what stands before the part, by `mixed`
 */
function hashOf(text: string, from = 0, to = text.length, begun = HASH_START): number {
  let hash = mixed(begun, text, from, to);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) | 0;
}

function mixed(begun: number, text: string, from: number, to: number): number {
  let hash = begun;
  for (let at = from; at < to; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash;
}

/** With it the hashes of one kind of things of one tenant differ from those of all others. */
export function seedOf({ merchantId, mode }: Tenant, kind: string): number {
  return hashOf(`${merchantId}/${mode}/${kind}`);
}

const DIGITS = /^\d+$/;

/**
 * What a part of a word is found by: every three characters that follow each other, and of digits every four, since of three
 * there are only a thousand. Whatever a word consists of, a word that contains it consists of too.
 */
function gramsOf(word: string): string[] {
  const letters = [...word];
  const grams: string[] = [];
  for (let at = 0; at + 3 <= letters.length; at += 1) {
    const three = letters.slice(at, at + 3).join('');
    if (!DIGITS.test(three)) {
      grams.push(three);
      continue;
    }
    const four = letters.slice(at, at + 4).join('');
    if (four.length === 4 && DIGITS.test(four)) grams.push(four);
  }
  return grams;
}

const SPACE = 0x20;
const isDigit = (unit: number): boolean => unit >= 0x30 && unit <= 0x39;
const HAS_PAIRS = /[\u{10000}-\u{10ffff}]/u;

/** The hashes of the grams of all words of a folded line, without a text for each of them: a document has eighty. */
function addGramsOf(line: string, add: (hash: number) => void): void {
  if (HAS_PAIRS.test(line)) {
    for (const gram of line.split(' ').flatMap(gramsOf)) add(hashOf(gram));
    return;
  }
  for (let at = 0; at + 3 <= line.length; at += 1) {
    const [first, second, third] = [line.charCodeAt(at), line.charCodeAt(at + 1), line.charCodeAt(at + 2)];
    if (first === SPACE || second === SPACE || third === SPACE) continue;
    if (!(isDigit(first) && isDigit(second) && isDigit(third))) add(hashOf(line, at, at + 3));
    else if (isDigit(line.charCodeAt(at + 3))) add(hashOf(line, at, at + 4));
  }
}

/** The same for the beginnings of the words of a field. */
function addBeginningsOf(field: string, add: (hash: number) => void): void {
  if (FOLDED_WORD.test(field)) add(hashOf(field, 0, Math.min(2, field.length), BEGINNING));
  else for (const word of wordsOf(field)) add(hashOf(beginning(word)));
}

const beginning = (word: string): string => `^${[...word].slice(0, 2).join('')}`;
const BEGINNING = mixed(HASH_START, '^', 0, 1);
const whole = (field: string): string => `=${field}`;
const amount = (minor: bigint): string => `n${minor}`;
const code = (field: string): string => `/${field}`;

/** Shorter codes are no one's alone. */
const MIN_CODE = 8;

/** More of one search say nothing more. */
const MAX_GRAMS = 16;

/** What is hashed to find each of these words somewhere in one document; nothing where all of them are a letter each. */
export function gramsOfWords(words: readonly string[]): number[] {
  const grams = words.flatMap((word) => {
    const found = gramsOf(word);
    return found.length === 0 && [...word].length > 1 ? [beginning(word)] : found;
  });
  const step = Math.max(1, grams.length / MAX_GRAMS);
  const some = grams.filter((_, at) => Math.floor(at / step) !== Math.floor((at - 1) / step));
  return [...new Set(some.map((gram) => hashOf(gram)))];
}

export const gramOfWhole = (field: string): number => hashOf(whole(field));
export const gramOfAmount = (minor: bigint): number => hashOf(amount(minor));

/** The same for every tenant and era: by it the operator finds a whole reference without knowing whose it is. */
export const tokenOfCode = (field: string): number => hashOf(code(field));

/** What a document is made of. */
export interface Searched {
  amountMinor: bigint | null;
  /** Names and titles, found by each word's beginning and any part of it. */
  names: readonly string[];
  /** Numbers and references, found by any part of them. */
  codes: readonly string[];
}

/** A line for each name and code as they are compared. */
export function textOf({ names, codes }: Searched): string {
  const lines = new Set([...names, ...codes].map(folded).filter((line) => line !== ''));
  return `\n${[...lines].join('\n')}\n`;
}

/** @param seed of the tenant and kind. @returns each once */
export function tokensOf({ amountMinor, names, codes }: Searched, seed: number, era: number): Set<number> {
  const key = seed ^ Math.imul(era, ERA_FACTOR);
  const tokens = new Set<number>();
  const add = (hash: number) => void tokens.add(hash ^ key);
  for (const name of names) {
    const line = folded(name);
    addGramsOf(line, add);
    addBeginningsOf(name, add);
    if (line !== '') add(gramOfWhole(line));
  }
  for (const field of codes) {
    const line = folded(field);
    addGramsOf(line, add);
    addBeginningsOf(field, add);
    if (line.length >= MIN_CODE) tokens.add(tokenOfCode(line));
  }
  if (amountMinor !== null) add(gramOfAmount(amountMinor));
  return tokens;
}
