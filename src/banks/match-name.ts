import { ratio } from 'fuzzball';
import type { Bank } from './queries.ts';

/**
 * A score below this is a warning. Two people who share one of two names come to 60 or 70, a nickname or another spelling
 * (Emeka for Chukwuemeka, Mohammed for Muhammad) to more than 80.
 */
export const LOW_MATCH_BELOW = 80;

/** Longer names are compared by their first words: a cell may hold anything. */
export const MAX_WORDS = 8;
const MAX_WORD_LENGTH = 40;
/** An initial fits every name that begins with it: likely, not certain. */
const INITIAL_SCORE = 85;

/** How people are addressed and what companies are called after their name: banks leave them out or in as they please. */
const NOT_THE_NAME = new Set(
  (
    'MR MRS MISS MS MASTER MASTA DR DOCTOR PROF PROFESSOR ENGR ENG BARR BARRISTER ARC ARCH SURV PHARM HON SIR LADY DAME ' +
    'CHIEF OTUNBA OBA PRINCE PRINCESS ALHAJI ALHAJA ALH HAJIA HAJIYA HAJ MALLAM MALAM SHEIKH IMAM PASTOR PST REV REVD ' +
    'REVEREND FR FATHER SISTER BROTHER BRO EVANG EVANGELIST APOSTLE BISHOP DEACON DEACONESS CAPT CAPTAIN COL MAJ GEN ' +
    'LTD LIMITED PLC INC LLC CO COMPANY ENT ENTERPRISE ENTERPRISES VENTURES NIG NIGERIA THE AND'
  ).split(' '),
);

/**
 * How like the bank's name the given one is, from 0 to 100.
 *
 * Words are compared, not texts: names come in any order, with and without middle names. Each word of the shorter name
 * gets the most similar word of the longer one, and all count the same: by letters, a long first name in common would
 * hide that the surname is another. A single word is half a name. Case, accents, punctuation, titles and company forms
 * do not count.
 */
export function matchScore(givenName: string, accountName: string): number {
  return wordsScore(nameWords(givenName), nameWords(accountName));
}

/** The same for the words of two names, where one name is compared with many. */
export function wordsScore(given: readonly string[], found: readonly string[]): number {
  if (given.length === 0 || found.length === 0) return 0;
  // Also where the same letters are spaced otherwise: ADAOBI for ADA OBI.
  if (given.join('') === found.join('')) return 100;
  const [few, many] = given.length <= found.length ? [given, found] : [found, given];
  const sum = bestPairs(few, many).reduce((total, score) => total + score, 0);
  return Math.round(sum / Math.max(2, few.length));
}

/**
 * Whether two names are the same words, in any order: more than a high score, which a name within a longer one has as
 * well. Case, accents, punctuation, titles and company forms do not count.
 */
export function isSameName(one: string, other: string): boolean {
  const [words, others] = [nameWords(one), nameWords(other)];
  if (words.length === 0) return false;
  return words.join('') === others.join('') || words.sort().join(' ') === others.sort().join(' ');
}

/** A name as it is compared: in capitals, without accents, titles and company forms. */
export function nameWords(name: string): string[] {
  const words = name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toUpperCase()
    // A name's apostrophe and hyphen join more often than they part: N'GOZI, ABDUL-AZEEZ.
    .replaceAll(/['’`]/g, '')
    .split(/[^\p{L}\p{N}]+/u, MAX_WORDS * 4)
    .filter((word) => word !== '');
  const names = words.filter((word) => !NOT_THE_NAME.has(word));
  return (names.length === 0 ? words : names).slice(0, MAX_WORDS).map((word) => word.slice(0, MAX_WORD_LENGTH));
}

/** The scores of `few` words with a partner each among `many`, the best pairs first. */
function bestPairs(few: readonly string[], many: readonly string[]): number[] {
  const pairs = few.flatMap((one, at) => many.map((other, to) => ({ at, to, score: wordScore(one, other) })));
  pairs.sort((a, b) => b.score - a.score);
  const scores: number[] = [];
  const taken = { few: new Set<number>(), many: new Set<number>() };
  for (const { at, to, score } of pairs) {
    if (taken.few.has(at) || taken.many.has(to)) continue;
    taken.few.add(at);
    taken.many.add(to);
    scores.push(score);
  }
  return scores;
}

/** How like one word of a name is to one of another, from 0 to 100. */
export function wordScore(one: string, other: string): number {
  if (one === other) return 100;
  if ((one.length === 1 || other.length === 1) && one[0] === other[0]) return INITIAL_SCORE;
  return ratio(one, other, { full_process: false });
}

/** How much the words of the shorter name may lack of 100 each, all together, where `wordsScore` has to come to `score`. */
export const mayLack = (score: number, few: number): number => few * 100 - (score - 0.5) * Math.max(2, few);

/**
 * The most that the ratio of two texts can come to by their lengths, where no more than `common` characters can be in both:
 * to work out a bound costs a hundredth of comparing.
 */
export function ratioBound(length: number, other: number, common = Math.min(length, other)): number {
  return Math.round(100 * ((2 * common) / (length + other)));
}

/** Of these there are hundreds, and many share their name with a commercial bank. */
const MICROFINANCE = /\b(?:micro[\s-]?finance|mfb)\b/i;

/** Whether a bank can be one of this name: one that is called a microfinance bank is no commercial one. */
export const couldBe = (name: string): ((bank: Pick<Bank, 'kind'>) => boolean) =>
  MICROFINANCE.test(name) ? ({ kind }) => kind !== 'COMMERCIAL' : () => true;
