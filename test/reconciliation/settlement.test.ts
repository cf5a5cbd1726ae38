import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { applyOutcome } from '../../src/payout-delivery/apply-outcome.ts';
import type { PayoutRecord } from '../../src/payouts/index.ts';
import { newId } from '../../src/platform/ids.ts';
import { NOTHING_REPORTED, type RailAnswer } from '../../src/rails/index.ts';
import { exportSandboxSettlement, importSettlement, resolveLine } from '../../src/reconciliation/index.ts';
import { createPayoutFixture, type Merchant, type PayoutFixture, payment, railsOf } from '../payouts/payout-fixture.ts';
import { losingAnswers, RETURNS, withoutWebhooks } from '../payouts/sandbox-bank.ts';
import { brokenChecks } from '../support/proof.ts';
import {
  addOperator,
  booked,
  codeOf,
  collected,
  csvOf,
  importText,
  openText,
  pay,
  payoutOf,
  readImported,
} from './files.ts';

let fixture: PayoutFixture;
let ada: string;
/** Answers of sends, from now on. */
let isLost = false;
beforeAll(async () => {
  fixture = await createPayoutFixture({
    rails: ({ sandboxRail }) => railsOf(losingAnswers(sandboxRail, () => isLost)),
  });
  ada = await addOperator(fixture, 'ada');
});
afterAll(() => fixture.close());

/** The connection breaks at once, and the transfer was executed. */
const SILENT = { 'x-sandbox-scenario': 'error-executed' };
const NOTE = 'Looked up with the bank, see ticket 4711';
const FEES = 1_075n;

const imported = (merchant: Merchant, text: string) => importText(fixture.deps, merchant, text);
const csv = (...lines: Parameters<typeof csvOf>[0]) => csvOf(lines, fixture.clock.now());
const refOf = (payout: PayoutRecord) => payout.rail_reference;

function railSays(outcome: RailAnswer['outcome']): RailAnswer {
  const at = fixture.clock.now();
  return { outcome, code: null, reason: null, message: 'said', sessionId: null, at, reported: NOTHING_REPORTED };
}

const resolve = (
  importId: string,
  lineId: string,
  how: 'APPLY' | 'ACCEPT',
  note: string | null = null,
  personId = ada,
) => resolveLine(fixture.deps, { importId, lineId, how, note, personId });

async function settlementsOf(merchant: Merchant): Promise<string[]> {
  const { rows } = await fixture.database.pool.query(
    `select kind, transfer_id is not null as moved from payout_settlements where merchant_id = $1 order by settled_at, kind`,
    [merchant.merchantId],
  );
  return rows.map(({ kind, moved }) => `${kind}${moved ? '' : ' unmoved'}`);
}

