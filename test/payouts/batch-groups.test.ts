import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createBatchDeps } from '../../src/batches/deps.ts';
import { dueBatches } from '../../src/batches/due-batches.ts';
import { itemProblem } from '../../src/batches/problems.ts';
import { undoGroupAction } from '../../src/batches/resolve-group.ts';
import { inBetween } from '../support/in-between.ts';
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
import { createPayoutFixture, type Merchant, type PayoutFixture, untilQuiet } from './payout-fixture.ts';

let fixture: PayoutFixture;
beforeAll(async () => {
  fixture = await createPayoutFixture();
});
afterEach(() => expectCountersToBeTrue(fixture));
afterAll(async () => {
  expect(await brokenChecks(fixture.database)).toEqual([]);
  await fixture.close();
});

const MANY = 100_000_000;
let accounts = 3_000_000_000;
const rowOf = (fields: Partial<Parameters<typeof uploadBatch>[2][number]> = {}) => {
  accounts += 1;
  return { amount: 1_000, bankCode: '058', accountNumber: String(accounts), narration: 'Salary', ...fields };
};
const alat = () => rowOf({ bankCode: 'ALAT', problems: [itemProblem('BANK_NAME_NOT_FOUND', { given: 'ALAT' })] });
const marked = (given: string) =>
  rowOf({ amount: 0, givenAmount: given, problems: [itemProblem('AMOUNT_UNREADABLE', { given })] });

const groupsOf = async (merchant: Merchant, reference: string) => {
  const { status, body } = await merchant.call('GET', `/payout/bulk/${reference}/problem`);
  expect(status).toBe(200);
  return body.data;
};
type Resolve = { action: string; cause?: string | null; change?: object; version?: number };
async function resolve(merchant: Merchant, reference: string, code: string, given: Resolve, key?: string) {
  const { version = (await groupsOf(merchant, reference)).version, ...body } = given;
  const headers = key === undefined ? {} : { 'idempotency-key': key };
  return merchant.call('POST', `/payout/bulk/${reference}/problem/resolve`, { code, ...body, version }, headers);
}
const undo = (merchant: Merchant, reference: string) =>
  merchant.call('POST', `/payout/bulk/${reference}/problem/undo`, {});
/** All that is kept of the items, but for what they repeat: that is found anew. */
const itemRows = async (reference: string) => {
  const id = reference.slice(-32);
  const { rows } = await fixture.database.pool.query(
    `select to_jsonb(i) - 'repeats' as item from batch_items i where replace(batch_id::text, '-', '') = $1 order by position`,
    [id],
  );
  return rows.map(({ item }) => item);
};
const edit = (merchant: Merchant, bulkPayoutItemId: string, fields: object) =>
  merchant.call('PATCH', '/payout/bulk/item', { bulkPayoutItemId, ...fields });

