import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  pollSettlements,
  readSettlementFetches,
  recordFetchedSettlements,
  requestSettlementFetch,
  SYSTEM,
} from '../../src/provider-settlements/index.ts';
import { UnusableAnswerError } from '../../src/rails/port.ts';
import type { ReportedSettlement, SettlementLine, SettlementSource } from '../../src/rails/settlements.ts';
import { RAIL } from '../collections/fixture.ts';
import { codeOf } from '../collections/suspense-fixture.ts';
import { brokenChecks } from '../support/proof.ts';
import { createSettlementFixture, csvOf, PROVIDER_FEE, type SettlementFixture } from './fixture.ts';

let fixture: SettlementFixture;
let by: ReturnType<SettlementFixture['another']>;
let other: ReturnType<SettlementFixture['another']>;
const settlements = new Map<string, { settlement: ReportedSettlement; lines: SettlementLine[] }>();
const failing: string[] = [];
let reads = 0;
const MINUTE_MS = 60_000;
const NOTE = 'Their mail of 20 November says why';

const unusable = () => new UnusableAnswerError({ reason: 'RAIL_MALFUNCTION', message: 'A fault' }, 'HTTP_500');
const PAGE = 2;
/** Entries at the end of the list that cannot be read. */
let unreadable: readonly string[] = [];
const source: SettlementSource = {
  async listSettlements({ cursor }) {
    if (failing.includes('list')) throw unusable();
    const all = [...settlements.values()].map(({ settlement }) => settlement);
    const at = Number(cursor ?? 0);
    const next = at + PAGE < all.length ? String(at + PAGE) : null;
    return { settlements: all.slice(at, at + PAGE), unreadable: next === null ? unreadable : [], next };
  },
  async readLines({ reference, cursor }) {
    reads += 1;
    if (failing.includes(reference)) throw unusable();
    const all = settlements.get(reference)?.lines ?? [];
    const at = Number(cursor ?? 0);
    return { lines: all.slice(at, at + PAGE), next: at + PAGE < all.length ? String(at + PAGE) : null };
  },
};

beforeAll(async () => {
  fixture = await createSettlementFixture();
  Object.assign(fixture.script.provider, { settlements: source });
  [by, other] = [fixture.another(), fixture.another()];
});
afterAll(async () => {
  expect(await brokenChecks(fixture.database)).toEqual([]);
  await Promise.all([by.ledger.drain(), other.ledger.drain()]);
  await fixture.close();
});

type Payee = Awaited<ReturnType<SettlementFixture['payee']>>;

/** The provider settles new payments of a merchant. */
async function settles(merchant: Payee, count: number, changes: Partial<ReportedSettlement> = {}) {
  const lines: SettlementLine[] = [];
  for (let at = 0; at < count; at += 1) {
    const { providerTransactionId } = await fixture.pay(merchant, 100_00n);
    lines.push({
      kind: 'PAYMENT',
      providerTransactionId,
      reference: null,
      grossMinor: 100_00n,
      feeMinor: PROVIDER_FEE,
      netMinor: 100_00n - PROVIDER_FEE,
      currency: 'NGN',
      mode: null,
      occurredAt: fixture.clock.now(),
    });
  }
  const reference = `F-${settlements.size}`;
  const settlement: ReportedSettlement = {
    reference,
    status: 'SETTLED',
    mode: null,
    currency: 'NGN',
    lumpMinor: BigInt(count) * (100_00n - PROVIDER_FEE),
    settledOn: '2026-11-20',
    ...changes,
  };
  settlements.set(reference, { settlement, lines });
  return reference;
}

async function found(reference: string) {
  const { rows } = await readSettlementFetches(fixture.database, { page: 1, size: 100 });
  return rows.find((row) => row.reference === reference);
}

async function poll() {
  // Beyond what a failure, and a lease, keeps off.
  fixture.clock.advance(20 * MINUTE_MS);
  return [await pollSettlements(by, 'LIVE'), await recordFetchedSettlements(by, 'LIVE')];
}

