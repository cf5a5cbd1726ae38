import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { boundsOf, figuresOf } from '../../src/daily-close/close-figures.ts';
import {
  drawClose,
  journalCsv,
  journalLedger,
  journalOf,
  readDay,
  readJournalAccounts,
  readReceivables,
  reopenClose,
  requireClose,
  setJournalAccount,
  signClose,
  signCloseSecond,
  signedFigures,
} from '../../src/daily-close/index.ts';
import { type AccountKind, openLateAccount, type TransferCode } from '../../src/ledger/index.ts';
import { lagosDay } from '../../src/platform/clock.ts';
import { readMargins } from '../../src/provider-settlements/index.ts';
import { RAIL } from '../collections/fixture.ts';
import { codeOf } from '../collections/suspense-fixture.ts';
import { brokenIn, verifyAfter } from '../ledger/corruption.ts';
import {
  createSettlementFixture,
  csvOf,
  PROVIDER_FEE,
  type SettlementFixture,
} from '../provider-settlements/fixture.ts';
import { brokenChecks } from '../support/proof.ts';

let fixture: SettlementFixture;
let day: string;
let merchant: Awaited<ReturnType<SettlementFixture['payee']>>;
const DAY_MS = 24 * 60 * 60_000;
const NOTE = 'Their mail of 20 November says why';

beforeAll(async () => {
  fixture = await createSettlementFixture();
  merchant = await fixture.payee();
  await fixture.pay(merchant, 1_000_00n);
  // Well within the next day in Lagos.
  const { clock } = fixture;
  const noon = new Date(`${lagosDay(new Date(clock.now().getTime() + DAY_MS))}T11:00:00Z`);
  clock.advance(noon.getTime() - clock.now().getTime());
  day = lagosDay(clock.now());
  const hints = [await fixture.pay(merchant, 500_00n), await fixture.pay(merchant, 200_50n)];
  const refund = await fixture.owe(merchant, 50_00n);
  const lumpMinor = 700_50n - 2n * PROVIDER_FEE - 52_00n;
  const lines = [...hints.map((hint) => fixture.lineOf(hint)), fixture.takenBy(refund, { fee: '2', net: '-52' })];
  await fixture.apply(await fixture.record(csvOf(lines), { lumpMinor }));
});
afterAll(async () => {
  expect(await brokenChecks(fixture.database)).toEqual([]);
  await fixture.close();
});

const shown = () => readDay(fixture, { mode: 'LIVE', day });
const sign = (digest: string, personId = fixture.people.ada) =>
  signClose(fixture, { mode: 'LIVE', day, digest, personId });

const minorOf = (naira: string) => BigInt(naira.replace('.', '') || '0');

/** Debits less credits of each account of a journal, in kobo. */
function sumsIn(csv: string): Record<string, bigint> {
  const sums: Record<string, bigint> = {};
  for (const [, account = '', debit = '', credit = ''] of csv.matchAll(/,\d{4},([^,]+),([\d.]*),([\d.]*),/g)) {
    sums[account] = (sums[account] ?? 0n) + minorOf(debit) - minorOf(credit);
  }
  return sums;
}

function sumsOfLedger(text: string): Record<string, bigint> {
  const sums: Record<string, bigint> = {};
  for (const [, account = '', amount = ''] of text.matchAll(/^ {4}(.+?) {2}(-?[\d.]+) NGN$/gm)) {
    sums[account] = (sums[account] ?? 0n) + minorOf(amount);
  }
  return sums;
}

