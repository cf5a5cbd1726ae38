import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Ledger, listEvents, type Movement } from '../../src/ledger/index.ts';
import type { Database } from '../../src/platform/db/database.ts';
import { rowsFor, setInsert } from '../../src/platform/db/statement.ts';
import { newId } from '../../src/platform/ids.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { expectProven, openTestBooks, openTestDatabase, openTestLedger, type TestBooks } from './books.ts';

let holder: TestDatabase;
let database: Database;
let ledger: Ledger;

beforeAll(async () => {
  holder = await createTestDatabase();
  database = openTestDatabase(holder.connectionString);
  ledger = openTestLedger(database);
});

afterAll(async () => {
  await expectProven(database);
  await database.close();
  await holder.drop();
});

/** A movement that notes some words. */
function note({ tenant }: TestBooks, words: string, kind = 'note'): Movement {
  const id = newId();
  const occurredAt = new Date().toISOString();
  const value = JSON.stringify(words);
  return {
    tenant,
    id,
    occurredAt,
    idempotency: { key: newId(), inputHash: 'hash' },
    events: [
      {
        id: newId(),
        type: 'note.made',
        subjectId: id,
        data: `{"id":"${id}","of":"${tenant.merchantId}","kind":"${kind}","words":${value},"at":"${occurredAt}"}`,
        varying: {
          kind: `${tenant.merchantId} ${kind}`,
          fields: [
            ['"id":"', 'SUBJECT'],
            ['"words":', 0],
            ['"at":"', 'TIME'],
          ],
          values: [value],
        },
      },
    ],
    answer: { message: 'Noted' },
  };
}

const textsOf = async ({ tenant }: TestBooks): Promise<string[]> =>
  (await listEvents(database, tenant, { after: 0n, limit: 1_000 })).events.map(({ data }) => data);

const sent = (movements: readonly Movement[]): string[] =>
  movements.flatMap(({ events }) => events ?? []).map(({ data }) => data);

async function stored({ tenant }: TestBooks): Promise<{ data: string; template_id: string | null }[]> {
  const text = 'select data, template_id from event_rows where merchant_id = $1 order by sequence';
  return (await database.pool.query(text, [tenant.merchantId])).rows;
}

async function templatesOf({ tenant }: TestBooks): Promise<number> {
  const text = 'select count(*)::int as templates from event_templates where merchant_id = $1';
  return (await database.pool.query(text, [tenant.merchantId])).rows[0].templates;
}