describe('comparing a file with our books', () => {
  it('matches what both say, and settles it: the amount leaves our clearing for the rail’s float', async () => {
    const merchant = await fixture.addMerchant();
    const payouts = [await pay(fixture, merchant), await pay(fixture, merchant, { amount: 2_500 })];
    const before = await booked(fixture, merchant);
    expect([before['PAYOUT_CLEARING'], before['PROVIDER_FLOAT']]).toEqual([350_000n, -1_000_000_000n]);
    const { counts, unresolved, lines } = await imported(
      merchant,
      csv({ reference: refOf(payouts[0]!) }, { reference: refOf(payouts[1]!), amount: '"2,500.00"' }),
    );
    expect([counts, unresolved]).toEqual([{ MATCHED: 2 }, 0]);
    expect(lines.every(({ settled_at }) => settled_at !== null)).toBe(true);
    const after = await booked(fixture, merchant);
    expect([after['PAYOUT_CLEARING'], after['PROVIDER_FLOAT']]).toEqual([0n, -999_650_000n]);
    expect(await settlementsOf(merchant)).toEqual(['PAID', 'PAID']);
    const { rows } = await fixture.database.pool.query(
      `select data from events where merchant_id = $1 and type = 'settlement.recorded'`,
      [merchant.merchantId],
    );
    expect(rows.map(({ data }) => JSON.parse(data))).toMatchObject([
      { kind: 'PAID', payouts: 2, amount: 3_500, rail: 'sandbox' },
    ]);
  });

  it('finds a payout by its session id where the reference leads nowhere', async () => {
    const merchant = await fixture.addMerchant();
    const payout = await pay(fixture, merchant);
    const { counts } = await imported(merchant, csv({ reference: 'TRF_77', session: payout.session_id! }));
    expect(counts).toEqual({ MATCHED: 1 });
  });

  it('tells what is missing here, and keeps what cannot be compared', async () => {
    const merchant = await fixture.addMerchant();
    const stranger = await fixture.addMerchant();
    const others = await pay(fixture, stranger);
    const { counts, unresolved } = await imported(
      merchant,
      csv(
        { reference: newId() },
        { reference: 'SALARY-9' },
        { reference: refOf(others) },
        { reference: newId(), amount: 'ten' },
      ),
    );
    expect([counts, unresolved]).toEqual([{ MISSING_HERE: 3, UNREADABLE: 1 }, 4]);
  });

  it('tells what is missing there within the period of the file, until a later file has it', async () => {
    const merchant = await fixture.addMerchant();
    const first = await pay(fixture, merchant);
    fixture.clock.advance(3_600_000);
    const missing = await pay(fixture, merchant);
    fixture.clock.advance(3_600_000);
    const last = await pay(fixture, merchant);
    fixture.clock.advance(3_600_000);
    const outside = await pay(fixture, merchant);
    const date = (payout: PayoutRecord) => payout.paid_at!.toISOString();
    const lines = [first, last].map((one) => ({ reference: refOf(one), date: date(one) }));
    const { id, counts, lines: kept } = await imported(merchant, csv(...lines));
    expect(counts).toEqual({ MATCHED: 2, MISSING_THERE: 1 });
    expect(kept.at(-1)).toMatchObject({ line_number: null, payout_id: missing.id, our_amount_minor: 100_000n });
    const later = [missing, outside].map((one) => ({ reference: refOf(one), date: date(one) }));
    expect((await imported(merchant, csv(...later))).counts).toEqual({ MATCHED: 2 });
    const again = await readImported(fixture.deps, id);
    expect(again.unresolved).toBe(0);
    expect(again.lines.at(-1)).toMatchObject({ result: 'MISSING_THERE', resolved_how: 'FOUND_LATER' });
  });

  it('tells an amount, a day and a status that differ, and moves nothing for any of them', async () => {
    const merchant = await fixture.addMerchant();
    const [amount, day] = [await pay(fixture, merchant), await pay(fixture, merchant)];
    const failed = await pay(fixture, merchant, {}, { 'x-sandbox-scenario': 'failed-limit' });
    const open = await pay(fixture, merchant, {}, SILENT);
    const openFailed = await pay(fixture, merchant, {}, SILENT);
    const pending = await pay(fixture, merchant);
    const before = await booked(fixture, merchant);
    const longAgo = new Date(fixture.clock.now().getTime() - 5 * 86_400_000).toISOString();
    const { counts, lines } = await imported(
      merchant,
      csv(
        { reference: refOf(amount), amount: '1000.01' },
        { reference: refOf(day), date: longAgo },
        { reference: refOf(failed) },
        { reference: refOf(open) },
        { reference: refOf(openFailed), status: 'failed' },
        { reference: refOf(pending), status: 'pending' },
      ),
    );
    expect(counts).toEqual({ AMOUNT_DIFFERS: 1, DATE_DIFFERS: 1, STATUS_DIFFERS: 4 });
    expect(lines.map(({ our_status }) => our_status)).toEqual([
      'SUCCESS',
      'SUCCESS',
      'FAILED',
      'PROCESSING',
      'PROCESSING',
      'SUCCESS',
    ]);
    expect(await booked(fixture, merchant)).toEqual(before);
    expect((await payoutOf(fixture, merchant, open.id)).status).toBe('PROCESSING');
    // What contradicts an end that we reported is evidence of the payout, and before the operator.
    expect(await payoutOf(fixture, merchant, failed.id)).toMatchObject({
      status: 'FAILED',
      operator_reason: 'RAIL_CONTRADICTS',
    });
  });

  it('agrees with a file about what failed, what was never paid, and what came back', async () => {
    const merchant = await fixture.addMerchant();
    const failed = await pay(fixture, merchant, {}, { 'x-sandbox-scenario': 'failed-limit' });
    const reversed = await pay(fixture, merchant, {}, RETURNS);
    await applyOutcome(fixture.deps, reversed, railSays('reversed'), { kind: 'PROVIDER_WEBHOOK' });
    isLost = true;
    const unheard = await pay(withoutWebhooks(fixture), merchant, {}, RETURNS);
    isLost = false;
    expect(unheard.status).toBe('PROCESSING');
    await applyOutcome(fixture.deps, unheard, railSays('reversed'), { kind: 'PROVIDER_WEBHOOK' });
    const { counts } = await imported(
      merchant,
      csv(
        { reference: refOf(failed), status: 'failed' },
        { reference: refOf(reversed) },
        { reference: refOf(reversed), status: 'reversed' },
        { reference: refOf(unheard) },
        { reference: refOf(unheard), status: 'reversed' },
      ),
    );
    expect(counts).toEqual({ MATCHED: 5 });
    expect(await settlementsOf(merchant)).toEqual(['PAID', 'RETURNED']);
    const { PAYOUT_CLEARING, PROVIDER_FLOAT } = await booked(fixture, merchant);
    expect([PAYOUT_CLEARING, PROVIDER_FLOAT]).toEqual([0n, -1_000_000_000n]);
  });

  it('takes a line that stands twice once', async () => {
    const merchant = await fixture.addMerchant();
    const payout = await pay(fixture, merchant);
    const line = { reference: refOf(payout) };
    const { counts, lines } = await imported(
      merchant,
      csv(line, line, { ...line, reference: payout.id.toUpperCase() }),
    );
    expect(counts).toEqual({ MATCHED: 1, DUPLICATE_LINE: 2 });
    expect(lines.map(({ detail }) => detail)).toEqual([null, 'the same as line 2', 'the same as line 2']);
    expect(await settlementsOf(merchant)).toEqual(['PAID']);
  });

  it('refuses the same file twice, a rail that is none, and a file of nobody from a rail that keeps merchants apart', async () => {
    const merchant = await fixture.addMerchant();
    const text = csv({ reference: newId() });
    expect(await codeOf(importText(fixture.deps, null, text))).toBe('SETTLEMENT_MERCHANT_NEEDED');
    expect(await codeOf(importText(fixture.deps, merchant, text, { rail: 'none' }))).toBe('RAIL_NOT_FOUND');
    await imported(merchant, text);
    expect(await codeOf(imported(merchant, text))).toBe('SETTLEMENT_ALREADY_IMPORTED');
    const twice = csv({ reference: newId() }, {});
    const codes = await Promise.all(Array.from({ length: 3 }, () => codeOf(imported(merchant, twice))));
    expect(codes.filter((code) => code === 'ok').length).toBeGreaterThan(0);
    expect(codes.filter((code) => code !== 'ok' && code !== 'SETTLEMENT_ALREADY_IMPORTED')).toEqual([]);
  });

  it('takes the same file in another unit for another one, so that a unit that was wrong is put right', async () => {
    const merchant = await fixture.addMerchant();
    const payout = await pay(fixture, merchant);
    const text = csv({ reference: refOf(payout), amount: '100000' });
    expect((await imported(merchant, text)).counts).toEqual({ AMOUNT_DIFFERS: 1 });
    const inKobo = () => importText(fixture.deps, merchant, text, { amountsInKobo: true });
    expect((await inKobo()).counts).toEqual({ MATCHED: 1 });
    expect(await settlementsOf(merchant)).toEqual(['PAID']);
    expect([await codeOf(inKobo()), await codeOf(imported(merchant, text))]).toEqual([
      'SETTLEMENT_ALREADY_IMPORTED',
      'SETTLEMENT_ALREADY_IMPORTED',
    ]);
  });

  it('keeps nothing of a file that changed while it was read, or that is no such file, and takes it in anew', async () => {
    const merchant = await fixture.addMerchant();
    const [ours, other] = [await pay(fixture, merchant), await pay(fixture, merchant)];
    const [text, changed] = [csv({ reference: refOf(ours) }), csv({ reference: refOf(other) })];
    let opened = 0;
    const open = () => {
      opened += 1;
      // It is read once for its hash, and once for its separators.
      return openText(opened > 2 ? changed : text)();
    };
    const file = { rail: 'sandbox', mode: 'SANDBOX', merchantId: merchant.merchantId, fileName: 'a.csv' } as const;
    const importing = importSettlement(fixture.deps, { ...file, open, importedBy: 'test' });
    expect(await codeOf(importing)).toBe('SETTLEMENT_FILE_CHANGED');
    expect(await codeOf(imported(merchant, 'Reference,Amount'))).toBe('SETTLEMENT_HEADER_UNKNOWN');
    const { rows } = await fixture.database.pool.query("select 1 from settlement_imports where status = 'LOADING'");
    expect(rows).toEqual([]);
    const { lines } = await imported(merchant, text);
    expect(lines.filter(({ line_number }) => line_number !== null).map(({ payout_id }) => payout_id)).toEqual([
      ours.id,
    ]);
  });

  /** A payout that the directory knows, and a rail that does not say whose its references are. */
  async function payListed(merchant: Merchant): Promise<PayoutRecord> {
    const payout = await pay(fixture, merchant);
    await fixture.database.pool.query(
      `insert into rail_references (rail, rail_reference, merchant_id, mode, payout_id) values ('sandbox', $1, $2, 'SANDBOX', $3)`,
      [refOf(payout), merchant.merchantId, payout.id],
    );
    return payout;
  }
  async function silentRail() {
    const rail = await fixture.deps.rails.findRail('SANDBOX', 'sandbox');
    const rails = { ...fixture.deps.rails, findRail: async () => ({ ...rail!, echoesTenant: false }) };
    return { ...fixture.deps, rails };
  }

  it('finds whose payout it is through the directory, where the rail does not say', async () => {
    const payout = await payListed(await fixture.addMerchant());
    const { counts } = await importText(await silentRail(), null, csv({ reference: refOf(payout) }));
    expect(counts['MATCHED']).toBe(1);
  });

  it('settles the payouts of all others where one of them cannot be settled, and that one when it can', async () => {
    const merchants = [await fixture.addMerchant(), await fixture.addMerchant()];
    const payouts = [await payListed(merchants[0]!), await payListed(merchants[0]!), await payListed(merchants[1]!)];
    const text = csv(...payouts.map((payout) => ({ reference: refOf(payout) })));
    await fixture.database.pool.query(
      `alter table payout_settlements add constraint unwritable check (payout_id <> '${payouts[0]!.id}') not valid`,
    );
    const deps = await silentRail();
    expect(await codeOf(importText(deps, null, text))).not.toBe('ok');
    const settled = () => Promise.all(merchants.map(settlementsOf));
    expect(await settled()).toEqual([['PAID'], ['PAID']]);
    await fixture.database.pool.query('alter table payout_settlements drop constraint unwritable');
    expect((await importText(deps, null, text)).counts).toEqual({ MATCHED: 3 });
    expect(await settled()).toEqual([['PAID', 'PAID'], ['PAID']]);
  });

  it('leaves to people what another rail says of a payout that this rail has', async () => {
    const merchant = await fixture.addMerchant();
    const payout = await pay(fixture, merchant);
    await fixture.database.pool.query(`update payouts set rail = 'second', ended_by = 'second' where id = $1`, [
      payout.id,
    ]);
    const alarms: unknown[] = [];
    fixture.deps.onAlarm = (alarm) => void alarms.push(alarm);
    const { counts, lines, id } = await imported(merchant, csv({ reference: refOf(payout) }));
    expect(alarms).toEqual([{ alarm: 'RAIL_CONTRADICTS', mode: 'SANDBOX', rail: 'sandbox' }]);
    expect(counts).toEqual({ STATUS_DIFFERS: 1 });
    expect(await codeOf(resolve(id, lines[0]!.id, 'APPLY'))).toBe('SETTLEMENT_LINE_NOT_APPLICABLE');
    expect(await payoutOf(fixture, merchant, payout.id)).toMatchObject({
      status: 'SUCCESS',
      operator_reason: 'RAIL_CONTRADICTS',
    });
    expect((await imported(merchant, csv({ reference: refOf(payout), status: 'failed' }))).counts).toEqual({
      MATCHED: 1,
    });
    expect(await settlementsOf(merchant)).toEqual([]);
    await fixture.database.pool.query(`update payouts set rail = 'sandbox', ended_by = 'sandbox' where id = $1`, [
      payout.id,
    ]);
  });
});