describe('the close of a day', () => {
  it('is not made before the day is over, and what began before midnight has had time to be posted', async () => {
    expect(await codeOf(shown())).toBe('CLOSE_DAY_NOT_OVER');
    expect(await codeOf(sign('0'.repeat(64)))).toBe('CLOSE_DAY_NOT_OVER');
    const { clock } = fixture;
    const [noon, midnight] = [clock.now().getTime(), boundsOf(day).to.getTime()];
    clock.advance(midnight + 14 * 60_000 - noon);
    expect(await codeOf(shown())).toBe('CLOSE_DAY_NOT_OVER');
    clock.advance(60_000);
    expect(await codeOf(shown())).toBe('DONE');
    clock.advance(noon + DAY_MS - clock.now().getTime());
    expect(await codeOf(shown())).toBe('DONE');
  });

  it('is what the ledger says to the kobo, by account and by provider, whatever is posted later', async () => {
    const before = await shown();
    const { totals, providers, kinds } = before.figures;
    expect(totals).toMatchObject({
      moneyIn: '70050',
      settledByProviders: String(700_50n - 2n * PROVIDER_FEE),
      keptByProviders: String(2n * PROVIDER_FEE + 2_00n),
      deductedByProviders: '5200',
    });
    expect(providers.filter(({ confirmed }) => confirmed !== '0')).toEqual([
      {
        rail: expect.any(String),
        opening: '100000',
        confirmed: '70050',
        returned: '0',
        refunded: '0',
        disputed: '0',
        settled: String(700_50n - 2n * PROVIDER_FEE),
        kept: String(2n * PROVIDER_FEE + 2_00n),
        deducted: '5200',
        closing: String(1_000_00n + 50_00n),
      },
    ]);
    const wallet = kinds.find(({ kind }) => kind === 'MERCHANT_WALLET');
    expect(wallet).toMatchObject({ opening: '100000', credits: '70050', debits: '0', closing: '170050' });
    expect(kinds.reduce((sum, { closing }) => sum + BigInt(closing), 0n)).toBe(0n);
    await fixture.pay(merchant, 333_00n);
    // The first of its kind: it was needed on a later day.
    await openLateAccount(
      fixture.database,
      merchant.tenant,
      { kind: 'RESERVE', ownerId: merchant.merchantId },
      fixture.clock.now(),
    );
    expect((await shown()).digest).toBe(before.digest);
  });

  it('is signed once by one of two at the same moment, and only as it was shown', async () => {
    const { digest } = await shown();
    expect(await codeOf(sign('0'.repeat(64)))).toBe('CLOSE_CHANGED');
    const { ada, bola } = fixture.people;
    const codes = await Promise.all([codeOf(sign(digest, ada)), codeOf(sign(digest, bola)), codeOf(sign(digest, ada))]);
    expect(codes.toSorted()).toEqual(['CLOSE_SIGNED', 'CLOSE_SIGNED', 'DONE']);
    expect((await shown()).close).toMatchObject({ version: 1, figures_digest: digest });
  });

  it('is of its mode: the same day of the sandbox is open until it is signed, as its own first version', async () => {
    const read = () => readDay(fixture, { mode: 'SANDBOX', day });
    const { close, versions, digest } = await read();
    expect([close, versions]).toEqual([undefined, []]);
    await signClose(fixture, { mode: 'SANDBOX', day, digest, personId: fixture.people.ada });
    expect((await read()).close).toMatchObject({ mode: 'SANDBOX', version: 1 });
    expect((await shown()).versions).toHaveLength(1);
  });

  it('has a second signature of another person, once', async () => {
    const { close, digest } = await shown();
    const closeId = close?.id ?? '';
    const { ada, bola, chidi } = fixture.people;
    const [first, other] = close?.signed_by === ada ? [ada, bola] : [bola, ada];
    const second = (personId: string, given = digest) =>
      codeOf(signCloseSecond(fixture, { closeId, digest: given, personId }));
    expect(await second(first ?? '')).toBe('SECOND_PERSON_NEEDED');
    expect(await second(chidi, '0'.repeat(64))).toBe('CLOSE_CHANGED');
    const codes = await Promise.all([second(other ?? ''), second(chidi)]);
    expect(codes.toSorted()).toEqual(['CLOSE_SIGNED_TWICE', 'DONE']);
  });

  it('is a PDF and a journal whose debits equal its credits, in the names that the accountant gave', async () => {
    const { close } = await shown();
    const row = await requireClose(fixture, close?.id ?? '');
    const figures = signedFigures(row);
    const [pdf, again] = [await drawClose(row, figures), await drawClose(row, figures)];
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
    expect(pdf.equals(again)).toBe(true);
    const account = { kind: 'FEE_INCOME', rail: '', code: '4000', personId: fixture.people.ada } as const;
    expect(await codeOf(setJournalAccount(fixture, { ...account, name: 'Bad  name\n; x' }))).toBe('VALIDATION_FAILED');
    const receivable = {
      ...account,
      kind: 'COLLECTION_RECEIVABLE',
      code: '1201',
      name: 'Assets:Scripted bank',
    } as const;
    await setJournalAccount(fixture, receivable);
    const lines = journalOf(figures, await readJournalAccounts(fixture.database));
    const sum = (side: 'debitMinor' | 'creditMinor') => lines.reduce((all, line) => all + line[side], 0n);
    expect(sum('debitMinor')).toBe(sum('creditMinor'));
    expect(sum('debitMinor')).toBe(figures.postings.reduce((all, { amount }) => all + BigInt(amount), 0n));
    const csv = journalCsv(lines);
    expect(csv).toContain('1201,Assets:Scripted bank');
    const text = journalLedger(figures, lines);
    const ofDay: Record<string, bigint> = {};
    for (const { kind, opening, closing } of figures.kinds) ofDay[kind] = BigInt(opening) - BigInt(closing);
    const [debit, credit] = [ofDay['COLLECTION_RECEIVABLE'] ?? 0n, ofDay['MERCHANT_WALLET'] ?? 0n];
    expect([debit > 0n, credit < 0n]).toEqual([true, true]);
    expect(sumsIn(csv)).toMatchObject({ 'Assets:Scripted bank': debit, 'Liabilities:Merchant wallets': credit });
    expect(sumsOfLedger(text)).toMatchObject({
      'Assets:Scripted bank': debit,
      'Liabilities:Merchant wallets': credit,
    });
    expect(text).toMatch(/^2\d{3}-\d\d-\d\d \* \(ML-\d{8}-001\) /m);
    for (const entry of text.split('\n\n').filter((one) => /^\d{4}-/.test(one))) {
      const amounts = [...entry.matchAll(/ {2}(-?)(\d+)\.(\d\d) NGN/g)];
      expect(amounts.reduce((all, [, sign, naira, kobo]) => all + BigInt(`${sign}${naira}${kobo}`), 0n)).toBe(0n);
    }
  });

  it('that is reopened stays as it was signed, and the day is signed anew as the next version', async () => {
    const { close, digest } = await shown();
    const closeId = close?.id ?? '';
    const personId = fixture.people.chidi;
    const codes = await Promise.all(
      [1, 2].map(() => codeOf(reopenClose(fixture, { closeId, reason: 'The bank corrected a payment', personId }))),
    );
    expect(codes.toSorted()).toEqual(['CLOSE_REOPENED', 'DONE']);
    const before = await requireClose(fixture, closeId);
    expect(before.figures_digest).toBe(digest);
    await sign(digest);
    const { close: next, versions } = await shown();
    expect(next?.version).toBe(2);
    expect(versions).toHaveLength(2);
    expect(await codeOf(signCloseSecond(fixture, { closeId, digest, personId }))).toBe('CLOSE_REOPENED');
  });

  it('that is reopened is signed by nobody beside the first', async () => {
    const { close, digest } = await shown();
    const closeId = close?.id ?? '';
    expect(close).toMatchObject({ second_by: null, reopened_at: null });
    const { ada, bola } = fixture.people;
    await reopenClose(fixture, { closeId, reason: 'The bank corrected a payment', personId: ada });
    const personId = close?.signed_by === bola ? ada : bola;
    expect(await codeOf(signCloseSecond(fixture, { closeId, digest, personId }))).toBe('CLOSE_REOPENED');
    expect(await requireClose(fixture, closeId)).toMatchObject({ second_by: null });
    await sign(digest);
  });

  it('has each posting of what a provider owes in one column, and they come from its opening to its closing', () => {
    const owed = 'COLLECTION_RECEIVABLE';
    const moved = (code: TransferCode, debitKind: AccountKind, creditKind: AccountKind, amountMinor: bigint) => ({
      ...{ code, debitKind, creditKind, amountMinor, transfers: 1, receivableOwnerId: 'one' },
    });
    const balance = { kind: owed, receivableOwnerId: 'one', debitsMinor: 0n, creditsMinor: 0n } as const;
    const { providers, totals } = figuresOf(
      { mode: 'LIVE', day, ...boundsOf(day) },
      {
        balances: [{ ...balance, openingMinor: -1_000n, closingMinor: -23_664n }],
        moved: [
          moved('COLLECTION', owed, 'MERCHANT_WALLET', 20_000n),
          moved('COLLECTION_SUSPENSE', owed, 'SUSPENSE', 9_000n),
          moved('COLLECTION_RETURN', 'SUSPENSE', owed, 1n),
          moved('REFUND', 'MERCHANT_WALLET', owed, 20n),
          moved('DISPUTE', 'MERCHANT_WALLET', owed, 300n),
          moved('DISPUTE_LOSS', 'MERCHANT_RECEIVABLE', owed, 15n),
          moved('COLLECTION_SETTLEMENT', 'PROVIDER_FLOAT', owed, 6_000n),
          moved('PROVIDER_FEE', 'PROVIDER_COST', owed, 70n),
          moved('REFUND_SETTLEMENT', owed, 'PROVIDER_FLOAT', 20n),
          moved('DISPUTE_SETTLEMENT', owed, 'PROVIDER_FLOAT', 50n),
          { ...moved('COLLECTION_FEE', 'MERCHANT_WALLET', 'FEE_INCOME', 400n), receivableOwnerId: null },
          { ...moved('COLLECTION_VAT', 'MERCHANT_WALLET', 'TAX_PAYABLE', 30n), receivableOwnerId: null },
          { ...moved('REFUND', 'FEE_INCOME', 'MERCHANT_WALLET', 4n), receivableOwnerId: null },
        ],
      },
      new Map([['one', 'the-bank']]),
    );
    expect(providers).toEqual([
      {
        ...{ rail: 'the-bank', opening: '1000', closing: '23664', confirmed: '29000', returned: '1', refunded: '20' },
        ...{ disputed: '315', settled: '6000', kept: '70', deducted: '70' },
      },
    ]);
    expect(1_000 + 29_000 - 1 - 20 - 315 - 6_000 - 70 + 70).toBe(23_664);
    expect(totals).toMatchObject({
      ...{ moneyIn: '29000', fees: '396', vatAndDuty: '30', refunds: '20', disputes: '315' },
      ...{ settledByProviders: '6000', keptByProviders: '70', deductedByProviders: '70' },
    });
  });

  it('counts what was lost in disputes, be it taken or owed, and what left less what came back', () => {
    const moved = (code: TransferCode, debitKind: AccountKind, creditKind: AccountKind, amountMinor: bigint) => ({
      ...{ code, debitKind, creditKind, amountMinor },
      ...{ transfers: 1, receivableOwnerId: null },
    });
    const { totals } = figuresOf(
      { mode: 'LIVE', day, ...boundsOf(day) },
      {
        balances: [],
        moved: [
          moved('DISPUTE', 'MERCHANT_WALLET', 'COLLECTION_RECEIVABLE', 70_00n),
          moved('DISPUTE_LOSS', 'MERCHANT_RECEIVABLE', 'COLLECTION_RECEIVABLE', 30_00n),
          moved('PAYOUT', 'MERCHANT_WALLET', 'PAYOUT_CLEARING', 50_00n),
          moved('PAYOUT_REVERSAL', 'PAYOUT_CLEARING', 'MERCHANT_WALLET', 20_00n),
        ],
      },
      new Map(),
    );
    expect(totals).toMatchObject({ disputes: '10000', moneyOut: '3000', moneyIn: '0', refunds: '0' });
  });

  it('is found to be wrong by the proof where it, or the ledger under it, was altered', async () => {
    const closes = 'update daily_closes set';
    for (const [sql, broken] of [
      [`${closes} signed_name = 'somebody@else.example'`, 'signed-days-are-unaltered'],
      [`${closes} figures = replace(figures, '70050', '70051')`, 'signed-days-are-unaltered'],
      [`${closes} figures = replace(figures, '170050', '170051')`, 'signed-days-are-what-the-ledger-says'],
      [`${closes} day = day - 1 where version = 1`, 'signed-days-are-unaltered'],
      ['delete from daily_closes where version = 1', 'signed-days-are-unaltered'],
      [
        `update transfers set amount_minor = amount_minor + 1 where code = 'PROVIDER_FEE'`,
        'signed-days-are-what-the-ledger-says',
      ],
    ] as const) {
      expect(brokenIn(await verifyAfter(fixture.database, [sql])), sql).toContain(broken);
    }
  });
});

