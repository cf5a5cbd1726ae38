import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { dueBatches } from '../../src/batches/due-batches.ts';
import { dropItem, updateItem } from '../../src/batches/update-item.ts';
import type { PayoutDeps } from '../../src/payouts/index.ts';
import { NOTHING_REPORTED, type RailCaller } from '../../src/rails/index.ts';
import {
  dispatchOf,
  expectCountersToBeTrue,
  lookAtBatches,
  mixedItems,
  processOf,
  recordsOf,
  summaryOf,
  uploadBatch,
  validatedBatch,
} from './batch-fixture.ts';
import { createPayoutFixture, type Merchant, type PayoutFixture, railsOf } from './payout-fixture.ts';

let fixture: PayoutFixture;
beforeAll(async () => {
  fixture = await createPayoutFixture();
});
afterEach(() => expectCountersToBeTrue(fixture));
afterAll(() => fixture.close());

type Enquiry = RailCaller['nameEnquiry'];

/** A process whose rail answers name enquiries its own way. */
function asking(nameEnquiry: Enquiry, deps: PayoutDeps = fixture.deps): PayoutDeps {
  return { ...deps, rails: railsOf({ ...fixture.caller, nameEnquiry }) };
}

const silence = (reason: string): Enquiry => {
  return async () => ({
    outcome: 'unknown',
    accountName: null,
    code: null,
    reason,
    message: reason,
    at: fixture.clock.now(),
    reported: NOTHING_REPORTED,
  });
};

const correct = (merchant: Merchant, bulkPayoutItemId: string, changes: object, headers = {}) =>
  merchant.call('PATCH', '/payout/bulk/item', { bulkPayoutItemId, ...changes }, headers);

describe('a name', () => {
  it('that is unlike the given one is a warning with a score, counted, and no reason not to pay', async () => {
    const merchant = await fixture.addMerchant();
    const plain = mixedItems(4);
    const batchReference = await validatedBatch(fixture, merchant, plain);
    const probe = await recordsOf(merchant, batchReference);
    await merchant.call('POST', '/payout/bulk/cancel', { batchReference });
    const [first, middle, last] = probe[0].accountName.split(' ');
    const names = [`${last}, Mr ${first}`, 'Somebody Else', null, `${first} ${middle} ${last}`];
    const warned = ['The account number had 9 digits; a zero was put in front.'];
    const rows = plain.map((row, at) => ({ ...row, givenName: names[at] ?? null, warnings: at === 3 ? warned : [] }));
    rows[3]!.accountNumber = rows[0]!.accountNumber;
    const reference = await validatedBatch(
      fixture,
      merchant,
      rows.map(({ warnings, ...row }) => (warnings.length === 0 ? row : { ...row, warnings })),
    );
    const records = await recordsOf(merchant, reference);
    expect(records.map((one: { matchScore: number }) => one.matchScore)).toEqual([100, expect.any(Number), null, 100]);
    expect(records[1]).toMatchObject({ isValid: true, reason: null, givenName: 'Somebody Else' });
    expect(records[1].matchScore).toBeLessThan(80);
    expect(records[1].warnings).toEqual([
      `The account belongs to "${records[1].accountName}" at Guaranty Trust Bank, which is not much like the given ` +
        'name "Somebody Else".',
    ]);
    expect(records[3].warnings).toEqual(warned);
    expect(await summaryOf(merchant, reference)).toMatchObject({
      status: 'READY',
      counts: { total: 4, valid: 4, invalid: 0, waiting: 0, warnings: 2, lowMatch: 1 },
    });
    expect(await recordsOf(merchant, reference, '?hasWarnings=true')).toHaveLength(2);
    expect(await recordsOf(merchant, reference, '?hasWarnings=false&isValid=true')).toHaveLength(2);
    expect((await dispatchOf(merchant, reference)).status).toBe(200);
  });

  it('is scored again when its item is corrected, and what was noticed of the old account is forgotten', async () => {
    const merchant = await fixture.addMerchant();
    const rows = mixedItems(2).map((row) => ({ ...row, givenName: 'Somebody Else', warnings: ['Odd.'] }));
    const reference = await validatedBatch(fixture, merchant, rows);
    const [first] = await recordsOf(merchant, reference);
    expect(first.warnings).toHaveLength(2);
    const right = await correct(merchant, first.id, { accountName: first.accountName });
    expect(right.body.data.records[0]).toMatchObject({ matchScore: 100, warnings: ['Odd.'] });
    expect((await summaryOf(merchant, reference)).counts).toMatchObject({ warnings: 2, lowMatch: 1 });
    const other = await correct(merchant, first.id, { accountNumber: '3333333333', accountName: '' });
    expect(other.body.data.records[0]).toMatchObject({ matchScore: null, givenName: null, warnings: [] });
    expect((await summaryOf(merchant, reference)).counts).toMatchObject({ warnings: 1, lowMatch: 1 });
    const { body } = await merchant.call('DELETE', `/payout/bulk/item/${body0(other).records[1].id}`);
    expect(body.data.totalRecords).toBe(1);
    expect((await summaryOf(merchant, reference)).counts).toMatchObject({ total: 1, warnings: 0, lowMatch: 0 });
  });
});