describe('resolving a line', () => {
  it.each([
    ['successful', 'SUCCESS', ['PAID'], 100_000n + FEES],
    ['failed', 'FAILED', [], 0n],
    ['reversed', 'FAILED', [], 0n],
  ] as const)(
    'applies "%s" to an open payout, with the file as evidence',
    async (status, becomes, settlements, gone) => {
      const merchant = await fixture.addMerchant();
      const payout = await pay(fixture, merchant, {}, SILENT);
      const { id, lines } = await imported(merchant, csv({ reference: refOf(payout), status }));
      expect(lines[0]?.result).toBe('STATUS_DIFFERS');
      await resolve(id, lines[0]!.id, 'APPLY');
      expect((await payoutOf(fixture, merchant, payout.id)).status).toBe(becomes);
      expect(await settlementsOf(merchant)).toEqual(settlements);
      expect((await merchant.balance()).bookedMinor).toBe(1_000_000_000n - gone);
      expect((await readImported(fixture.deps, id)).lines[0]).toMatchObject({
        resolved_how: 'APPLIED',
        resolved_by: ada,
      });
      const { rows } = await fixture.database.pool.query(
        `select kind, message from payout_attempts where payout_id = $1 order by id desc limit 1`,
        [payout.id],
      );
      expect(rows).toEqual([{ kind: 'SETTLEMENT', message: `Line 2 of november.csv says ${status}` }]);
      expect(await codeOf(resolve(id, lines[0]!.id, 'APPLY'))).toBe('SETTLEMENT_LINE_RESOLVED');
    },
  );

  it('returns the money of a late reversal once, also with webhooks and other people at the same moment', async () => {
    const other = await fixture.otherProcess();
    for (let round = 0; round < 5; round += 1) {
      const merchant = await fixture.addMerchant();
      const payout = await pay(fixture, merchant, {}, RETURNS);
      const text = csv({ reference: refOf(payout) }, { reference: refOf(payout), status: 'reversed' });
      const { id, counts, lines } = await imported(merchant, text);
      expect(counts).toEqual({ MATCHED: 1, LATE_REVERSAL: 1 });
      const line = { importId: id, lineId: lines[1]!.id, how: 'APPLY' as const, note: null, personId: ada };
      const works = await Promise.all([
        codeOf(resolveLine(fixture.deps, line)),
        codeOf(resolveLine(other.deps, line)),
        codeOf(applyOutcome(fixture.deps, payout, railSays('reversed'), { kind: 'PROVIDER_WEBHOOK' })),
        codeOf(applyOutcome(other.deps, payout, railSays('reversed'), { kind: 'PROVIDER_WEBHOOK' })),
      ]);
      expect(works.slice(0, 2).sort()).toEqual(['SETTLEMENT_LINE_RESOLVED', 'ok']);
      expect((await payoutOf(fixture, merchant, payout.id)).status).toBe('REVERSED');
      expect(await booked(fixture, merchant)).toMatchObject({
        MERCHANT_WALLET: 1_000_000_000n,
        PAYOUT_CLEARING: 0n,
        PROVIDER_FLOAT: -1_000_000_000n,
      });
      expect(await settlementsOf(merchant)).toEqual(['PAID', 'RETURNED']);
    }
    await other.close();
  });

  it('needs no money back from the float where the payment was never settled', async () => {
    const merchant = await fixture.addMerchant();
    const payout = await pay(fixture, merchant);
    const { id, lines } = await imported(merchant, csv({ reference: refOf(payout), status: 'reversed' }));
    await resolve(id, lines[0]!.id, 'APPLY');
    expect(await settlementsOf(merchant)).toEqual(['PAID unmoved', 'RETURNED unmoved']);
    // The payment turns up in a later file: it is done with.
    const { counts } = await imported(merchant, csv({ reference: refOf(payout) }));
    expect(counts).toEqual({ MATCHED: 1 });
    const { PAYOUT_CLEARING, PROVIDER_FLOAT } = await booked(fixture, merchant);
    expect([PAYOUT_CLEARING, PROVIDER_FLOAT]).toEqual([0n, -1_000_000_000n]);
  });

  it('never moves money where amounts differ, where we gave the money back, or where nothing final is said', async () => {
    const merchant = await fixture.addMerchant();
    const amount = await pay(fixture, merchant, {}, SILENT);
    const failed = await pay(fixture, merchant, {}, { 'x-sandbox-scenario': 'failed-limit' });
    const unclear = await pay(fixture, merchant);
    const paid = await pay(fixture, merchant);
    const { id, lines } = await imported(
      merchant,
      csv(
        { reference: refOf(amount), amount: '999.00' },
        { reference: refOf(failed) },
        { reference: refOf(unclear), status: 'processing' },
        { reference: refOf(paid), status: 'failed' },
        { reference: newId() },
      ),
    );
    const before = await booked(fixture, merchant);
    for (const line of lines) {
      expect(await codeOf(resolve(id, line.id, 'APPLY')), line.detail ?? '').toBe('SETTLEMENT_LINE_NOT_APPLICABLE');
      expect(await codeOf(resolve(id, line.id, 'ACCEPT', ' short '))).toBe('VALIDATION_FAILED');
      await resolve(id, line.id, 'ACCEPT', NOTE);
    }
    expect(await booked(fixture, merchant)).toEqual(before);
    const { unresolved, lines: resolved } = await readImported(fixture.deps, id);
    expect(unresolved).toBe(0);
    expect(new Set(resolved.map(({ resolved_how, resolved_note }) => `${resolved_how} ${resolved_note}`))).toEqual(
      new Set([`ACCEPTED ${NOTE}`]),
    );
  });

  it('is the operator’s alone, and of a line that is there and differs', async () => {
    const merchant = await fixture.addMerchant();
    const payout = await pay(fixture, merchant);
    const { id, lines } = await imported(merchant, csv({ reference: refOf(payout) }, { reference: newId() }));
    expect(await codeOf(resolve(id, lines[1]!.id, 'ACCEPT', NOTE, newId()))).toBe('OPERATOR_NOT_FOUND');
    expect(await codeOf(resolve(newId(), lines[1]!.id, 'ACCEPT', NOTE))).toBe('SETTLEMENT_NOT_FOUND');
    expect(await codeOf(resolve(id, newId(), 'ACCEPT', NOTE))).toBe('SETTLEMENT_LINE_NOT_FOUND');
    expect(await codeOf(resolve(id, lines[0]!.id, 'ACCEPT', NOTE))).toBe('SETTLEMENT_LINE_NOT_APPLICABLE');
  });
});

