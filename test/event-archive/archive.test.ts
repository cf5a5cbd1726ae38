import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { archiveEvents } from '../../src/event-archive/index.ts';
import { newId } from '../../src/platform/ids.ts';
import { type Archivist, createArchivist } from './fixture.ts';

const OF_TRANSFERS = `type = 'transaction.succeeded'`;

let a: Archivist;
beforeAll(async () => {
  a = await createArchivist();
});
afterAll(() => a.close());

/** What the shop's requests are answered. */
const ask = (method: 'GET' | 'POST', path: string, body?: unknown, headers?: Record<string, string>) =>
  a.t.call(method, path, body, headers);

describe('old events of transfers between wallets', () => {
  it('leave for a file with their keys, all others stay, and the proof reads them there', async () => {
    const keys = [newId(), newId(), newId()];
    for (const key of keys) expect((await a.debit(key)).status).toBe(200);
    await a.debit(undefined);
    const before = await a.count('events', OF_TRANSFERS);
    const others = await a.count('events', `not (${OF_TRANSFERS})`);
    const archives = await a.archive();
    expect(archives.map(({ number, events }) => [number, Number(events)])).toEqual([[1, before]]);
    expect(await a.count('events', OF_TRANSFERS)).toBe(0);
    expect(await a.count('events')).toBe(others);
    expect(await a.count('archived_keys')).toBe(keys.length);
    expect(readdirSync(a.directory)).toEqual([archives[0]?.file_name]);
    expect(await a.wrong(a.directory)).toEqual([]);
    expect(await a.archive()).toEqual([]);
  });

  it('leave file by file, each behind the one before, where there are many', async () => {
    for (let at = 0; at < 5; at += 1) await a.debit(newId());
    const archives = await a.archive(undefined, 2);
    expect(archives.map(({ number, events, keys }) => [number, events, keys])).toEqual([
      [2, 2n, 2n],
      [3, 2n, 2n],
      [4, 1n, 1n],
    ]);
    expect(await a.wrong(a.directory)).toEqual([]);
  });

  it('stay where their text cannot be put together, and leave as whole texts', async () => {
    for (let at = 0; at < 3; at += 1) await a.debit(newId());
    const stored = 'select count(*)::int as stored from event_rows where template_id is not null';
    expect((await a.t.database.pool.query(stored)).rows[0].stored).toBeGreaterThan(0);
    const { rows } = await a.t.database.pool.query('delete from event_templates returning *');
    await expect(a.archive()).rejects.toThrow('cannot be read');
    expect(await a.count('events', OF_TRANSFERS)).toBe(3);
    const back = 'insert into event_templates select * from json_populate_recordset(null::event_templates, $1)';
    await a.t.database.pool.query(back, [JSON.stringify(rows)]);
    await a.archive();
    expect(await a.count('events', OF_TRANSFERS)).toBe(0);
    expect(await a.wrong(a.directory)).toEqual([]);
  });

  it('stay while they are young', async () => {
    await a.debit(newId());
    const moment = new Date(a.t.clock.now().getTime() + 1);
    a.t.clock.advance(60_000);
    await a.debit(newId());
    const { database, clock } = a.t;
    const archives = await archiveEvents({ database, clock, directory: a.directory }, { before: moment });
    expect(archives.map(({ events }) => events)).toEqual([1n]);
    expect(await a.count('events', OF_TRANSFERS)).toBe(1);
    expect(await a.wrong(a.directory)).toEqual([]);
    await a.archive();
  });

  it('stay while an endpoint has not been sent them, while a delivery is kept, and while the search has not read them', async () => {
    const { merchantId } = a.t.merchant;
    await a.archive();
    const tables = [
      `insert into webhook_endpoints (merchant_id, mode, id, url, status, cursor_sequence, failures_in_a_row, created_at, updated_at)
       values ($1, 'SANDBOX', $2, 'https://shop.example/hooks', 'ENABLED', $3, 0, now(), now())`,
      `insert into search_cursors (merchant_id, mode, event_sequence, filling, filled_to) values ($1, 'SANDBOX', $3, $2::text, null)`,
      `insert into event_cursors (merchant_id, mode, reader, event_sequence) values ($1, 'SANDBOX', $2::text, $3)`,
    ];
    for (const sql of tables) {
      await a.debit(newId());
      const [{ last }] = (
        await a.t.database.pool.query(`select max(sequence) as last from events where merchant_id = $1`, [merchantId])
      ).rows;
      const table = /insert into (\w+)/.exec(sql)?.[1] ?? '';
      await a.t.database.pool.query(`delete from ${table} where merchant_id = $1`, [merchantId]);
      await a.t.database.pool.query(sql, [merchantId, newId(), last - 1n]);
      expect(await a.archive(), table).toEqual([]);
      await a.t.database.pool.query(`delete from ${table} where merchant_id = $1`, [merchantId]);
      expect(
        (await a.archive()).map(({ events }) => events),
        table,
      ).toEqual([1n]);
    }
    await a.debit(newId());
    await a.t.database.pool.query(
      `insert into webhook_deliveries (merchant_id, mode, id, sequence, type, status, attempts, delivered_at, created_at, last_attempt_id)
       select merchant_id, mode, id, sequence, type, 'DELIVERED', 1, now(), now(), $2
         from events where merchant_id = $1 and ${OF_TRANSFERS}`,
      [merchantId, newId()],
    );
    expect(await a.archive()).toEqual([]);
    await a.t.database.pool.query('delete from webhook_deliveries');
    expect(await a.archive()).toHaveLength(1);
  });

  it('stay where their key leads to another transaction, or is answered by another event', async () => {
    const own = await createArchivist();
    const keys = [newId(), newId(), newId()];
    for (const key of keys) await own.debit(key);
    const { pool } = own.t.database;
    const before = BigInt(await own.count('events', `${OF_TRANSFERS} and idempotency_key is null`));
    // As no movement of today leaves it: each leads to what is the third's.
    const lead = (key: string | undefined, to: string) =>
      pool.query(
        `update idempotency_keys k set ${to}
           from idempotency_keys o where k.key = $1 and o.key = $2 and k.merchant_id = o.merchant_id and k.mode = o.mode`,
        [key, keys[2]],
      );
    const { rows } = await pool.query(
      'select key, transaction_id, event_sequence from idempotency_keys where key = any ($1)',
      [keys],
    );
    await lead(keys[0], 'transaction_id = o.transaction_id');
    await lead(
      keys[1],
      `event_sequence = (select sequence from events e where e.merchant_id = o.merchant_id and e.mode = o.mode and e.idempotency_key = o.key)`,
    );
    expect((await own.archive()).map(({ events }) => events)).toEqual([before + 1n]);
    const stayed = await pool.query(
      `select idempotency_key as key from events where ${OF_TRANSFERS} order by sequence`,
    );
    expect(stayed.rows.map(({ key }) => key)).toEqual(keys.slice(0, 2));
    for (const { key, transaction_id, event_sequence } of rows)
      await pool.query('update idempotency_keys set transaction_id = $2, event_sequence = $3 where key = $1', [
        key,
        transaction_id,
        event_sequence,
      ]);
    expect(await own.wrong(own.directory)).toEqual([]);
    await own.close();
  });
});

