import { describe, expect, it } from 'vitest';
import { escapedNaira, jsonOf, jsonText } from '../../src/platform/json-text.ts';
import { firstCharacters, isVisible, withoutInvisible } from '../../src/platform/text.ts';
import { narrationOf, shortened } from '../../src/rails/provider-answers.ts';

describe('a text', () => {
  it.each([
    'Rent for June, ₦1,000.00',
    'Ọláńrewájú Adébáyọ̀ — ẹ̀bùn',
    'Zażółć gęślą jaźń',
    '工资 給与 급여',
    'مرتب شهر',
    'a\u00a0b',
    '',
    '😀',
  ])('that people can read is visible: %j', (text) => {
    expect(isVisible(text)).toBe(true);
    expect(withoutInvisible(text)).toBe(text);
  });

  it.each([
    ['a line feed', 'Ada\nBola', 'Ada Bola'],
    ['a tab', 'Ada\tBola', 'Ada Bola'],
    ['NUL', 'Ada\u0000', 'Ada'],
    ['DEL', 'Ada\u007f', 'Ada'],
    ['a control of the second kind', 'Ada\u009b', 'Ada'],
    ['zero-width space', 'A\u200bda', 'Ada'],
    ['zero-width joiner', 'A\u200dda', 'Ada'],
    ['byte order mark', '\ufeffAda', 'Ada'],
    ['soft hyphen', 'A\u00adda', 'Ada'],
    ['right-to-left override', 'A\u202eda', 'Ada'],
    ['isolate', 'A\u2066da', 'Ada'],
    ['Arabic letter mark', 'A\u061cda', 'Ada'],
    ['line separator', 'Ada\u2028Bola', 'Ada Bola'],
    ['tag', 'Ada\u{e0041}', 'Ada'],
    ['Hangul filler', 'A\u3164da', 'Ada'],
    ['half of a pair', 'A\ud83dda', 'Ada'],
  ])('with %s is not what it looks like, and can be cleaned', (_what, text, clean) => {
    expect(isVisible(text)).toBe(false);
    expect(withoutInvisible(text)).toBe(clean);
  });

  it('that is cut has no half of a character, and as many as there may be', () => {
    for (const before of [0, 1, 2, 3]) {
      const text = `${'a'.repeat(before)}${'😀'.repeat(400)}`;
      for (const cut of [firstCharacters(text, 100), narrationOf(text), shortened(text)]) {
        expect(cut.isWellFormed()).toBe(true);
      }
      expect([...firstCharacters(text, 100)]).toHaveLength(100);
    }
    expect(firstCharacters('Ada', 100)).toBe('Ada');
  });

  it('with half of a character is JSON that every reader takes, and what only looks like one stays as it is', () => {
    const value = {
      half: 'a\ud83d',
      low: '\ude00b',
      whole: '😀',
      words: '\\ud83d \\\\ud83d',
      kept: jsonText('{"x":"\\ud83d\\ude00"}'),
    };
    expect(JSON.parse(jsonOf(value))).toEqual({
      half: 'a\u{fffd}',
      low: '\u{fffd}b',
      whole: '😀',
      words: '\\ud83d \\\\ud83d',
      kept: { x: '😀' },
    });
  });

  it('is the same text to every reader where its naira signs are escaped, and JSON of one byte a character', () => {
    for (const text of ['₦1,500.50 was moved', 'no sign', '"₦" and \\u20a6, ₦\n', '₦', '', 'Ọlá ₦1', '₦\ud83d']) {
      const json = jsonOf({ before: 1, description: escapedNaira(text), after: 2 });
      expect(JSON.parse(json)).toEqual({ before: 1, description: text.toWellFormed(), after: 2 });
      expect(json).not.toContain('₦');
    }
  });
});
