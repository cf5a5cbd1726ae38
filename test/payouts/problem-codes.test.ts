import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { listProblems } from '../../src/batch-files/errors.ts';
import { itemProblems } from '../../src/batches/problems.ts';
import { onboardingProblems } from '../../src/onboarding/errors.ts';
import { payoutProblems } from '../../src/payouts/errors.ts';
import type { ProblemData } from '../../src/platform/problem.ts';

/** A value for every parameter that a sentence may have. */
const SAMPLES: Readonly<Record<string, string | number | string[]>> = {
  accountName: 'ADA OBI',
  accountNumber: '0123456785',
  amount: '1500',
  amountMinor: '150000',
  at: '2026-03-02T08:00:00.000Z',
  bankCode: '044',
  bankName: 'Access Bank',
  batchReference: 'MNB…',
  candidates: ['First Bank of Nigeria (011)', 'First City Monument Bank (214)'],
  businessName: 'Adire Textiles',
  cell: 'D7',
  cells: 6,
  column: 'narration',
  columns: 5,
  directorName: 'Bola Ade',
  found: 3,
  foundMinor: '300000',
  given: '1.500,00',
  givenName: 'Musa Bello',
  maximum: 100,
  maximumBytes: 5_242_880,
  maximumMinor: '100000000',
  minutes: 10,
  names: ['S/N', 'Dept'],
  phoneNumber: '08012345678',
  row: 7,
  rows: 4,
  sheet: 'Pay',
  stated: 4,
  statedMinor: '400000',
  text: '…',
  transactionId: '0197…',
  withinSeconds: 120,
};

interface Kinds {
  codes: readonly string[];
  problem(code: never, params: never): ProblemData;
  sentenceOf(problem: ProblemData): string;
}

/** The lines of the guide's table, as the catalogue has them: code, field, parameters and a sentence. */
function tableOf({ codes, problem, sentenceOf }: Kinds): string[] {
  return codes.map((code) => {
    const read = new Set<string>();
    const params = new Proxy(SAMPLES, {
      get(samples, name: string) {
        read.add(name);
        return samples[name];
      },
    });
    const { field } = problem(code as never, params as never);
    const sentence = sentenceOf({ code, field, params });
    const names = [...read].map((name) => `\`${name}\``).join(', ');
    return `| \`${code}\` | ${field === null ? '' : `\`${field}\``} | ${names} | ${sentence} |`;
  });
}

const GUIDES: [path: string, kinds: Kinds[]][] = [
  ['docs/bulk-files.md', [itemProblems, listProblems]],
  ['docs/integrating.md', [payoutProblems]],
  ['docs/dashboard.md', [onboardingProblems]],
];

describe('the guide', () => {
  it.each(GUIDES)('%s has every code of a problem, with its field, its parameters and a sentence', (path, kinds) => {
    const guide = readFileSync(path, 'utf8').split('\n');
    const expected = kinds.flatMap(tableOf);
    expect(expected.filter((line) => !guide.includes(line))).toEqual([]);
    expect(guide.filter((line) => /^\| `[A-Z_0-9]+` \| (?:`\w+`)? \| /.test(line)).sort()).toEqual(expected.sort());
  });

  it.each(GUIDES)('%s names no code twice', (_path, kinds) => {
    const codes = kinds.flatMap((one) => one.codes);
    expect(new Set(codes).size).toBe(codes.length);
    for (const code of codes) expect(code).toMatch(/^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$|^OTHER$/);
  });
});

describe('a problem', () => {
  it('is said in words of the people who see the list, without names of fields and without an empty value', () => {
    const said = [itemProblems, listProblems, payoutProblems, onboardingProblems].flatMap((kinds: Kinds) =>
      kinds.codes.map((code) => kinds.sentenceOf({ code, field: null, params: { ...SAMPLES, column: 'bankCode' } })),
    );
    const shown = said.filter((sentence) => !/no column|column would|columns would|is the bankCode/.test(sentence));
    expect(shown.filter((sentence) => /[a-z][A-Z]|`|\bitems?\b|JSON|null/.test(sentence))).toEqual([]);
    const empty = (code: string, params: object) =>
      itemProblems.sentenceOf({ code, field: null, params: { ...params } });
    expect(empty('BANK_NOT_FOUND', { bankCode: '' })).toBe('The bank is missing.');
    expect(empty('BANK_NOT_FOUND', { bankCode: 'First' })).toBe('There is no bank called "First".');
    // A code that could be that of two banks is called one in both sentences about it.
    expect(empty('BANK_NOT_FOUND', { bankCode: '23' })).toBe('There is no bank with the code "23".');
    expect(empty('BANK_NAME_AMBIGUOUS', { given: '23', candidates: ['A (023)', 'B (101)'] })).toBe(
      'The bank code "23" could be A (023) or B (101). Write its code.',
    );
    expect(empty('AMOUNT_NOT_WHOLE_NAIRA', { given: '' })).toBe('The amount is missing.');
  });

  it('that was kept under a code of another version is shown by its code', () => {
    expect(itemProblems.shown({ code: 'GONE', field: null, params: {} })).toMatchObject({ message: 'GONE.' });
    expect(itemProblems.sentenceOf({ code: 'toString', field: null, params: {} })).toBe('toString.');
  });
});
