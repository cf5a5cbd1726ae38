import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  pollSettlements,
  readSettlementFetches,
  recordFetchedSettlements,
} from '../../src/provider-settlements/index.ts';
import type { ReportedSettlement, SettlementLine, SettlementSource } from '../../src/rails/settlements.ts';
import { killedAtStep } from '../support/killed-database.ts';
import { brokenChecks } from '../support/proof.ts';
import { createSettlementFixture, PROVIDER_FEE, type SettlementFixture } from './fixture.ts';

let fixture: SettlementFixture;
const settlements: { settlement: ReportedSettlement; lines: SettlementLine[] }[] = [];
const source: SettlementSource = {
  async listSettlements() {
    return { settlements: settlements.slice(-1).map(({ settlement }) => settlement), unreadable: [], next: null };
  },
  async readLines({ reference }) {
    return { lines: settlements.find(({ settlement }) => settlement.reference === reference)?.lines ?? [], next: null };
  },
};

beforeAll(async () => {
  fixture = await createSettlementFixture();
  Object.assign(fixture.script.provider, { settlements: source });
});
afterAll(() => fixture.close());

/** Longer than a lease, and than what failed is left alone for. */
const LATER_MS = 20 * 60_000;
/** More than listing and reading one settlement take. */
const MOST_STEPS = 60;

async function settles(merchant: Awaited<ReturnType<SettlementFixture['payee']>>): Promise<void> {
  const { providerTransactionId } = await fixture.pay(merchant, 100_00n);
  const netMinor = 100_00n - PROVIDER_FEE;
  const line: SettlementLine = {
    kind: 'PAYMENT',
    providerTransactionId,
    reference: null,
    grossMinor: 100_00n,
    feeMinor: PROVIDER_FEE,
    netMinor,
    currency: 'NGN',
    mode: null,
    occurredAt: fixture.clock.now(),
  };
  const settlement: ReportedSettlement = {
    reference: `K-${settlements.length}`,
    status: 'SETTLED',
    mode: null,
    currency: 'NGN',
    lumpMinor: netMinor,
    settledOn: '2026-11-20',
  };
  settlements.push({ settlement, lines: [line] });
}

it.each(['BEFORE', 'AFTER'] as const)(
  'a process that is killed %s any step of fetching leaves each settlement recorded once by the next one, with its lines',
  async (when) => {
    const merchant = await fixture.payee();
    let killedSteps = 0;
    for (let nth = 1; nth <= MOST_STEPS; nth += 1) {
      await settles(merchant);
      const { doomed, died } = killedAtStep(fixture.database, nth, when);
      const dying = fixture.another(doomed);
      await pollSettlements(dying, 'LIVE').catch(() => undefined);
      await recordFetchedSettlements(dying, 'LIVE').catch(() => undefined);
      await dying.ledger.drain().catch(() => undefined);
      const next = fixture.another();
      for (let turn = 0; turn < 2; turn += 1) {
        fixture.clock.advance(LATER_MS);
        await pollSettlements(next, 'LIVE');
        await recordFetchedSettlements(next, 'LIVE');
      }
      await next.ledger.drain();
      if (!died()) break;
      killedSteps = nth;
    }
    expect(killedSteps).toBeGreaterThan(5);
    const { rows } = await readSettlementFetches(fixture.database, { page: 1, size: 100 });
    expect(rows).toHaveLength(settlements.length);
    expect(rows.filter(({ status }) => status !== 'RECORDED')).toEqual([]);
    for (const { settlement_id: id } of rows) {
      expect(await fixture.counts(id ?? '')).toEqual({ MATCHED: 1 });
      if ((await fixture.summary(id ?? '')).status === 'READY') {
        await fixture.apply(id ?? '', { personId: fixture.people.ada });
      }
    }
    expect(await fixture.booked(merchant)).toMatchObject({ COLLECTION_RECEIVABLE: 0n });
    expect(await brokenChecks(fixture.database)).toEqual([]);
  },
);
