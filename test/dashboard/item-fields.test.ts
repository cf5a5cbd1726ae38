import { describe, expect, it } from 'vitest';
import { type Group, titleOf } from '../../dashboard/src/bulk/group-words.ts';
import {
  asksAgain,
  type Item,
  problemsOf,
  readCell,
  saidOfRow,
  shownOf,
  textOf,
} from '../../dashboard/src/bulk/item-fields.ts';
import { notesOf } from '../../dashboard/src/bulk/why-not-paid.ts';

const error = (code: string, field: string | null, message: string) =>
  ({ code, field, params: {}, message, severity: 'ERROR' }) as const;

const item = (given: Partial<Item>): Item => ({
  id: '0197a000-0000-7000-8000-000000000000',
  position: 2,
  amount: 1500,
  givenAmount: null,
  bankCode: '058',
  bankName: 'Guaranty Trust Bank',
  accountNumber: '0123456785',
  accountName: '',
  givenName: 'Ada Obi',
  matchScore: null,
  narration: 'Rent',
  phoneNumber: null,
  isValid: false,
  reason: null,
  warnings: [],
  accepted: [],
  problems: [],
  repeats: null,
  validatedAt: '2026-03-02T08:00:00.000Z',
  createdAt: '2026-03-02T08:00:00.000Z',
  transactionId: null,
  payoutStatus: null,
  payoutReason: null,
  paysAgain: null,
  ...given,
});

describe('a cell of a bulk payout', () => {
  it('shows the amount as it was given, whatever stands in it', () => {
    const message = 'The amount "5"0" cannot be paid as it is written.';
    const quoted = item({
      amount: 0,
      givenAmount: '5"0',
      problems: [error('AMOUNT_NOT_WHOLE_NAIRA', 'amount', message)],
    });
    expect([textOf(quoted, 'amount'), shownOf(quoted, 'amount')]).toEqual(['5"0', '5"0']);
    expect(problemsOf(quoted)).toEqual({ amount: { sentence: message, short: 'Not an amount' } });
  });

  it('is red for what is wrong with it, though its text reads like what is wrong with another', () => {
    const message = 'There is no bank with the code "The account number must be 10 digits.".';
    const misread = item({ problems: [error('BANK_NOT_FOUND', 'bankCode', message)] });
    expect(problemsOf(misread)).toEqual({ bankCode: { sentence: message, short: 'No such bank' } });
  });

  it('is missing where the file has nothing there, and is no wrong bank nor an unreadable amount', () => {
    const shortOf = (given: Partial<Item>) => Object.values(problemsOf(item(given))).map(({ short }) => short);
    const noBank = [error('BANK_NOT_FOUND', 'bankCode', 'The bank is missing.')];
    expect(shortOf({ bankCode: '', bankName: '', problems: noBank })).toEqual(['Missing']);
    const noAmount = [error('AMOUNT_NOT_WHOLE_NAIRA', 'amount', 'The amount is missing.')];
    expect(shortOf({ amount: 0, givenAmount: '', problems: noAmount })).toEqual(['Missing']);
    const noNumber = [error('ACCOUNT_NUMBER_NOT_TEN_DIGITS', 'accountNumber', 'The account number must be 10 digits.')];
    expect(shortOf({ accountNumber: '', problems: noNumber })).toEqual(['Missing']);
    const zero = [error('AMOUNT_NOT_POSITIVE', 'amount', 'The amount must be greater than zero.')];
    expect(shortOf({ amount: 0, problems: zero })).toEqual(['Above zero']);
  });

  it('has all of what is wrong, the first of it where there is more, and the row what is about no cell', () => {
    const problems = [
      error('AMOUNT_NOT_POSITIVE', 'amount', 'One.'),
      error('AMOUNT_OF_ANOTHER_KIND', 'amount', 'Two.'),
      error('OF_ANOTHER_KIND', 'narration', 'Three.'),
      error('OTHER', null, 'Four.'),
      { ...error('NAME_DIFFERS', 'accountName', 'Five.'), severity: 'WARNING' as const },
    ];
    expect(problemsOf(item({ problems }))).toEqual({
      amount: { sentence: 'One.', short: 'Above zero' },
      narration: { sentence: 'Three.', short: 'Three.' },
      row: { sentence: 'Four.', short: 'Four.' },
    });
    expect(problemsOf(item({ problems, validatedAt: null }))).toEqual({});
  });

  it('takes an amount as it was meant: no comma before the kobo is one between thousands', () => {
    const amountOf = (text: string) => {
      const read = readCell('amount', text);
      return 'values' in read ? read.values.amount : undefined;
    };
    expect(['1,250.50', '₦1 250', '-1,250', '1250.5'].map(amountOf)).toEqual([1250.5, 1250, -1250, 1250.5]);
    for (const text of ['1000,50', '10,5', '1.000,50', '1 5'])
      expect([text, amountOf(text)]).toEqual([text, undefined]);
  });

  it('is sent again unchanged only where the bank was silent', () => {
    const silent = (code: string) =>
      asksAgain(item({ problems: [error(code, 'accountNumber', 'x')] }), 'accountNumber');
    expect([silent('ACCOUNT_OWNER_UNKNOWN'), silent('NAME_ENQUIRY_TIMED_OUT')]).toEqual([true, true]);
    expect(silent('ACCOUNT_NOT_FOUND')).toBe(false);
  });
});

