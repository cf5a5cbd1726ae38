import { describe, expect, it } from 'vitest';
import { LOW_MATCH_BELOW, matchScore } from '../../src/banks/index.ts';

const ALIKE: [given: string, bank: string][] = [
  ['Ada Obi', 'ADA OBI'],
  ['Ada Obi', 'OBI ADA NGOZI'],
  ['OBI, Ada', 'ADA NGOZI OBI'],
  ['Mrs. Ada Obi', 'ADA OBI'],
  ['Alhaji Musa Bello', 'BELLO MUSA'],
  ['Adaobi', 'ADA OBI'],
  ['Adéọlá Ògúnlẹ́yẹ', 'ADEOLA OGUNLEYE'],
  ['Abdul-Azeez Lawal', 'ABDULAZEEZ LAWAL'],
  ['Emeka Okafor', 'CHUKWUEMEKA OKAFOR'],
  ['Mohammed Bello', 'MUHAMMAD BELLO'],
  ['A. Obi', 'ADA OBI'],
  ['Dangote Cement Plc', 'DANGOTE CEMENT NIGERIA LIMITED'],
];

const UNLIKE: [given: string, bank: string][] = [
  ['Aisha Bello', 'EMEKA OKAFOR'],
  ['Ada Obi', 'ADA EZE'],
  // By letters these two are three quarters alike.
  ['Chukwuemeka Okafor', 'CHUKWUEMEKA EZE'],
  ['Grace Okon', 'BLESSING OKON'],
  ['Musa Ibrahim', 'MUSA ABUBAKAR'],
  ['Dangote Cement Plc', 'DANGOTE SUGAR PLC'],
  ['Ada', 'ADA OBI'],
  ['', 'ADA OBI'],
  ['...', 'ADA OBI'],
];

describe('the score of a name', () => {
  it.each(ALIKE)('says that %s is %s', (given, bank) => {
    expect(matchScore(given, bank)).toBeGreaterThanOrEqual(LOW_MATCH_BELOW);
    expect(matchScore(bank, given)).toBe(matchScore(given, bank));
  });

  it.each(UNLIKE)('says that %s is not %s', (given, bank) => {
    expect(matchScore(given, bank)).toBeLessThan(LOW_MATCH_BELOW);
  });

  it('is a whole number from 0 to 100, in no time, whatever a cell holds', () => {
    const before = process.cpuUsage();
    for (const cell of ['x '.repeat(5_000), 'y'.repeat(10_000), '\u0000\u202e', '🙂 🙃', 'MR', 'Mr & Mrs']) {
      const score = matchScore(cell, 'ADA NGOZI OBI');
      expect(Number.isInteger(score) && score >= 0 && score <= 100).toBe(true);
    }
    expect(process.cpuUsage(before).user).toBeLessThan(1_000_000);
  });
});
