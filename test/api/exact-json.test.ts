import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../support/app.ts';
import { operationsOf } from '../support/operations.ts';
import { type Receiver, startReceiver } from '../webhooks/receiver.ts';

/** What a JSON document says is what its text says: nothing is rounded, and what is to come back comes back byte for byte. */
let t: TestApp;
let receiver: Receiver;
beforeAll(async () => {
  t = await createTestApp({ WEBHOOK_ALLOW_LOOPBACK: 'true' });
  receiver = await startReceiver();
});
afterAll(async () => {
  await receiver.close();
  await t.close();
});

const credit = (fields: string, headers: Record<string, string> = {}) =>
  t.call('POST', '/subaccount/credit', `{"subaccountId":"${t.merchant.subaccountIds[0]}",${fields}}`, headers);
const payment = (fields: string) =>
  `{"pin":"${t.merchant.pin}","bankCode":"058","accountNumber":"0123456785","narration":"Rent",${fields}}`;

/** What `JSON.parse` and `JSON.stringify` would write in another way. */
const METADATA = [
  '{ "whole":9007199254740993, "fine":0.1000000000000000055,"one":1.0 ,"hundred":1e2,"zero":-0,',
  '"2":"second","1":"first",\t"__proto__":{"isAdmin":true},"constructor":{"prototype":1},',
  '"letters":"\\u00e9\\/ é 💸","list":[1.50,{}, [ ]],"metadata":{"inner":1}\n}',
].join('\n');

describe('metadata', () => {
  it('comes back byte for byte: in the answer, again, in the transaction, lists, evidence, events and webhooks', async () => {
    await t.call('PATCH', '/merchant/info', { sandboxWebhookURL: receiver.url });
    const kept = `"metadata":${METADATA},`;
    const key = { 'idempotency-key': 'exact-1' };
    const made = await credit(`"amount":5,"metadata":${METADATA}`, key);
    expect(made.text).toContain(kept);
    expect((await credit(`"amount":5,"metadata":${METADATA}`, key)).text).toBe(made.text);
    const { transactionId } = made.body.data;
    for (const url of [
      `/transaction/${transactionId}`,
      '/transaction',
      `/transaction/${transactionId}/evidence`,
      '/event?type=transaction.succeeded',
    ]) {
      expect((await t.call('GET', url)).text, url).toContain(kept);
    }
    t.app.startWorkers();
    await expect.poll(() => receiver.received.some(({ body }) => body.includes(kept))).toBe(true);
  });

  it('comes back byte for byte from payouts and schedules, whatever becomes of them', async () => {
    const kept = `"metadata":${METADATA},`;
    const paid = await t.call('POST', '/payout/single', payment(`"amount":5,"metadata":${METADATA}`));
    expect(paid.text).toContain(kept);
    const at = new Date(t.clock.now().getTime() + 3_600_000).toISOString();
    const fields = `"amount":6,"scheduledFor":"${at}","metadata":${METADATA}`;
    const scheduled = await t.call('POST', '/payout/single/schedule', payment(fields));
    expect(scheduled.text).toContain(kept);
    const { scheduleId } = scheduled.body.data;
    expect((await t.call('GET', '/payout/single/schedule')).text).toContain(kept);
    await t.call('POST', '/payout/single/schedule/cancel', { scheduleId });
    const log = await t.call('GET', '/event?type=payout.cancelled');
    expect(log.text).toContain(kept);
  });

  it('that is null is none, wherever it is taken', async () => {
    const payout = JSON.parse(payment('"amount":7,"metadata":null,"allowDuplicate":true')) as object;
    const scheduledFor = new Date(t.clock.now().getTime() + 86_400_000).toISOString();
    const customer = { name: 'Ada Obi', email: 'ada@example.com' };
    const taken: Record<string, object> = {
      '/payout/single': payout,
      '/payout/single/schedule': { ...payout, scheduledFor },
      '/collection/session': { amount: 7, description: 'Shoes', customer, metadata: null },
      '/collection/link': { amount: 7, title: 'Shoes', metadata: null },
      '/customer': { ...customer, metadata: null },
    };
    for (const [path, body] of Object.entries(taken)) {
      const { status, body: answer } = await t.call('POST', path, body);
      expect([path, status, answer.data?.metadata]).toEqual([path, 200, null]);
    }
    const takes = operationsOf(t.app).filter(({ method, body }) => method === 'POST' && body?.properties?.['metadata']);
    const others = ['/subaccount/credit', '/subaccount/debit'];
    expect(takes.map(({ path }) => path).sort()).toEqual([...Object.keys(taken), ...others].sort());
  });

  it('is another request with another digit, and the same with its fields in another order', async () => {
    const send = (metadata: string) =>
      credit(`"amount":7,"metadata":${metadata}`, { 'idempotency-key': 'exact-2' }).then(
        ({ body }) => body.code ?? 'OK',
      );
    expect(await send('{"n":9007199254740993,"m":1}')).toBe('OK');
    expect(await send('{"m":1, "n":9007199254740993}')).toBe('OK');
    expect(await send('{"n":9007199254740992,"m":1}')).toBe('IDEMPOTENCY_KEY_REUSED');
    expect(await send('{"n":9007199254740995,"m":1}')).toBe('IDEMPOTENCY_KEY_REUSED');
  });

  it('has its 8 KB counted as it was sent', async () => {
    const reply = await credit(`"amount":1,"metadata":{"a":"${'\\u00e9'.repeat(1_400)}"}`);
    expect([reply.status, reply.body.message]).toEqual([
      400,
      expect.stringContaining('at most 8 KB of JSON; it is 8408'),
    ]);
  });
});

