import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { repeatBatch } from '../../src/batch-files/copy-batch.ts';
import { sweepUploads } from '../../src/batch-files/uploads.ts';
import { insertCopiedItems } from '../../src/batches/copy-queries.ts';
import type { PayoutDeps } from '../../src/payouts/index.ts';
import { LIST_MEMORY_BYTES } from '../../src/platform/uploads.ts';
import { brokenChecks } from '../support/proof.ts';
import {
  dispatchOf,
  expectCountersToBeTrue,
  lookAtBatches,
  recordsOf,
  summaryOf,
  uploadBatch,
  validatedBatch,
} from './batch-fixture.ts';
import { createPayoutFixture, executed, type Merchant, type PayoutFixture } from './payout-fixture.ts';

let fixture: PayoutFixture;
beforeAll(async () => {
  fixture = await createPayoutFixture();
});
afterAll(async () => {
  await expectCountersToBeTrue(fixture);
  expect(await brokenChecks(fixture.database)).toEqual([]);
  await fixture.close();
});

const MANY = 100_000_000;
const MONTH_MS = 30 * 86_400_000;
let made = 0;
/** An account whose last six digits choose what happens. */
const row = (ends: string, amount = 10_000, fields: { givenName?: string | null } = {}) => {
  made += 1;
  return { amount, bankCode: '058', accountNumber: `${1_000 + made}${ends}`, narration: 'November salary', ...fields };
};
const [PAID, FAILS, RETURNS] = ['000001', '999911', '999935'];

const repeat = (merchant: Merchant, reference: string, body: object = {}, key?: string) =>
  merchant.call(
    'POST',
    `/payout/bulk/${reference}/repeat-list`,
    body,
    key === undefined ? undefined : { 'idempotency-key': key },
  );

/** Works off what is due, until what the bank says late has come too. */
async function work(): Promise<void> {
  for (let minutes = 0; minutes < 4; minutes += 1) {
    await fixture.worker.runOnce();
    fixture.clock.advance(60_000);
  }
}

async function paidBatch(merchant: Merchant, rows: ReturnType<typeof row>[]): Promise<string> {
  const reference = await validatedBatch(fixture, merchant, rows);
  expect((await dispatchOf(merchant, reference, { skipInvalid: true })).status).toBe(200);
  await work();
  return reference;
}

/** A list to the same people, of which every item has been looked at. */
async function repeated(merchant: Merchant, reference: string): Promise<string> {
  const { body } = await repeat(merchant, reference);
  expect(body.data, JSON.stringify(body)).toMatchObject({ status: 'VALIDATING', repeatedBatchReference: reference });
  await lookAtBatches(fixture.deps);
  return body.data.batchReference;
}

const paidTo = async (merchant: Merchant) => (await executed(fixture, merchant.tenant)).length;