describe('a request whose answer is archived', () => {
  it('is never carried out again: with its key it is refused, and told what it made', async () => {
    const key = newId();
    const { transactionId } = (await a.debit(key)).body.data;
    await a.archive();
    const before = await a.count('transfers');
    const again = [await a.debit(key), await a.debit(key, 11)];
    for (const { status, body } of again) {
      expect([status, body.code]).toEqual([422, 'IDEMPOTENCY_KEY_ARCHIVED']);
      expect(body.message).toContain(transactionId);
    }
    expect(await a.count('transfers')).toBe(before);
    const found = await ask('GET', `/transaction?idempotencyKey=${key}`);
    expect(found.body.data.records.map((one: { transactionId: string }) => one.transactionId)).toEqual([transactionId]);
    expect((await ask('GET', `/transaction/${transactionId}`)).body.data.transactionId).toBe(transactionId);
  });

  it('is refused also where the command would be refused by now, and where an answer has a shape of its own', async () => {
    const key = newId();
    const credit = { subaccountId: a.t.merchant.subaccountIds[0], amount: 5, narration: 'VAT' };
    expect((await ask('POST', '/subaccount/credit', credit, { 'idempotency-key': key })).status).toBe(200);
    await a.archive();
    expect(
      await a.count('archived_keys', `transaction_id = (select id from transactions where category = 'SUBACCOUNT')`),
    ).toBe(1);
    const unknown = { ...credit, subaccountId: newId() };
    for (const body of [credit, unknown, { ...credit, amount: 90_000_000 }]) {
      const reply = await ask('POST', '/subaccount/credit', body, { 'idempotency-key': key });
      expect([reply.status, reply.body.code]).toEqual([422, 'IDEMPOTENCY_KEY_ARCHIVED']);
    }
  });

  it('is refused for all who repeat it at once while it is archived, and carried out for none', async () => {
    const keys = Array.from({ length: 40 }, () => newId());
    for (const key of keys) await a.debit(key);
    const before = await a.count('transfers');
    const archiving = a.archive(undefined, 7);
    const replies = await Promise.all([...keys, ...keys, ...keys].map((key) => a.debit(key)));
    await archiving;
    const codes = new Set(replies.map(({ status, body }) => `${status} ${body.code ?? 'replayed'}`));
    expect([...codes].filter((code) => code !== '200 replayed' && code !== '422 IDEMPOTENCY_KEY_ARCHIVED')).toEqual([]);
    expect(await a.count('transfers')).toBe(before);
    const last = await Promise.all(keys.map((key) => a.debit(key)));
    expect(new Set(last.map(({ body }) => body.code))).toEqual(new Set(['IDEMPOTENCY_KEY_ARCHIVED']));
  });

  it('is another one for another merchant', async () => {
    const key = newId();
    await a.debit(key);
    await a.archive();
    const other = await a.t.addMerchant();
    const debit = { storeId: other.storeIds[0], amount: 1, pin: other.pin, narration: 'takings' };
    const reply = await ask('POST', '/branch/store/debit', debit, {
      authorization: `Bearer ${other.secretKey}`,
      'idempotency-key': key,
    });
    expect(reply.status).toBe(200);
    await a.archive();
  });

  it('is told from one that was refused, or made something else: those keep their answers, byte for byte', async () => {
    const [refused, store] = [newId(), newId()];
    const first = [
      await a.debit(refused, 90_000_000),
      await ask('POST', '/branch/store', { name: 'Yaba' }, { 'idempotency-key': store }),
    ];
    expect(first.map(({ status }) => status)).toEqual([422, 200]);
    await a.archive();
    const again = [
      await a.debit(refused, 90_000_000),
      await ask('POST', '/branch/store', { name: 'Yaba' }, { 'idempotency-key': store }),
    ];
    expect(again.map(({ body }) => body.data)).toEqual(first.map(({ body }) => body.data));
    expect(again[1]?.text).toBe(first[1]?.text);
    expect(again[0]?.body.code).toBe('INSUFFICIENT_FUNDS');
  });
});