describe('events that are much alike', () => {
  it('are stored as what differs from the second one on, and are read as they were written', async () => {
    const books = await openTestBooks(database);
    const movements = ['one', 'two', 'three'].map((words) => note(books, words));
    const answers: string[] = [];
    for (const movement of movements) answers.push((await ledger.commit(movement)).answer.body);
    expect((await stored(books)).map(({ data }) => data)).toEqual([sent(movements)[0], '"two"', '"three"']);
    expect(await textsOf(books)).toEqual(sent(movements));
    expect(await templatesOf(books)).toBe(1);
    for (const [at, { idempotency, ...again }] of movements.entries()) {
      const { answer, replayed } = await openTestLedger(database).commit({ ...again, id: newId(), idempotency });
      expect([answer.body, replayed]).toEqual([answers[at], true]);
    }
  });

  it('of many processes at once share their templates, and none is lost', async () => {
    const all = await Promise.all([1, 2, 3].map(() => openTestBooks(database)));
    const databases = [1, 2, 3].map(() => openTestDatabase(holder.connectionString));
    const ledgers = databases.map((each) => openTestLedger(each, 2));
    const movements = Array.from({ length: 240 }, (_, at) =>
      note(all[at % 3]!, `words ${at}`, at % 2 ? 'odd' : 'even'),
    );
    await Promise.all(movements.map((movement, at) => ledgers[Math.floor(at / 3) % 3]!.commit(movement)));
    for (const books of all) {
      const own = movements.filter(({ tenant }) => tenant === books.tenant);
      expect((await textsOf(books)).toSorted()).toEqual(sent(own).toSorted());
      expect(await templatesOf(books)).toBe(2);
      expect((await stored(books)).filter(({ template_id }) => template_id === null).length).toBeLessThanOrEqual(6);
    }
    await Promise.all(databases.map((each) => each.close()));
  });

  it('are not shown without their data where their template is gone', async () => {
    const books = await openTestBooks(database);
    const { tenant } = books;
    for (const words of ['one', 'two']) await ledger.commit(note(books, words));
    const gone = 'delete from event_templates where merchant_id = $1 returning *';
    const { rows } = await database.pool.query(gone, [tenant.merchantId]);
    await expect(listEvents(database, tenant, { after: 0n, limit: 10 })).rejects.toThrow('cannot be read');
    const back = 'insert into event_templates select * from json_populate_record(null::event_templates, $1)';
    await database.pool.query(back, [JSON.stringify(rows[0])]);
    expect((await listEvents(database, tenant, { after: 0n, limit: 10 })).events).toHaveLength(2);
  });

  it('whose group is rolled back leave no template, and the next group writes it', async () => {
    const books = await openTestBooks(database);
    let fails = false;
    const failing: Database = {
      ...database,
      transaction: (work, how) =>
        database.transaction(async (tx) => {
          const result = await work(tx);
          if (fails) throw new Error('the group fails');
          return result;
        }, how),
    };
    const own = openTestLedger(failing);
    const movements = ['one', 'two', 'three'].map((words) => note(books, words));
    await own.commit(movements[0]!);
    fails = true;
    await expect(own.commit(movements[1]!)).rejects.toThrow('the group fails');
    expect(await templatesOf(books)).toBe(0);
    fails = false;
    await own.commit(movements[2]!);
    expect(await templatesOf(books)).toBe(1);
    expect(await textsOf(books)).toEqual(sent([movements[0]!, movements[2]!]));
  });

  it('write their template again where the database has lost it, as one that was brought back to a moment before', async () => {
    const books = await openTestBooks(database);
    for (const words of ['one', 'two']) await ledger.commit(note(books, words));
    // The last event, with its template, is what a standby had not received.
    const { merchantId } = books.tenant;
    await database.pool.query('delete from event_templates where merchant_id = $1', [merchantId]);
    await database.pool.query('delete from event_rows where merchant_id = $1 and sequence = 2', [merchantId]);
    await database.pool.query('update books set event_sequence = 1 where merchant_id = $1', [merchantId]);
    const after = [note(books, 'three'), note(books, 'four')];
    for (const movement of after) await ledger.commit(movement);
    expect((await textsOf(books)).slice(1)).toEqual(sent(after));
    expect(await templatesOf(books)).toBe(1);
  });

  it('of two merchants have a template each, though their texts are the same', async () => {
    const [one, other] = [await openTestBooks(database), await openTestBooks(database)];
    const anonymous = (books: TestBooks, words: string): Movement => {
      const movement = note(books, words);
      const [event] = movement.events!;
      const varying = { ...event!.varying!, kind: 'the same' };
      return { ...movement, events: [{ ...event!, data: event!.data.replace(books.tenant.merchantId, 'x'), varying }] };
    };
    for (const words of ['one', 'two', 'three'])
      for (const books of [one, other]) await ledger.commit(anonymous(books, words));
    expect([await templatesOf(one), await templatesOf(other)]).toEqual([1, 1]);
    expect((await textsOf(one)).length + (await textsOf(other)).length).toBe(6);
  });

  it('may have any words', async () => {
    const books = await openTestBooks(database);
    const words = ['%', '%1$s', '%5$s', '\\n', '\n', '"', '{}', '₦', '', '"at":"', '\u2028', '𝒳', '{"a":[1,2]}', '\t'];
    const movements = [...words, ...words].map((each) => note(books, each));
    for (const movement of movements) await ledger.commit(movement);
    expect(await textsOf(books)).toEqual(sent(movements));
    const kinds = words.flatMap((each) => [note(books, 'x', each), note(books, 'y', each)]);
    const escaped = kinds.map((movement) => ({ ...movement, events: movement.events! }));
    for (const movement of escaped) await ledger.commit(movement);
    expect((await textsOf(books)).slice(movements.length)).toEqual(sent(escaped));
  });
});

describe('a process of the release before', () => {
  it('goes on writing events while the others are replaced', async () => {
    const books = await openTestBooks(database);
    const { tenant } = books;
    const before = setInsert<
      Record<'merchant_id' | 'mode' | 'id' | 'type' | 'subject_id' | 'data' | 'created_at', string> & {
        sequence: bigint;
      }
    >('events', {
      merchant_id: 'uuid',
      mode: 'text',
      sequence: 'bigint',
      id: 'uuid',
      type: 'text',
      subject_id: 'uuid',
      data: 'json',
      created_at: 'timestamptz',
    });
    const event = {
      merchant_id: tenant.merchantId,
      mode: tenant.mode,
      sequence: 1n,
      id: newId(),
      type: 'note.made',
      subject_id: newId(),
      data: '{"words":"100%"}',
      created_at: new Date().toISOString(),
    };
    await database.transaction(async (tx) => {
      await tx.run(...rowsFor(before, [event]));
      await tx.query({ name: 'count-one-event', text: 'update books set event_sequence = 1 where merchant_id = $1' }, [
        tenant.merchantId,
      ]);
    });
    expect(await textsOf(books)).toEqual(['{"words":"100%"}']);
  });
});