describe('the problems of a list', () => {
  it('are grouped by code and cause, with counts, examples and what can be done', async () => {
    const merchant = await fixture.addMerchant(MANY);
    const twice = rowOf();
    const reference = await validatedBatch(fixture, merchant, [
      ...[alat(), alat(), alat()],
      ...[marked('25,000/='), marked('1,200,000/='), marked('twelve')],
      ...[rowOf({ accountNumber: '12345678' }), twice, twice],
      ...[rowOf({ givenName: 'Somebody Else Entirely' }), rowOf({ bankCode: 'ZZZ' })],
      rowOf({
        accountNumber: '0123456785',
        problems: [itemProblem('ACCOUNT_NUMBER_ZERO_ADDED', { given: '123456785', accountNumber: '0123456785' })],
      }),
    ]);
    await summaryOf(merchant, reference);
    const { groups, version } = await groupsOf(merchant, reference);
    expect(version).toBe((await summaryOf(merchant, reference)).version);
    const short = groups.map((group: Record<string, unknown>) => ({
      ...{ code: group['code'], cause: group['cause'], severity: group['severity'], count: group['count'] },
    }));
    const error = { severity: 'ERROR' };
    const warning = { severity: 'WARNING', cause: null };
    expect(short).toEqual([
      { ...error, code: 'BANK_NAME_NOT_FOUND', cause: 'ALAT', count: 3 },
      { ...error, code: 'AMOUNT_UNREADABLE', cause: '#/=', count: 2 },
      { ...error, code: 'ACCOUNT_NUMBER_NOT_TEN_DIGITS', cause: '8', count: 1 },
      { ...error, code: 'AMOUNT_UNREADABLE', cause: 'twelve', count: 1 },
      { ...error, code: 'BANK_NOT_FOUND', cause: 'ZZZ', count: 1 },
      { ...warning, code: 'NAME_DIFFERS', count: 1 },
      { ...warning, code: 'ACCOUNT_NUMBER_ZERO_ADDED', count: 1 },
      { ...warning, code: 'REPEATS_ROW', count: 1 },
    ]);
    const [bank, amounts, account, text] = groups;
    expect(bank).toMatchObject({
      suggestion: { bankCode: '035', bankName: 'Wema Bank', amountAsRead: null },
      actions: ['CHANGE', 'LEAVE_OUT'],
      message: expect.stringContaining('There is no bank called "ALAT"'),
    });
    expect(bank.samples).toHaveLength(3);
    expect(amounts).toMatchObject({ suggestion: { amountAsRead: true }, actions: ['CHANGE', 'LEAVE_OUT'] });
    expect(amounts.samples.map((item: { amountAsRead: number }) => item.amountAsRead)).toEqual([25_000, 1_200_000]);
    expect(account.actions).toEqual(['LEAVE_OUT']);
    expect(text).toMatchObject({ suggestion: null, actions: ['LEAVE_OUT'] });
    const harmless = groups.filter((group: { isHarmless: boolean }) => group.isHarmless);
    expect(harmless.map((group: { code: string }) => group.code)).toEqual(['ACCOUNT_NUMBER_ZERO_ADDED']);
    const ofGroup = await recordsOf(merchant, reference, '?problem=BANK_NAME_NOT_FOUND&cause=ALAT');
    expect(ofGroup.map((item: { position: number }) => item.position)).toEqual([1, 2, 3]);
  });

  it('say of a row once that no bank has this name, or that it names none: the reason and the warnings have no sentence twice', async () => {
    const merchant = await fixture.addMerchant(MANY);
    const nameless = rowOf({ bankCode: '', problems: [itemProblem('BANK_MISSING', {})] });
    const reference = await validatedBatch(fixture, merchant, [alat(), nameless]);
    const [unknown, missing] = await recordsOf(merchant, reference);
    expect(unknown).toMatchObject({ reason: 'There is no bank called "ALAT".', warnings: [] });
    expect(missing).toMatchObject({ reason: 'The bank is missing.', warnings: [] });
    const codesOf = (item: { problems: { code: string }[] }) => item.problems.map(({ code }) => code);
    expect(codesOf(unknown)).toEqual(['BANK_NOT_FOUND', 'BANK_NAME_NOT_FOUND']);
    expect(codesOf(missing)).toEqual(['BANK_NOT_FOUND', 'BANK_MISSING']);
  });

  it('has names in the order of how different they are', async () => {
    const merchant = await fixture.addMerchant(MANY);
    const known = await validatedBatch(fixture, merchant, [rowOf({ accountNumber: '0123456785' })]);
    const [{ accountName }] = await recordsOf(merchant, known);
    const half = `${String(accountName).split(' ')[0]} Zzzzz`;
    const rows = [half, 'Qqqq Xxxx', accountName, String(accountName).toLowerCase()].map((givenName, at) =>
      rowOf({ accountNumber: '0123456785', amount: 1_000 + at, givenName }),
    );
    const reference = await validatedBatch(fixture, merchant, rows);
    const { groups } = await groupsOf(merchant, reference);
    const names = groups.find(({ code }: { code: string }) => code === 'NAME_DIFFERS');
    expect(names.count).toBe(2);
    expect(names.samples.map(({ position }: { position: number }) => position)).toEqual([2, 1]);
    const sorted = await recordsOf(merchant, reference, '?order=MATCH');
    expect(sorted.map(({ position }: { position: number }) => position)).toEqual([2, 1, 3, 4]);
  });
});