describe('an import that is killed', () => {
  it.each([
    // Beyond a piece that is read at once.
    ['while lines are read', 'insert-settlement-lines-read', { time: 2, strangers: 1_000 }],
    ['while lines are compared', 'update-settlement-lines-matched', { time: 1, strangers: 3 }],
    ['before lines are marked as settled', 'update-settlement-lines-settled', { time: 1, strangers: 3 }],
    ['while it looks for what is missing', 'list-unnamed-payouts', { time: 1, strangers: 3 }],
  ])(
    '%s goes on when the file is imported again, and nothing doubles',
    async (_when, statement, { time, strangers }) => {
      const merchant = await fixture.addMerchant();
      const paid = [await pay(fixture, merchant), await pay(fixture, merchant), await pay(fixture, merchant)];
      const missing = await pay(fixture, merchant);
      const filler = Array.from({ length: strangers }, (_, at) => ({ reference: `FILL-${at}` }));
      const text = csv(...filler, ...paid.map((one) => ({ reference: refOf(one) })), {
        reference: 'FIRST',
        date: new Date(fixture.clock.now().getTime() - 60_000).toISOString(),
      });
      let seen = 0;
      let died: () => void = () => undefined;
      const death = new Promise<void>((done) => {
        died = done;
      });
      const gone = () => {
        died();
        return new Promise<never>(() => undefined);
      };
      const { database } = fixture.deps;
      const dies = (name: string) => {
        if (name === statement) seen += 1;
        return name === statement && seen >= time;
      };
      // What a process had begun to write is rolled back when it dies.
      const killed = async () => {
        died();
        throw new Error('killed');
      };
      const dying = {
        ...fixture.deps,
        database: {
          ...database,
          query: ((asked, values) =>
            dies(asked.name) ? gone() : database.query(asked, values)) as typeof database.query,
          run: ((into, rows) => (dies(into.name) ? gone() : database.run(into, rows))) as typeof database.run,
          transaction: ((work, options) =>
            database.transaction((tx) => {
              const run: typeof tx.run = (into, rows) => (dies(into.name) ? killed() : tx.run(into, rows));
              return work({ ...tx, run });
            }, options)) as typeof database.transaction,
        },
      };
      void importText(dying, merchant, text).catch(() => undefined);
      await death;
      const { counts } = await imported(merchant, text);
      expect(counts).toEqual({ MATCHED: 3, MISSING_HERE: strangers + 1, MISSING_THERE: 1 });
      const { PAYOUT_CLEARING } = await booked(fixture, merchant);
      expect(PAYOUT_CLEARING).toBe(missing.amount_minor);
      expect(await settlementsOf(merchant)).toEqual(['PAID', 'PAID', 'PAID']);
      expect(await codeOf(imported(merchant, text))).toBe('SETTLEMENT_ALREADY_IMPORTED');
    },
  );

  it('or a resolution that is, before the line says so, is done again and moves nothing twice', async () => {
    const merchant = await fixture.addMerchant();
    const payout = await pay(fixture, merchant, {}, SILENT);
    const { id, lines } = await imported(merchant, csv({ reference: refOf(payout) }));
    const { database } = fixture.deps;
    for (const last of [
      'update-settlement-line-settles',
      'update-settlement-lines-settled',
      'update-settlement-line-resolved',
    ]) {
      let died: () => void = () => undefined;
      const death = new Promise<void>((done) => {
        died = done;
      });
      const query: typeof database.query = (asked, values) => {
        if (asked.name !== last) return database.query(asked, values);
        died();
        return new Promise<never>(() => undefined);
      };
      const dying = { ...fixture.deps, database: { ...database, query } };
      void resolveLine(dying, { importId: id, lineId: lines[0]!.id, how: 'APPLY', note: null, personId: ada });
      await death;
      expect((await payoutOf(fixture, merchant, payout.id)).status).toBe('SUCCESS');
      expect((await readImported(fixture.deps, id)).unresolved).toBe(1);
    }
    await resolve(id, lines[0]!.id, 'APPLY');
    expect((await readImported(fixture.deps, id)).unresolved).toBe(0);
    expect(await settlementsOf(merchant)).toEqual(['PAID']);
    expect((await booked(fixture, merchant))['PAYOUT_CLEARING']).toBe(0n);
  });

  it('or run twice at once settles each payout once', async () => {
    const merchant = await fixture.addMerchant();
    const payouts: PayoutRecord[] = [];
    for (let at = 0; at < 6; at += 1) payouts.push(await pay(fixture, merchant));
    const other = await fixture.otherProcess();
    const files = [0, 1, 2].map((from) =>
      csv(...payouts.slice(from, from + 4).map((one) => ({ reference: refOf(one) })), { reference: `F${from}` }),
    );
    await Promise.all(files.map((text, at) => importText(at === 1 ? other.deps : fixture.deps, merchant, text)));
    expect(await settlementsOf(merchant)).toEqual(Array.from({ length: 6 }, () => 'PAID'));
    expect((await booked(fixture, merchant))['PAYOUT_CLEARING']).toBe(0n);
    await other.close();
  });
});