const body0 = (reply: Awaited<ReturnType<typeof correct>>) => reply.body.data;

describe('a silent rail', () => {
  it('is asked again every half minute, and after ten minutes its items are the clerk’s to correct', async () => {
    const merchant = await fixture.addMerchant();
    const reference = await uploadBatch(fixture, merchant, [...mixedItems(3), { ...mixedItems(1)[0]!, amount: 0 }]);
    let asked = 0;
    const answer = silence('RAIL_TIMEOUT');
    const deps = asking(async (request) => {
      asked += 1;
      return answer(request);
    });
    await lookAtBatches(deps);
    expect(await summaryOf(merchant, reference)).toMatchObject({
      status: 'VALIDATING',
      digest: null,
      counts: { valid: 0, invalid: 1, waiting: 3 },
      progress: { phase: 'VALIDATING', done: 1, total: 4 },
    });
    for (let at = 0; at < 19; at += 1) {
      fixture.clock.advance(30_000);
      await lookAtBatches(deps);
    }
    expect(asked).toBe(20 * 3);
    expect((await summaryOf(merchant, reference)).counts).toMatchObject({ invalid: 1, waiting: 3 });
    fixture.clock.advance(30_000);
    await lookAtBatches(deps);
    const ended = await summaryOf(merchant, reference);
    expect(ended).toMatchObject({ status: 'NEEDS_FIX', counts: { valid: 0, invalid: 4, waiting: 0 } });
    const [first] = await recordsOf(merchant, reference);
    expect(first.reason).toMatch(/did not say within 10 minutes/);
    // The rail is back, and the clerk saves the item as it is.
    const corrected = await correct(merchant, first.id, { narration: first.narration });
    expect(corrected.body.data.records[0]).toMatchObject({ isValid: true, reason: null });
  });

  it('that answers after a while is believed', async () => {
    const merchant = await fixture.addMerchant();
    const reference = await uploadBatch(fixture, merchant, mixedItems(3));
    await lookAtBatches(asking(silence('RAIL_UNREACHABLE')));
    fixture.clock.advance(30_000);
    await lookAtBatches(fixture.deps);
    expect(await summaryOf(merchant, reference)).toMatchObject({ status: 'READY', counts: { valid: 3 } });
  });

  it('that is not being asked is not asked for every row', async () => {
    const merchant = await fixture.addMerchant();
    const reference = await uploadBatch(fixture, merchant, mixedItems(1_200));
    let asked = 0;
    const answer = silence('RAIL_CIRCUIT_OPEN');
    const counting: Enquiry = async (request) => {
      asked += 1;
      return answer(request);
    };
    await lookAtBatches(asking(counting));
    expect(asked).toBe(500);
    fixture.clock.advance(30_000);
    await lookAtBatches(fixture.deps);
    expect(await summaryOf(merchant, reference)).toMatchObject({ status: 'READY', counts: { valid: 1_200 } });
  });

  it('holds up nobody’s rows but its own: the pass goes on behind them', async () => {
    const merchant = await fixture.addMerchant();
    const rows = mixedItems(700);
    const reference = await uploadBatch(fixture, merchant, rows);
    const quiet = silence('RAIL_TIMEOUT');
    const deaf = new Set(rows.slice(0, 520).map((row) => row.accountNumber));
    const some: Enquiry = (request) =>
      deaf.has(request.accountNumber) ? quiet(request) : fixture.caller.nameEnquiry(request);
    await lookAtBatches(asking(some));
    expect((await summaryOf(merchant, reference)).counts).toMatchObject({ valid: 180, waiting: 520 });
    fixture.clock.advance(30_000);
    await lookAtBatches(fixture.deps);
    expect((await summaryOf(merchant, reference)).status).toBe('READY');
  });
});

