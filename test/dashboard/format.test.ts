import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { failureOf, fieldWords } from '../../dashboard/src/api/errors.ts';
import { daysIn, listSearch } from '../../dashboard/src/api/list-search.ts';
import { readCell } from '../../dashboard/src/bulk/item-fields.ts';
import { narrationAt, salaryNarration } from '../../dashboard/src/bulk/narration-month.ts';
import { pastedValue } from '../../dashboard/src/bulk/pasted-value.ts';
import { csvName } from '../../dashboard/src/components/file-name.ts';
import { accountNumberOf, complainAboutAccount } from '../../dashboard/src/format/accounts.ts';
import {
  complainAboutMoney,
  formatMany,
  formatMoney,
  groupTyped,
  parseMoney,
} from '../../dashboard/src/format/money.ts';
import { formatBytes, internationalNumber } from '../../dashboard/src/format/text.ts';
import {
  formatDistance,
  formatMoment,
  formatUtc,
  lagosDay,
  lagosInstant,
  lagosLocal,
  startOfLagosDay,
} from '../../dashboard/src/format/time.ts';
import { formatRough } from '../../dashboard/src/wallet/rough-amount.ts';

describe('a phone number as people type it', () => {
  it('becomes digits with the country prefix, and stays as it is where it is none', () => {
    for (const typed of ['0803 123 4567', '+234 (0) 803 123 4567', '2348031234567', '00234-803-123-4567']) {
      expect(internationalNumber(typed)).toBe('2348031234567');
    }
    expect(internationalNumber('+44 20 7946 0958')).toBe('442079460958');
    expect(internationalNumber('call me')).toBe('call me');
  });
});

describe('a refusal on a page', () => {
  it('says nothing that only a program can do, and names fields in words', () => {
    const shown = (code: string, message: string) => failureOf(new Response(null, { status: 409 }), { code, message });
    expect(shown('BATCH_CHANGED', 'Repeat, with a new key.').message).not.toMatch(/key/);
    expect(shown('STORE_NAME_TAKEN', 'Another store has this name.').message).toBe('Another store has this name.');
    expect(['bankCode', 'items.3.accountNumber', 'sandboxWebhookURL'].map(fieldWords)).toEqual([
      'Bank code',
      'Items 3 account number',
      'Sandbox webhook url',
    ]);
  });
});

describe('an account number as people type and paste it', () => {
  it('loses what stands between its digits, and stays as it is where it is none', () => {
    for (const typed of [
      '0123456785',
      ' 0123 456 785\t',
      '0123-456-785',
      '012\u00a0345\u200b6785',
      '0123\u2013456\u2212785',
    ]) {
      expect([accountNumberOf(typed), complainAboutAccount(typed)]).toEqual(['0123456785', undefined]);
    }
    for (const typed of ['0123456785 GTB', '1.23457E+09', '01234/56785']) expect(accountNumberOf(typed)).toBe(typed);
    expect([complainAboutAccount(' '), complainAboutAccount('0123 456 78')]).toEqual([
      'Enter the account number.',
      'An account number has ten digits.',
    ]);
    expect(readCell('accountNumber', '0123 456 785')).toEqual({ values: { accountNumber: '0123456785' } });
  });
});

describe('what is pasted into a bulk payout', () => {
  const bank = (code: string, nipCode: string | null, name: string) => ({ code, nipCode, name, shortName: name });
  const banks = [
    bank('023', '000009', 'Citibank'),
    bank('101', '000023', 'Providus'),
    bank('060001', '060001', 'Coro'),
  ];

  it('is read where it has one meaning, and is nobody’s where two banks may have lost the zeros', () => {
    const read = (given: string) => pastedValue('bankCode', given, banks);
    expect(['023', '000009', 'providus', '60001', '23', '9', '101'].map(read)).toEqual([
      '023',
      '023',
      '101',
      '060001',
      '23',
      '9',
      '101',
    ]);
    expect(pastedValue('accountNumber', '123 456-785', banks)).toBe('0123456785');
  });
});

