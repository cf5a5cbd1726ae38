import { describe, expect, it } from 'vitest';
import { folded, gramOfAmount, gramOfWhole, gramsOfWords, tokenOfCode, tokensOf } from '../../src/search/tokens.ts';

const SEED = 12_345;
/** As the tokens of the first era: its key is the seed. */
const keyed = (hashes: readonly number[]) => hashes.map((hash) => hash ^ SEED);
const document = (names: string[], codes: string[], amountMinor: bigint | null = null) =>
  new Set(tokensOf({ amountMinor, names, codes }, SEED, 0));

const NAMES = [
  'Adaeze Okonkwo',
  "O'Neil & Sons (Nigeria) Ltd.",
  'Ọláyínká  Àjàyí',
  'ÉCOLE Nº 7',
  '  a b  ',
  'Straße 12345',
  'İstanbul 𝒳𝒴𝒵 shop',
  '商店 一二三四',
  '12',
];
const CODES = [
  '01a21528704674228f45b1215c3e4265',
  '0581234567',
  'INV-2026/0042 b',
  'AB',
  '999260101123456000012345678901',
];

/** Parts of the words of a folded line that somebody may type; of digits alone from four on, as they are found. */
function partsOf(line: string): string[] {
  return line.split(' ').flatMap((word) => {
    const letters = [...word];
    const lengths = [3, 4, 5, letters.length].filter((length) => length <= letters.length && length > 2);
    return lengths
      .flatMap((length) =>
        Array.from({ length: letters.length - length + 1 }, (_, at) => letters.slice(at, at + length).join('')),
      )
      .filter((part) => !/^\d{3}$/.test(part));
  });
}

describe('the tokens of a document', () => {
  it('have every gram by which a part of one of its words is searched, whatever letters it consists of', () => {
    for (const name of NAMES) {
      const tokens = document([name], []);
      for (const part of partsOf(folded(name))) {
        for (const gram of keyed(gramsOfWords([part]))) expect(tokens, `${part} in ${name}`).toContain(gram);
      }
      const beginnings = folded(name)
        .split(' ')
        .filter((word) => [...word].length === 2);
      for (const gram of keyed(gramsOfWords(beginnings))) expect(tokens, name).toContain(gram);
      expect(tokens).toContain(gramOfWhole(folded(name)) ^ SEED);
    }
    for (const code of CODES) {
      const tokens = document([], [code]);
      for (const part of partsOf(folded(code))) {
        for (const gram of keyed(gramsOfWords([part]))) expect(tokens, `${part} in ${code}`).toContain(gram);
      }
    }
  });

  it('have no gram of two words, and none of a code that is not in it', () => {
    const tokens = document(['Ade Bola'], []);
    for (const other of ['eb', 'ebo', 'deb']) {
      for (const gram of keyed(gramsOfWords([other]))) expect(tokens, other).not.toContain(gram);
    }
    for (const gram of keyed(gramsOfWords(['1235', '3458']))) expect(document([], ['0581234567'])).not.toContain(gram);
  });

  it('have the amount and, the same for everybody, each whole code of eight characters or more', () => {
    const tokens = document(['Ade'], ['0581234567', 'AB'], 2_500_000n);
    expect(tokens).toContain(gramOfAmount(2_500_000n) ^ SEED);
    expect(tokens).toContain(tokenOfCode('0581234567'));
    expect(tokens).not.toContain(tokenOfCode('ab'));
  });

  it('are those of the release before, so that what it indexed is found', () => {
    const tokens = tokensOf({ amountMinor: 150_000n, names: ["O'Neil Straße"], codes: ['AB-1234 5'] }, 7, 3);
    expect([...tokens].sort((a, b) => a - b)).toEqual([
      -2067160896, -1153023913, -679838283, -338575823, 52018856, 327525196, 848196585, 907486378, 1016489943,
      1019277805, 1317516303, 1521593321, 1835902094, 1896056171, 1920015481, 2001009677, 2075200352, 2107112523,
      2111351102,
    ]);
  });
});
