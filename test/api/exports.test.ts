import { connect, type Socket } from 'node:net';
import { parse } from 'csv-parse/sync';
import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { recordAudit } from '../../src/audit/index.ts';
import type { Database, Queries } from '../../src/platform/db/database.ts';
import { statement } from '../../src/platform/db/statement.ts';
import { makeExport, streamExport } from '../../src/platform/exports.ts';
import { newId } from '../../src/platform/ids.ts';
import { personOf } from '../approvals/approval-fixture.ts';
import { createTestApp, type TestApp, type TestMerchant } from '../support/app.ts';
import { listen } from '../support/http-client.ts';
import { type InBetween, inBetween } from '../support/in-between.ts';
import { bearer, rowsOf } from '../support/world.ts';

let t: TestApp;
let between: InBetween;
let baseUrl: string;
let failing = false;

beforeAll(async () => {
  t = await createTestApp({}, (database) => {
    between = inBetween(database);
    return failingOn(between.database, 'list-statement-entries');
  });
  baseUrl = await listen(t.app);
});
afterAll(() => t.close());

/** The same database, whose connection breaks at a statement while the test says so. */
function failingOn(database: Database, name: string): Database {
  let times = 0;
  return {
    ...database,
    get reading() {
      return this;
    },
    query(asked, values) {
      if (asked.name === name && failing) times += 1;
      if (times === 2) return Promise.reject(new Error('Connection terminated unexpectedly'));
      return database.query(asked, values);
    },
  };
}

/** Of a client that stays. */
const { signal: gone } = new AbortController();

const ITEM = { amount: 1_000, bankCode: '058', accountNumber: '0123456785', narration: 'Salary' };

/** What is wrong with an item, as it is stored: in words of its own. */
const problem = (text: string) => JSON.stringify([{ code: 'OTHER', field: null, params: { text } }]);

/** A bulk payout of many items, copied from one. @param reason of all but the first */
async function bigBatch(merchant: TestMerchant, items: number, reason = 'bad') {
  const made = await t.call('POST', '/payout/bulk', { items: [ITEM] }, bearer(merchant.secretKey));
  const { id: batchId, batchReference: reference } = made.body.data as { id: string; batchReference: string };
  const sql = `insert into batch_items select copies.*
    from batch_items i
   cross join generate_series(2, $2::int) n
   cross join lateral jsonb_populate_record(null::batch_items, to_jsonb(i) || jsonb_build_object('id',
           gen_random_uuid(), 'position', n, 'item_errors', $3::text, 'validated_at', i.created_at)) copies
   where i.batch_id = $1`;
  await rowsOf(t.connectionString, sql, [batchId, items, problem(reason)]);
  return { reference, batchId };
}

const download = async (path: string, merchant: TestMerchant) => {
  const { status, text, headers } = await t.call('GET', path, undefined, bearer(merchant.secretKey));
  expect(status, text).toBe(200);
  expect(Number(headers['content-length'])).toBe(Buffer.byteLength(text));
  return parse<Record<string, string>>(text, { columns: true, bom: true });
};

/** Asks for a file and reads nothing of it. */
async function ask(path: string, merchant: TestMerchant): Promise<Socket> {
  const { port } = new URL(baseUrl);
  const socket = connect(Number(port), '127.0.0.1');
  socket.pause();
  socket.on('error', () => undefined);
  socket.write(
    `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\nauthorization: Bearer ${merchant.secretKey}\r\n\r\n`,
  );
  return socket;
}