describe('a worker that looks at a batch', () => {
  it('may be killed at any moment: what it wrote is counted, the rest is another’s', async () => {
    const merchant = await fixture.addMerchant();
    const reference = await uploadBatch(fixture, merchant, mixedItems(1_300));
    let asked = 0;
    const dying = asking(async (request) => {
      asked += 1;
      // In the second piece it is gone.
      return asked > 700 ? new Promise<never>(() => undefined) : fixture.caller.nameEnquiry(request);
    });
    await dueBatches(dying).look();
    while (asked < 701) await new Promise((resolve) => setTimeout(resolve, 5));
    expect((await summaryOf(merchant, reference)).counts).toMatchObject({ valid: 500, waiting: 800 });
    await expectCountersToBeTrue(fixture);
    await lookAtBatches(fixture.deps);
    expect((await summaryOf(merchant, reference)).counts).toMatchObject({ valid: 500 });
    fixture.clock.advance(121_000);
    await lookAtBatches(fixture.deps);
    expect(await summaryOf(merchant, reference)).toMatchObject({ status: 'READY', counts: { valid: 1_300 } });
  });

  it('that lost its lease to another writes nothing any more', async () => {
    const merchant = await fixture.addMerchant();
    const reference = await uploadBatch(fixture, merchant, mixedItems(20));
    const slow = async (accountName: string) => {
      const goOn = Promise.withResolvers<void>();
      let asked = 0;
      const answer: Enquiry = async (request) => {
        asked += 1;
        await goOn.promise;
        return { ...(await fixture.caller.nameEnquiry(request)), accountName };
      };
      // All that is due, also of the tests before this one.
      const batches = dueBatches(asking(answer));
      await batches.look();
      await expect.poll(() => asked).toBe(20);
      return async () => {
        goOn.resolve();
        await batches.settle();
      };
    };
    const first = await slow('TOO LATE');
    fixture.clock.advance(121_000);
    const second = await slow('IN TIME');
    await first();
    expect((await summaryOf(merchant, reference)).counts).toMatchObject({ valid: 0, waiting: 20 });
    await second();
    const records = await recordsOf(merchant, reference);
    expect(new Set(records.map((one: { accountName: string }) => one.accountName))).toEqual(new Set(['IN TIME']));
    expect((await summaryOf(merchant, reference)).status).toBe('READY');
  });

  it('does not undo what is corrected or dropped meanwhile, and counts each item once', async () => {
    const merchant = await fixture.addMerchant();
    const reference = await uploadBatch(fixture, merchant, mixedItems(40));
    const before = await recordsOf(merchant, reference);
    const goOn = Promise.withResolvers<void>();
    let asked = 0;
    const slow = asking(async (request) => {
      asked += 1;
      await goOn.promise;
      return fixture.caller.nameEnquiry(request);
    });
    const batches = dueBatches(slow);
    await batches.look();
    await expect.poll(() => asked).toBeGreaterThan(2);
    await correct(merchant, before[0].id, { accountNumber: '12' });
    await correct(merchant, before[1].id, { narration: 'Corrected meanwhile' });
    await merchant.call('DELETE', `/payout/bulk/item/${before[2].id}`);
    goOn.resolve();
    await batches.settle();
    await lookAtBatches(fixture.deps);
    expect(await summaryOf(merchant, reference)).toMatchObject({
      status: 'NEEDS_FIX',
      itemCount: 39,
      counts: { total: 39, valid: 38, invalid: 1, waiting: 0 },
    });
    const after = await recordsOf(merchant, reference);
    expect(after[0].reason).toMatch(/must be 10 digits/);
    expect(after[1].narration).toBe('Corrected meanwhile');
  });

  it('counts right while two processes look at it and two others correct and drop', async () => {
    const merchant = await fixture.addMerchant();
    const reference = await uploadBatch(fixture, merchant, mixedItems(900));
    const other = await fixture.otherProcess();
    const [here, there] = [processOf(fixture.deps), processOf(other.deps)];
    const records = await recordsOf(merchant, reference, '?size=120');
    const looking = Promise.all([lookAtBatches(fixture.deps), lookAtBatches(other.deps)]);
    const outcomes = await Promise.allSettled(
      records.map(({ id }: { id: string }, at: number) => {
        const input = { tenant: merchant.tenant, itemId: id, idempotency: undefined };
        const deps = at % 2 === 0 ? here : there;
        if (at % 3 === 0) return dropItem(deps, input);
        return updateItem(deps, { ...input, changes: at % 3 === 1 ? { amount: 0 } : { narration: 'Corrected' } });
      }),
    );
    await looking;
    fixture.clock.advance(1_000);
    await lookAtBatches(fixture.deps);
    for (const one of outcomes) if (one.status === 'rejected') expect(one.reason.code).toBe('BATCH_CHANGED');
    const changed = outcomes.map((one, at) => (one.status === 'fulfilled' ? at % 3 : 3));
    const times = (kind: number) => changed.filter((one) => one === kind).length;
    expect(await summaryOf(merchant, reference)).toMatchObject({
      status: times(1) > 0 ? 'NEEDS_FIX' : 'READY',
      counts: { total: 900 - times(0), invalid: times(1), waiting: 0 },
    });
    expect(times(0) * times(1)).toBeGreaterThan(0);
    await other.close();
  });

  it('that meets a database error comes back two seconds later', async () => {
    const merchant = await fixture.addMerchant();
    const reference = await uploadBatch(fixture, merchant, mixedItems(5));
    let fails = true;
    const shaky: PayoutDeps = {
      ...fixture.deps,
      database: {
        ...fixture.deps.database,
        transaction: async (work, options) => {
          if (fails) throw new Error('the database is away');
          return fixture.deps.database.transaction(work, options);
        },
      },
    };
    await lookAtBatches(shaky);
    fails = false;
    await lookAtBatches(shaky);
    expect((await summaryOf(merchant, reference)).status).toBe('VALIDATING');
    fixture.clock.advance(2_001);
    await lookAtBatches(shaky);
    expect((await summaryOf(merchant, reference)).status).toBe('READY');
  });

  it('gives a batch back after its slice, so that others get their turn', async () => {
    const [slowOne, quickOne] = [await fixture.addMerchant(), await fixture.addMerchant()];
    const long = await uploadBatch(fixture, slowOne, mixedItems(1_600));
    fixture.clock.advance(1);
    const short = await uploadBatch(fixture, quickOne, mixedItems(3));
    // 10 ms of the clock for each question: the slice of five seconds is over in the middle.
    const slow = asking(async (request) => {
      fixture.clock.advance(10);
      return fixture.caller.nameEnquiry(request);
    });
    const batches = dueBatches(slow);
    await batches.look();
    await batches.settle();
    expect((await summaryOf(slowOne, long)).counts).toMatchObject({ valid: 500, waiting: 1_100 });
    // The two share a clock: where it jumps while the short one is asked about, its slice is over too.
    expect((await summaryOf(quickOne, short)).counts).toMatchObject({ valid: 3, waiting: 0 });
    await lookAtBatches(fixture.deps);
    expect((await summaryOf(slowOne, long)).status).toBe('READY');
    expect((await summaryOf(quickOne, short)).status).toBe('READY');
  });
});

