import { fork } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createBatch, keepRows } from '../../src/batch-files/create-batch.ts';
import type { GivenRow } from '../../src/batch-files/read-row.ts';
import { beginUpload, sweepUploads, uploadKey } from '../../src/batch-files/uploads.ts';
import { success } from '../../src/platform/answer.ts';
import { csvOf, formOf, HEADER, upload } from '../support/files.ts';
import { createPayoutFixture, items, type Merchant, type PayoutFixture } from './payout-fixture.ts';
import { keptOf, sendFile } from './uploaded.ts';

let fixture: PayoutFixture;
beforeAll(async () => {
  fixture = await createPayoutFixture();
});
afterAll(() => fixture.close());

const HOUR_MS = 60 * 60 * 1000;
/** Rows that are written in more than one piece. */
const SOME_PIECES = 1_200;

const send = (merchant: Merchant, content: string | Buffer, fields = {}, headers = {}) =>
  sendFile(fixture, merchant, content, fields, headers);
const kept = (merchant: Merchant) => keptOf(fixture, merchant);

describe('an upload', () => {
  it('is refused whole where it is not the list that its sender means', async () => {
    const merchant = await fixture.addMerchant();
    const count = await send(merchant, csvOf(3), { controlCount: '4' });
    expect([count.status, count.body.code]).toEqual([422, 'BATCH_CONTROL_MISMATCH']);
    expect(count.body.message).toBe('The control count says 4, the rows come to 3. Nothing was kept of them.');
    const total = await send(merchant, `${HEADER}\n1000.50,058,0123456785,A,b\nx,058,0123456785,A,b\n`, {
      controlTotal: '1000',
    });
    expect(total.body.message).toMatch(/total says ₦1,000.00, the rows come to ₦1,000.50/);
    expect(total.body.problems).toEqual([
      {
        code: 'CONTROL_TOTAL_DIFFERS',
        field: 'controlTotal',
        params: { statedMinor: '100000', foundMinor: '100050' },
        message: total.body.message,
      },
    ]);
    expect(await kept(merchant)).toEqual({ batches: 0, items: 0, uploads: 0 });
    const right = await send(merchant, csvOf(3), { controlCount: '3', controlTotal: '3003', purpose: 'SALARY' });
    expect(right.body).toMatchObject({ status: true, data: { purpose: 'SALARY', itemCount: 3 } });
    const json = await merchant.call('POST', '/payout/bulk', { items: items(2), controlTotal: 2_000.5 });
    expect([json.status, json.body.code]).toEqual([422, 'BATCH_CONTROL_MISMATCH']);
  });

  it('of the same file under the same key makes one batch, and of another file is refused', async () => {
    const merchant = await fixture.addMerchant();
    const key = { 'idempotency-key': 'november' };
    const first = await send(merchant, csvOf(5), {}, key);
    const again = await send(merchant, csvOf(5), {}, key);
    expect([again.status, again.headers['idempotency-replayed'], again.text]).toEqual([200, 'true', first.text]);
    for (const [content, fields] of [
      [csvOf(6), {}],
      [csvOf(5), { purpose: 'SALARY' }],
    ] as const) {
      const other = await send(merchant, content, fields, key);
      expect([other.status, other.body.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
    }
    expect(await kept(merchant)).toEqual({ batches: 1, items: 5, uploads: 0 });
  });

  it('sent ten times at once under one key makes one batch with one set of items', async () => {
    const merchant = await fixture.addMerchant();
    const key = { 'idempotency-key': 'double-click' };
    const replies = await Promise.all(Array.from({ length: 10 }, () => send(merchant, csvOf(SOME_PIECES), {}, key)));
    expect(new Set(replies.map((reply) => reply.text)).size).toBe(1);
    expect(replies.filter((reply) => reply.headers['idempotency-replayed'] === undefined)).toHaveLength(1);
    expect(await kept(merchant)).toEqual({ batches: 1, items: SOME_PIECES, uploads: 0 });
  });

  it('says which field of the form is wrong', async () => {
    const merchant = await fixture.addMerchant();
    const wrong: [fields: Record<string, string>, field: string][] = [
      [{ purpose: 'FUN' }, 'purpose'],
      [{ controlCount: '1.5' }, 'controlCount'],
      [{ controlTotal: '1,5' }, 'controlTotal'],
      [{ colour: 'red' }, 'colour'],
      [{ file: 'text' }, 'file'],
    ];
    for (const [fields, field] of wrong) {
      const reply = await send(merchant, csvOf(1), fields);
      expect([reply.status, reply.body.errors?.[0].field]).toEqual([400, field]);
    }
    const elsewhere = await upload(fixture.server, merchant.secretKey, {
      name: 'a.csv',
      content: csvOf(1),
      field: 'list',
    });
    expect(elsewhere.body.errors[0].field).toBe('list');
    expect(await kept(merchant)).toEqual({ batches: 0, items: 0, uploads: 0 });
  });

  it('belongs to its merchant: nobody else sees it', async () => {
    const [merchant, stranger] = await Promise.all([fixture.addMerchant(), fixture.addMerchant()]);
    const reply = await send(merchant, csvOf(2));
    const seen = await stranger.call('GET', `/payout/bulk/${reply.body.data.batchReference}/item`);
    expect(seen.status).toBe(404);
  });
});

describe('a long JSON body', () => {
  const bodyOf = (rows: unknown[], more = {}) => JSON.stringify({ ...more, items: rows });
  const post = async (merchant: Merchant, payload: string, headers = {}, url = '/payout/bulk') => {
    const answer = await fixture.server.inject({
      method: 'POST',
      url,
      headers: { authorization: `Bearer ${merchant.secretKey}`, 'content-type': 'application/json', ...headers },
      payload,
    });
    return { status: answer.statusCode, headers: answer.headers, body: JSON.parse(answer.body) };
  };
  const LONG = 2_000;
  const long = (count = LONG) =>
    items(count, { narration: 'A narration that makes the body longer than it has to be' });
  /** As many as are read as they come, and not at once, and written in more than one piece. */
  const STREAMED = 600;

  it('becomes the same batch as a short one', async () => {
    const merchant = await fixture.addMerchant();
    const key = { 'idempotency-key': 'long' };
    // Few rows that are long on the wire.
    const text = bodyOf(long(), { purpose: 'SALARY', controlCount: LONG }).replaceAll('},{', `},${' '.repeat(500)}{`);
    expect(text.length).toBeGreaterThan(1024 * 1024);
    const reply = await post(merchant, text, key);
    expect(reply.body).toMatchObject({ status: true, data: { itemCount: LONG, source: 'JSON', purpose: 'SALARY' } });
    expect((await post(merchant, text, key)).headers['idempotency-replayed']).toBe('true');
    expect((await post(merchant, `${text} `, key)).body.code).toBe('IDEMPOTENCY_KEY_REUSED');
    const page = await merchant.call('GET', `/payout/bulk/${reply.body.data.batchReference}/item?page=10&size=200`);
    expect(page.body.data.records[199]).toMatchObject({
      position: LONG,
      accountNumber: String(1_000_000_000 + LONG - 1),
    });
  });

  it('is held to everything that a short one is held to', async () => {
    const merchant = await fixture.addMerchant();
    const rows = long(STREAMED);
    expect(bodyOf(rows).length).toBeGreaterThan(64 * 1024);
    const broken: [text: string, code: string, field?: string][] = [
      [bodyOf(rows).slice(0, -2), 'JSON_MALFORMED'],
      [bodyOf([...rows, { ...rows[0], amount: '5' }]), 'VALIDATION_FAILED', `items.${STREAMED}.amount`],
      [bodyOf([...rows, { ...rows[0], extra: 5 }]), 'VALIDATION_FAILED', `items.${STREAMED}.extra`],
      [bodyOf(rows, { extra: 5 }), 'VALIDATION_FAILED', 'extra'],
      [bodyOf(rows, { purpose: 'FUN' }), 'VALIDATION_FAILED', 'purpose'],
      [JSON.stringify({ items: [], padding: 'x'.repeat(110_000) }), 'VALIDATION_FAILED', 'body'],
      [JSON.stringify({ items: 'x'.repeat(110_000) }), 'VALIDATION_FAILED', 'body'],
      [JSON.stringify(rows), 'VALIDATION_FAILED', 'body'],
      [bodyOf(rows).replace('{', '{"items":[],'), 'VALIDATION_FAILED', 'body'],
      [bodyOf(rows).replace(/\}$/, ',"\\u0069tems":[]}'), 'FIELD_REPEATED', 'items'],
      [bodyOf(rows).replace('"amount":1000', '"amount":1000,"amount":1'), 'FIELD_REPEATED', 'items.0.amount'],
      [bodyOf(rows).replace('"amount":1000', '"amount":1.0000000000000000001'), 'VALIDATION_FAILED', 'items.0.amount'],
      [bodyOf(rows).replace(/\]\}$/, ',]}'), 'JSON_MALFORMED'],
      [bodyOf(rows).replace('},{', '},,{'), 'JSON_MALFORMED'],
      [bodyOf([...rows, { ...rows[0], narration: 'x'.repeat(20_000) }]), 'VALIDATION_FAILED', `items.${STREAMED}`],
      [bodyOf([...rows, { ...rows[0], narration: '\0' }]), 'NUL_CHARACTER', `items.${STREAMED}.narration`],
    ];
    for (const [text, code, field] of broken) {
      const reply = await post(merchant, text);
      expect([reply.status, reply.body.code]).toEqual([400, code]);
      if (field !== undefined)
        expect(reply.body.errors.map((error: { field: string }) => error.field)).toContain(field);
    }
    expect(await kept(merchant)).toEqual({ batches: 0, items: 0, uploads: 0 });
  });

  it('takes what its items leave out from its defaults, short or long, before or behind them, and says for how many', async () => {
    const merchant = await fixture.addMerchant();
    const rows = (count: number) =>
      Array.from({ length: count }, (_, at) => ({
        ...{ amount: 1_000 + at, accountNumber: String(1_000_000_000 + at) },
        ...(at % 3 === 0 ? { narration: 'Own' } : at % 3 === 1 ? { narration: '' } : {}),
        ...(at % 2 === 0 ? { bankCode: '044' } : {}),
      }));
    const defaults = { narration: 'November salary', bankCode: 'GTBank' };
    for (const count of [6, 1_200]) {
      const texts = [
        JSON.stringify({ defaults, items: rows(count) }),
        JSON.stringify({ items: rows(count), defaults }),
      ];
      expect((texts[0]?.length ?? 0) > 64 * 1024).toBe(count > 1_000);
      for (const text of texts) {
        const { body } = await post(merchant, text);
        expect(body.data.problems, JSON.stringify(body)).toMatchObject([
          { code: 'DEFAULT_USED', params: { column: 'narration', rows: (count / 3) * 2 } },
          { code: 'DEFAULT_USED', params: { column: 'bankCode', rows: count / 2 } },
        ]);
        const read = await merchant.call('GET', `/payout/bulk/${body.data.batchReference}/item?size=3`);
        const facts = read.body.data.records.map(({ bankCode, narration }: Record<string, string>) => [
          bankCode,
          narration,
        ]);
        expect(facts).toEqual([
          ['044', 'Own'],
          ['058', 'November salary'],
          ['044', 'November salary'],
        ]);
      }
      const preview = await merchant.call('POST', '/payout/bulk/preview', { items: rows(6), defaults });
      expect(preview.body.data).toMatchObject({ isReady: true, validRows: 6, notices: [{}, {}] });
      // As an empty cell of a file: kept, and not paid before it is corrected.
      const bare = await merchant.call('POST', '/payout/bulk/preview', {
        items: rows(6),
        defaults: { bankCode: '058' },
      });
      expect(bare.body.data).toMatchObject({ validRows: 2, rowProblems: [{ code: 'NARRATION_MISSING', count: 4 }] });
      const wrong = await post(merchant, JSON.stringify({ items: rows(count), defaults: { amount: 5 } }));
      expect([wrong.status, wrong.body.code]).toEqual([400, 'VALIDATION_FAILED']);
    }
  });

  it('of more than 100,000 items, or 32 MiB, is refused', async () => {
    const merchant = await fixture.addMerchant();
    const item = { amount: 1, bankCode: '058', accountNumber: '0123456785', narration: 'x' };
    // A preview reads them as the list itself is read, and writes none of those before the one that is too many.
    const many = await post(merchant, bodyOf(new Array(100_001).fill(item)), {}, '/payout/bulk/preview');
    expect([many.status, many.body.message]).toEqual([400, 'items must have at most 100000 entries.']);
    const heavy = await post(merchant, bodyOf([{ ...item, narration: 'x'.repeat(33 * 1024 * 1024) }]));
    expect([heavy.status, heavy.body.code]).toEqual([413, 'BODY_TOO_LARGE']);
    expect(await kept(merchant)).toEqual({ batches: 0, items: 0, uploads: 0 });
  });
});