describe('a file of many rows is of one moment, though they change while it is read', () => {
  it('result.csv and rejected.csv: what moves from a row that is not read yet to one that is, is in it once', async () => {
    const merchant = await t.addMerchant();
    const { reference, batchId } = await bigBatch(merchant, 2_100);
    const place = `update batch_items
      set item_errors = case position when $4::int then $2 when $5::int then $3 else item_errors end
      where batch_id = $1 and position in ($4, $5)`;
    const move = (from: number, to: number) =>
      rowsOf(t.connectionString, place, [batchId, problem('bad'), problem('the one'), from, to]);
    for (const file of ['result.csv', 'rejected.csv']) {
      for (let after = 1, statements = after; after <= statements; after += 1) {
        await move(3, 2_050);
        const found = await between.during(
          () => move(2_050, 3),
          () => download(`/payout/bulk/${reference}/${file}`, merchant),
          after,
        );
        statements = found.statements;
        expect(found.result.filter((row) => row['Reason'] === 'the one')).toHaveLength(1);
      }
    }
  });

  it('audit.csv: an action whose end is written meanwhile is in it', async () => {
    const merchant = await t.addMerchant();
    const owner = await personOf(t, merchant, 'OWNER');
    const actor = { kind: 'PERSON', id: newId(), name: 'Ada', role: 'MAKER', sessionId: null } as const;
    const note = (requestId: string, outcome: 'ASKED' | 'DONE') =>
      recordAudit(t.database, {
        ...{ mode: null, action: 'POST /x', summary: 'x', code: null, subject: {}, ip: null, userAgent: null },
        ...{ merchantId: merchant.merchantId, at: new Date(), actor, requestId, outcome },
      });
    const copies = `insert into audit_entries select copies.*
      from audit_entries e
     cross join unnest($2::uuid[]) ids (id)
     cross join lateral jsonb_populate_record(null::audit_entries, to_jsonb(e) ||
             jsonb_build_object('id', ids.id, 'request_id', ids.id, 'outcome', 'DONE')) copies
     where e.request_id = $1`;
    await note('the action', 'ASKED');
    await rowsOf(t.connectionString, copies, ['the action', Array.from({ length: 1_500 }, newId)]);
    const { result } = await between.during(
      () => note('the action', 'DONE'),
      () => owner.call('GET', '/audit.csv?once=true'),
      2,
    );
    const rows = parse<Record<string, string>>(result.text, { columns: true });
    expect(rows.filter((row) => row['request'] === 'the action')).toMatchObject([{ outcome: 'ASKED' }]);
  });
});

describe('whoever fetches a file slowly', () => {
  /** More than the buffers between two sockets take. */
  const [ITEMS, LONG] = [3_000, 'long '.repeat(1_600)];

  const openSnapshots = async () => {
    const sql = `select count(*)::int as open from pg_stat_activity
      where datname = current_database() and backend_xmin is not null and pid <> pg_backend_pid()`;
    return (await rowsOf<{ open: number }>(t.connectionString, sql))[0]?.open;
  };

  it('holds no connection and no snapshot of the database, and gets all of it', async () => {
    const merchant = await t.addMerchant();
    const { reference, batchId } = await bigBatch(merchant, ITEMS, LONG);
    const path = `/payout/bulk/${reference}/result.csv`;
    const socket = await ask(path, merchant);
    // The whole file is read before its first byte is sent, however much the client takes of it.
    await new Promise((resolve) => socket.once('readable', resolve));
    await expect.poll(openSnapshots).toBe(0);
    await rowsOf(t.connectionString, 'update batch_items set item_errors = $1 where batch_id = $2', [
      problem('changed'),
      batchId,
    ]);
    let text = '';
    for await (const piece of socket.setEncoding('utf8')) text += piece as string;
    const [head = '', body = ''] = text.split('\r\n\r\n', 1).concat(text.slice(text.indexOf('\r\n\r\n') + 4));
    expect(head).toMatch(/^HTTP\/1.1 200/);
    expect(Number(/content-length: (\d+)/i.exec(head)?.[1])).toBe(Buffer.byteLength(body));
    expect(body).not.toContain('changed');
    expect(body.trimEnd().split('\r\n')).toHaveLength(ITEMS + 1);
  });

  it('waits for nobody but themselves: a fifth file is refused until one has ended, and others get theirs', async () => {
    const [merchant, other] = [await t.addMerchant(), await t.addMerchant()];
    const { reference } = await bigBatch(merchant, ITEMS, LONG);
    const path = `/payout/bulk/${reference}/result.csv`;
    const sockets = await Promise.all(Array.from({ length: 4 }, () => ask(path, merchant)));
    await Promise.all(sockets.map((socket) => new Promise((resolve) => socket.once('readable', resolve))));
    const refused = await t.call('GET', path, undefined, bearer(merchant.secretKey));
    expect([refused.status, refused.body.code, refused.headers['retry-after']]).toEqual([503, 'EXPORTS_BUSY', '10']);
    const small = await bigBatch(other, 10);
    expect(await download(`/payout/bulk/${small.reference}/result.csv`, other)).toHaveLength(10);
    const short = `/payout/bulk/${(await bigBatch(merchant, 10)).reference}/result.csv`;
    const asked = async () => (await t.call('GET', short, undefined, bearer(merchant.secretKey))).status;
    expect(await asked()).toBe(503);
    for (const socket of sockets) socket.destroy();
    await expect.poll(asked, { interval: 200 }).toBe(200);
  });
});