describe('the sandbox rail’s own books as a file', () => {
  it('agree with ours payout by payout, whatever scenarios were played', async () => {
    const merchant = await fixture.addMerchant();
    for (const scenario of ['success', 'failed-limit', 'timeout-executed', 'success', 'timeout-lost']) {
      const headers = { 'x-sandbox-scenario': scenario };
      await merchant.call('POST', '/payout/single', payment({ allowDuplicate: true }), headers);
    }
    await fixture.worker.runOnce();
    const from = new Date(fixture.clock.now().getTime() - 86_400_000);
    const to = new Date(fixture.clock.now().getTime() + 86_400_000);
    const pieces = await collected(exportSandboxSettlement(fixture.rail, merchant.tenant, { from, to }));
    const { counts, lines, id } = await imported(merchant, pieces.join(''));
    expect(counts).toMatchObject({ MATCHED: 3, STATUS_DIFFERS: 1 });
    const silent = lines.find(({ result }) => result === 'STATUS_DIFFERS');
    await resolve(id, silent!.id, 'APPLY');
    expect((await payoutOf(fixture, merchant, silent!.payout_id!)).status).toBe('SUCCESS');
    expect((await booked(fixture, merchant))['PAYOUT_CLEARING']).toBe(0n);
  });
});

describe('after all of this', () => {
  it('the books are proven', async () => {
    expect(await brokenChecks(fixture.database)).toEqual([]);
  });

  it('a file without a merchant’s payout in it is no harm', async () => {
    const open = openText(csv({ reference: newId() }));
    const merchant = await fixture.addMerchant(0);
    const file = {
      rail: 'sandbox',
      mode: 'SANDBOX' as const,
      merchantId: merchant.merchantId,
      fileName: 'x',
      open,
      importedBy: 'test',
    };
    expect(await codeOf(importSettlement(fixture.deps, file))).toBe('ok');
  });
});
