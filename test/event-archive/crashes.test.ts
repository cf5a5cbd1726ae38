import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { archiveEvents } from '../../src/event-archive/index.ts';
import type { Database } from '../../src/platform/db/database.ts';
import { newId } from '../../src/platform/ids.ts';
import { bearerOf, type TestMerchant } from '../support/app.ts';
import { type Archivist, createArchivist } from './fixture.ts';

const OF_TRANSFERS = `type = 'transaction.succeeded'`;

let a: Archivist;
beforeAll(async () => {
  a = await createArchivist();
});
afterAll(() => a.close());

class Killed extends Error {}

/** The process ends before the call `at`, or right after it: what the call did is done, and nothing follows. */
function endingAt(database: Database, at: number, when: 'before' | 'after'): { database: Database; calls(): number } {
  let calls = 0;
  const counted = async <T>(call: () => Promise<T>): Promise<T> => {
    calls += 1;
    const mine = calls;
    if (mine > at || (mine === at && when === 'before')) throw new Killed();
    const result = await call();
    if (mine === at) throw new Killed();
    return result;
  };
  return {
    database: {
      ...database,
      query: (statement, values) => counted(() => database.query(statement, values)),
      transaction: (work, options) => counted(() => database.transaction(work, options)),
    },
    calls: () => calls,
  };
}

const old = () => ({ before: new Date(a.t.clock.now().getTime() + 1), eventsAFile: 2 });

/** Of so many runs that are cut short, one is followed by a whole proof: it takes longer than they do. */
const PROOF_EVERY = 4;

/** Debits whose key is in neither of its tables, or in both. */
const lostKeys = () =>
  a.count(
    `(select t.id from transactions t
        left join idempotency_keys k on k.merchant_id = t.merchant_id and k.transaction_id = t.id
        left join archived_keys r on r.merchant_id = t.merchant_id and r.transaction_id = t.id
       where t.category = 'STORE_TO_MERCHANT' and num_nonnulls(k.key, r.fingerprint) <> 1) lost`,
  );

async function killedAt(at: number, when: 'before' | 'after'): Promise<boolean> {
  const { database } = endingAt(a.t.database, at, when);
  return archiveEvents({ database, clock: a.t.clock, directory: a.directory }, old()).then(
    () => false,
    (error: unknown) => {
      if (error instanceof Killed) return true;
      throw error;
    },
  );
}

