import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import {
  readSettlementFetches,
  recordFetchedSettlements,
  requestSettlementFetch,
} from '../../src/provider-settlements/index.ts';
import { createRailCaller } from '../../src/rails/index.ts';
import type { SettlementLine, SettlementSource } from '../../src/rails/settlements.ts';
import { unusedRail } from '../collections/fixture.ts';
import { createSettlementFixture, type SettlementFixture } from './fixture.ts';

type ReadLines = SettlementSource['readLines'];

let fixture: SettlementFixture;
let deps: ReturnType<SettlementFixture['another']>;
const providers = new Map<string, ReadLines>();
/** Which pages were read, as `provider reference cursor`. */
let pages: string[] = [];
let hangs = Promise.withResolvers<void>();

beforeAll(async () => {
  fixture = await createSettlementFixture();
  const by = fixture.another();
  const callerOf = (name: string, readLines: ReadLines) => {
    const settlements: SettlementSource = {
      listSettlements: () => Promise.reject(new Error('nobody lists them')),
      readLines(request, signal) {
        pages.push(`${name} ${request.reference} ${request.cursor ?? 'first'}`);
        return readLines(request, signal);
      },
    };
    const wallets = { ...fixture.script.provider, settlements };
    return createRailCaller({ ...unusedRail, name, wallets }, { clock: fixture.clock });
  };
  const findRail: typeof by.rails.findRail = async (mode, name) => {
    const readLines = providers.get(name);
    return readLines === undefined ? by.rails.findRail(mode, name) : callerOf(name, readLines);
  };
  deps = { ...by, rails: { ...by.rails, findRail } };
});
afterAll(async () => {
  await deps.ledger.drain();
  await fixture.close();
});
beforeEach(() => {
  pages = [];
  hangs = Promise.withResolvers();
});
afterEach(() => providers.clear());

const line = (at: number): SettlementLine => ({
  kind: 'PAYMENT',
  providerTransactionId: `T-${at}`,
  reference: null,
  grossMinor: 100_00n,
  feeMinor: 0n,
  netMinor: 100_00n,
  currency: 'NGN',
  mode: null,
  occurredAt: null,
});
const linesOf = (count: number) => Array.from({ length: count }, (_, at) => line(at));

async function due(rail: string, ...references: string[]) {
  for (const reference of references) {
    const asked = { rail, reference, lumpMinor: 100_00n, settledOn: '2026-11-20', email: fixture.emailOf('ada') };
    await requestSettlementFetch(deps, { ...asked, mode: 'LIVE' });
  }
}

async function statusOf(reference: string) {
  const { rows } = await readSettlementFetches(fixture.database, { page: 1, size: 100 });
  return rows.find((row) => row.reference === reference)?.status;
}

it('one provider that does not answer for its settlements keeps those of no other, however many it has', async () => {
  providers.set('slow', async () => {
    await hangs.promise;
    throw new Error('no');
  });
  providers.set('good', async ({ reference }) => ({ lines: linesOf(Number(reference.slice(2))), next: null }));
  await due('slow', 'S-1', 'S-2', 'S-3', 'S-4');
  await due('good', 'G-1');
  const run = recordFetchedSettlements(deps, 'LIVE');
  await expect.poll(() => statusOf('G-1')).toBe('RECORDED');
  await due('good', 'G-2');
  await expect.poll(() => recordFetchedSettlements(deps, 'LIVE')).toBe(1);
  expect(await statusOf('G-2')).toBe('RECORDED');
  hangs.resolve();
  expect(await run).toBe(1);
  expect(pages.filter((page) => page.startsWith('slow'))).toEqual(['slow S-1 first']);
});

it('a process holds one settlement with many lines at a time, and those with few do not wait for it', async () => {
  const many: ReadLines = async ({ cursor }) => {
    if (cursor === null) return { lines: linesOf(20_001), next: 'more' };
    await hangs.promise;
    throw new Error('no');
  };
  providers.set('one', many);
  providers.set('two', many);
  providers.set('small', async () => ({ lines: linesOf(3), next: null }));
  for (const name of providers.keys()) await due(name, `M-${name}`);
  const run = recordFetchedSettlements(deps, 'LIVE');
  await expect.poll(() => statusOf('M-small')).toBe('RECORDED');
  await expect.poll(() => pages.filter((page) => page.endsWith('first')).length).toBe(3);
  await expect.poll(() => pages.filter((page) => page.endsWith('more')).length).toBe(1);
  // However late: no other process takes what waits.
  fixture.clock.advance(30 * 60_000);
  expect(await recordFetchedSettlements(fixture.another(), 'LIVE')).toBe(0);
  hangs.resolve();
  expect(await run).toBe(1);
  expect(pages.filter((page) => page.endsWith('more'))).toHaveLength(2);
});

it('a settlement without an end is given up after an hour, and one that a stop cuts short has not failed', async () => {
  providers.set('endless', async () => {
    fixture.clock.advance(60_000);
    return { lines: [], next: 'more' };
  });
  await due('endless', 'E-1');
  expect(await recordFetchedSettlements(deps, 'LIVE')).toBe(0);
  expect(pages.filter((page) => page.startsWith('endless')).length).toBeLessThan(70);
  providers.set('stopped', async () => ({ lines: linesOf(1), next: 'more' }));
  await due('stopped', 'E-2');
  expect(await recordFetchedSettlements(deps, 'LIVE', AbortSignal.abort())).toBe(0);
  const { rows } = await readSettlementFetches(fixture.database, { page: 1, size: 100 });
  const found = rows.filter(({ reference }) => reference.startsWith('E-'));
  expect(new Set(found.map(({ attempts, reason }) => `${attempts} ${reason ?? ''}`))).toEqual(
    new Set(['0 ', '1 SETTLEMENT_UNREADABLE']),
  );
});
