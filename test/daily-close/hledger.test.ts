import { execFileSync, spawnSync } from 'node:child_process';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  journalLedger,
  journalOf,
  readDay,
  readJournalAccounts,
  setJournalAccount,
} from '../../src/daily-close/index.ts';
import { lagosDay } from '../../src/platform/clock.ts';
import {
  createSettlementFixture,
  csvOf,
  PROVIDER_FEE,
  type SettlementFixture,
} from '../provider-settlements/fixture.ts';

/** Debian has it as a package; where it is not, this is skipped, and the report of the run says so. */
const isThere = spawnSync('hledger', ['--version']).status === 0;

let fixture: SettlementFixture;
let day: string;
beforeAll(async () => {
  fixture = await createSettlementFixture();
  const merchant = await fixture.payee();
  const hints = [await fixture.pay(merchant, 500_00n), await fixture.pay(merchant, 200_50n)];
  const refund = await fixture.owe(merchant, 50_00n);
  const lumpMinor = 700_50n - 2n * PROVIDER_FEE - 52_00n;
  const lines = [...hints.map((hint) => fixture.lineOf(hint)), fixture.takenBy(refund, { fee: '2', net: '-52' })];
  await fixture.apply(await fixture.record(csvOf(lines), { lumpMinor }));
  day = lagosDay(fixture.clock.now());
  fixture.clock.advance(2 * 24 * 60 * 60_000);
});
afterAll(() => fixture.close());

it('the journal of a day is read by hledger without a complaint, also a strict one, and its balances are those of the close', async ({
  skip,
}) => {
  if (!isThere) skip('hledger is not installed: apt-get install hledger');
  const personId = fixture.people.ada;
  await setJournalAccount(fixture, {
    kind: 'COLLECTION_RECEIVABLE',
    rail: '',
    code: '1201',
    name: "Assets:Banks & others (Nigeria), what they owe / today's",
    personId,
  });
  const { figures } = await readDay(fixture, { mode: 'LIVE', day });
  const accounts = await readJournalAccounts(fixture.database);
  const lines = journalOf(figures, accounts);
  const input = journalLedger(figures, lines);
  const hledger = (...words: string[]) => execFileSync('hledger', ['-f', '-', ...words], { input, encoding: 'utf8' });
  hledger('check');
  hledger('check', '--strict');
  const said = hledger('balance', '--output-format=csv', '--no-total', '--empty')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => /^"(.*)","(?:(-?)(\d+)\.(\d\d) NGN|0)"$/.exec(line) ?? [line])
    .map(([, name, sign = '', naira = '0', kobo = '00']) => [name, BigInt(`${sign}${naira}${kobo}`)] as const);
  const moved = new Map<string, bigint>();
  for (const { kind, opening, closing } of figures.kinds) {
    const name = accounts.find((one) => one.kind === kind && one.rail === '')?.name ?? '';
    // A journal has debits above zero, the ledger credits.
    moved.set(name, (moved.get(name) ?? 0n) - (BigInt(closing) - BigInt(opening)));
  }
  const without = (sums: Iterable<readonly [string | undefined, bigint]>) =>
    [...sums].filter(([, minor]) => minor !== 0n).toSorted(([one = ''], [other = '']) => (one < other ? -1 : 1));
  expect(without(said).length).toBeGreaterThan(3);
  expect(without(said)).toEqual(without(moved));
});
