import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type Reply } from '../support/app.ts';
import { type InBetween, inBetween } from '../support/in-between.ts';
import type { Schema } from '../support/operations.ts';
import type { FilledList } from './filled-list.ts';
import { FILLERS } from './list-fillers.ts';

let between: InBetween;
const t = await createTestApp({}, (database) => {
  between = inBetween(database);
  return between.database;
});
const documented = documentedLists();
afterAll(() => t.close());

interface DocumentedList {
  path: string;
  query: Parameter[];
}

interface Parameter {
  in: string;
  name: string;
  schema: Schema;
  example?: unknown;
}

/** Every operation that answers records, as the app documents it. */
function documentedLists(): DocumentedList[] {
  const { paths } = t.app.server.swagger() as unknown as { paths: Record<string, Record<string, Listing>> };
  return Object.entries(paths).flatMap(([path, { get }]) => {
    const schema = get?.responses['200']?.content?.['application/json']?.schema;
    if (schema === undefined || !JSON.stringify(schema).includes('"records"')) return [];
    return [{ path, query: (get?.parameters ?? []).filter(({ in: where }) => where === 'query') }];
  });
}

interface Listing {
  parameters?: Parameter[];
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
}

/**
 * The log of events is numbered without gaps, and has a cursor of its own: the number. The others are few and answered
 * whole: what the operator has set, by hand and row by row.
 */
const NOT_PAGED = [
  '/event',
  '/operator/availability',
  '/operator/bank-holiday',
  '/operator/fee',
  '/operator/limit',
  '/operator/rail',
  '/operator/report-threshold',
  '/operator/reserve/rule',
  '/operator/settlement-terms',
  '/operator/tier-limit',
];
const lists = documented.filter(({ path }) => !NOT_PAGED.includes(path));

interface Page {
  page: number | null;
  size: number;
  totalRecords: number | null;
  totalPages: number | null;
  totalIsExact: boolean | null;
  nextCursor: string | null;
  previousCursor: string | null;
  records: unknown[];
}

/** The float has what is compared beside the list of comparisons. */
const pageOf = ({ body }: Reply): Page => body.data.history ?? body.data;

async function fill(path: string): Promise<FilledList> {
  const filler = FILLERS[path];
  if (filler === undefined) throw new Error(`say in list-fillers.ts how GET ${path} gets its rows`);
  // One that names no merchant in its arguments needs none of its own.
  return filler(t, filler.length > 1 ? await t.addMerchant() : t.merchant);
}

async function read({ get, path }: FilledList, query: string): Promise<Page> {
  const reply = await get(`${path}?${query}`);
  expect(reply.status, reply.text).toBe(200);
  return pageOf(reply);
}

const keysOf = (list: FilledList, page: Page) => page.records.map(list.key);

async function allKeys(list: FilledList): Promise<string[]> {
  const keys: string[] = [];
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const found = await read(list, `size=200&page=${page}`);
    pages = found.totalPages as number;
    keys.push(...keysOf(list, found));
  }
  return keys;
}

/** From one end to the other, while rows are written between any two pages. */
async function walk(list: FilledList, start: Page, towards: 'nextCursor' | 'previousCursor'): Promise<string[]> {
  const seen = keysOf(list, start);
  const name = towards === 'nextCursor' ? 'after' : 'before';
  for (let cursor = start[towards]; cursor !== null; ) {
    await (list.disturb?.() ?? list.add(2));
    const page = await read(list, `size=${SIZE}&${name}=${cursor}`);
    expect(page).toMatchObject({ page: null, totalRecords: null, totalPages: null, totalIsExact: null, size: SIZE });
    seen.push(...keysOf(list, page));
    cursor = page[towards];
  }
  return seen;
}

const ROWS = 15;
/** Of a page while a list is walked: a first, a last, and some between them. */
const SIZE = 5;
const duplicates = (keys: readonly string[]) => keys.filter((key, at) => keys.indexOf(key) !== at);

