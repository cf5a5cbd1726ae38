import { MAX_WORDS, mayLack, ratioBound, wordScore } from '../banks/index.ts';

/** Two words of a name have to begin alike before it is compared: a slip of the pen in the first letters is not found. */
const KEY_LENGTH = 3;
/** Of a name in the search that is under way: two of its words begin as those of the subject, and it was looked at. */
const LOOKED_AT = 2;
/** Of two words: added to the most that they can come to, until they are compared. */
const BOUND = 128;
/** Nothing is known of two words. */
const UNKNOWN = 255;

/**
 * The places of the names that could reach the similarity `least` against a name. They are those with the same letters,
 * however they are spaced, and those with two words that begin as two of its own, where the words can be alike enough.
 * Half of a list may begin alike, so a name costs no memory of its own, two words are compared once a search, and a
 * name no further than it can still come to `least`.
 */
export function createLikelyNames(
  names: readonly (readonly string[])[],
  least: number,
  scoreOf: typeof wordScore = wordScore,
): (words: readonly string[]) => number[] {
  const { byKey, byWhole, wordsOf, distinct } = indexed(names);
  const counts = new Uint8Array(names.length);
  const scores = new Uint8Array(distinct.length * MAX_WORDS);
  const shapes = distinct.map(shapeOf);

  /** Of the subject's word at `place`; where that cannot come to `needed`, less than `needed`. */
  function scoreFor(subject: readonly Shape[], place: number, id: number, needed: number): number {
    const slot = place * distinct.length + id;
    let known = scores[slot] as number;
    if (known === UNKNOWN) {
      known = BOUND + mostOf(subject[place] as Shape, shapes[id] as Shape);
      scores[slot] = known;
    }
    if (known < BOUND) return known;
    if (known - BOUND < needed) return 0;
    const score = scoreOf((subject[place] as Shape).word, distinct[id] as string);
    scores[slot] = score;
    return score;
  }

  /** Whether the best partner of each word, also one that two of them want, would be enough. */
  function couldReach(subject: readonly Shape[], ids: readonly number[]): boolean {
    const isShorter = subject.length <= ids.length;
    const few = isShorter ? subject.length : ids.length;
    const many = isShorter ? ids.length : subject.length;
    let left = mayLack(least, few);
    for (let one = 0; one < few && left >= 0; one += 1) {
      let best = 0;
      for (let other = 0; other < many && best < 100; other += 1) {
        const place = isShorter ? one : other;
        const id = ids[isShorter ? other : one] as number;
        best = Math.max(best, scoreFor(subject, place, id, Math.max(best, 100 - left)));
      }
      left -= 100 - best;
    }
    return left >= 0;
  }

  return (words) => {
    counts.fill(0);
    scores.fill(UNKNOWN, 0, words.length * distinct.length);
    const subject = words.map(shapeOf);
    const likely = [...(byWhole.get(words.join('')) ?? [])];
    for (const at of likely) counts[at] = LOOKED_AT;
    for (const key of keysOf(words)) {
      for (const at of byKey.get(key) ?? []) {
        const count = counts[at] as number;
        if (count === LOOKED_AT) continue;
        counts[at] = count + 1;
        if (count + 1 === LOOKED_AT && couldReach(subject, wordsOf[at] as number[])) likely.push(at);
      }
    }
    return likely;
  };
}

function indexed(names: readonly (readonly string[])[]) {
  const byKey = new Map<string, number[]>();
  const byWhole = new Map<string, number[]>();
  const ids = new Map<string, number>();
  const wordsOf = names.map((words, at) => {
    for (const key of keysOf(words)) append(byKey, key, at);
    append(byWhole, words.join(''), at);
    return words.map((word) => {
      const id = ids.get(word) ?? ids.size;
      ids.set(word, id);
      return id;
    });
  });
  return { byKey, byWhole, wordsOf, distinct: [...ids.keys()] };
}

const keysOf = (words: readonly string[]): Set<string> => new Set(words.map((word) => word.slice(0, KEY_LENGTH)));

function append(map: Map<string, number[]>, key: string, at: number): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [at]);
  else known.push(at);
}

/** A word, and which letters are in it: a bit may stand for several. */
interface Shape {
  word: string;
  letters: number;
}

function shapeOf(word: string): Shape {
  let letters = 0;
  for (let at = 0; at < word.length; at += 1) letters |= 1 << (word.charCodeAt(at) & 31);
  return { word, letters };
}

/** The most that two words can come to: a letter that only one of them has is not in both. An initial is alike to anything. */
function mostOf({ word: one, letters }: Shape, { word: other, letters: others }: Shape): number {
  if (one.length === 1 || other.length === 1) return 100;
  const common = Math.min(one.length - bitsOf(letters & ~others), other.length - bitsOf(others & ~letters));
  return ratioBound(one.length, other.length, common);
}

function bitsOf(letters: number): number {
  let pairs = letters - ((letters >>> 1) & 0x55555555);
  pairs = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((pairs + (pairs >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
