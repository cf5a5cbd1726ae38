import { describe, expect, it } from 'vitest';
import { createConcurrencyLimit, createOpenWork, createOwnerQueue } from '../../src/platform/owner-queue.ts';

/** Work that ends when it is told to; `begun` has what was begun, in order. */
function desk() {
  const begun: string[] = [];
  const ends = new Map<string, PromiseWithResolvers<void>>();
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  return {
    begun,
    work: (name: string) => () => {
      const end = Promise.withResolvers<void>();
      begun.push(name);
      ends.set(name, end);
      return end.promise;
    },
    async end(name: string, error?: Error) {
      if (error === undefined) ends.get(name)?.resolve();
      else ends.get(name)?.reject(error);
      await settled();
    },
    settled,
  };
}

describe('a queue by owner', () => {
  it('does one piece of an owner at a time, in order, and waits for no other owner', async () => {
    const { begun, work, end, settled } = desk();
    const inTurn = createOwnerQueue();
    for (const name of ['a1', 'a2', 'b1', 'c1', 'a3']) void inTurn(name.slice(0, 1), work(name));
    await settled();
    expect(begun).toEqual(['a1', 'b1', 'c1']);
    await end('a1');
    expect(begun.slice(3)).toEqual(['a2']);
    await end('a2');
    expect(begun.slice(4)).toEqual(['a3']);
  });

  it('begins so much at once of all owners, who take turns however much one of them has', async () => {
    const { begun, work, end, settled } = desk();
    const inTurn = createOwnerQueue({ atOnce: 2 });
    for (const name of ['a1', 'a2', 'a3', 'b1', 'b2', 'c1']) void inTurn(name.slice(0, 1), work(name));
    await settled();
    expect(begun).toEqual(['a1', 'b1']);
    for (const name of ['a1', 'b1', 'a2', 'b2']) await end(name);
    expect(begun.slice(2)).toEqual(['c1', 'a2', 'b2', 'a3']);
  });

  it('has who comes wait for the one piece of another owner that is under way, and for none of those that wait', async () => {
    const { begun, work, end, settled } = desk();
    const inTurn = createOwnerQueue({ atOnce: 1 });
    for (let at = 1; at <= 100; at += 1) void inTurn('hostile', work(`hostile ${at}`));
    void inTurn('other', work('other'));
    await settled();
    await end('hostile 1');
    expect(begun).toEqual(['hostile 1', 'other']);
  });

  it('goes on after work that fails, and hands the failure to who asked for it', async () => {
    const { begun, work, end, settled } = desk();
    const inTurn = createOwnerQueue({ atOnce: 1 });
    const failed = expect(inTurn('a', work('a1'))).rejects.toThrow('no disk');
    void inTurn('a', work('a2'));
    await settled();
    await end('a1', new Error('no disk'));
    await failed;
    expect(begun).toEqual(['a1', 'a2']);
  });
});

describe('a limit of what runs at once', () => {
  it('takes the others in the order in which they came, and refuses who comes after so many', async () => {
    const { begun, work, end, settled } = desk();
    const limit = createConcurrencyLimit({ atOnce: 1, maxWaiting: 2, tooMany: () => new Error('too many') });
    for (const name of ['1', '2', '3']) void limit.run(work(name));
    await expect(limit.run(work('4'))).rejects.toThrow('too many');
    await settled();
    await end('1');
    void limit.run(work('5'));
    await end('2');
    await end('3');
    expect(begun).toEqual(['1', '2', '3', '5']);
  });
});

describe('work that is under way', () => {
  it('is counted by owner and in all, each until it ends, however often that is said', () => {
    const open = createOpenWork();
    const counts = () => [open.of('a'), open.of('b'), open.inAll()];
    const [first, second, other] = [open.begin('a'), open.begin('a'), open.begin('b')];
    expect(counts()).toEqual([2, 1, 3]);
    first();
    first();
    expect(counts()).toEqual([1, 1, 2]);
    second();
    other();
    expect(counts()).toEqual([0, 0, 0]);
  });
});