describe('a list that repeats an earlier one', () => {
  it('is made in turn with the uploads of its merchant, and refused where too many wait, as one of what failed is', async () => {
    const merchant = await fixture.addMerchant(MANY);
    const reference = await paidBatch(merchant, [row(PAID), row(FAILS)]);
    const { uploads } = fixture.deps;
    const hold = () => uploads.hold(merchant.merchantId, LIST_MEMORY_BYTES);
    const release = await hold();
    const waiting = Array.from({ length: 12 }, () => hold().then((free) => free()));
    expect(await repeat(merchant, reference)).toMatchObject({ status: 503, body: { code: 'UPLOADS_BUSY' } });
    const retried = () => merchant.call('POST', `/payout/bulk/${reference}/retry-list`);
    expect(await retried()).toMatchObject({ status: 503, body: { code: 'UPLOADS_BUSY' } });
    release();
    await Promise.all(waiting);
    expect((await repeat(merchant, reference)).status).toBe(200);
    expect((await retried()).status).toBe(200);
  });

  it('has everybody whom that one paid or tried to pay, with the same amounts, and is validated anew', async () => {
    const merchant = await fixture.addMerchant(MANY);
    const rows = [
      row(PAID, 5_000, { givenName: 'Ada Obi' }),
      row(FAILS),
      row(RETURNS, 7_000),
      row('12'.padEnd(6, 'x')),
    ];
    const reference = await paidBatch(merchant, rows);
    const { body } = await repeat(merchant, reference, { narration: 'December salary' });
    expect(body.data).toMatchObject({
      ...{ status: 'VALIDATING', itemCount: 3, purpose: 'GENERAL', source: 'JSON' },
      ...{ repeatedBatchReference: reference, originBatchReference: null },
    });
    const before = await recordsOf(merchant, body.data.batchReference);
    expect(before.map(({ isValid }: { isValid: boolean }) => isValid)).toEqual([false, false, false]);
    await lookAtBatches(fixture.deps);
    const items = await recordsOf(merchant, body.data.batchReference);
    const facts = items.map(({ amount, accountNumber, narration, givenName, position }: Record<string, unknown>) => ({
      ...{ amount, accountNumber, narration, givenName, position },
    }));
    const old = await recordsOf(merchant, reference);
    expect(facts).toEqual(
      rows.slice(0, 3).map(({ amount, accountNumber }, at) => ({
        ...{ amount, accountNumber, narration: 'December salary', position: at + 1 },
        // Whom the bank named last time, where the list named nobody.
        givenName: at === 0 ? 'Ada Obi' : old[at].accountName,
      })),
    );
    const own = await repeated(merchant, reference);
    expect((await recordsOf(merchant, own))[0].narration).toBe('November salary');
  });

  it('warns of everybody on the same day, is no duplicate a month later, and pays each once', async () => {
    const merchant = await fixture.addMerchant(MANY);
    const reference = await paidBatch(merchant, [row(PAID), row(PAID), row(PAID)]);
    const soon = await repeated(merchant, reference);
    expect((await summaryOf(merchant, soon)).duplicates.count).toBe(3);
    expect((await dispatchOf(merchant, soon)).body.code).toBe('BATCH_DUPLICATE');
    await merchant.call('POST', '/payout/bulk/cancel', { batchReference: soon });
    fixture.clock.advance(MONTH_MS);
    const later = await repeated(merchant, reference);
    // A second clerk has the same idea.
    const twin = await repeated(merchant, reference);
    expect((await summaryOf(merchant, later)).duplicates.count).toBe(0);
    expect((await summaryOf(merchant, twin)).duplicates.count).toBe(3);
    const answers = await Promise.all([dispatchOf(merchant, later), dispatchOf(merchant, twin)]);
    const codes: string[] = answers.map(({ body }) => body.code ?? 'DONE');
    expect(codes.toSorted()).toEqual(['BATCH_DUPLICATE', 'DONE']);
    await work();
    expect(await paidTo(merchant)).toBe(6);
  });

  it('pays nobody twice beside a list of what was not paid', async () => {
    const merchant = await fixture.addMerchant(MANY);
    const rows = [row(PAID), row(FAILS)];
    const reference = await paidBatch(merchant, rows);
    const retry = await merchant.call('POST', `/payout/bulk/${reference}/retry-list`, {});
    await lookAtBatches(fixture.deps);
    const all = await repeated(merchant, reference);
    // Its first row was paid today, its second waits in the list of what was not paid.
    const kinds = (await recordsOf(merchant, all)).map(({ repeats }: { repeats: { kind: string } }) => repeats.kind);
    expect(kinds).toEqual(['BATCH', 'WAITING_BATCH']);
    await merchant.call('PATCH', '/payout/bulk/item', {
      bulkPayoutItemId: (await recordsOf(merchant, retry.body.data.batchReference))[0].id,
      accountNumber: '1999000001',
    });
    expect((await dispatchOf(merchant, retry.body.data.batchReference)).status).toBe(200);
    expect((await dispatchOf(merchant, all)).body.code).toBe('BATCH_DUPLICATE');
    await work();
    expect(await paidTo(merchant)).toBe(2);
    // It can be repeated itself, and a list of what it did not pay has none but its own items.
    const again = await repeated(merchant, retry.body.data.batchReference);
    expect(await recordsOf(merchant, again)).toHaveLength(1);
  });

  it('is made of lists of one merchant that were paid, and once for one key', async () => {
    const [merchant, stranger] = [await fixture.addMerchant(MANY), await fixture.addMerchant(MANY)];
    const open = await validatedBatch(fixture, merchant, [row(PAID)]);
    expect((await repeat(merchant, open)).body.code).toBe('BATCH_NOT_PAID');
    expect((await dispatchOf(merchant, open)).status).toBe(200);
    expect((await repeat(merchant, open)).body.code).toBe('BATCH_NOT_PAID');
    await work();
    expect((await repeat(stranger, open)).body.code).toBe('BATCH_NOT_FOUND');
    expect((await repeat(merchant, open, { narration: ' ' })).status).toBe(400);
    expect((await repeat(merchant, open, { narration: 'x'.repeat(101) })).status).toBe(400);
    const answers = await Promise.all(Array.from({ length: 5 }, () => repeat(merchant, open, {}, 'december')));
    const done = answers.filter(({ status }) => status === 200).map(({ body }) => body.data.batchReference);
    for (const { status, body } of answers) if (status !== 200) expect(body.code).toBe('IDEMPOTENCY_KEY_IN_USE');
    expect(new Set(done).size).toBe(1);
    const { records } = (await merchant.call('GET', '/payout/bulk')).body.data;
    expect(records).toHaveLength(2);
    expect((await fixture.database.pool.query('select 1 from batch_uploads')).rows).toEqual([]);
  });

  it('is whole or not there, wherever its process dies, and nothing is left of it after an hour', async () => {
    const merchant = await fixture.addMerchant(MANY);
    const rows = Array.from({ length: 520 }, (_, at) => ({
      ...row(PAID, 100),
      accountNumber: String(3_000_000_000 + at),
    }));
    const reference = await paidBatch(merchant, rows);
    const ask = (deps: PayoutDeps) =>
      repeatBatch(deps, {
        tenant: merchant.tenant,
        batchReference: reference,
        narration: undefined,
        idempotency: undefined,
      });
    const listed = async () => (await merchant.call('GET', '/payout/bulk')).body.data.totalRecords;
    const left = async () =>
      Number((await fixture.database.pool.query('select count(*) from batch_items where not is_valid')).rows[0].count);
    const before = await left();
    const died = new Error('the process was killed');
    const { database, ledger } = fixture.deps;
    let pieces = 0;
    const atPiece = (wanted: number): PayoutDeps['database'] => ({
      ...database,
      run: async (into, written) => {
        if ((into as unknown) === insertCopiedItems) {
          pieces += 1;
          if (pieces === wanted) throw died;
        }
        return database.run(into, written);
      },
    });
    const refusing = { ...ledger, commit: async () => Promise.reject(died) };
    const dying: PayoutDeps[] = [1, 2].map((wanted) => ({ ...fixture.deps, database: atPiece(wanted) }));
    const whereLeft: number[] = [];
    for (const deps of [...dying, { ...fixture.deps, ledger: refusing }]) {
      pieces = 0;
      await expect(ask(deps)).rejects.toThrow(died.message);
      expect(await listed()).toBe(1);
      whereLeft.push(await left());
    }
    expect(whereLeft.map((rows) => rows - before)).toEqual([0, 500, 1_020]);
    fixture.clock.advance(3_600_001);
    await sweepUploads(fixture.deps, 'SANDBOX');
    expect(await left()).toBe(before);
    const answer = await ask(fixture.deps);
    expect(answer).toBeDefined();
    expect(await listed()).toBe(2);
    await lookAtBatches(fixture.deps);
    const { records } = (await merchant.call('GET', '/payout/bulk')).body.data;
    expect((await summaryOf(merchant, records[0].batchReference)).counts).toMatchObject({ total: 520, valid: 520 });
  });
});