describe('a change of an item', () => {
  it('commits with its answer: the same key has one effect and one answer, whatever happened since', async () => {
    const merchant = await fixture.addMerchant();
    const reference = await validatedBatch(fixture, merchant, mixedItems(60));
    const [first, second] = await recordsOf(merchant, reference);
    const key = { 'idempotency-key': 'correct' };
    const done = await correct(merchant, first.id, { amount: 12 }, key);
    expect(done.body.data.records[0]).toMatchObject({ id: first.id, amount: 12 });
    expect(done.body.data).toMatchObject({ page: 1, size: 50, totalRecords: 60, totalPages: 2 });
    await correct(merchant, first.id, { amount: 13 });
    const again = await correct(merchant, first.id, { amount: 12 }, key);
    expect(again.body).toEqual(done.body);
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect((await recordsOf(merchant, reference))[0].amount).toBe(13);
    const path = `/payout/bulk/item/${second.id}`;
    const dropKey = { 'idempotency-key': 'drop' };
    const dropped = await merchant.call('DELETE', path, undefined, dropKey);
    expect(dropped.body.data).toMatchObject({ totalRecords: 59 });
    expect(dropped.body.data.records).toHaveLength(50);
    const gone = dropped.body.data.records.map((one: { id: string }) => one.id);
    expect(gone).not.toContain(second.id);
    const repeated = await merchant.call('DELETE', path, undefined, dropKey);
    expect([repeated.status, repeated.body]).toEqual([200, dropped.body]);
    expect((await merchant.call('DELETE', path)).status).toBe(404);
    expect(done.body.data.records.length + 9).toBe(59);
    const page = await merchant.call('GET', `/payout/bulk/${reference}/item`);
    expect(page.body.data.records.map((one: { id: string }) => one.id)).toEqual(gone);
  });

  it('whose answer was lost is not made twice', async () => {
    const merchant = await fixture.addMerchant();
    const reference = await validatedBatch(fixture, merchant, mixedItems(5));
    const [first] = await recordsOf(merchant, reference);
    const key = { 'idempotency-key': 'lost' };
    const replies = await Promise.all(
      Array.from({ length: 8 }, () => correct(merchant, first.id, { amount: 77 }, key)),
    );
    expect(new Set(replies.map((reply) => JSON.stringify(reply.body))).size).toBe(1);
    const { rows } = await fixture.database.pool.query(
      `select count(*)::int as events from events where merchant_id = $1 and type = 'batch.item_updated'`,
      [merchant.merchantId],
    );
    expect(rows).toEqual([{ events: 1 }]);
  });
});

