import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NIP_CODES, readNipCode } from '../../src/rails/index.ts';

/** Written out a second time on purpose: a code may only join a whitelist in two places at once. */
const FAILED_ON_SEND = '03 05 06 07 08 12 13 14 15 16 17 18 30 34 35 51 57 58 61 63 65 71'.split(' ');
const FAILED_ON_QUERY = '05 06 07 08 13 34 35 51 61 65'.split(' ');

const codesWith = (stage: 'send' | 'query' | 'nameEnquiry', outcome: string) =>
  NIP_CODES.filter((entry) => entry[stage] === outcome).map((entry) => entry.code);

describe('the NIP code table', () => {
  it('knows one code of success', () => {
    expect(codesWith('send', 'succeeded')).toEqual(['00']);
    expect(codesWith('query', 'succeeded')).toEqual(['00']);
    expect(codesWith('nameEnquiry', 'found')).toEqual(['00']);
  });

  it('lets only whitelisted codes end a payout as failed', () => {
    expect(codesWith('send', 'failed')).toEqual(FAILED_ON_SEND);
    expect(codesWith('query', 'failed')).toEqual(FAILED_ON_QUERY);
  });

  it('reads a missing record as not found in a query, and never as a failure', () => {
    expect(codesWith('query', 'not_found')).toEqual(['25']);
    expect(readNipCode('send', '25').outcome).toBe('unknown');
  });

  it('treats a duplicate as unknown, because the first may have succeeded', () => {
    for (const code of ['26', '94', '98']) {
      expect(readNipCode('send', code)).toMatchObject({ outcome: 'unknown', reason: 'RAIL_DUPLICATE' });
    }
  });

  it('reads every code that it does not list as unknown, at every stage', () => {
    const listed = new Set(NIP_CODES.map((entry) => entry.code));
    const unlisted = fc.oneof(
      fc.string(),
      fc.constantFrom('0', '000', ' 00', '00 ', '0x', '7', '4', '11', '__proto__'),
    );
    fc.assert(
      fc.property(unlisted, fc.constantFrom('send', 'query', 'nameEnquiry'), (code, stage) => {
        if (listed.has(code)) return;
        expect(readNipCode(stage as 'send', code)).toMatchObject({ outcome: 'unknown', reason: 'RAIL_CODE_UNKNOWN' });
      }),
    );
  });

  it('lists each code once and gives all but success a stable reason', () => {
    expect(new Set(NIP_CODES.map((entry) => entry.code)).size).toBe(NIP_CODES.length);
    for (const { code, reason } of NIP_CODES) {
      if (code === '00') expect(reason).toBeNull();
      else expect(reason).toMatch(/^[A-Z]+(_[A-Z]+)*$/);
    }
  });
});