describe('an archive that is cut short', () => {
  for (const when of ['before', 'after'] as const) {
    it(`${when} any of its statements loses nothing, and the next run ends it`, async () => {
      const key = newId();
      const { transactionId } = (await a.debit(key)).body.data;
      let at = 1;
      for (let killed = true; killed; at += 1) {
        await a.debit(newId());
        await a.debit(newId());
        killed = await killedAt(at, when);
        expect(await lostKeys(), `${when} ${at}`).toBe(0);
        if (at % PROOF_EVERY === 0) expect(await a.wrong(a.directory), `${when} ${at}`).toEqual([]);
        const again = await a.debit(key);
        if (again.status === 200) expect(again.body.data.transactionId).toBe(transactionId);
        else expect(again.body.message).toContain(transactionId);
      }
      expect(at).toBeGreaterThan(8);
      await a.archive();
      expect(await a.count('events', OF_TRANSFERS)).toBe(0);
      expect(await a.wrong(a.directory)).toEqual([]);
    });
  }

  it('after any of its steps loses nothing, and the next run ends it', async () => {
    for (const what of ['written', 'read back', 'recorded', 'removed']) {
      for (let at = 0; at < 3; at += 1) await a.debit(newId());
      const before = await a.count('transfers');
      const cut = a.archive((step) => {
        if (step.what === what) throw new Killed();
      }, 2);
      await expect(cut).rejects.toThrow(Killed);
      expect(await a.wrong(a.directory), what).toEqual([]);
      await a.archive();
      expect(await a.wrong(a.directory), what).toEqual([]);
      expect(await a.count('events', OF_TRANSFERS)).toBe(0);
      expect(await a.count('transfers')).toBe(before);
    }
    const recorded = (await a.t.database.pool.query('select file_name from event_archives')).rows;
    const files = readdirSync(a.directory);
    for (const { file_name } of recorded) expect(files).toContain(file_name);
  });

  it('goes on in no other folder than the one that has the files before', async () => {
    await a.debit(newId());
    const [last] = (await a.archive()).slice(-1);
    await a.debit(newId());
    const other = mkdtempSync(join(tmpdir(), 'manilla-archive-'));
    await expect(a.archive(undefined, undefined, other)).rejects.toMatchObject({
      code: 'ARCHIVE_FILE_WRONG',
      message:
        `Nothing more of its business was archived: ${last?.file_name} is missing. See that ARCHIVE_DIR is the folder with the files before, ` +
        'bring this one back into it from a copy, and run archive-events again; where no copy exists, abandon it with abandon-archive. ' +
        'Until then the events that are left stay in the database.',
    });
    expect([readdirSync(other), await a.count('events', OF_TRANSFERS)]).toEqual([[], 1]);
    rmSync(other, { recursive: true });
    await a.archive();
    expect(await a.wrong(a.directory)).toEqual([]);
  });

  it('is not ended by a file that has changed since', async () => {
    await a.debit(newId());
    const cut = a.archive((step) => {
      if (step.what === 'recorded') throw new Killed();
    });
    await expect(cut).rejects.toThrow(Killed);
    const [{ file_name }] = (
      await a.t.database.pool.query('select file_name from event_archives where removed_to < last_sequence')
    ).rows;
    const path = join(a.directory, file_name);
    const whole = readFileSync(path);
    writeFileSync(path, whole.subarray(0, -1));
    await expect(a.archive()).rejects.toMatchObject({ code: 'ARCHIVE_FILE_WRONG' });
    expect(await a.count('events', OF_TRANSFERS)).toBe(1);
    writeFileSync(path, whole);
    await a.archive();
    expect(await a.wrong(a.directory)).toEqual([]);
  });

  it('of one merchant whose file has changed keeps no other merchant’s events from leaving', async () => {
    const other = await a.t.addMerchant();
    const [first, second] = [a.t.merchant, other].sort((one, two) => (one.merchantId < two.merchantId ? -1 : 1)) as [
      TestMerchant,
      TestMerchant,
    ];
    const debit = async (of: TestMerchant) => {
      const order = { storeId: of.storeIds[0], amount: 10, pin: of.pin, narration: 'day’s takings' };
      expect((await a.t.call('POST', '/branch/store/debit', order, bearerOf(of))).status).toBe(200);
    };
    for (const each of [first, second]) await debit(each);
    const of = ({ merchantId }: TestMerchant) => `${OF_TRANSFERS} and merchant_id = '${merchantId}'`;
    const cut = a.archive(({ what, archive }) => {
      if (what === 'recorded' && archive.merchant_id === first.merchantId) throw new Killed();
    });
    await expect(cut).rejects.toThrow(Killed);
    expect([await a.count('events', of(first)), await a.count('events', of(second))]).toEqual([1, 0]);
    const { rows } = await a.t.database.pool.query(
      'select file_name from event_archives where removed_to < last_sequence',
    );
    const path = join(a.directory, rows[0].file_name);
    const whole = readFileSync(path);
    writeFileSync(path, whole.subarray(0, -1));
    await debit(second);
    await expect(a.archive()).rejects.toMatchObject({ code: 'ARCHIVE_FILE_WRONG' });
    expect([await a.count('events', of(first)), await a.count('events', of(second))]).toEqual([1, 0]);
    writeFileSync(path, whole);
    await a.archive();
    expect(await a.wrong(a.directory)).toEqual([]);
  });

  it('does not remove a row that is not what its file says', async () => {
    await a.debit(newId());
    const change = (what: string) =>
      a.t.database.pool.query(`update event_rows set request_id = ${what} where ${OF_TRANSFERS}`);
    const [{ request_id }] = (await a.t.database.pool.query(`select request_id from events where ${OF_TRANSFERS}`))
      .rows;
    const cut = a.archive((step) => {
      if (step.what === 'recorded') throw new Killed();
    });
    await expect(cut).rejects.toThrow(Killed);
    await change(`'${newId()}'`);
    await expect(a.archive()).rejects.toThrow('0 and 1 are what the file says');
    expect(await a.count('events', OF_TRANSFERS)).toBe(1);
    expect(
      await a.count('archived_keys', `transaction_id = (select subject_id from events where ${OF_TRANSFERS})`),
    ).toBe(0);
    await change(`'${request_id}'`);
    await a.archive();
    expect(await a.wrong(a.directory)).toEqual([]);
  });

  it('does not remove a key that is not what its file says, nor its event', async () => {
    const key = newId();
    await a.debit(key);
    const ofKey = `idempotency_key = '${key}'`;
    const change = (what: string) =>
      a.t.database.pool.query(`update idempotency_keys set input_hash = ${what} where key = '${key}'`);
    const [{ input_hash }] = (
      await a.t.database.pool.query('select input_hash from idempotency_keys where key = $1', [key])
    ).rows;
    const cut = a.archive((step) => {
      if (step.what === 'recorded') throw new Killed();
    });
    await expect(cut).rejects.toThrow(Killed);
    await change(`'another'`);
    await expect(a.archive()).rejects.toThrow('1 and 0 are what the file says');
    expect([await a.count('events', ofKey), await a.count('idempotency_keys', `key = '${key}'`)]).toEqual([1, 1]);
    await change(`'${input_hash}'`);
    await a.archive();
    expect([await a.count('events', ofKey), await a.count('idempotency_keys', `key = '${key}'`)]).toEqual([0, 0]);
    expect(await a.wrong(a.directory)).toEqual([]);
  });

  it('on its way to the disk is not written down, and nothing of it is removed', async () => {
    for (const damage of [
      (path: string) => writeFileSync(path, readFileSync(path).subarray(0, -1)),
      (path: string) => rmSync(path),
    ]) {
      await a.debit(newId());
      const recorded = await a.count('event_archives');
      const cut = a.archive(({ what, archive }) => {
        if (what === 'written') damage(join(a.directory, archive.file_name));
      });
      await expect(cut).rejects.toMatchObject({ code: 'ARCHIVE_FILE_WRONG' });
      expect([await a.count('event_archives'), await a.count('events', OF_TRANSFERS)]).toEqual([recorded, 1]);
      await a.archive();
      expect(await a.wrong(a.directory)).toEqual([]);
    }
  });
});