describe('an upload that does not come to its end', () => {
  const rows = (from: number, count: number): GivenRow[] =>
    Array.from({ length: count }, (_, at) => ({
      position: from + at,
      amount: '1000',
      bankCode: '058',
      bankName: '',
      accountNumber: String(1_000_000_000 + from + at),
      givenName: '',
      narration: 'x',
      phoneNumber: '',
      complaint: null,
    }));

  it('leaves nothing where it is cut off on the way', async () => {
    const merchant = await fixture.addMerchant();
    const form = formOf([{ name: 'list.csv', content: csvOf(2_000) }]);
    const answer = await fixture.server.inject({
      method: 'POST',
      url: '/payout/bulk',
      headers: { authorization: `Bearer ${merchant.secretKey}`, ...form.headers },
      payload: form.payload.subarray(0, form.payload.length / 2),
    });
    expect([answer.statusCode, JSON.parse(answer.body).code]).toEqual([400, 'UPLOAD_BROKEN']);
    expect(await kept(merchant)).toEqual({ batches: 0, items: 0, uploads: 0 });
  });

  it('is seen by nobody when its process is killed, and is swept away after an hour', async () => {
    const merchant = await fixture.addMerchant();
    const child = fork(new URL('./uploading-process.ts', import.meta.url), [], {
      env: {
        ...process.env,
        DATABASE_URL: fixture.database.pool.options.connectionString,
        MERCHANT_ID: merchant.merchantId,
        STARTED_AT: fixture.deps.clock.now().toISOString(),
      },
      execArgv: [],
    });
    await once(child, 'message');
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
    const left = await kept(merchant);
    expect(left).toMatchObject({ batches: 0, uploads: 1 });
    expect(left.items).toBeGreaterThan(0);
    expect((await merchant.call('GET', '/payout/bulk')).body.data.totalRecords).toBe(0);
    const { rows: hidden } = await fixture.database.pool.query(
      'select id from batch_items where merchant_id = $1 limit 1',
      [merchant.merchantId],
    );
    const patched = await merchant.call('PATCH', '/payout/bulk/item', { bulkPayoutItemId: hidden[0].id, amount: 5 });
    expect(patched.status).toBe(404);
    fixture.clock.advance(HOUR_MS / 2);
    await sweepUploads(fixture.deps, 'SANDBOX');
    expect(await kept(merchant)).toEqual(left);
    fixture.clock.advance(HOUR_MS);
    await Promise.all([sweepUploads(fixture.deps, 'SANDBOX'), sweepUploads(fixture.deps, 'SANDBOX')]);
    expect(await kept(merchant)).toEqual({ batches: 0, items: 0, uploads: 0 });
  });

  it('that was abandoned cannot become a batch any more, however late it ends', async () => {
    const merchant = await fixture.addMerchant();
    const late = async function* () {
      yield rows(1, 1_000);
      yield rows(1_001, 10);
      fixture.clock.advance(2 * HOUR_MS);
      await sweepUploads(fixture.deps, 'SANDBOX');
    };
    const made = createBatch(fixture.deps, {
      tenant: merchant.tenant,
      source: 'CSV',
      fileName: null,
      rows: { pieces: late(), warnings: () => [] },
      settings: () => ({ purpose: 'GENERAL' }),
      scenario: null,
      idempotency: undefined,
    });
    await expect(made).rejects.toMatchObject({ code: 'UPLOAD_ABANDONED' });
    await sweepUploads(fixture.deps, 'SANDBOX');
    expect(await kept(merchant)).toEqual({ batches: 0, items: 0, uploads: 0 });
  });

  it('that a sweep abandoned and did not get to remove is removed by the next one', async () => {
    const merchant = await fixture.addMerchant();
    const started = await beginUpload(fixture.deps, merchant.tenant);
    await keepRows(fixture.deps, started, [rows(5, 3_000)] as unknown as AsyncIterable<GivenRow[]>);
    await fixture.deps.ledger.commit({
      tenant: merchant.tenant,
      id: started.batch_id,
      occurredAt: fixture.deps.clock.now().toISOString(),
      uniqueKeys: [uploadKey(started.batch_id)],
      answer: success('Success'),
    });
    fixture.clock.advance(2 * HOUR_MS);
    await sweepUploads(fixture.deps, 'SANDBOX');
    expect(await kept(merchant)).toEqual({ batches: 0, items: 0, uploads: 0 });
  });

  it('of 20 merchants that cannot be removed keeps no other merchant’s from it', async () => {
    const merchant = await fixture.addMerchant();
    const pool = fixture.database.pool;
    await pool.query(`alter table unique_keys add constraint poison check (value not like 'deadbeef%') not valid`);
    const insert = `insert into batch_uploads (merchant_id, mode, batch_id, started_at) values ($1, 'SANDBOX', $2, $3)`;
    const longAgo = new Date(fixture.deps.clock.now().getTime() - 2 * HOUR_MS);
    const others = await Promise.all(Array.from({ length: 20 }, () => fixture.addMerchant(0)));
    for (const [at, { tenant }] of others.entries()) {
      const batchId = `deadbeef-0000-7000-8000-0000000000${10 + at}`;
      await pool.query(insert, [tenant.merchantId, batchId, longAgo]);
    }
    await beginUpload(fixture.deps, merchant.tenant);
    fixture.clock.advance(2 * HOUR_MS);
    for (let runs = 0; runs < 2; runs += 1) await sweepUploads(fixture.deps, 'SANDBOX').catch(() => undefined);
    expect(await kept(merchant)).toMatchObject({ uploads: 0 });
    await pool.query('alter table unique_keys drop constraint poison');
    await pool.query(`delete from batch_uploads where batch_id::text like 'deadbeef%'`);
  });

  it('is not swept once it is a batch', async () => {
    const merchant = await fixture.addMerchant();
    const reply = await send(merchant, csvOf(10));
    const { id } = reply.body.data;
    // As if the row had stayed behind.
    const insert = "insert into batch_uploads (merchant_id, mode, batch_id, started_at) values ($1, 'SANDBOX', $2, $3)";
    const at = fixture.deps.clock.now();
    await fixture.database.pool.query(insert, [merchant.merchantId, id, at]);
    fixture.clock.advance(2 * HOUR_MS);
    await sweepUploads(fixture.deps, 'SANDBOX');
    expect(await kept(merchant)).toMatchObject({ batches: 1, items: 10 });
    expect((await merchant.call('GET', `/payout/bulk/${reply.body.data.batchReference}`)).status).toBe(200);
  });
});