describe('money as people read and type it', () => {
  it('shows naira with grouped thousands and always two decimals', () => {
    expect(formatMoney(1234.5)).toBe('₦1,234.50');
    expect(formatMoney(0)).toBe('₦0.00');
    expect(formatMoney(-20)).toBe('−₦20.00');
    expect(formatMoney(9_999_999_999_999.99)).toBe('₦9,999,999,999,999.99');
    expect(formatMoney(5, 'GHS')).toBe('GHS 5.00');
  });

  it('reads back exactly what it shows, for every amount that the interface takes', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 999_999_999_999_999n }), (kobo) => {
        const amount = Number(`${kobo / 100n}.${String(kobo % 100n).padStart(2, '0')}`);
        expect(parseMoney(formatMoney(amount))).toBe(amount);
      }),
    );
  });

  it('takes no amount that it would have to round or guess', () => {
    for (const text of ['', 'ten', '1.234', '1e5', '-5', '−5', '1.2.3', '12345678901234', '0x10', 'Infinity', '٣']) {
      expect([text, parseMoney(text)]).toEqual([text, undefined]);
    }
    expect(parseMoney('₦ 1,250.5')).toBe(1250.5);
    expect(parseMoney(' ₦1 250\u00a0000 ')).toBe(1_250_000);
  });

  it('takes no comma for thousands where it begins the kobo elsewhere: the amount would be a hundred times as much', () => {
    for (const text of ['1000,50', '1,5', '1.000,50', '10,00', '1,000,5', '1,0000', '1 5', ',500', '1,250,00']) {
      expect([text, parseMoney(text), complainAboutMoney(text) === undefined]).toEqual([text, undefined, false]);
      expect([text, groupTyped(text)]).toEqual([text, text]);
    }
    expect(complainAboutMoney('1000,50')).toBe('Put a point before the kobo, as in 1,250.00.');
  });

  it('says what is wrong with what was typed', () => {
    expect(complainAboutMoney('')).toBe('Enter an amount.');
    expect(complainAboutMoney('-5')).toBe('An amount cannot be negative.');
    expect(complainAboutMoney('1.234')).toContain('at most two decimals');
    expect(complainAboutMoney('0.00')).toBe('Enter an amount above zero.');
    expect(complainAboutMoney('12.50')).toBeUndefined();
  });

  it('groups what was typed when the field is left, and leaves alone what is no amount', () => {
    expect(groupTyped('1250.5')).toBe('1,250.50');
    expect(groupTyped('12 apples')).toBe('12 apples');
  });

  it('shortens for axes alone', () => {
    expect([950, 999.96, 950_000, 999_950, 1_250_000, -3_000_000_000].map((amount) => formatRough(amount))).toEqual([
      '₦950',
      '₦1k',
      '₦950k',
      '₦1m',
      '₦1.3m',
      '−₦3bn',
    ]);
  });
});

describe('time as people in Lagos read it', () => {
  it('shows Lagos time, and UTC where it is asked for', () => {
    expect(formatMoment('2026-11-21T23:30:09.000Z')).toBe('22 Nov 2026, 00:30');
    expect(formatUtc('2026-11-21T23:30:09.123Z')).toBe('2026-11-21 23:30:09 UTC');
    expect(lagosDay('2026-11-21T23:30:00Z')).toBe('2026-11-22');
  });

  it('reads a typed date and time as Lagos time and gives it back unchanged', () => {
    expect(lagosInstant('2026-11-21T14:05')).toBe('2026-11-21T14:05:00+01:00');
    expect(lagosLocal(lagosInstant('2026-11-21T14:05'))).toBe('2026-11-21T14:05');
    expect(new Date(startOfLagosDay('2026-11-21')).toISOString()).toBe('2026-11-20T23:00:00.000Z');
  });

  it('says how far away something is', () => {
    const now = new Date('2026-11-21T12:00:00Z');
    expect(formatDistance('2026-11-21T11:59:55Z', now)).toBe('just now');
    expect(formatDistance('2026-11-21T11:59:00Z', now)).toBe('60 seconds ago');
    expect(formatDistance('2026-11-21T15:00:00Z', now)).toBe('in 3 hours');
    expect(formatDistance('2026-11-11T12:00:00Z', now)).toBe('10 days ago');
  });
});

