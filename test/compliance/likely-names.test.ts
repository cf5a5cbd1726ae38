import { describe, expect, it } from 'vitest';
import { nameWords, wordScore, wordsScore } from '../../src/banks/index.ts';
import { createPayoutGuard } from '../../src/compliance/guards.ts';
import type { PayoutRecord } from '../../src/payouts/index.ts';
import type { Database, Tx } from '../../src/platform/db/database.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { createNameIndex, createScreening, HIT_FROM } from '../../src/screening/index.ts';
import { stillClock } from '../support/clock.ts';
import { busyFor, turnsDuring } from '../support/turns.ts';

const entryOf = (name: string, at: number, aliases: string[] = []) => ({
  list_id: 'l',
  entry_number: at + 1,
  name,
  aliases: JSON.stringify(aliases),
  account_number: null,
  bank_code: null,
});
const subjectOf = (name: string) => ({ name, accountNumber: null, bankCode: null });
const indexOf = (names: readonly string[], scoreOf?: typeof wordScore) =>
  createNameIndex([{ list: { name: 'UN' }, entries: names.map((name, at) => entryOf(name, at)) }], scoreOf);

/** Numbers below 2^32 that begin with `seed`. */
function numbersFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const WORDS = (
  'MUHAMMAD MUHAMMED MOHAMMED MOHAMMAD ABDULLAHI ABDULLAH ABDULRAHMAN ABDUL IBRAHIM IBRAHEEM MUSA MUSTAPHA MUSTAFA ' +
  'CHUKWUEMEKA CHUKWUDI CHUKWUMA CHIDI CHINEDU ADEBAYO ADEBOLA ADEWALE ADE OKAFOR OKAFO OKONKWO DANJUMA DANJUNA ' +
  'ALI ALIYU A M C ÑANDÚ ŒUVRE 李 12 XI'
).split(' ');

/** A name of the words above, with a slip of the pen, words that are joined, or the same word twice here and there. */
function nameFrom(random: (below: number) => number): string {
  const words = Array.from({ length: 1 + random(random(4) === 0 ? 10 : 4) }, () => {
    const word = WORDS[random(WORDS.length)] as string;
    const at = random(word.length);
    if (random(5) > 0) return word;
    return `${word.slice(0, at)}${'AEIOUBN'[random(7)]}${word.slice(at + random(2))}`;
  });
  return words.join(random(10) === 0 ? '' : ' ');
}

/** What a hit is, said as simply as it can be. */
function simpleHits(names: readonly string[], given: string) {
  const words = nameWords(given);
  const keysOf = (some: readonly string[]) => new Set(some.map((word) => word.slice(0, 3)));
  const keys = [...keysOf(words)];
  const whole: number[] = [];
  const second: { at: number; key: number }[] = [];
  for (const [at, name] of names.entries()) {
    const found = nameWords(name);
    const known = keysOf(found);
    const inBoth = keys.flatMap((key, place) => (known.has(key) ? [place] : []));
    if (words.length > 0 && found.join('') === words.join('')) whole.push(at);
    else if (inBoth[1] !== undefined) second.push({ at, key: inBoth[1] });
  }
  const likely = [...whole, ...second.sort((a, b) => a.key - b.key || a.at - b.at).map(({ at }) => at)];
  return likely
    .map((at) => ({ at, score: wordsScore(words, nameWords(names[at] as string)) }))
    .filter(({ score }) => score >= HIT_FROM)
    .sort((a, b) => b.score - a.score)
    .slice(0, 10)
    .map(({ at, score }) => `${at + 1}: ${score}`);
}