describe('the log of events', () => {
  it('says where it begins, and leaves nothing out in silence', async () => {
    await a.debit(newId());
    const [archive] = (await a.archive()).slice(-1);
    const upTo = Number(archive?.last_sequence);
    for (const query of [
      '',
      '?after=0',
      `?after=${upTo - 1}`,
      `?after=${upTo - 1}&limit=1`,
      '?type=transaction.succeeded',
    ]) {
      const reply = await ask('GET', `/event${query}`);
      expect([reply.status, reply.body.code], query).toEqual([422, 'EVENTS_ARCHIVED']);
      expect(reply.body.message).toContain(`after=${upTo}`);
    }
    await a.debit(newId());
    expect((await ask('GET', `/event?after=${upTo}`)).body.data.records).toHaveLength(1);
    expect((await ask('GET', '/event?type=store.created')).body.data.records.length).toBeGreaterThan(0);
    const [kept] = (await ask('GET', '/event?type=store.created')).body.data.records;
    expect((await ask('GET', `/event?after=${kept.sequence - 1}&limit=1`)).body.data.records).toEqual([kept]);
    const there = (await ask('GET', '/event?skipArchived=true&limit=1000')).body.data.records;
    expect(there).toHaveLength(
      await a.count('events', `merchant_id = '${a.t.merchant.merchantId}' and mode = 'SANDBOX'`),
    );
  });
});
