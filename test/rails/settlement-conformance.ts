import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lagosDay } from '../../src/platform/clock.ts';
import {
  createRailCaller,
  type ProviderWebhookRequest,
  type Rail,
  type SettlementCaller,
} from '../../src/rails/index.ts';
import type { SettlementLine } from '../../src/rails/settlements.ts';
import type { Breakage } from './harness.ts';
import { lumpOf, type SettlementBooks, type SettlementRow } from './providers/settlement-books.ts';
import type { StandIn } from './providers/stand-in.ts';

/** What an adapter's test brings: the account, and a stand-in of its provider with what it settled. */
export interface SettlementHarness {
  rail: Rail;
  books: SettlementBooks;
  server: StandIn;
  /** The same adapter where nothing listens. */
  unreachable: Rail;
  /** What nobody may read. */
  secrets: readonly string[];
  /** Where the provider reports settlements by webhook: that of one, signed as it signs, or by somebody else. */
  notice?(row: SettlementRow, how?: 'forged' | 'malformed'): ProviderWebhookRequest;
  close(): Promise<void>;
}

/** How a kind of provider differs, where that is in its nature. */
export interface SettlementTraits {
  /** It has a list. */
  lists: boolean;
  /** Refunds and chargebacks are lines: each with its id; `one`: with its id where there is one, and one sum of several. */
  deductions: 'each' | 'one' | 'none';
}

const UNAVAILABLE = { code: 'SERVICE_UNAVAILABLE' };
const BREAKAGES: readonly Breakage[] = [
  'http-500',
  'http-502-html',
  'truncated-json',
  'empty',
  'not-json',
  'error-in-200',
  'rate-limited',
  'redirect',
  'reset',
];
const DAY_MS = 86_400_000;
const DEADLINE_MS = 1_000;