describe('what is entered for an item', () => {
  const NOTICED = 'Invisible characters were taken out of the narration.';

  /** A list of one row that is corrected in four cells, each with its warning. */
  async function addCorrected() {
    const merchant = await fixture.addMerchant();
    const row = {
      ...{ amount: 310, bankCode: '44', accountNumber: '123456789', narration: 'a\u200bb' },
      phoneNumber: '8031234567',
    };
    const { body } = await merchant.call('POST', '/payout/bulk', { items: [row] });
    await lookAtBatches(fixture.deps);
    const [record] = await recordsOf(merchant, body.data.batchReference);
    const enter = async (changes: object) => (await correct(merchant, record.id, changes)).body.data.item;
    return { merchant, record, enter };
  }

  it('is corrected as a cell of a list is, with a warning', async () => {
    const { record, enter } = await addCorrected();
    const read = { bankCode: '044', accountNumber: '0123456789', phoneNumber: '08031234567', isValid: true };
    expect(record).toMatchObject(read);
    await enter({ bankCode: '058', accountNumber: '3333333333', phoneNumber: null, narration: 'July' });
    const again = await enter({
      ...{ bankCode: '44', accountNumber: '0123-456-789', phoneNumber: '803 123 4567.0', narration: 'a\u200bb' },
    });
    expect(again).toMatchObject(read);
    expect(again.warnings.toSorted()).toEqual([
      'Invisible characters were taken out of the narration.',
      'The account number "0123-456-789" was read as 0123456789.',
      'The bank code 44 was read as 044: its leading zero was missing.',
      'The phone number "803 123 4567.0" was read as 08031234567: its leading zero was missing.',
    ]);
    expect(await enter({ bankCode: 'GTB' })).toMatchObject({ bankCode: '058', isValid: true });
  });

  it.for(['012345678', '123456789'])(
    'is no account where a digit is missing, whichever it is: %s',
    async (accountNumber) => {
      const { enter } = await addCorrected();
      expect(await enter({ accountNumber })).toMatchObject({
        accountNumber,
        isValid: false,
        reason: 'The account number must be 10 digits.',
      });
    },
  );

  it('that may be one of several banks, or was cut short, is an error that says what to write', async () => {
    const { enter } = await addCorrected();
    const unclear = await enter({ bankCode: 'First' });
    expect(unclear.isValid).toBe(false);
    expect(unclear.warnings.join(' ')).toMatch(/"First" could be First Bank of Nigeria .* Write its code\./);
    const cut = await enter({ bankCode: '058', accountNumber: '1.23E+9' });
    expect(cut.isValid).toBe(false);
    expect(cut.warnings).toContain(
      'The account number "1.23E+9" was cut short by a spreadsheet. Type it again, as text.',
    );
    expect(await enter({ accountNumber: '0123456789' })).toMatchObject({ isValid: true, reason: null });
  });

  it('ends the warning of its field, and of no other', async () => {
    const { record, enter } = await addCorrected();
    expect(record.warnings).toHaveLength(4);
    expect((await enter({ amount: 312 })).warnings.toSorted()).toEqual(record.warnings.toSorted());
    for (const time of [1, 2, 3]) {
      const { warnings } = await enter({ narration: `July ${time}\u200b` });
      expect(warnings.filter((text: string) => text === NOTICED)).toHaveLength(1);
      expect(warnings).toHaveLength(4);
    }
    expect((await enter({ narration: 'July' })).warnings).not.toContain(NOTICED);
    expect((await enter({ phoneNumber: '08099999999' })).warnings).toHaveLength(2);
    expect((await enter({ bankCode: '044', accountNumber: '0123456789' })).warnings).toEqual([]);
  });

  it.for([null, ''])('takes the phone number away: %j', async (phoneNumber) => {
    const { enter } = await addCorrected();
    expect(await enter({ phoneNumber })).toMatchObject({ phoneNumber: null, isValid: true });
  });
});
