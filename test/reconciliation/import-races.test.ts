import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { applyOutcome } from '../../src/payout-delivery/apply-outcome.ts';
import type { PayoutRecord } from '../../src/payouts/index.ts';
import { newId } from '../../src/platform/ids.ts';
import { importSettlement, resolveLine } from '../../src/reconciliation/index.ts';
import { createPayoutFixture, type Merchant, type PayoutFixture } from '../payouts/payout-fixture.ts';
import { bankAnswer, RETURNS } from '../payouts/sandbox-bank.ts';
import { PAID } from '../payouts/scripted-rail.ts';
import { brokenChecks } from '../support/proof.ts';
import {
  addOperator,
  booked,
  codeOf,
  csvOf,
  type FileLine,
  importText,
  openText,
  pay,
  payoutOf,
  readImported,
} from './files.ts';

/** The connection breaks at once, and the transfer was executed. */
const SILENT = { 'x-sandbox-scenario': 'error-executed' };
const REVERSED = { outcome: 'reversed', reason: 'RAIL_REVERSED' } as const;
const NOTE = 'Looked up with the bank, see ticket 4711';
const FUNDED = 1_000_000_000n;

let fixture: PayoutFixture;
let other: Awaited<ReturnType<PayoutFixture['otherProcess']>>;
let ada: string;
let bola: string;
let merchant: Merchant;
beforeAll(async () => {
  fixture = await createPayoutFixture();
  other = await fixture.otherProcess();
  [ada, bola] = [await addOperator(fixture, 'ada'), await addOperator(fixture, 'bola')];
});
// Of its own, so that no file lacks what another test paid.
beforeEach(async () => {
  merchant = await fixture.addMerchant();
});
afterAll(async () => {
  expect(await brokenChecks(fixture.database)).toEqual([]);
  await other.close();
  await fixture.close();
});

const csv = (...lines: FileLine[]) => csvOf(lines, fixture.clock.now());
const lineOf = (payout: PayoutRecord, status = 'successful'): FileLine => ({
  reference: payout.rail_reference,
  status,
});
/** The bank's webhook, taken in by the other process. */
const hear = async (payout: PayoutRecord, said: typeof PAID | typeof REVERSED) =>
  applyOutcome(other.deps, payout, await bankAnswer(other.deps, payout, said), { kind: 'PROVIDER_WEBHOOK' });
/** A line that makes one file another one, and says nothing of ours. */
const filler = () => ({ reference: newId() });

/** Refused where another one had it done already; never twice, and never broken. */
async function importAtOnce(text: string, copies: number): Promise<string> {
  const file = { rail: 'sandbox', mode: 'SANDBOX', merchantId: merchant.merchantId, fileName: 'november.csv' } as const;
  const all = await Promise.allSettled(
    Array.from({ length: copies }, (_, at) =>
      importSettlement(at % 2 === 0 ? fixture.deps : other.deps, { ...file, open: openText(text), importedBy: 'test' }),
    ),
  );
  const codes = all.flatMap((one) => (one.status === 'rejected' ? [one.reason.code ?? String(one.reason)] : []));
  expect(codes.filter((code) => code !== 'SETTLEMENT_ALREADY_IMPORTED')).toEqual([]);
  const ids = new Set(all.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])));
  expect(ids.size).toBe(1);
  return [...ids][0]!;
}

async function settlements(): Promise<string[]> {
  const { rows } = await fixture.database.pool.query<{ kind: string; payouts: number }>(
    `select kind, count(*)::int as payouts from payout_settlements where merchant_id = $1 group by kind order by kind`,
    [merchant.merchantId],
  );
  return rows.map(({ kind, payouts }) => `${kind} ${payouts}`);
}

async function openMissing(): Promise<number> {
  const { rows } = await fixture.database.pool.query<{ missing: number }>(
    `select count(*)::int as missing from settlement_lines
      where merchant_id = $1 and result = 'MISSING_THERE' and resolved_at is null`,
    [merchant.merchantId],
  );
  return rows[0]!.missing;
}