describe.each(lists)('GET $path', ({ path, query }) => {
  let list: FilledList;

  beforeAll(async () => {
    list = await fill(path);
    await list.add(ROWS);
  });

  it('is walked by cursor in both directions, each row once, while rows are written', async () => {
    const before = await allKeys(list);
    expect(before.length).toBeGreaterThanOrEqual(ROWS);
    const first = await read(list, `size=${SIZE}`);
    expect(first.previousCursor).toBeNull();
    const forwards = await walk(list, first, 'nextCursor');
    expect(duplicates(forwards)).toEqual([]);
    expect(before.filter((key) => !forwards.includes(key))).toEqual([]);

    const now = await allKeys(list);
    const last = await read(list, `size=${SIZE}&page=${Math.ceil(now.length / SIZE)}`);
    expect(last.nextCursor).toBeNull();
    const backwards = await walk(list, last, 'previousCursor');
    expect(duplicates(backwards)).toEqual([]);
    expect(now.filter((key) => !backwards.includes(key))).toEqual([]);
  });

  it('is in one order, whether by number or by cursor', async () => {
    const keys = await allKeys(list);
    const walked: string[] = [];
    let page = await read(list, 'size=12');
    walked.push(...keysOf(list, page));
    while (page.nextCursor !== null) {
      page = await read(list, `size=12&after=${page.nextCursor}`);
      walked.push(...keysOf(list, page));
    }
    expect(walked).toEqual(keys);
    const behind = { records: [], totalRecords: keys.length, nextCursor: null, previousCursor: null };
    expect(await read(list, 'size=200&page=1000')).toMatchObject(behind);
    const middle = await read(list, `size=${SIZE}&page=3`);
    const before = await read(list, `size=${SIZE}&before=${middle.previousCursor}`);
    expect(keysOf(list, before)).toEqual(keys.slice(SIZE, 2 * SIZE));
    const after = await read(list, `size=${SIZE}&after=${middle.nextCursor}`);
    expect(keysOf(list, after)).toEqual(keys.slice(3 * SIZE, 4 * SIZE));
  });

  it('says as many as there are, also where rows are written between any two statements', async () => {
    const { result } = await between.during(
      () => list.disturb?.() ?? list.add(1),
      () => read(list, 'size=200'),
    );
    const { totalRecords, records } = result;
    expect(Math.min(totalRecords as number, 200)).toBe(records.length);
  });

  it('asks the database no more for ten rows than for one', async () => {
    const asked = async (size: number) => {
      const { result, names } = await between.during(
        async () => undefined,
        () => read(list, `size=${size}`),
      );
      expect(result.records).toHaveLength(size);
      return Map.groupBy(names, (name) => name);
    };
    const [one, ten] = [await asked(1), await asked(10)];
    // What is cached may have run out in between, and is then read once more.
    const more = [...ten].filter(([name, { length }]) => length > (one.get(name)?.length ?? 0) + 1);
    expect(more).toEqual([]);
  });

  it('refuses a cursor that is not of this list and this filter, and nothing that is sent breaks it', async () => {
    const { nextCursor } = await read(list, `size=${SIZE}`);
    const refused = async (search: string) => {
      const { status, body } = await list.get(`${list.path}?${search}`);
      return `${status} ${body.code}`;
    };
    expect(await refused(`after=${nextCursor}&page=1`)).toBe('400 CURSOR_CONFLICT');
    expect(await refused(`after=${nextCursor}&before=${nextCursor}`)).toBe('400 CURSOR_CONFLICT');
    expect(await refused('after=abc')).toBe('400 CURSOR_INVALID');
    expect(await refused(`after=${nextCursor?.slice(0, -4)}`)).toBe('400 CURSOR_INVALID');
    expect(await refused(`before=${Buffer.from('1["x",null]').toString('base64url')}`)).toBe('400 CURSOR_MISMATCH');
    const print = JSON.parse(
      Buffer.from(nextCursor as string, 'base64url')
        .toString()
        .slice(1),
    )[0] as string;
    const forged = (key: unknown[]) => Buffer.from(`1${JSON.stringify([print, null, ...key])}`).toString('base64url');
    const [, , ...key] = JSON.parse(
      Buffer.from(nextCursor as string, 'base64url')
        .toString()
        .slice(1),
    ) as unknown[];
    expect(await refused(`after=${forged(key)}`)).toBe('200 undefined');
    const broken = key.flatMap((_part, at) => ['a\0b', null, {}, 1.5, '\ud800'].map((other) => key.with(at, other)));
    for (const other of [[], [...key, 1], ...broken]) {
      expect([other, await refused(`after=${forged(other)}`)]).toEqual([other, '400 CURSOR_INVALID']);
    }
    for (const filter of otherFilters(query, list.unsent)) {
      expect(await refused(`${filter}&after=${nextCursor}`)).toBe(refusedBefore(list, filter) ?? '400 CURSOR_MISMATCH');
    }
  });
});

/** One value of each filter that the document has for a list. */
function otherFilters(query: DocumentedList['query'], unsent: FilledList['unsent'] = {}): string[] {
  const paging = new Set(['page', 'size', 'after', 'before', 'format']);
  return query
    .filter(({ name }) => !paging.has(name))
    .map(({ name, schema, example }) => {
      if (schema.pattern?.includes('{10}') === true) return `${name}=0123456785`;
      // The first of some words may be what is meant where none is sent.
      const value =
        schema.enum?.findLast((word) => word !== unsent[name]) ??
        example ??
        VALUES[schema.format ?? String(schema.type)] ??
        'x';
      return `${name}=${encodeURIComponent(value as string)}`;
    });
}

/** How a filter is refused before the cursor is looked at; undefined where it is not. */
function refusedBefore({ path }: FilledList, filter: string): string | undefined {
  // What names another list to compare with has to find it first.
  if (filter === 'to=x') return '404 BATCH_NOT_FOUND';
  // A payment or payout is found within its merchant and mode alone.
  if (path === '/operator/compliance-case' && filter.startsWith('subjectId=')) return '400 VALIDATION_FAILED';
  return undefined;
}

const VALUES: Record<string, unknown> = { uuid: '01930000-0000-7000-8000-00000000dead', boolean: true };

it('every list takes a page, a size and cursors, and says where it goes on', () => {
  expect(lists.length).toBeGreaterThan(20);
  const lacking = lists.filter(({ query }) => {
    const names = query.map(({ name }) => name);
    return !['page', 'size', 'after', 'before'].every((name) => names.includes(name));
  });
  expect(lacking).toEqual([]);
});
