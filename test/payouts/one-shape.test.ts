import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EventRow, listEvents } from '../../src/ledger/index.ts';
import { newId } from '../../src/platform/ids.ts';
import { batchIdOf } from '../../src/transactions/index.ts';
import { payloadOf } from '../../src/webhooks/signing.ts';
import { dispatchOf, recordsOf, validatedBatch } from './batch-fixture.ts';
import {
  createPayoutFixture,
  items,
  type Merchant,
  type PayoutFixture,
  payment,
  type Reply,
  untilQuiet,
} from './payout-fixture.ts';

let fixture: PayoutFixture;
let merchant: Merchant;
beforeAll(async () => {
  fixture = await createPayoutFixture();
  merchant = await fixture.addMerchant();
});
afterAll(() => fixture.close());

let keys = 0;
function withKey() {
  keys += 1;
  return { 'idempotency-key': `shape-${keys}` };
}
const pay = (fields: object = {}, headers: Record<string, string> = {}) =>
  merchant.call('POST', '/payout/single', payment(fields as Record<string, unknown>), headers);
const transaction = async (id: string) => (await merchant.call('GET', `/transaction/${id}`)).body.data;
const madeUnder = async (key: string, query = '', by = merchant): Promise<string[]> => {
  const { body } = await by.call('GET', `/transaction?idempotencyKey=${encodeURIComponent(key)}${query}`);
  return body.data.records.map(({ transactionId }: { transactionId: string }) => transactionId);
};
const eventsAbout = async (subjectId: string): Promise<EventRow[]> =>
  (await listEvents(fixture.database, merchant.tenant, { after: 0n, limit: 10_000 })).events.filter(
    (event) => event.subject_id === subjectId,
  );
const sent = (event: EventRow) => JSON.parse(payloadOf(event, 'SANDBOX'));

describe('a payout has the same fields and values wherever it is read', () => {
  it.each([
    ['a single one', () => pay({ reference: 'inv-1', metadata: { order: 7 }, purpose: 'SALARY' })],
    ['one that is scheduled', () => scheduleOne()],
  ])('%s: in its answer, its events, its list, its evidence and by its id', async (_, make) => {
    const made: Reply = await make();
    const id = made.body.data.transactionId;
    expect(await transaction(id)).toEqual(made.body.data);
    await untilQuiet(fixture);
    const ended = await transaction(id);
    expect(ended).toMatchObject({ status: 'SUCCESS', sessionId: expect.any(String) });
    expect(Object.keys(ended)).toEqual(Object.keys(made.body.data));
    const { records } = (await merchant.call('GET', '/transaction?size=100')).body.data;
    expect(records.find((one: { transactionId: string }) => one.transactionId === id)).toEqual(ended);
    expect((await merchant.call('GET', `/transaction/${id}/evidence`)).body.data.transaction).toEqual(ended);
    const told = (await eventsAbout(id)).map(sent);
    expect(told.at(-1)).toMatchObject({ type: 'payout.succeeded', data: ended });
    for (const { data } of told) expect(Object.keys(data)).toEqual(Object.keys(ended));
  });

  it('one that is requeried while its rail is at it', async () => {
    const made = await pay({}, { 'x-sandbox-scenario': 'pending-then-success' });
    const id = made.body.data.transactionId;
    await fixture.worker.runOnce();
    fixture.clock.advance(60_000);
    const requeried = await merchant.call('POST', '/transaction/requery', { transactionId: id });
    expect(requeried.body).toMatchObject({ status: true, data: { transactionId: id } });
    expect(await transaction(id)).toEqual(requeried.body.data);
    await untilQuiet(fixture);
  });

  it('an item of a bulk payout, once it is one', async () => {
    const reference = await validatedBatch(fixture, merchant, items(3));
    await dispatchOf(merchant, reference);
    await untilQuiet(fixture);
    const { records } = (await merchant.call('GET', `/transaction?batchReference=${reference}`)).body.data;
    expect(records).toHaveLength(3);
    for (const record of records) {
      expect(await transaction(record.transactionId)).toEqual(record);
      expect((await eventsAbout(record.transactionId)).map(sent).at(-1).data).toEqual(record);
    }
  });

  it('and what is no payout has none of its fields', async () => {
    const [funding] = (await merchant.call('GET', '/transaction?category=WALLET_FUNDING')).body.data.records;
    expect(await transaction(funding.transactionId)).toEqual(funding);
    for (const field of ['fee', 'vat', 'stampDuty', 'purpose', 'sessionId', 'railCode', 'approvalId']) {
      expect(funding).not.toHaveProperty(field);
    }
  });
});

async function scheduleOne(): Promise<Reply> {
  const at = new Date(fixture.clock.now().getTime() + 600_000).toISOString();
  const made = await merchant.call('POST', '/payout/single/schedule', payment({ scheduledFor: at }));
  expect(made.body).toMatchObject({ status: true, data: { status: 'SCHEDULED' } });
  return made;
}