async function payMany(count: number, headers = {}): Promise<PayoutRecord[]> {
  const paid: PayoutRecord[] = [];
  for (let at = 0; at < count; at += 1) paid.push(await pay(fixture, merchant, {}, headers));
  return paid;
}

describe('settlement files at one moment', () => {
  it('the same file by six importers is taken in once, settles once, and misses what it lacks once', async () => {
    const paid = await payMany(5);
    const [missing] = await payMany(1);
    const [copy] = paid;
    const text = csv({ ...filler(), date: '2020-01-01T00:00:00Z' }, ...paid.map((one) => lineOf(one)), lineOf(copy!));
    const id = await importAtOnce(text, 6);
    const { counts, lines } = await readImported(fixture.deps, id);
    expect(counts).toEqual({ MATCHED: 5, DUPLICATE_LINE: 1, MISSING_HERE: 1, MISSING_THERE: 1 });
    expect(lines.find(({ result }) => result === 'MISSING_THERE')?.payout_id).toBe(missing!.id);
    expect(await settlements()).toEqual(['PAID 5']);
    expect((await booked(fixture, merchant))['PAYOUT_CLEARING']).toBe(missing!.amount_minor);
  });

  it('different files that name the same payouts settle each once, and the movement comes to them', async () => {
    for (let round = 0; round < 4; round += 1) {
      const paid = await payMany(4);
      const texts = [paid, paid.slice(1), paid.slice(0, 3), paid].map((some, at) =>
        csv(...some.map((one) => lineOf(one)), ...Array.from({ length: at + 1 }, filler)),
      );
      await Promise.all(
        texts.map((text, at) => importText((at + round) % 2 === 0 ? fixture.deps : other.deps, merchant, text)),
      );
      expect(await settlements()).toEqual([`PAID ${4 * (round + 1)}`]);
      expect(await booked(fixture, merchant)).toMatchObject({ PAYOUT_CLEARING: 0n });
    }
  });

  it('the payments in one and their returns in another, with the bank’s webhooks meanwhile, leave nothing in clearing', async () => {
    for (let round = 0; round < 4; round += 1) {
      const paid = await payMany(3, RETURNS);
      const after = await payMany(1);
      const payments = csv(...paid.map((one) => lineOf(one)), ...after.map((one) => lineOf(one)));
      const returns = csv(...paid.map((one) => lineOf(one, 'reversed')), filler());
      const works = [
        () => importText(fixture.deps, merchant, payments),
        () => importText(other.deps, merchant, returns),
        ...paid.map((one) => () => hear(one, REVERSED)),
      ];
      await Promise.all([...works.slice(round), ...works.slice(0, round)].map((one) => one()));
      for (const one of paid) expect((await payoutOf(fixture, merchant, one.id)).status).toBe('REVERSED');
      // What the second file said too early is said again: by then it agrees.
      await importText(fixture.deps, merchant, csv(...paid.map((one) => lineOf(one, 'reversed')), filler()));
      expect(await booked(fixture, merchant)).toMatchObject({ PAYOUT_CLEARING: 0n });
      expect(await settlements()).toEqual([`PAID ${4 * (round + 1)}`, `RETURNED ${3 * (round + 1)}`]);
    }
    const gone = 4n * 101_075n;
    expect((await merchant.balance()).availableMinor).toBe(FUNDED - gone);
  });

  it('a file with what another one lacks closes what that one misses, whichever is faster', async () => {
    for (let round = 0; round < 6; round += 1) {
      const paid = await payMany(2);
      const long = { ...filler(), date: '2020-01-01T00:00:00Z' };
      const lacking = csv(long, filler());
      const having = csv(...paid.map((one) => lineOf(one)));
      const again = csv(long, filler());
      const files = round % 2 === 0 ? [lacking, having, again] : [having, again, lacking];
      await Promise.all(files.map((text, at) => importText(at === 1 ? other.deps : fixture.deps, merchant, text)));
      expect(await openMissing()).toBe(0);
    }
  });

  it('two files that lack the same payout miss it once', async () => {
    await payMany(2);
    const long = () => ({ ...filler(), date: '2020-01-01T00:00:00Z' });
    await Promise.all(
      Array.from({ length: 6 }, (_, at) =>
        importText(at % 2 === 0 ? fixture.deps : other.deps, merchant, csv(long(), filler())),
      ),
    );
    expect(await openMissing()).toBe(2);
  });
});