describe('settlements that a provider lists', () => {
  it('are recorded as a file would be, once, and one person applies them', async () => {
    const merchant = await fixture.payee();
    const reference = await settles(merchant, 5);
    expect(await poll()).toEqual([1, 1]);
    expect(await poll()).toEqual([0, 0]);
    const fetched = await found(reference);
    expect(fetched).toMatchObject({ status: 'RECORDED', source: 'LIST', noted_by: SYSTEM });
    const id = fetched?.settlement_id ?? '';
    expect(await fixture.summary(id)).toMatchObject({ status: 'READY', imported_by: SYSTEM, reference });
    expect(await fixture.counts(id)).toEqual({ MATCHED: 5 });
    expect(await fixture.apply(id, { personId: fixture.people.ada })).toEqual({ posted: 5, isDone: true });
    expect(await fixture.booked(merchant)).toMatchObject({ COLLECTION_RECEIVABLE: 0n });
  });

  it('are read by one of several processes, and what was read halfway is read again', async () => {
    const merchant = await fixture.payee();
    const reference = await settles(merchant, 4);
    fixture.clock.advance(20 * MINUTE_MS);
    await Promise.all([pollSettlements(by, 'LIVE'), pollSettlements(other, 'LIVE')]);
    failing.push(reference);
    expect(await recordFetchedSettlements(by, 'LIVE')).toBe(0);
    expect(await found(reference)).toMatchObject({ status: 'WAITING', attempts: 1, reason: 'SERVICE_UNAVAILABLE' });
    failing.length = 0;
    const before = reads;
    // It backs off first.
    expect(await recordFetchedSettlements(by, 'LIVE')).toBe(0);
    expect(reads).toBe(before);
    fixture.clock.advance(5 * MINUTE_MS);
    const done = await Promise.all([by, other, by].map((deps) => recordFetchedSettlements(deps, 'LIVE')));
    expect(done.reduce((sum, one) => sum + one, 0)).toBe(1);
    expect(await found(reference)).toMatchObject({ status: 'RECORDED' });
  });

  it('keep their lines where a process that had begun to read them again is slower than who records and applies them', async () => {
    const reference = await settles(await fixture.payee(), 2);
    await poll();
    const id = (await found(reference))?.settlement_id ?? '';
    // As a process leaves it that is killed while it reads.
    const again = async (status: 'LOADING' | 'READY') => {
      await fixture.database.pool.query('update provider_settlements set status = $2 where id = $1', [id, status]);
      await fixture.database.pool.query(
        `update provider_settlement_fetches set status = 'WAITING', due_at = $2 where reference = $1`,
        [reference, fixture.clock.now()],
      );
    };
    await again('LOADING');
    const { readLines } = source;
    source.readLines = async (...given) => {
      source.readLines = readLines;
      await again('READY');
      await fixture.apply(id);
      return readLines(...given);
    };
    await recordFetchedSettlements(other, 'LIVE');
    expect(await fixture.summary(id)).toMatchObject({ status: 'DONE', posted: 2 });
    await poll();
    expect(await found(reference)).toMatchObject({ status: 'RECORDED', settlement_id: id });
  });

  it('that a person imported before are left as they are', async () => {
    const merchant = await fixture.payee();
    const reference = await settles(merchant, 1);
    const [line] = settlements.get(reference)?.lines ?? [];
    const text = csvOf([{ id: line?.providerTransactionId ?? '', gross: '100', fee: '10', net: '90' }]);
    const id = await fixture.record(text, { reference, lumpMinor: 90_00n });
    await poll();
    expect(await found(reference)).toMatchObject({ status: 'KNOWN', settlement_id: id });
    await fixture.apply(id);
  });

  it('that do not come to their sum are applied by nobody until a file of the provider says why', async () => {
    const merchant = await fixture.payee();
    const reference = await settles(merchant, 2, { lumpMinor: 1n });
    await poll();
    const id = (await found(reference))?.settlement_id ?? '';
    expect(await codeOf(fixture.apply(id, { note: NOTE }))).toBe('SETTLEMENT_FETCHED_DIFFERS');
    expect(await fixture.booked(merchant)).toMatchObject({ PROVIDER_FLOAT: 0n });
  });

  it('that are open, failed, unclear or of the other mode are not recorded', async () => {
    const merchant = await fixture.payee();
    for (const changes of [
      { status: 'OPEN' },
      { status: 'FAILED' },
      { status: 'UNKNOWN' },
      { mode: 'SANDBOX' },
      { currency: 'GHS' },
    ] as const) {
      await settles(merchant, 1, changes);
    }
    expect(await poll()).toEqual([0, 0]);
    // Once it is paid out, it is.
    for (const { settlement } of settlements.values()) {
      if (settlement.status === 'OPEN') Object.assign(settlement, { status: 'SETTLED' });
    }
    expect(await poll()).toEqual([1, 1]);
  });

  it('have the line that cannot be read, and what was netted, as lines', async () => {
    const merchant = await fixture.payee();
    const refund = await fixture.owe(merchant, 30_00n);
    const reference = await settles(merchant, 1, { lumpMinor: 60_00n });
    const lines = settlements.get(reference)?.lines ?? [];
    const [first] = lines;
    if (first === undefined) throw new Error('no line');
    const taken = { kind: 'REFUND', grossMinor: -30_00n, feeMinor: 0n, netMinor: -30_00n } as const;
    lines.push({ ...first, ...taken, providerTransactionId: refund.names[0] ?? null });
    lines.push({ ...first, providerTransactionId: 'unclear', grossMinor: null, feeMinor: null, netMinor: null });
    await pollAgain();
    const id = (await found(reference))?.settlement_id ?? '';
    expect(await fixture.counts(id)).toEqual({ MATCHED: 1, DEDUCTION_MATCHED: 1, UNREADABLE: 1 });
    expect(await fixture.apply(id)).toEqual({ posted: 2, isDone: true });
  });

  it('are an alarm where an entry of the list cannot be read, once, and those beside it are recorded', async () => {
    const reference = await settles(await fixture.payee(), 1);
    fixture.alarms.length = 0;
    unreadable = ['one'];
    expect([await poll(), await poll(), await poll()]).toEqual([
      [1, 1],
      [0, 0],
      [0, 0],
    ]);
    expect(await found(reference)).toMatchObject({ status: 'RECORDED' });
    expect(fixture.alarms).toEqual(['SETTLEMENT_ENTRY_UNREADABLE']);
    // Another one, as the first leaves the list.
    unreadable = ['two'];
    await poll();
    expect(fixture.alarms).toEqual(['SETTLEMENT_ENTRY_UNREADABLE', 'SETTLEMENT_ENTRY_UNREADABLE']);
    unreadable = [];
  });

  it('or that no list brought are asked for by a person, and applied by another: that it was paid out is a word', async () => {
    const merchant = await fixture.payee();
    const reference = await settles(merchant, 1, { status: 'OPEN' });
    const email = fixture.emailOf('ada');
    const asked = { rail: RAIL, mode: 'LIVE', reference, lumpMinor: 90_00n, settledOn: '2026-11-20', email } as const;
    expect(await requestSettlementFetch(by, asked)).toBe(true);
    expect(await requestSettlementFetch(by, asked)).toBe(false);
    await pollAgain();
    const fetched = await found(reference);
    expect(fetched).toMatchObject({ status: 'RECORDED', source: 'PERSON', noted_by: email });
    const id = fetched?.settlement_id ?? '';
    expect(await fixture.summary(id)).toMatchObject({ imported_by: email, status: 'READY' });
    expect(await codeOf(fixture.apply(id, { personId: fixture.people.ada }))).toBe('SECOND_PERSON_NEEDED');
    expect(await fixture.apply(id)).toEqual({ posted: 1, isDone: true });
    expect(await codeOf(requestSettlementFetch(by, { ...asked, rail: 'nobody' }))).toBe('RAIL_NOT_FOUND');
  });

  it('are listed again once a provider that failed answers', async () => {
    const merchant = await fixture.payee();
    const reference = await settles(merchant, 1);
    failing.push('list');
    expect(await poll()).toEqual([0, 0]);
    failing.length = 0;
    await pollAgain();
    expect(await found(reference)).toMatchObject({ status: 'RECORDED' });
  });
});

/** What is unread of the tests before is read too. */
async function pollAgain() {
  for (let round = 0; round < 4; round += 1) await poll();
}