describe('an event names the request that caused it', () => {
  it('and its key, where it had one; what no request caused names neither', async () => {
    const headers = withKey();
    const made = await pay({}, headers);
    const { transactionId } = made.body.data;
    await untilQuiet(fixture);
    const told = (await eventsAbout(transactionId)).map(sent);
    expect(told.map(({ type }) => type)).toEqual(['payout.queued', 'payout.processing', 'payout.succeeded']);
    const [first, ...later] = told;
    expect(first).toMatchObject({
      requestId: made.headers['x-request-id'],
      idempotencyKey: headers['idempotency-key'],
    });
    for (const event of later) expect(event).toMatchObject({ requestId: null, idempotencyKey: null });
  });

  it('without a key the request alone', async () => {
    const made = await pay();
    const [event] = (await eventsAbout(made.body.data.transactionId)).map(sent);
    expect(event).toMatchObject({ requestId: made.headers['x-request-id'], idempotencyKey: null });
  });

  it('once, however often the request is repeated', async () => {
    const headers = withKey();
    const first = await pay({}, headers);
    const again = await pay({}, headers);
    expect(again.body).toEqual(first.body);
    const told = await eventsAbout(first.body.data.transactionId);
    expect(told.filter(({ type }) => type === 'payout.queued').map(({ request_id }) => request_id)).toEqual([
      first.headers['x-request-id'],
    ]);
  });
});

describe('GET /transaction by idempotency key', () => {
  it('finds the one transaction that the request made', async () => {
    const headers = withKey();
    const { transactionId } = (await pay({}, headers)).body.data;
    await pay();
    expect(await madeUnder(headers['idempotency-key'])).toEqual([transactionId]);
    expect(await madeUnder(headers['idempotency-key'], '&category=WALLET_FUNDING')).toEqual([]);
  });

  it('finds every item of the bulk payout that the request made or dispatched, page by page', async () => {
    const [making, sending] = [withKey(), withKey()];
    const made = await merchant.call('POST', '/payout/bulk', { items: items(5) }, making);
    const reference = made.body.data.batchReference;
    expect(await madeUnder(making['idempotency-key']), 'an item is no transaction before the dispatch').toEqual([]);
    await untilQuiet(fixture);
    const dispatch = await merchant.call(
      'POST',
      '/payout/bulk/dispatch',
      { pin: '4826', batchReference: reference, allowDuplicate: true },
      sending,
    );
    expect(dispatch.body).toMatchObject({ status: true });
    await untilQuiet(fixture);
    const { records } = (await merchant.call('GET', `/transaction?batchReference=${reference}`)).body.data;
    const ids = records.map((one: { transactionId: string }) => one.transactionId);
    expect(ids).toHaveLength(5);
    for (const { 'idempotency-key': key } of [making, sending]) {
      expect(await madeUnder(key)).toEqual(ids);
      expect(await madeUnder(key, '&size=2&page=2')).toEqual(ids.slice(2, 4));
    }
  });

  it('finds nothing under a key that nobody sent, that was refused, or that is another merchant’s', async () => {
    const headers = withKey();
    expect((await pay({ amount: 900_000_000 }, headers)).body.status).toBe(false);
    expect(await madeUnder(headers['idempotency-key'])).toEqual([]);
    expect(await madeUnder('nobody-sent-this')).toEqual([]);
    const theirs = withKey();
    await pay({}, theirs);
    const other = await fixture.addMerchant();
    expect(await madeUnder(theirs['idempotency-key'], '', other)).toEqual([]);
  });

  it('refuses what can be no key', async () => {
    for (const key of ['', 'with space', 'ü', 'x'.repeat(256)]) {
      const { status, body } = await merchant.call('GET', `/transaction?idempotencyKey=${encodeURIComponent(key)}`);
      expect([status, body.code], key).toEqual([400, 'VALIDATION_FAILED']);
    }
  });
});

describe('one item of a bulk payout', () => {
  it('is read as its list has it, and an update shows it beside page 1, wherever it stands', async () => {
    const reference = await validatedBatch(fixture, merchant, items(60));
    const all = await recordsOf(merchant, reference, '?size=100');
    const last = all.at(-1);
    const path = `/payout/bulk/${reference}/item/${last.id}`;
    expect((await merchant.call('GET', path)).body.data).toEqual(last);
    const update = { bulkPayoutItemId: last.id, narration: 'A better word' };
    const updated = await merchant.call('PATCH', '/payout/bulk/item', update);
    expect(updated.body.data.records).toHaveLength(50);
    expect(updated.body.data.item).toMatchObject({ id: last.id, narration: 'A better word' });
    expect((await merchant.call('GET', path)).body.data).toEqual(updated.body.data.item);
    const first = await merchant.call('PATCH', '/payout/bulk/item', { ...update, bulkPayoutItemId: all[0].id });
    expect(first.body.data.records[0]).toEqual(first.body.data.item);
  });

  it('shows its payout once it is one', async () => {
    const reference = await validatedBatch(fixture, merchant, items(1, { amount: 77 }));
    const [item] = await recordsOf(merchant, reference);
    await dispatchOf(merchant, reference, { allowDuplicate: true });
    await untilQuiet(fixture);
    const { data } = (await merchant.call('GET', `/payout/bulk/${reference}/item/${item.id}`)).body;
    expect(data).toMatchObject({ transactionId: item.id, payoutStatus: 'SUCCESS' });
  });

  it('is not found in another bulk payout, nor by another merchant', async () => {
    const [one, other] = [
      await validatedBatch(fixture, merchant, items(1)),
      await validatedBatch(fixture, merchant, items(1)),
    ];
    const [item] = await recordsOf(merchant, one);
    const stranger = await fixture.addMerchant();
    const answers = [
      await merchant.call('GET', `/payout/bulk/${other}/item/${item.id}`),
      await merchant.call('GET', `/payout/bulk/${one}/item/${newId()}`),
      await stranger.call('GET', `/payout/bulk/${one}/item/${item.id}`),
    ];
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual([
      [404, 'BATCH_ITEM_NOT_FOUND'],
      [404, 'BATCH_ITEM_NOT_FOUND'],
      [404, 'BATCH_NOT_FOUND'],
    ]);
    expect(batchIdOf(one)).not.toBe(batchIdOf(other));
  });
});