interface Row {
  amount: number;
  bankCode: string;
  accountNumber: string;
  narration: string;
  givenName: string | null;
}

const differenceOf = (merchant: Merchant, reference: string, query = '') =>
  merchant.call('GET', `/payout/bulk/${reference}/difference${query}`);

/** All of a kind, or of all kinds, page by page, as one line each: what is paid to which account before and now. */
async function linesOf(merchant: Merchant, reference: string, query: string): Promise<string[]> {
  const lines: string[] = [];
  for (let after = ''; ; ) {
    const { body } = await merchant.call('GET', `/payout/bulk/${reference}/difference/item?size=3&${query}${after}`);
    for (const { kind, before, now } of body.data.records) lines.push(lineOf(kind, before, now));
    if (body.data.nextCursor === null) return lines;
    after = `&after=${body.data.nextCursor}`;
  }
}

type Side = { bankCode: string; accountNumber: string; amount: number } | null;
const lineOf = (kind: string, before: Side, now: Side): string =>
  [
    kind,
    ...[before, now].map((side) => (side === null ? '-' : `${side.bankCode}/${side.accountNumber} ${side.amount}`)),
  ].join(' | ');

/** The same words, whatever is written around them. */
const nameOf = (name: string | null): string =>
  (name ?? '')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '' && word !== 'mr' && word !== 'mrs')
    .toSorted()
    .join(' ');