describe('what providers owe', () => {
  it('is explained line by line: what came, what was settled, and what of it nobody has explained', async () => {
    const id = await fixture.record(csvOf([{ id: 'nobody', gross: '9', fee: '1' }]), {
      lumpMinor: 8_00n,
      cutOff: fixture.clock.now(),
    });
    await fixture.apply(id, { note: NOTE });
    const [owed] = (await readReceivables(fixture, { mode: 'LIVE', fromDay: day, toDay: day })).filter(
      ({ confirmed }) => confirmed !== '0',
    );
    expect(owed).toMatchObject({ opening: '100000', closing: '105000', deducted: '5200' });
    // The first payment and the one of the day after; the refund was deducted.
    expect(owed).toMatchObject({ unsettledMinor: 1_000_00n + 333_00n, unsettledPayments: 2 });
    const differences = (await readReceivables(fixture, { mode: 'LIVE', fromDay: day, toDay: day })).flatMap(
      (one) => one.differences,
    );
    expect(differences).toContainEqual({ result: 'MISSING_HERE', lines: 1, amountMinor: 9_00n });
  });

  it('is beside what they said that they keep, and what we charged', async () => {
    const rows = await readMargins(fixture, { mode: 'LIVE', fromDay: day, toDay: day });
    expect(rows).toEqual([
      expect.objectContaining({
        day,
        rail: RAIL,
        channel: 'ACCOUNT',
        payments: 2,
        gross_minor: 700_50n,
        quoted_minor: 2n * PROVIDER_FEE,
        kept_of_quoted_minor: 2n * PROVIDER_FEE,
        kept_minor: 2n * PROVIDER_FEE,
        differing: 0,
        fee_minor: 0n,
      }),
    ]);
  });
});