describe('a statement as a file, which is read as it is sent', () => {
  it('is one of the four files of a merchant, and none of anybody else’s: a fifth is refused before anything is read', async () => {
    const [merchant, other] = [await t.addMerchant(), await t.addMerchant()];
    const ask = ({ secretKey, walletId }: TestMerchant, path = 'merchant') =>
      t.call('GET', `/wallet/${path.replace(':id', walletId)}/statement?format=csv`, undefined, bearer(secretKey));
    async function* never(): AsyncGenerator<string> {
      yield await new Promise<string>(() => undefined);
    }
    const files = Array.from({ length: 4 }, () => streamExport(t.app.database, merchant.merchantId, never()));
    for (const path of ['merchant', ':id']) {
      const { status, body, headers } = await ask(merchant, path);
      expect([status, body.code, headers['retry-after']]).toEqual([503, 'EXPORTS_BUSY', '10']);
    }
    expect((await ask(other)).status).toBe(200);
    const page = await t.call('GET', '/wallet/merchant/statement', undefined, bearer(merchant.secretKey));
    expect(page.status).toBe(200);
    await files[0]?.close();
    // One that is sent frees its place.
    for (let times = 0; times < 3; times += 1) {
      await expect.poll(async () => (await ask(merchant)).status, { interval: 20 }).toBe(200);
    }
  });

  it('has a piece of one file of a merchant read at a time, of two merchants at most, and no more than is fetched', async () => {
    let [reading, most, pieces] = [0, 0, 0];
    const owners = [newId(), newId(), newId()];
    const underWay = new Map<string, number>();
    async function* endless(owner: string): AsyncGenerator<string> {
      for (;;) {
        reading += 1;
        underWay.set(owner, (underWay.get(owner) ?? 0) + 1);
        most = Math.max(most, reading);
        expect(underWay.get(owner)).toBe(1);
        await new Promise((resolve) => setImmediate(resolve));
        underWay.set(owner, 0);
        reading -= 1;
        pieces += 1;
        yield 'x'.repeat(1_000);
      }
    }
    const files = owners.flatMap((owner) =>
      Array.from({ length: 4 }, () => streamExport(t.database, owner, endless(owner))),
    );
    const streams = files.map((file) => file.stream());
    const firsts = streams.map(async (stream) => {
      for await (const piece of stream) return piece as string;
      return undefined;
    });
    expect(await Promise.all(firsts)).toEqual(files.map(() => 'x'.repeat(1_000)));
    expect(most).toBe(2);
    expect(pieces).toBeLessThanOrEqual(3 * files.length);
    for (const file of files) await file.close();
    expect(() => streamExport(t.database, owners[0] ?? '', endless('')).close()).not.toThrow();
  });
});

