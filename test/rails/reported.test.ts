import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  differencesOf,
  NOTHING_REPORTED,
  type ReportedFacts,
  type SentTransfer,
  UNREADABLE,
} from '../../src/rails/index.ts';
import { bankNumbering } from '../../src/rails/provider-answers.ts';
import { REPORTED } from './harness.ts';

const SENT: SentTransfer = {
  railReference: 'a'.repeat(32),
  amountMinor: 100_000n,
  currency: 'NGN',
  bankCode: '058',
  accountNumber: '0123456785',
};

const differing = (reported: Partial<ReportedFacts>) => differencesOf(SENT, { ...NOTHING_REPORTED, ...reported });

describe('what was reported, beside what was sent', () => {
  it('differs in nothing where it is the same, or says nothing', () => {
    expect(differing({})).toEqual([]);
    expect(differencesOf(SENT, { ...SENT })).toEqual([]);
  });

  it('differs by each fact that is another, or that should be there and cannot be read', () => {
    expect(differing({ amountMinor: 1n })).toEqual(['amountMinor']);
    expect(differing({ amountMinor: 10_000_000n })).toEqual(['amountMinor']);
    expect(differing({ amountMinor: UNREADABLE, currency: UNREADABLE })).toEqual(['amountMinor', 'currency']);
    expect(differing({ currency: 'GHS', accountNumber: '0123456786', bankCode: '057' })).toEqual([
      'currency',
      'accountNumber',
      'bankCode',
    ]);
    expect(differing({ railReference: 'b'.repeat(32) })).toEqual(['railReference']);
  });

  it.each([
    '0123456785',
    '123456785',
    ' 0123 456 785 ',
    '01****6785',
    '******6785',
    '0123XXXX85',
    '**6785',
    '012•••785',
  ])('takes %s for 0123456785', (accountNumber) => {
    expect(differing({ accountNumber })).toEqual([]);
  });

  it.each(['0123456784', '23456785', '01****6784', '02****6785', '**6784', '1.23E+08', 'NUBAN', '', UNREADABLE])(
    'never takes %s for 0123456785',
    (accountNumber) => {
      expect(differing({ accountNumber })).toEqual(['accountNumber']);
    },
  );
});

describe('a provider’s numbering of banks', () => {
  const banks = bankNumbering({ '999992': '305', '50211': '090267', '000001': '7', '000002': '7' });

  it('leads to the provider’s code and back, and leaves alone what it does not list', () => {
    expect([banks.theirs('999992'), banks.ours('305')]).toEqual(['305', '999992']);
    expect([banks.theirs('058'), banks.ours('058')]).toEqual(['058', '058']);
  });

  it('says nothing of a code that stands for two of ours, or of none at all', () => {
    expect([banks.ours('7'), banks.ours('')]).toEqual([null, null]);
  });
});

describe('the page about rails', () => {
  const FACTS = {
    reference: 'railReference',
    amount: 'amountMinor',
    currency: 'currency',
    account: 'accountNumber',
    bank: 'bankCode',
  };
  const guide = readFileSync(new URL('../../docs/rails.md', import.meta.url), 'utf8');
  const rows = guide.split('\n').map((line) => line.split('|').map((cell) => cell.trim()));

  it.each(Object.keys(REPORTED) as (keyof typeof REPORTED)[])(
    'says what %s reports in which kind of answer',
    (rail) => {
      const row = rows.find((cells) => cells[1]?.toLowerCase() === rail && cells.length === 7);
      const listed = row?.slice(2, 6).map((cell) => cell.split(', ').map((name) => FACTS[name as keyof typeof FACTS]));
      const { send, query, webhook, settlement } = REPORTED[rail];
      expect(listed).toEqual([send, query, webhook, settlement]);
    },
  );
});