describe('a number', () => {
  it.each([
    ['1e2', 100],
    ['1.5E3', 1500],
    ['234567.890', 234_567.89],
    ['10.00000000000000000000', 10],
    ['0.1e1', 1],
  ])('counts by its value, however it is written: %s', async (written, amount) => {
    expect((await credit(`"amount":${written}`)).body.data).toMatchObject({ amount });
  });

  it.each(['1.0000000000000000001', '100.00999999999999999999', '9007199254740993', '1e-400', '12345678901234.567'])(
    'with more digits than can be kept is refused and not rounded: %s',
    async (written) => {
      const { status, body } = await credit(`"amount":${written}`);
      const errors = [{ field: 'amount', message: expect.stringContaining('too many digits') }];
      expect([status, body.code, body.errors]).toEqual([400, 'VALIDATION_FAILED', errors]);
    },
  );

  it('is refused by its place where it is deep inside a list', async () => {
    const item = '"bankCode":"058","accountNumber":"0123456785","narration":"Rent"';
    const items = `[{"amount":1,${item}},{"amount":1.0000000000000000001,${item}}]`;
    const { status, body } = await t.call('POST', '/payout/bulk', `{"items":${items}}`);
    expect([status, body.errors?.[0].field]).toEqual([400, 'items.1.amount']);
  });

  it('of a query string is written in digits', async () => {
    for (const written of ['0x10', '1e1', '+1', '%201', '1.0', '01'.repeat(9), '', '%D9%A1']) {
      const { status, body } = await t.call('GET', `/transaction?page=${written}`);
      expect([written, status, body.errors?.[0].field]).toEqual([written, 400, 'page']);
    }
    expect((await t.call('GET', '/transaction?page=1&size=2')).status).toBe(200);
  });
});

describe('a body', () => {
  it.each(['__proto__', 'constructor', 'toString'])(
    'has %s for a field like any other that is not known',
    async (name) => {
      const { status, body } = await credit(`"amount":1,"${name}":{"prototype":1}`);
      expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED']);
      expect(body.errors).toEqual([{ field: name, message: 'is not a field of this operation' }]);
    },
  );

  async function send(payload: Buffer | string, contentType: string) {
    const headers = { authorization: `Bearer ${t.merchant.secretKey}`, 'content-type': contentType };
    const answer = await t.app.server.inject({ method: 'POST', url: '/payout/quote', headers, payload });
    return [answer.statusCode, answer.json().code ?? 'OK'];
  }

  it('is text in UTF-8, and no bytes that are none are read as other ones', async () => {
    for (const bytes of [[0xff], [0xc3, 0x28], [0xed, 0xa0, 0x80], [0xf8, 0x88, 0x80, 0x80, 0x80]]) {
      const body = Buffer.concat([Buffer.from('{"amount":1,"note":"'), Buffer.from(bytes), Buffer.from('"}')]);
      expect(await send(body, 'application/json')).toEqual([400, 'BODY_NOT_UTF8']);
    }
  });

  it('says no other charset', async () => {
    for (const charset of ['utf-8', 'UTF8', '"utf-8"', 'us-ascii'])
      expect([charset, ...(await send('{"amount":1}', `application/json; charset=${charset}`))]).toEqual([
        charset,
        200,
        'OK',
      ]);
    for (const charset of ['utf-16', 'iso-8859-1', 'windows-1252']) {
      const answer = await send('{"amount":1}', `application/json;charset=${charset}`);
      expect([charset, ...answer]).toEqual([charset, 415, 'CONTENT_TYPE_UNSUPPORTED']);
    }
  });
});