/** What differs, said slowly: every account once, then names among those of one list only. */
function model(earlier: readonly Row[], rows: readonly Row[]): string[] {
  const accounts = (list: readonly Row[]) => {
    const found = new Map<string, { bankCode: string; accountNumber: string; amount: number; name: string }>();
    for (const { bankCode, accountNumber, amount, givenName } of list) {
      const key = `${bankCode}/${accountNumber}`;
      const own = found.get(key);
      found.set(key, {
        bankCode,
        accountNumber,
        amount: (own?.amount ?? 0) + amount,
        name: own?.name ?? nameOf(givenName),
      });
    }
    return found;
  };
  const [before, now] = [accounts(earlier), accounts(rows)];
  const gone = [...before].filter(([key]) => !now.has(key)).map(([, one]) => one);
  const come = [...now].filter(([key]) => !before.has(key)).map(([, one]) => one);
  const kept = [...before].filter(([key]) => now.has(key));
  const lines = kept.map(([key, one]) => {
    const other = now.get(key) as typeof one;
    return lineOf(one.amount === other.amount ? 'SAME' : 'CHANGED_AMOUNT', one, other);
  });
  const like = (list: readonly { name: string }[], name: string) =>
    list.filter((one) => name !== '' && one.name === name);
  const keptNames = kept.map(([, one]) => one);
  for (const one of come) {
    const [left, here, stay] = [gone, come, keptNames].map((list) => like(list, one.name));
    if (left?.length === 1 && here?.length === 1 && stay?.length === 0) {
      lines.push(lineOf('CHANGED_ACCOUNT', left[0] as (typeof gone)[number], one));
    } else lines.push(lineOf(left?.length === 0 && stay?.length === 0 ? 'NEW' : 'UNCLEAR', null, one));
  }
  for (const one of gone) {
    const [left, here, stay] = [gone, come, keptNames].map((list) => like(list, one.name));
    if (here?.length === 0) lines.push(lineOf('GONE', one, null));
    else if (left?.length !== 1 || here?.length !== 1 || stay?.length !== 0) lines.push(lineOf('UNCLEAR', one, null));
  }
  return lines.toSorted();
}

/** The same numbers for the same seed. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 4_294_967_296) * below);
  };
}

const NAMES = ['Ada Obi', 'Musa Bello', 'Ngozi Udoh', 'Tunde Sani', 'Emeka Eze', 'Bola Ade'];
const AS_WRITTEN = [
  (name: string) => name,
  (name: string) => name.toUpperCase(),
  (name: string) => `Mr. ${name}`,
  (name: string) => name.split(' ').toReversed().join(', '),
];

/** @param people how many: the fewer, the more accounts stand under one name */
function madeUp(pick: (below: number) => number, people: number): Row[] {
  return Array.from({ length: pick(14) }, () => {
    const at = pick(10);
    const name = NAMES[at % people] as string;
    // One account has one name in a list, so that it does not matter which of its rows is read.
    const isNamed = at !== 9;
    return {
      amount: 1_000 * (1 + pick(3)),
      bankCode: at % 4 === 0 ? '011' : '058',
      accountNumber: `01234567${10 + at}`,
      narration: 'Salary',
      givenName: isNamed ? (AS_WRITTEN[pick(AS_WRITTEN.length)] as (name: string) => string)(name) : null,
    };
  });
}