describe('one line of a file at one moment', () => {
  const appliable = async () => {
    const open = await pay(fixture, merchant, {}, SILENT);
    const { id: importId, lines } = await importText(fixture.deps, merchant, csv(lineOf(open), filler()));
    return { open, line: { importId, lineId: lines[0]!.id } };
  };

  it('applied by two people in two processes ends and settles its payout once, by one of them', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { open, line } = await appliable();
      const before = await booked(fixture, merchant);
      const codes = await Promise.all(
        [ada, bola, ada, bola].map((personId, at) =>
          codeOf(
            resolveLine(at % 2 === 0 ? fixture.deps : other.deps, { ...line, how: 'APPLY', note: null, personId }),
          ),
        ),
      );
      expect(codes.sort()).toEqual([...Array(3).fill('SETTLEMENT_LINE_RESOLVED'), 'ok']);
      expect((await payoutOf(fixture, merchant, open.id)).status).toBe('SUCCESS');
      const after = await booked(fixture, merchant);
      expect(after['PROVIDER_FLOAT']! - before['PROVIDER_FLOAT']!).toBe(open.amount_minor);
      expect(after['PAYOUT_CLEARING']).toBe(before['PAYOUT_CLEARING']);
    }
  });

  it('applied by one and accepted by another says what was done with the money', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { open, line } = await appliable();
      const apply = () => codeOf(resolveLine(fixture.deps, { ...line, how: 'APPLY', note: null, personId: ada }));
      const accept = () => codeOf(resolveLine(other.deps, { ...line, how: 'ACCEPT', note: NOTE, personId: bola }));
      const [applied, accepted] = await Promise.all([apply(), accept()]);
      const { lines } = await readImported(fixture.deps, line.importId);
      const how = lines.find(({ id }) => id === line.lineId)?.resolved_how;
      const { status } = await payoutOf(fixture, merchant, open.id);
      expect([applied, accepted]).toContain('ok');
      expect({ how, status, applied }).toEqual(
        status === 'SUCCESS'
          ? { how: 'APPLIED', status, applied: 'ok' }
          : { how: 'ACCEPTED', status: 'PROCESSING', applied: 'SETTLEMENT_LINE_RESOLVED' },
      );
    }
  });

  it('is applied, or finds that the webhook was faster and said otherwise', async () => {
    for (let round = 0; round < 6; round += 1) {
      const open = await pay(fixture, merchant, {}, SILENT);
      const { id: importId, lines } = await importText(fixture.deps, merchant, csv(lineOf(open, 'failed'), filler()));
      const works = [
        () =>
          codeOf(
            resolveLine(fixture.deps, { importId, lineId: lines[0]!.id, how: 'APPLY', note: null, personId: ada }),
          ),
        () => codeOf(hear(open, PAID)),
      ];
      const turned = round % 2 === 0 ? works : works.reverse();
      const codes = await Promise.all(turned.map((one) => one()));
      const payout = await payoutOf(fixture, merchant, open.id);
      const applied = round % 2 === 0 ? codes[0] : codes[1];
      // Whoever was first: the books have one end, and where the rail says both, people look into it.
      expect(applied).toBe(payout.status === 'FAILED' ? 'ok' : 'SETTLEMENT_LINE_NOT_APPLICABLE');
      if (payout.status === 'FAILED') expect(payout.operator_reason).toBe('RAIL_CONTRADICTS');
      const { bookedMinor, availableMinor } = await merchant.balance();
      expect(availableMinor).toBe(bookedMinor);
    }
  });
});
