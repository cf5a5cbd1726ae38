import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Banks, createBanks } from '../../src/banks/index.ts';
import { checkNuban } from '../../src/banks/nuban.ts';
import { clockOf } from '../support/clock.ts';
import { openTestDatabase } from '../support/database.ts';
import { observed } from '../support/observed.ts';

describe('the bank directory that a new installation has', () => {
  let seeded: Awaited<ReturnType<typeof openTestDatabase>>;
  let banks: Banks;

  beforeAll(async () => {
    seeded = await openTestDatabase();
    banks = createBanks({ database: seeded.database });
  });
  afterAll(() => seeded.drop());

  it.each([
    ['058', '000013', 'GTBank'],
    ['044', '000014', 'Access'],
    ['063', '000005', 'Access (Diamond)'],
    ['011', '000016', 'First Bank'],
    ['057', '000015', 'Zenith'],
    ['033', '000004', 'UBA'],
    ['999992', '100004', 'OPay'],
    ['999991', '100033', 'PalmPay'],
    ['101', '000023', 'Providus'],
  ])('finds the same bank by its code %s and by its network code %s: %s', async (code, nipCode, shortName) => {
    const bank = await banks.findBank(code);
    expect(bank).toMatchObject({ code, nipCode, shortName, active: true });
    expect(await banks.findBank(nipCode)).toBe(bank);
  });

  it.each(['', '999999', '58', '0058', '000058', "058' or true --"])('finds nothing for the code %j', async (code) => {
    expect(await banks.findBank(code)).toBeUndefined();
  });

  it('leaves a network code out rather than guessing it', async () => {
    expect((await banks.findBank('50515'))?.nipCode).toBeNull();
    expect((await banks.findBank('50211'))?.nipCode).toBeNull();
  });

  it('still names a bank that has closed, but does not offer it', async () => {
    expect(await banks.findBank('030')).toMatchObject({ name: 'Heritage Bank', active: false });
    const listed = await banks.listBanks();
    expect(listed.some((bank) => bank.code === '030')).toBe(false);
    expect(listed.every((bank) => bank.active)).toBe(true);
  });

  it('gives every code to one bank only, be it its own or a network code', async () => {
    const { rows } = await seeded.database.pool.query<{ code: string; nip_code: string | null }>('select * from banks');
    const codes = rows.flatMap((row) => [...new Set([row.code, row.nip_code])].filter((code) => code !== null));
    expect(new Set(codes).size).toBe(codes.length);
    expect(rows.length).toBe(42);
  });

  it('makes no claim on the check digit of a bank that it knows by its network code only', async () => {
    for (const code of ['000026', '000027', '060001', '120001', '100002']) {
      const bank = await banks.findBank(code);
      expect(bank && checkNuban(bank, '0123456789')).toBe('UNKNOWN');
    }
  });

  it('is read once a minute, however many ask at the same time, and again after a failure', async () => {
    let now = new Date('2026-06-01T09:00:00Z');
    const watched = observed(seeded.database);
    const directory = createBanks({ database: watched.database, clock: clockOf(() => now) });
    watched.failNext();
    await expect(directory.listBanks()).rejects.toThrow('went away');
    await Promise.all(Array.from({ length: 20 }, () => directory.findBank('058')));
    expect(watched.asked()).toBe(2);
    now = new Date(now.getTime() + 59_999);
    await directory.listBanks();
    expect(watched.asked()).toBe(2);
    now = new Date(now.getTime() + 1);
    await directory.listBanks();
    expect(watched.asked()).toBe(3);
  });
});