describe('what differs from an earlier list', () => {
  it('is what a model in memory finds, of any two lists, page by page and in its sums', async () => {
    const merchant = await fixture.addMerchant(0);
    const SEED = 20_261_123;
    const pick = random(SEED);
    const seen = new Set<string>();
    for (let round = 0; round < 30; round += 1) {
      const people = 2 + pick(NAMES.length - 1);
      const [earlier, rows] = [madeUp(pick, people), madeUp(pick, people)];
      const [before, now] = [await uploadBatch(fixture, merchant, earlier), await uploadBatch(fixture, merchant, rows)];
      const expected = model(earlier, rows);
      const found = await linesOf(merchant, now, `to=${before}`);
      expect(found.toSorted(), `seed ${SEED}, round ${round}`).toEqual(expected);
      const { kinds, before: sumBefore, now: sumNow } = (await differenceOf(merchant, now, `?to=${before}`)).body.data;
      for (const { kind, count } of kinds) {
        expect(count, `seed ${SEED}, round ${round}, ${kind}`).toBe(
          found.filter((line) => line.startsWith(kind)).length,
        );
        if (count > 0) seen.add(kind);
      }
      const sum = (list: readonly Row[]) => list.reduce((total, { amount }) => total + amount, 0);
      expect([sumBefore, sumNow]).toEqual([
        { rows: earlier.length, amount: sum(earlier) },
        { rows: rows.length, amount: sum(rows) },
      ]);
      // The loudest come first.
      const order = kinds.map(({ kind }: { kind: string }) => kind);
      const places = found.map((line) => order.indexOf(line.split(' | ')[0]));
      expect(places).toEqual(places.toSorted((a, b) => a - b));
    }
    expect([...seen].toSorted()).toEqual(['CHANGED_ACCOUNT', 'CHANGED_AMOUNT', 'GONE', 'NEW', 'SAME', 'UNCLEAR']);
  });

  it('names the account that was exchanged under a name first, also where the bank is the same', async () => {
    const merchant = await fixture.addMerchant(MANY);
    const ada = row(PAID, 5_000, { givenName: 'Ada Obi' });
    const rows = [ada, row(PAID, 6_000, { givenName: 'Musa Bello' }), row(PAID, 7_000, { givenName: 'Ngozi Udoh' })];
    const reference = await paidBatch(merchant, rows);
    const again = await repeated(merchant, reference);
    expect((await differenceOf(merchant, again)).body.data).toMatchObject({
      earlier: { batchReference: reference, chosenBy: 'REPEATED' },
      kinds: expect.arrayContaining([{ kind: 'SAME', count: 3, amountBefore: 18_000, amountNow: 18_000 }]),
    });
    const [first, second] = await recordsOf(merchant, again);
    await merchant.call('PATCH', '/payout/bulk/item', { bulkPayoutItemId: first.id, accountNumber: '1888000001' });
    await merchant.call('PATCH', '/payout/bulk/item', { bulkPayoutItemId: second.id, amount: 60_000 });
    const { kinds } = (await differenceOf(merchant, again)).body.data;
    const countOf = (kind: string) => kinds.find((one: { kind: string }) => one.kind === kind).count;
    expect([countOf('CHANGED_ACCOUNT'), countOf('CHANGED_AMOUNT'), countOf('SAME')]).toEqual([1, 1, 1]);
    const { body } = await merchant.call('GET', `/payout/bulk/${again}/difference/item?kind=CHANGED_ACCOUNT`);
    expect(body.data).toMatchObject({
      totalRecords: 1,
      records: [
        {
          before: { accountNumber: ada.accountNumber, givenName: 'Ada Obi', amount: 5_000 },
          now: { itemId: first.id, accountNumber: '1888000001', givenName: 'Ada Obi', amount: 5_000 },
        },
      ],
    });
  });

  it('is of the last paid list that is like it, of none where none is, and of one merchant alone', async () => {
    const [merchant, stranger] = [await fixture.addMerchant(MANY), await fixture.addMerchant(MANY)];
    const rows = [row(PAID), row(PAID), row(FAILS), row('12'.padEnd(6, 'x'))];
    const salaries = await paidBatch(merchant, rows);
    await paidBatch(merchant, [row(PAID), row(PAID)]);
    // Never paid, and so no list to be compared with.
    await validatedBatch(fixture, merchant, rows);
    const file = await uploadBatch(fixture, merchant, [...rows.slice(0, 2), row(PAID)]);
    const found = (await differenceOf(merchant, file)).body.data;
    expect(found.earlier).toMatchObject({ batchReference: salaries, chosenBy: 'LIKE' });
    // What could not be paid then is no part of it.
    expect([found.before.rows, found.now.rows]).toEqual([3, 3]);
    const other = await uploadBatch(fixture, merchant, [row(PAID), row(PAID), rows[0] as ReturnType<typeof row>]);
    expect((await differenceOf(merchant, other)).body.data).toMatchObject({ earlier: null, before: { rows: 0 } });
    const none = await merchant.call('GET', `/payout/bulk/${other}/difference/item`);
    expect(none.body.code).toBe('BATCH_NOTHING_TO_COMPARE');
    const retry = (await merchant.call('POST', `/payout/bulk/${salaries}/retry-list`, {})).body.data.batchReference;
    expect((await differenceOf(merchant, retry)).body.data.earlier).toBeNull();
    const its = await uploadBatch(fixture, stranger, rows);
    expect((await differenceOf(stranger, its)).body.data.earlier).toBeNull();
    expect((await differenceOf(stranger, its, `?to=${salaries}`)).body.code).toBe('BATCH_NOT_FOUND');
    expect((await differenceOf(stranger, salaries)).body.code).toBe('BATCH_NOT_FOUND');
  });
});