describe('an archive beside others', () => {
  it('is refused while another one is under way', async () => {
    for (let at = 0; at < 6; at += 1) await a.debit(newId());
    const both = await Promise.allSettled([a.archive(undefined, 2), a.archive(undefined, 2)]);
    const refused = both.filter((one) => one.status === 'rejected');
    expect(refused.map(({ reason }) => reason.code)).toEqual(['ARCHIVE_UNDER_WAY']);
    expect(await a.count('events', OF_TRANSFERS)).toBe(0);
    expect(await a.wrong(a.directory)).toEqual([]);
  });

  it('stops no debits, and at every moment of it all is proven', async () => {
    for (let at = 0; at < 60; at += 1) await a.debit(newId());
    let isOver = false;
    const archiving = (async () => {
      for (let runs = 0; runs < 4; runs += 1) await a.archive(undefined, 9);
      isOver = true;
    })();
    const debiting = (async () => {
      let made = 0;
      for (; !isOver || made < 20; made += 1) expect((await a.debit(newId(), 1)).status).toBe(200);
      return made;
    })();
    const proofs = [];
    do proofs.push(await a.wrong(a.directory));
    while (!isOver);
    await Promise.all([archiving, debiting]);
    proofs.push(await a.wrong(a.directory));
    expect(proofs.flat()).toEqual([]);
    expect(proofs.length).toBeGreaterThan(1);
  });
});