describe('an action on a group', () => {
  it('gives all items the bank, asks it, and is undone to the letter', async () => {
    const merchant = await fixture.addMerchant(MANY);
    const reference = await validatedBatch(fixture, merchant, [alat(), rowOf(), alat()]);
    const before = await itemRows(reference);
    const change = { action: 'CHANGE', cause: 'ALAT', change: { bankCode: '035' } };
    const answer = await resolve(merchant, reference, 'BANK_NAME_NOT_FOUND', change);
    expect(answer.body.data).toMatchObject({
      status: 'VALIDATING',
      action: { kind: 'CHANGE', items: 2, doneItems: 2, status: 'DONE' },
    });
    await lookAtBatches(fixture.deps);
    expect(await summaryOf(merchant, reference)).toMatchObject({ status: 'READY', counts: { valid: 3, invalid: 0 } });
    expect((await groupsOf(merchant, reference)).undoable).toMatchObject({ kind: 'CHANGE', items: 2 });
    expect((await undo(merchant, reference)).body.data).toMatchObject({ status: 'NEEDS_FIX' });
    expect(await itemRows(reference)).toEqual(before);
    expect((await undo(merchant, reference)).body.code).toBe('BATCH_NOTHING_TO_UNDO');
  });

  it('is undone while the bank is still being asked', async () => {
    const merchant = await fixture.addMerchant(MANY);
    const reference = await validatedBatch(fixture, merchant, [alat(), rowOf(), alat()]);
    const before = await itemRows(reference);
    await resolve(merchant, reference, 'BANK_NAME_NOT_FOUND', {
      ...{ action: 'CHANGE', cause: 'ALAT', change: { bankCode: '035' } },
    });
    expect((await undo(merchant, reference)).status).toBe(200);
    await lookAtBatches(fixture.deps);
    expect(await itemRows(reference)).toEqual(before);
    expect((await summaryOf(merchant, reference)).status).toBe('NEEDS_FIX');
  });

  it('is undone, too, where the verdict about the list comes between the reads of the undo', async () => {
    const merchant = await fixture.addMerchant(MANY);
    for (let after = 1; after <= 4; after += 1) {
      const reference = await validatedBatch(fixture, merchant, [alat(), rowOf(), alat()]);
      const before = await itemRows(reference);
      await resolve(merchant, reference, 'BANK_NAME_NOT_FOUND', {
        ...{ action: 'CHANGE', cause: 'ALAT', change: { bankCode: '035' } },
      });
      const { database, during } = inBetween(fixture.database);
      const deps = createBatchDeps({ ...fixture.deps, database });
      const asked = { tenant: merchant.tenant, batchReference: reference, idempotency: undefined };
      const { result } = await during(
        () => lookAtBatches(fixture.deps),
        () => undoGroupAction(deps, asked),
        after,
      );
      expect(result.answer.status).toBe(200);
      expect(await itemRows(reference)).toEqual(before);
    }
  });

  it('takes amounts as they read, and pays exactly these', async () => {
    const merchant = await fixture.addMerchant(MANY);
    const reference = await validatedBatch(fixture, merchant, [marked('25,000/='), marked('3,500/='), rowOf()]);
    const answer = await resolve(merchant, reference, 'AMOUNT_UNREADABLE', {
      ...{ action: 'CHANGE', cause: '#/=', change: { amountAsRead: true } },
    });
    expect(answer.status).toBe(200);
    await lookAtBatches(fixture.deps);
    const records = await recordsOf(merchant, reference);
    expect(records.map(({ amount }: { amount: number }) => amount)).toEqual([25_000, 3_500, 1_000]);
    expect((await dispatchOf(merchant, reference)).status).toBe(200);
    await untilQuiet(fixture);
    expect(await summaryOf(merchant, reference)).toMatchObject({ status: 'COMPLETED', totals: { amount: 29_500 } });
  });

  it('accepts names that differ, until the row is edited', async () => {
    const merchant = await fixture.addMerchant(MANY);
    const other = () => rowOf({ givenName: 'Somebody Else Entirely' });
    const reference = await validatedBatch(fixture, merchant, [other(), other(), rowOf()]);
    const { digest } = await summaryOf(merchant, reference);
    const answer = await resolve(merchant, reference, 'NAME_DIFFERS', { action: 'ACCEPT' });
    expect(answer.body.data).toMatchObject({ status: 'READY', action: { status: 'DONE', items: 2 } });
    expect((await groupsOf(merchant, reference)).groups).toMatchObject([{ count: 0, acceptedCount: 2 }]);
    // What is paid is what it was.
    expect((await summaryOf(merchant, reference)).digest).toBe(digest);
    const [first] = await recordsOf(merchant, reference);
    expect(first.accepted).toEqual(['NAME_DIFFERS']);
    await edit(merchant, first.id, { narration: 'Another' });
    expect((await groupsOf(merchant, reference)).groups).toMatchObject([{ count: 1, acceptedCount: 1 }]);
    expect((await undo(merchant, reference)).body.code).toBe('BATCH_NOTHING_TO_UNDO');
  });

  it('removes items and puts them back where they stood', async () => {
    const merchant = await fixture.addMerchant(MANY);
    const reference = await validatedBatch(fixture, merchant, [alat(), rowOf(), alat(), rowOf()]);
    const before = await itemRows(reference);
    const out = await resolve(merchant, reference, 'BANK_NAME_NOT_FOUND', { action: 'LEAVE_OUT', cause: 'ALAT' });
    expect(out.body.data).toMatchObject({ status: 'READY', itemCount: 2 });
    expect((await undo(merchant, reference)).body.data).toMatchObject({ status: 'NEEDS_FIX', itemCount: 4 });
    expect(await itemRows(reference)).toEqual(before);
  });

  it('answers with the amount that it leaves, as a single edit does', async () => {
    const merchant = await fixture.addMerchant(MANY);
    const rows = [rowOf({ amount: 2_000 }), rowOf({ amount: 3_000 })];
    const others = [rowOf({ amount: 4_000, givenName: 'Somebody Else Entirely' })];
    const reference = await validatedBatch(fixture, merchant, [...rows, ...others, rowOf({ amount: 5_000 })]);
    const amounts = async (answer: { body: { data: object } }) => {
      const { amount } = await summaryOf(merchant, reference);
      expect(answer.body.data).toMatchObject({ amount });
      return amount;
    };
    const out = await resolve(merchant, reference, 'NAME_DIFFERS', { action: 'LEAVE_OUT' });
    expect(await amounts(out)).toBe(10_000);
    expect(await amounts(await undo(merchant, reference))).toBe(14_000);
    const [first] = await recordsOf(merchant, reference);
    const dropped = await merchant.call('DELETE', `/payout/bulk/item/${first.id}`);
    expect(dropped.status).toBe(200);
    expect((await summaryOf(merchant, reference)).amount).toBe(12_000);
  });

  it('of more than a piece goes on in the background, also by another worker, and is undone so', async () => {
    const merchant = await fixture.addMerchant(MANY);
    const rows = Array.from({ length: 1_203 }, (_, at) => (at % 3 === 1 ? rowOf() : alat()));
    const reference = await validatedBatch(fixture, merchant, rows);
    const before = await itemRows(reference);
    const out = await resolve(merchant, reference, 'BANK_NAME_NOT_FOUND', { action: 'LEAVE_OUT', cause: 'ALAT' });
    expect(out.body.data).toMatchObject({
      ...{ status: 'VALIDATING', itemCount: 703, action: { items: 802, doneItems: 500, status: 'RUNNING' } },
    });
    const [record] = await recordsOf(merchant, reference);
    expect((await edit(merchant, record.id, { narration: 'Meanwhile' })).body.code).toBe('BATCH_ACTION_RUNNING');
    expect((await undo(merchant, reference)).body.code).toBe('BATCH_ACTION_RUNNING');
    expect((await dispatchOf(merchant, reference)).body.code).toBe('BATCH_VALIDATING');
    expect(await brokenChecks(fixture.database)).toEqual([]);
    // A worker that is stopped after its first piece.
    const stopped = dueBatches(fixture.deps);
    await stopped.look();
    stopped.close();
    await stopped.settle();
    await lookAtBatches(fixture.deps);
    expect(await summaryOf(merchant, reference)).toMatchObject({ status: 'READY', itemCount: 401 });
    await undo(merchant, reference);
    await lookAtBatches(fixture.deps);
    expect(await itemRows(reference)).toEqual(before);
    expect(await summaryOf(merchant, reference)).toMatchObject({ status: 'NEEDS_FIX', itemCount: 1_203 });
  });

  it('that is repeated with its key has one effect and one answer', async () => {
    const merchant = await fixture.addMerchant(MANY);
    const reference = await validatedBatch(fixture, merchant, [alat(), rowOf(), alat()]);
    const { version } = await groupsOf(merchant, reference);
    const given = { action: 'LEAVE_OUT', cause: 'ALAT', version };
    const first = await resolve(merchant, reference, 'BANK_NAME_NOT_FOUND', given, 'once');
    const again = await resolve(merchant, reference, 'BANK_NAME_NOT_FOUND', given, 'once');
    expect(again.body).toEqual(first.body);
    expect((await summaryOf(merchant, reference)).version).toBe(version + 1);
  });

  it('is refused while items are validated, for what was not seen, and of what cannot be', async () => {
    const merchant = await fixture.addMerchant(MANY);
    const fresh = await uploadBatch(fixture, merchant, [alat()]);
    const code = async (answer: Promise<{ body: { code: string } }>) => (await answer).body.code;
    const out = { action: 'LEAVE_OUT', cause: 'ALAT' };
    expect(await code(resolve(merchant, fresh, 'BANK_NAME_NOT_FOUND', out))).toBe('BATCH_VALIDATING');
    await lookAtBatches(fixture.deps);
    const { version } = await groupsOf(merchant, fresh);
    const before = { ...out, version: version - 1 };
    expect(await code(resolve(merchant, fresh, 'BANK_NAME_NOT_FOUND', before))).toBe('BATCH_CHANGED');
    expect(await code(resolve(merchant, fresh, 'BANK_NAME_NOT_FOUND', { ...out, cause: 'X' }))).toBe(
      'BATCH_GROUP_NOT_FOUND',
    );
    const refused = 'BATCH_GROUP_ACTION_REFUSED';
    for (const given of [
      { action: 'ACCEPT', cause: 'ALAT' },
      { action: 'CHANGE', cause: 'ALAT' },
      { action: 'CHANGE', cause: 'ALAT', change: { bankCode: '99999' } },
      { action: 'CHANGE', cause: 'ALAT', change: { narration: 'x' } },
      { action: 'CHANGE', cause: 'ALAT', change: { bankCode: '035', narration: 'x' } },
    ]) {
      expect(await code(resolve(merchant, fresh, 'BANK_NAME_NOT_FOUND', given))).toBe(refused);
    }
    const stranger = await fixture.addMerchant();
    const path = `/payout/bulk/${fresh}/problem`;
    expect((await stranger.call('GET', path)).status).toBe(404);
    expect((await stranger.call('POST', `${path}/undo`, {})).status).toBe(404);
    expect((await stranger.call('POST', `${path}/BANK_NAME_NOT_FOUND/resolve`, { ...out, version })).status).toBe(404);
  });

  it('by two people at once has the effect of one of them, and says so to the other', async () => {
    const merchant = await fixture.addMerchant(MANY);
    for (let round = 0; round < 5; round += 1) {
      const reference = await validatedBatch(fixture, merchant, [alat(), rowOf(), alat()]);
      const { version } = await groupsOf(merchant, reference);
      const answers = await Promise.all([
        resolve(merchant, reference, 'BANK_NAME_NOT_FOUND', { action: 'LEAVE_OUT', cause: 'ALAT', version }),
        resolve(merchant, reference, 'BANK_NAME_NOT_FOUND', {
          ...{ action: 'CHANGE', cause: 'ALAT', change: { bankCode: '035' }, version },
        }),
      ]);
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]));
      const lost = answers.find(({ status }) => status === 409);
      expect(['BATCH_CHANGED', 'BATCH_VALIDATING']).toContain(lost?.body.code);
      await lookAtBatches(fixture.deps);
      expect((await summaryOf(merchant, reference)).status).toBe('READY');
    }
  });

  it('at the moment of a dispatch is in what is paid, or refused', async () => {
    const merchant = await fixture.addMerchant(MANY);
    for (let round = 0; round < 6; round += 1) {
      const other = () => rowOf({ givenName: 'Somebody Else Entirely' });
      const reference = await validatedBatch(fixture, merchant, [other(), rowOf(), other()]);
      const { version } = await groupsOf(merchant, reference);
      const [out, sent] = await Promise.all([
        resolve(merchant, reference, 'NAME_DIFFERS', { action: 'LEAVE_OUT', version }),
        dispatchOf(merchant, reference),
      ]);
      expect([out.status, sent.status]).toContain(200);
      const { totals, dispatchedAt } = await summaryOf(merchant, reference);
      expect(totals.amount).toBe(out.status === 200 ? 1_000 : 3_000);
      if (out.status !== 200) expect(['BATCH_CHANGED', 'BATCH_ALREADY_DISPATCHED']).toContain(out.body.code);
      expect(dispatchedAt !== null).toBe(sent.status === 200);
      const after = await undo(merchant, reference);
      expect(after.status).toBe(dispatchedAt === null ? 200 : 409);
    }
    await untilQuiet(fixture);
  });
});

describe('problems of items whose amounts come to more than JSON can say to the kobo', () => {
  it('are shown without their sum, and so is what differs from the list before', async () => {
    const merchant = await fixture.addMerchant(MANY);
    const large = () => Array.from({ length: 10 }, () => rowOf({ amount: 9_999_999_999_999, bankCode: '999' }));
    const before = await validatedBatch(fixture, merchant, large());
    const reference = await validatedBatch(fixture, merchant, large());
    const [group] = (await groupsOf(merchant, reference)).groups;
    expect(group).toMatchObject({ count: 10, amount: null });
    const { status, body } = await merchant.call('GET', `/payout/bulk/${reference}/difference?to=${before}`);
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body.data).toMatchObject({ before: { rows: 10, amount: null }, now: { rows: 10, amount: null } });
  });
});