describe('a name that is held against a list', () => {
  it('finds what the simple definition of a hit finds, with the same scores in the same order', () => {
    const seed = Math.floor(Math.random() * 2 ** 31);
    const random = numbersFrom(seed);
    let hits = 0;
    for (let round = 0; round < 3; round += 1) {
      const names = Array.from({ length: 200 }, () => nameFrom(random));
      const index = indexOf(names);
      for (const given of Array.from({ length: 60 }, () => nameFrom(random))) {
        const found = index.find(subjectOf(given)).map(({ entryNumber, score }) => `${entryNumber}: ${score}`);
        expect(found, `seed ${seed}, round ${round}, ${given}`).toEqual(simpleHits(names, given));
        hits += found.length;
      }
    }
    expect(hits).toBeGreaterThan(20);
  });

  it('has two words compared once, however many names of the list share them', () => {
    const random = numbersFrom(7);
    const words = WORDS.filter((word) => word.length > 3);
    const names = Array.from({ length: 1_000 }, () =>
      Array.from({ length: 3 }, () => words[random(words.length)]).join(' '),
    );
    let compared = 0;
    const index = indexOf(names, (one, other) => {
      compared += 1;
      return wordScore(one, other);
    });
    const given = 'Muhamed Abdulahi Ibrahem Mustafah Chukwuemek Adebay Okafer Danjumah';
    index.find(subjectOf(given));
    expect(compared).toBeGreaterThan(0);
    expect(compared).toBeLessThanOrEqual(8 * words.length);
  });
});

describe('many names that are compared ahead', () => {
  const LISTED = Array.from({ length: 3_000 }, (_, at) => `Musa${at % 53} Ibrahim${at % 59} Danjuma${at % 61}`);
  const GIVEN = Array.from({ length: 200 }, (_, at) => `Musa${at} Ibrahem Danjumah${at} Abdullahi`);

  it('let everybody else have their turn between them, and are not compared again when they are asked about', async () => {
    let compared = 0;
    const index = indexOf(LISTED, (one, other) => {
      compared += 1;
      return wordScore(one, other);
    });
    const expected = indexOf(LISTED);
    expect(await turnsDuring(() => index.compareAhead(GIVEN))).toBeGreaterThan(0);
    const before = compared;
    expect(before).toBeGreaterThan(0);
    for (const name of GIVEN) expect(index.find(subjectOf(name))).toEqual(expected.find(subjectOf(name)));
    expect(compared).toBe(before);
  });

  it('are held against the version of a list that was imported meanwhile', async () => {
    const clock = stillClock();
    let version = 1;
    const read: string[] = [];
    const query = async ({ name }: { name: string }) => {
      read.push(name);
      if (name === 'list-screening-entries') return [entryOf(version === 1 ? 'Nobody At All' : 'Musa Danjuma', 0)];
      return [{ id: `v${version}`, name: 'UN', mode: 'LIVE' }];
    };
    const database = { query } as unknown as Database;
    const screening = createScreening({ database, clock, logger: createLogger('silent') });
    await screening.compareAhead('LIVE', async () => {
      version = 2;
      clock.advance(10_000);
      return ['Musa Danjuma'];
    });
    const screen = await screening.prepare();
    expect(screen('LIVE', subjectOf('Musa Danjuma'))).toMatchObject({ outcome: 'HIT' });
    // Both lists of versions, and both versions.
    expect(read).toHaveLength(4);
  });

  it('are not asked for where no list is in force', async () => {
    const database = { query: async () => [] } as unknown as Database;
    const screening = createScreening({ database, clock: stillClock(), logger: createLogger('silent') });
    await screening.compareAhead('LIVE', () => Promise.reject(new Error('asked for')));
    expect((await screening.prepare())('LIVE', subjectOf('Musa Danjuma'))).toEqual({ outcome: 'CLEAR' });
  });
});

it('payouts that are screened while their rows are locked let everybody else have their turn', async () => {
  const knownFreezes = async () => ({ ofPayout: () => undefined });
  const screen = () => {
    busyFor(1);
    return { outcome: 'CLEAR' };
  };
  const deps = { knownFreezes, screening: { prepare: async () => screen }, clock: stillClock() };
  const guard = createPayoutGuard(deps as unknown as Parameters<typeof createPayoutGuard>[0]);
  const hold = await guard.prepare();
  const payouts = Array.from({ length: 30 }, (_, id) => ({ id: String(id) }) as PayoutRecord);
  const turns = await turnsDuring(async () => {
    expect(await hold(undefined as unknown as Tx, payouts, deps.clock.now())).toEqual(new Set());
  });
  expect(turns).toBeGreaterThan(2);
});
