import { ratio } from 'fuzzball';
import { describe, expect, it } from 'vitest';
import type { Bank, Banks } from '../../src/banks/index.ts';
import { keepRows } from '../../src/batch-files/create-batch.ts';
import { previewBatch } from '../../src/batch-files/preview-batch.ts';
import type { UploadRow } from '../../src/batch-files/queries.ts';
import type { GivenRow } from '../../src/batch-files/read-row.ts';
import { createBankFinder, type FindBank } from '../../src/batches/index.ts';
import type { PayoutDeps } from '../../src/payouts/index.ts';
import type { Database } from '../../src/platform/db/database.ts';
import { stillClock } from '../support/clock.ts';
import { turnsDuring } from '../support/turns.ts';

const bankOf = (name: string, at: number, code = String(10_000 + at)): Bank => ({
  code,
  nipCode: null,
  name,
  shortName: name.split(' ')[0] as string,
  kind: 'MICROFINANCE',
  active: true,
});
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
/** Letters that stand for a number, the same for each. */
const spelled = (at: number, length: number) =>
  Array.from({ length }, (_, place) => LETTERS[(at * 7 + place * (at + 3)) % 26]).join('');
const DIRECTORY = [
  ...['Zenith Bank', 'Guaranty Trust Bank', 'First City Monument Bank', 'Sterling Bank'].map((name, at) =>
    bankOf(name, at, `0${50 + at}`),
  ),
  bankOf('Wema Bank', 9, '035'),
  ...Array.from({ length: 200 }, (_, at) => bankOf(`${spelled(at, 9)} Microfinance Bank`, at + 10)),
];
const banks: Banks = {
  findBank: async (code) => DIRECTORY.find((bank) => bank.code === code),
  listBanks: async () => DIRECTORY,
};
const candidatesOf = (found: Awaited<ReturnType<FindBank>>) => [
  found.complaint?.code,
  found.complaint?.params['candidates'] ?? [],
];

const rowOf = (at: number): GivenRow => ({
  position: at + 1,
  amount: '1000',
  bankCode: '',
  bankName: spelled(at, 60) + at,
  accountNumber: '0123456785',
  givenName: 'Ada',
  narration: 'Rent',
  phoneNumber: '',
  complaint: null,
});
/** Pieces that are ready at once: nobody who takes them waits for anything. */
async function* readyPieces(): AsyncGenerator<GivenRow[]> {
  for (let piece = 0; piece < 4; piece += 1) {
    yield Array.from({ length: 1_000 }, (_, at) => rowOf(piece * 1_000 + at));
  }
}

describe('a bank whose name is misspelled', () => {
  it.each([
    'Zenih',
    'Zennith Bank Plc',
    'Guarantee Trust',
    'First City Monumant',
    'Sterlling',
    'Stirling Bank',
    'Wemma',
  ])('is asked about by the same names as where every name of the directory is compared: %s', async (given) => {
    const core = (name: string) => name.toLowerCase().replaceAll(/\b(?:bank|plc|microfinance)\b|[^a-z]/g, '');
    const found = DIRECTORY.map((bank) => ({ bank, score: ratio(core(given), core(bank.name)) }))
      .filter(({ score }) => score >= 80)
      .toSorted((a, b) => b.score - a.score);
    const find = createBankFinder(banks);
    expect(found.length).toBeGreaterThan(0);
    const candidates = found.slice(0, 5).map(({ bank }) => `${bank.name} (${bank.code})`);
    expect(candidatesOf(await find('', given))).toEqual(['BANK_NAME_AMBIGUOUS', candidates]);
  });

  it('is looked for no more after 300 names of one list that no bank has, and banks by their names are found as before', async () => {
    const find = createBankFinder(banks);
    const first = await find('', 'Zenih');
    expect(candidatesOf(first)).toEqual(['BANK_NAME_AMBIGUOUS', ['Zenith Bank (050)']]);
    for (let at = 0; at < 2_500; at += 1) await find('', spelled(at, 30) + at);
    expect(candidatesOf(await find('', 'Stirlin'))).toEqual(['BANK_NAME_NOT_FOUND', []]);
    expect(await find('', 'zenih bank')).toEqual({ ...first, code: 'zenih bank', complaint: expect.anything() });
    expect(candidatesOf(await find('', 'ZENIH'))).toEqual(candidatesOf(first));
    expect(await find('', 'Zenith')).toEqual({ code: '050' });
    expect(await find('', 'City Monument')).toMatchObject({ code: '052', warning: { code: 'BANK_NAME_CORRECTED' } });
  });

  it('is not looked for in a text that is longer than any name', async () => {
    const find = createBankFinder(banks);
    const long = `${' '.repeat(300)}Zenith`;
    expect(await find('', long)).toMatchObject({ code: long, complaint: { code: 'BANK_NAME_NOT_FOUND' } });
  });
});

describe('thousands of rows with as many names that no bank has', () => {
  it('let everybody else have their turn while they are previewed', async () => {
    const deps = {
      banks,
      clock: stillClock(),
      payoutLimits: async () => ({ rows: [], tierAt: () => undefined }),
    };
    const rows = { pieces: readyPieces(), warnings: () => [] };
    const turns = await turnsDuring(async () => {
      const preview = await previewBatch(
        deps as unknown as PayoutDeps,
        { merchantId: 'm', mode: 'LIVE' },
        { rows, settings: () => ({ purpose: 'GENERAL' }) },
      );
      expect(preview).toMatchObject({
        validRows: 0,
        rowProblems: expect.arrayContaining([expect.objectContaining({ count: 4_000 })]),
      });
    });
    expect(turns).toBeGreaterThan(0);
  });

  it('let everybody else have their turn while they are kept', async () => {
    const database = { run: async () => undefined } as unknown as Database;
    const turns = await turnsDuring(async () => {
      const kept = await keepRows({ database, banks }, { started_at: new Date() } as UploadRow, readyPieces());
      expect(kept.count).toBe(4_000);
    });
    expect(turns).toBeGreaterThan(0);
  });
});