describe('sizes of files', () => {
  it('are written in the unit that people use', () => {
    expect([812, 14_200, 4_800_000].map(formatBytes)).toEqual(['812 B', '14 kB', '4.8 MB']);
  });
});

describe('the narration of another month', () => {
  it('names that month and its year as it named the old ones, and is the same where it names none', () => {
    const at = new Date('2026-12-31T23:30:00Z');
    for (const [before, after] of [
      ['November salary', 'January salary'],
      ['SALARY NOV 2026', 'SALARY JAN 2027'],
      ['may wages', 'january wages'],
      ['Rent 2026', 'Rent 2026'],
      ['Maybe later, decorator', 'Maybe later, decorator'],
    ] as const) {
      expect(narrationAt(before, at)).toBe(after);
    }
  });

  it('is proposed for a file of salaries that names its month, the sheet before the file, and for no other file', () => {
    const cases: [string[], string | undefined][] = [
      [['November', 'PAYROLL FOR NOVEMBER 2026', 'oct payroll.xlsx'], 'November salary'],
      [['Sheet1', 'NOV_PAYROLL_FINAL(2).xlsx'], 'November salary'],
      [['', 'december.xlsx', 'Staff', 'Net Pay (₦)'], 'December salary'],
      [['', 'sept wages.csv'], 'September salary'],
      [['', 'may salaries.csv'], 'May salary'],
      [['November', 'suppliers.xlsx', 'Invoice', 'Amount'], undefined],
      [['Sheet1', 'payroll.xlsx'], undefined],
    ];
    for (const [texts, proposed] of cases) expect(salaryNarration(texts), texts.join()).toBe(proposed);
  });
});

describe('a count of something', () => {
  it('has the word as one has it, and many have it', () => {
    expect([0, 1, 2, 2_000].map((count) => formatMany(count, 'payment'))).toEqual([
      '0 payments',
      '1 payment',
      '2 payments',
      '2,000 payments',
    ]);
  });
});

describe('the address of a list', () => {
  it('keeps no end of a period or range that can only be refused', () => {
    const read = listSearch('from', 'to', 'amountFrom', 'amountTo');
    expect(read({ from: '2026-11-20', to: '2026-11-01' })).toMatchObject({ from: '2026-11-20', to: undefined });
    expect(read({ from: '2026-11-20', to: '2026-11-20' })).toMatchObject({ from: '2026-11-20', to: '2026-11-20' });
    expect(read({ from: '2026-02-31', to: 'soon' })).toMatchObject({ from: undefined, to: undefined });
    expect(read({ amountFrom: 500, amountTo: 100 })).toMatchObject({ amountFrom: '500', amountTo: undefined });
    expect(read({ amountFrom: '100', amountTo: '100' })).toMatchObject({ amountFrom: '100', amountTo: '100' });
  });

  it('keeps a moment, which belongs to its day in Lagos', () => {
    const late = '2026-11-20T23:30:00.000Z';
    expect(daysIn({ from: late })).toEqual({ from: late });
    expect(daysIn({ from: late, to: '2026-11-20' })).toEqual({ from: late });
    expect(daysIn({ from: late, to: '2026-11-21' })).toEqual({ from: late, to: '2026-11-21' });
  });
});

describe('the name of a file of rows', () => {
  it('has the days that it covers, or the day on which it comes', () => {
    const today = lagosDay(new Date());
    expect(csvName(['payouts', 'SANDBOX'])).toBe(`payouts-sandbox-${today}.csv`);
    expect(csvName(['audit'], { from: '2026-11-01', to: '2026-11-20' })).toBe('audit-2026-11-01-2026-11-20.csv');
    expect(csvName(['audit'], { from: '2026-11-01' })).toBe(`audit-2026-11-01-${today}.csv`);
    expect(csvName(['statement', 'Ikeja & Co.'], { to: '2026-11-20' })).toBe('statement-ikeja-co-until-2026-11-20.csv');
  });
});
