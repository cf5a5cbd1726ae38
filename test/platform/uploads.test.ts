import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createListSplitter } from '../../src/platform/spreadsheet/read-list.ts';
import { createQuota, type QuotaLimits } from '../../src/platform/uploads.ts';

describe('what uploads may hold at once', () => {
  /** Takes in the background; `log` gets the name of whoever has it. */
  function desk(limits: Partial<QuotaLimits> = {}) {
    const quota = createQuota({ total: 10, perCaller: 6, maxWaiting: 4, maxWaitingOfCaller: 2, ...limits });
    const log: string[] = [];
    const releases = new Map<string, () => void>();
    return {
      log,
      async take(name: string, caller: string, amount: number) {
        void quota.take(caller, amount).then(
          (release) => {
            log.push(name);
            releases.set(name, release);
          },
          (error: { code: string; retryAfterSeconds: number }) =>
            log.push(`${name}: ${error.code} ${error.retryAfterSeconds}`),
        );
        await settled();
      },
      async release(name: string) {
        releases.get(name)?.();
        await settled();
      },
    };
  }
  const settled = () => new Promise((resolve) => setImmediate(resolve));

  it('is never all of it for one caller: another one goes before its own next', async () => {
    const { log, take, release } = desk();
    await take('a1', 'a', 6);
    await take('a2', 'a', 6);
    await take('b1', 'b', 4);
    expect(log).toEqual(['a1', 'b1']);
    await release('b1');
    expect(log).toEqual(['a1', 'b1']);
    await release('a1');
    expect(log).toEqual(['a1', 'b1', 'a2']);
  });

  it('is given in order of arrival, and who needs much is not overtaken by those who need little', async () => {
    const { log, take, release } = desk();
    await take('a', 'a', 6);
    await take('b', 'b', 3);
    await take('c', 'c', 5);
    await take('d', 'd', 1);
    expect(log).toEqual(['a', 'b']);
    await release('a');
    expect(log).toEqual(['a', 'b', 'c', 'd']);
  });

  it('is taken in turns: who comes waits for two of each other caller at most, however many these have waiting', async () => {
    const { log, take, release } = desk({ total: 2, perCaller: 1, maxWaiting: 24, maxWaitingOfCaller: 12 });
    for (const caller of ['a', 'b']) for (let at = 1; at <= 13; at += 1) await take(`${caller}${at}`, caller, 1);
    await take('c1', 'c', 1);
    expect(log).toEqual(['a1', 'b1', 'a13: UPLOADS_BUSY 10']);
    await take('d1', 'd', 1);
    for (const name of ['a1', 'b1', 'a2', 'b2', 'a3', 'c1']) await release(name);
    expect(log.filter((line) => !line.includes('BUSY')).slice(2)).toEqual(['a2', 'b2', 'a3', 'c1', 'd1', 'a4']);
  });

  it('is never refused to one caller because others fill all places: the one with the most waiting loses its last', async () => {
    const { log, take, release } = desk({ total: 2, perCaller: 1, maxWaiting: 4, maxWaitingOfCaller: 2 });
    for (const name of ['a1', 'a2', 'a3', 'b1', 'b2', 'b3']) await take(name, name.charAt(0), 1);
    for (const name of ['c1', 'd1', 'e1', 'c2']) await take(name, name.charAt(0), 1);
    const refused = [...log.slice(2)];
    expect(log).toEqual(['a1', 'b1', ...refused]);
    expect(refused.map((line) => line.slice(0, 2)).toSorted()).toEqual(['a3', 'b3', 'c2', 'e1']);
    for (const name of ['a1', 'b1', 'a2', 'b2']) await release(name);
    expect(log.slice(6)).toEqual(['a2', 'b2', 'c1', 'd1']);
  });

  it('does not keep one caller waiting for ever behind others that come anew', async () => {
    const { log, take, release } = desk({ total: 1, perCaller: 1 });
    await take('a1', 'a', 1);
    await take('a2', 'a', 1);
    await take('new 1', 'new 1', 1);
    await release('a1');
    expect(log).toEqual(['a1', 'a2']);
  });

  it('is refused with a time to come again when too many wait, of one caller or of all', async () => {
    const { log, take } = desk();
    await take('a', 'a', 6);
    for (const name of ['a2', 'a3', 'a4']) await take(name, 'a', 1);
    expect(log).toEqual(['a', 'a4: UPLOADS_BUSY 10']);
    await take('b', 'b', 4);
    for (const caller of ['c', 'd', 'e', 'f']) await take(caller, caller, 1);
    expect(log).toEqual(['a', 'a4: UPLOADS_BUSY 10', 'b', 'a3: UPLOADS_BUSY 10', 'f: UPLOADS_BUSY 10']);
  });

  it('is released once, however often that is said, and what is larger than all has its turn alone', async () => {
    const { log, take, release } = desk();
    await take('huge', 'a', 100);
    await take('b', 'b', 1);
    expect(log).toEqual(['huge']);
    await release('huge');
    await release('huge');
    expect(log).toEqual(['huge', 'b']);
    await take('c', 'c', 6);
    await take('d', 'd', 6);
    expect(log).toEqual(['huge', 'b', 'c']);
  });
});

describe('a list that is cut out of JSON as it comes', () => {
  function cut(text: string, pieces: readonly number[]): { entries: unknown[]; around: unknown; hasList: boolean } {
    const splitter = createListSplitter('items');
    const entries: unknown[] = [];
    let at = 0;
    for (const length of [...pieces, text.length]) {
      entries.push(...splitter.push(text.slice(at, at + length)).map((entry) => JSON.parse(entry) as unknown));
      at += length;
    }
    const around = splitter.end();
    return { entries, around: JSON.parse(around.text), hasList: around.hasList };
  }

  it('is what JSON.parse finds, wherever the text is torn', () => {
    const object = fc.record(
      { before: fc.jsonValue(), items: fc.array(fc.jsonValue(), { maxLength: 8 }), nested: fc.jsonValue() },
      { requiredKeys: [] },
    );
    const spaces = fc.constantFrom(undefined, 1, 3);
    fc.assert(
      fc.property(
        object,
        spaces,
        fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 60 }),
        (value, space, pieces) => {
          const text = JSON.stringify(value, null, space);
          const found = cut(text, pieces);
          const { items, ...others } = JSON.parse(text) as { items?: unknown[] };
          expect(found.hasList).toBe(items !== undefined);
          expect(found.entries).toEqual(items ?? []);
          expect(found.around).toEqual(items === undefined ? others : { ...others, items: [] });
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('is the one of the outermost object alone, however its name is written', () => {
    expect(cut('{"a":{"items":[1]},"b":["items",[2]],"\\u0069tems" : [3,[4]]}', []).entries).toEqual([3, [4]]);
    expect(cut('{"items":{"items":[1]}}', []).hasList).toBe(false);
    expect(cut('["items",[1]]', []).hasList).toBe(false);
  });

  it.each([
    '{"items":[1,,2]}',
    '{"items":[1,]}',
    '{"items":[,1]}',
    '{"items":[1',
    '{"items":[',
    '{"items":[1}]',
    '{"items":["]"',
  ])('is no JSON where that is none: %s', (text) => {
    for (const pieces of [[], new Array(text.length).fill(1)]) expect(() => cut(text, pieces as number[])).toThrow();
  });
});