describe('a file that cannot be read to its end', () => {
  it('is not begun: the refusal comes instead of it', async () => {
    const merchant = await t.addMerchant();
    const { reference } = await bigBatch(merchant, 2_100);
    const path = `/payout/bulk/${reference}/result.csv`;
    let chunks = 0;
    const broken = between.during(
      async (statement) => {
        if (statement.startsWith('list-batch-item-results')) chunks += 1;
        if (chunks === 2) throw new Error('the disk is gone');
      },
      () => t.call('GET', path, undefined, bearer(merchant.secretKey)),
    );
    expect((await broken).result).toMatchObject({ status: 500, body: { code: 'INTERNAL_ERROR' } });
    expect(await download(path, merchant)).toHaveLength(2_100);
  });

  it('is seen to be cut where it was begun: a statement ends in an error, and not in a shorter file', async () => {
    const merchant = await t.addMerchant();
    for (let at = 0; at < 3; at += 1) {
      await t.call(
        'POST',
        '/sandbox/wallet/fund',
        { walletId: merchant.walletId, amount: 1 },
        bearer(merchant.secretKey),
      );
    }
    const fetchIt = async () => {
      const url = `${baseUrl}/wallet/merchant/statement?format=csv`;
      const answer = await request(url, { headers: bearer(merchant.secretKey) });
      return answer.body.text();
    };
    expect((await fetchIt()).trimEnd().split('\r\n')).toHaveLength(5);
    failing = true;
    await expect(fetchIt()).rejects.toThrow();
    failing = false;
  });
});

describe('reading a file', () => {
  const one = statement<{ n: number }>('test-one', 'select n from generate_series(1, 10) n');

  it('takes no connection of those that money moves on', async () => {
    const { pool } = t.database;
    const held = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()));
    try {
      const lines = async function* (queries: Queries) {
        yield (await queries.query(one)).map(({ n }) => `${n}\n`).join('');
      };
      const file = await makeExport(t.database, newId(), lines, { gone });
      expect(file.size).toBe(21);
      await file.close();
    } finally {
      for (const client of held) client.release();
    }
  });

  it('ends where it gets too long, and leaves nothing behind', async () => {
    const owner = newId();
    const endless = async function* () {
      for (;;) {
        yield 'x'.repeat(1_000);
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    for (let times = 0; times < 10; times += 1) {
      const limits = times % 2 === 0 ? { maxBytes: 10_000, maxReadingMs: 60_000 } : { maxBytes: 1e9, maxReadingMs: 20 };
      await expect(makeExport(t.database, owner, endless, { gone, limits })).rejects.toMatchObject({
        code: 'EXPORT_TOO_LARGE',
      });
    }
  });

  it('is refused while those that are open come to too much, of its owner or of all, and made when they are fetched', async () => {
    const limits = { maxBytes: 1e9, maxReadingMs: 60_000, maxBytesOpen: 2_500, maxBytesOfOwner: 1_500 };
    const make = (owner: string) =>
      makeExport(
        t.database,
        owner,
        async function* () {
          yield 'x'.repeat(1_000);
        },
        { gone, limits },
      );
    const busy = { code: 'EXPORTS_BUSY' };
    const [one, another, third] = [newId(), newId(), newId()];
    const first = await make(one);
    await expect(make(one)).rejects.toMatchObject(busy);
    const second = await make(another);
    await expect(make(third)).rejects.toMatchObject(busy);
    await first.close();
    const last = await make(third);
    await Promise.all([second.close(), last.close()]);
    await (await make(one)).close();
  });

  it('that is small is refused to nobody while two others have large ones open, within a bound', async () => {
    const limits = { maxBytes: 1e9, maxReadingMs: 60_000, maxBytesOpen: 64_000, maxBytesOfOwner: 32_000 };
    const make = (owner: string, bytes: number) =>
      makeExport(
        t.database,
        owner,
        async function* () {
          yield 'x'.repeat(bytes);
        },
        { gone, limits },
      );
    const open = await Promise.all([make(newId(), 32_000), make(newId(), 32_000)]);
    await expect(make(newId(), 1_001)).rejects.toMatchObject({ code: 'EXPORTS_BUSY' });
    for (let at = 0; at < 16; at += 1) open.push(await make(newId(), 1_000));
    await expect(make(newId(), 1_000)).rejects.toMatchObject({ code: 'EXPORTS_BUSY' });
    await Promise.all(open.map((file) => file.close()));
  });
});