describe('the note of a row', () => {
  const warnings = ['The name differs.'];

  it('says first why it was not paid, now or the time before, and then what was odd', () => {
    expect(notesOf(item({ warnings, payoutStatus: 'FAILED', payoutReason: 'ACCOUNT_CLOSED' }))).toBe(
      'Not paid: Account closed. The name differs.',
    );
    expect(notesOf(item({ warnings, payoutStatus: 'REVERSED' }))).toBe('Returned by the bank. The name differs.');
    const paysAgain = { transactionId: '1', payoutStatus: 'FAILED', payoutReason: 'ACCOUNT_CLOSED' } as const;
    expect(notesOf(item({ paysAgain }))).toBe('Last time: Not paid: Account closed.');
    expect(notesOf(item({ paysAgain, payoutStatus: 'SUCCESS' }))).toBe('');
  });
});

describe('the title of a problem', () => {
  it('says what is wrong where figures alone are the cause', () => {
    const title = (code: string, cause: string) => titleOf({ code, cause, count: 1 } as Group);
    expect(title('AMOUNT_TOO_PRECISE', '#')).toBe('1 amount has more than two decimals');
    expect(title('ACCOUNT_NUMBER_NOT_TEN_DIGITS', '0')).toBe('1 row without an account number');
    expect(title('ACCOUNT_NUMBER_NOT_TEN_DIGITS', '8')).toBe('1 account number with 8 characters, not 10 digits');
  });

  it('names no single row where it is about many', () => {
    const message = 'Row 2 has 6 cells and the header 5: a separator may stand inside of a value.';
    const many = titleOf({ code: 'ROW_TOO_LONG', cause: null, count: 300, message } as Group);
    expect(many).toMatch(/^300 rows with more cells than the header: /);
    const cut = { code: 'AMOUNT_MAY_BE_CUT', cause: null, count: 2, message: 'Row 2 has "150" as its amount.' };
    expect(titleOf(cut as Group)).toBe('2 rows whose amount may have been cut at a comma');
  });
});

describe('a sentence about a row', () => {
  it('has the number of the row once', () => {
    expect(saidOfRow(2, 'Row 2 has 6 cells.')).toBe('Row 2 has 6 cells.');
    expect(saidOfRow(2, 'The bank is missing.')).toBe('Row 2: The bank is missing.');
    expect(saidOfRow(2, 'Row 20 is like it.')).toBe('Row 2: Row 20 is like it.');
  });
});