/** What every source of settlements guarantees, whatever its provider. */
export function describeSettlementSource(
  name: string,
  makeHarness: () => Promise<SettlementHarness>,
  traits: SettlementTraits,
): void {
  describe(`${name} as a source of settlements`, () => {
    let harness: SettlementHarness;
    let source: SettlementCaller;
    beforeEach(async () => {
      harness = await makeHarness();
      source = callerOf(harness.rail);
    });
    afterEach(() => harness.close());
    const callerOf = (rail: Rail): SettlementCaller => {
      const limits = { accountTimeoutMs: DEADLINE_MS, breakerCalls: 1_000 };
      const caller = createRailCaller(rail, { limits }).wallets?.settlements;
      if (caller === undefined) throw new Error('the rail of a settlement harness has settlements');
      return caller;
    };

    const window = () => ({ from: new Date(Date.now() - 7 * DAY_MS), to: new Date(Date.now() + DAY_MS) });
    async function listed() {
      const all = [];
      let cursor: string | null = null;
      do {
        const page = await source.listSettlements({ ...window(), cursor });
        all.push(...page.settlements);
        cursor = page.next;
      } while (cursor !== null);
      return all;
    }
    async function linesOf(row: SettlementRow): Promise<SettlementLine[]> {
      const lines: SettlementLine[] = [];
      let cursor: string | null = null;
      do {
        const page = await source.readLines({ reference: row.id, lumpMinor: lumpOf(row), cursor });
        lines.push(...page.lines);
        cursor = page.next;
      } while (cursor !== null);
      return lines;
    }
    const paymentsOf = (count: number) =>
      Array.from({ length: count }, (_, at) => ({
        id: `7${at}`,
        grossMinor: BigInt(at + 1) * 100_50n,
        feeMinor: BigInt(at) * 50n,
      }));
    const netOf = (lines: readonly SettlementLine[]) => lines.reduce((sum, { netMinor }) => sum + (netMinor ?? 0n), 0n);

    it('shows every payment of a settlement with its gross, fee and net, over all pages', async () => {
      const row = harness.books.add({ payments: paymentsOf(8) });
      const lines = await linesOf(row);
      expect(
        lines.map(({ kind, providerTransactionId, grossMinor, feeMinor, netMinor, currency }) => ({
          kind,
          id: providerTransactionId,
          grossMinor,
          feeMinor,
          netMinor,
          currency,
        })),
      ).toEqual(
        row.payments.map(({ id, grossMinor, feeMinor }) => ({
          kind: 'PAYMENT',
          id,
          grossMinor,
          feeMinor,
          netMinor: grossMinor - feeMinor,
          currency: 'NGN',
        })),
      );
      expect(netOf(lines)).toBe(lumpOf(row));
    });

    it.runIf(traits.lists)(
      'lists what was paid out with its sum and day, over all pages, and what is not as that',
      async () => {
        const rows = [
          ...Array.from({ length: 5 }, () => harness.books.add({})),
          harness.books.add({ status: 'open' }),
          harness.books.add({ status: 'failed' }),
          harness.books.add({ status: 'unlisted' }),
        ];
        const found = new Map((await listed()).map((one) => [one.reference, one]));
        for (const row of rows.slice(0, 5)) {
          expect(found.get(row.id)).toMatchObject({
            status: 'SETTLED',
            currency: 'NGN',
            lumpMinor: lumpOf(row),
            settledOn: lagosDay(row.at),
          });
        }
        expect(rows.slice(5).map(({ id }) => found.get(id)?.status)).toEqual(['OPEN', 'FAILED', 'UNKNOWN']);
      },
    );

    it.runIf(traits.deductions !== 'none')(
      'shows what it takes for a refund and a chargeback as lines below zero',
      async () => {
        const row = harness.books.add({
          payments: paymentsOf(4),
          refunds: [{ id: '811', amountMinor: 50_00n }],
          chargebacks: [{ id: '911', amountMinor: 70_00n }],
        });
        const lines = await linesOf(row);
        expect(netOf(lines)).toBe(lumpOf(row));
        const taken = lines.filter(({ kind }) => kind !== 'PAYMENT');
        expect(
          taken.map(({ kind, providerTransactionId, grossMinor }) => [kind, providerTransactionId, grossMinor]),
        ).toEqual([
          ['REFUND', '811', -50_00n],
          ['DISPUTE', '911', -70_00n],
        ]);
      },
    );

    it.runIf(traits.deductions !== 'none')('loses no kobo of several refunds, however it shows them', async () => {
      const refunds = [
        { id: '811', amountMinor: 50_00n },
        { id: '812', amountMinor: 20_01n },
      ];
      const row = harness.books.add({ payments: paymentsOf(4), refunds });
      const lines = await linesOf(row);
      expect(netOf(lines)).toBe(lumpOf(row));
      const taken = lines.filter(({ kind }) => kind === 'REFUND');
      expect(taken).toHaveLength(traits.deductions === 'each' ? 2 : 1);
    });

    it.runIf(traits.deductions === 'each')('shows what is taken without a word as one line of its own', async () => {
      const row = harness.books.add({ payments: paymentsOf(2), otherMinor: 33_00n });
      const lines = await linesOf(row);
      expect(netOf(lines)).toBe(lumpOf(row));
      expect(lines.filter(({ kind }) => kind !== 'PAYMENT')).toMatchObject([{ kind: 'OTHER', grossMinor: -33_00n }]);
    });

    it('keeps a payment whose amount cannot be read to the kobo, without an amount', async () => {
      const row = harness.books.add({ payments: paymentsOf(2), unreadable: 'payments' });
      const lines = await linesOf(row);
      expect(lines.filter(({ kind }) => kind === 'PAYMENT')).toMatchObject([
        { providerTransactionId: '70', grossMinor: null },
        { providerTransactionId: '71', grossMinor: null },
      ]);
    });

    it.runIf(traits.lists)('counts a settlement whose sum cannot be read, and does not list it', async () => {
      const row = harness.books.add({ unreadable: 'sum' });
      const page = await source.listSettlements({ ...window(), cursor: null });
      expect(page.unreadable).toHaveLength(1);
      expect(page.settlements.map(({ reference }) => reference)).not.toContain(row.id);
    });

    it('ends by the deadline where the provider hangs, and where nothing listens', async () => {
      const request = { reference: harness.books.add({}).id, lumpMinor: 0n, cursor: null };
      await expect(callerOf(harness.unreachable).readLines(request)).rejects.toMatchObject(UNAVAILABLE);
      harness.server.hangNext('readSettlement');
      if (traits.lists) harness.server.hangNext('listSettlements');
      await Promise.all([
        expect(source.readLines(request)).rejects.toMatchObject(UNAVAILABLE),
        traits.lists &&
          expect(source.listSettlements({ ...window(), cursor: null })).rejects.toMatchObject(UNAVAILABLE),
      ]);
    });

    it('keeps the keys out of what it shows, of its errors and of what it asks', async () => {
      const row = harness.books.add({});
      const seen: unknown[] = [await listed(), await linesOf(row)];
      harness.server.breakNext('readSettlement', 'unauthorized');
      harness.server.breakNext('readSettlement', 'unauthorized');
      seen.push(await source.readLines({ reference: row.id, lumpMinor: 0n, cursor: null }).catch(String));
      seen.push(harness.server.requests.map(({ path, text, query }) => `${path}?${String(query)} ${text}`));
      const text = JSON.stringify(seen, (_, value) => (typeof value === 'bigint' ? String(value) : value));
      for (const secret of harness.secrets) expect(text).not.toContain(secret);
    });

    it.each(BREAKAGES)('is no settlement where the answer is %s', async (how) => {
      const row = harness.books.add({});
      harness.server.breakNext('readSettlement', how);
      await expect(source.readLines({ reference: row.id, lumpMinor: 0n, cursor: null })).rejects.toMatchObject(
        UNAVAILABLE,
      );
      if (!traits.lists) return;
      harness.server.breakNext('listSettlements', how);
      await expect(source.listSettlements({ ...window(), cursor: null })).rejects.toMatchObject(UNAVAILABLE);
    });

    it('has no lines of a settlement that the provider does not know, and asks nothing by a cursor of its own', async () => {
      for (const [reference, cursor] of [
        ['404404', null],
        [harness.books.add({}).id, 'more'],
      ] as const) {
        await expect(source.readLines({ reference, lumpMinor: 0n, cursor })).rejects.toMatchObject(UNAVAILABLE);
      }
    });

    it.runIf(!traits.lists)('believes the webhook that is signed, and no other', async () => {
      const row = harness.books.add({});
      const { notice } = harness;
      if (notice === undefined) throw new Error('a provider without a list has webhooks');
      expect(await source.readNotice(notice(row))).toEqual([
        expect.objectContaining({
          reference: row.id,
          status: 'SETTLED',
          lumpMinor: lumpOf(row),
          settledOn: lagosDay(row.at),
        }),
      ]);
      await expect(source.readNotice(notice(row, 'forged'))).rejects.toMatchObject({
        code: 'PROVIDER_WEBHOOK_SIGNATURE_INVALID',
      });
      await expect(source.readNotice(notice(row, 'malformed'))).rejects.toMatchObject({
        code: 'PROVIDER_WEBHOOK_MALFORMED',
      });
      expect(await source.listSettlements({ ...window(), cursor: null })).toMatchObject({
        settlements: [],
        next: null,
      });
    });
  });
}
