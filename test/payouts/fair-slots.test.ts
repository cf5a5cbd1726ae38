import { describe, expect, it } from 'vitest';
import { createFairSlots, SlotsClosedError } from '../../src/payout-delivery/fair-slots.ts';
import {
  createQueues,
  freeOf,
  hasCapacityFor,
  hasCapacityForOne,
  isWorthLeasing,
  type TenantQueue,
} from '../../src/payout-delivery/in-hand.ts';
import type { RailCaller } from '../../src/rails/index.ts';

type Slots = ReturnType<typeof createFairSlots>;
type Asker = Parameters<Slots['use']>[1];

const asker = (merchant: string, more: Partial<Asker> = {}): Asker => ({
  merchant_id: merchant,
  mode: 'LIVE',
  batch_id: null,
  ...more,
});
const railOf = (more: Partial<RailCaller> = {}) => ({ name: 'shared', concurrency: 1, ...more }) as RailCaller;

/** Work that ends when it is told to, and the order in which it began. */
function desk(rail = railOf()) {
  const slots = createFairSlots();
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const use = (name: string, payout: Asker, at = rail) =>
    slots.use(at, payout, async () => {
      begun.push(name);
      await new Promise<void>((resolve) => void ends.set(name, resolve));
    });
  const end = async (name: string) => {
    ends.get(name)?.();
    await new Promise(setImmediate);
  };
  return { slots, begun, use, end };
}

describe('calls to a rail that takes one at a time', () => {
  it('go round the merchants that wait, and of one merchant singles before items', async () => {
    const { begun, use, end } = desk();
    const item = { batch_id: 'list' };
    const all = [
      use('big item 1', asker('big', item)),
      use('big item 2', asker('big', item)),
      use('big item 3', asker('big', item)),
      use('small item', asker('small', item)),
      use('big single', asker('big')),
      use('third single', asker('third')),
    ];
    for (let at = 0; at < all.length; at += 1) {
      expect(begun).toHaveLength(at + 1);
      await end(begun[at] ?? '');
    }
    await Promise.all(all);
    expect(begun).toEqual(['big item 1', 'big single', 'small item', 'third single', 'big item 2', 'big item 3']);
  });

  it('give their slot on where a call fails, and to nobody else than who waits', async () => {
    const { slots, begun, use, end } = desk();
    const failing = slots.use(railOf(), asker('one'), () => Promise.reject(new Error('refused')));
    const waiting = use('next', asker('two'));
    await expect(failing).rejects.toThrow('refused');
    await new Promise(setImmediate);
    const late = use('late', asker('three'));
    await new Promise(setImmediate);
    expect(begun).toEqual(['next']);
    await end('next');
    expect(begun).toEqual(['next', 'late']);
    await end('late');
    await Promise.all([waiting, late]);
  });

  it('of the sandbox take none of those of live, nor one merchant of another’s where the rail keeps them apart', async () => {
    const { begun, use, end } = desk();
    const apart = railOf({ name: 'apart', isolatesTenants: true });
    const all = [
      use('live', asker('one')),
      use('sandbox', asker('one', { mode: 'SANDBOX' })),
      use('apart, one', asker('one'), apart),
      use('apart, two', asker('two'), apart),
      use('other rail', asker('one'), railOf({ name: 'other' })),
    ];
    await new Promise(setImmediate);
    expect(begun).toEqual(['live', 'sandbox', 'apart, one', 'apart, two', 'other rail']);
    for (const name of begun) await end(name);
    await Promise.all(all);
  });

  it('do not begin once the worker stops: who waits is let go, and who comes is refused', async () => {
    const { slots, begun, use, end } = desk();
    const first = use('first', asker('one'));
    const waiting = [use('single', asker('two')), use('item', asker('two', { batch_id: 'list' }))];
    slots.close();
    for (const one of waiting) await expect(one).rejects.toThrow(SlotsClosedError);
    await expect(use('late', asker('three'))).rejects.toThrow(SlotsClosedError);
    await end('first');
    await first;
    expect(begun).toEqual(['first']);
  });
});

describe('what a worker has in hand of one merchant', () => {
  const queueOf = (more: Partial<Omit<TenantQueue, 'budget'>> = {}, budget = { total: 0, share: 2_048 }) => ({
    ...createQueues().of({ merchantId: 'one', mode: 'LIVE' }),
    capacity: 100,
    ...more,
    budget,
  });

  it('is at most its capacity, and eight also where the worker is full', () => {
    expect(freeOf(queueOf({ inHand: 40 }, { total: 40, share: 100 }))).toBe(60);
    expect(freeOf(queueOf({ inHand: 40 }, { total: 4_090, share: 100 }))).toBe(6);
    expect(freeOf(queueOf({ inHand: 3 }, { total: 4_096, share: 100 }))).toBe(5);
    expect(freeOf(queueOf({ inHand: 8 }, { total: 4_096, share: 100 }))).toBe(0);
  });

  it('is filled up again once a quarter is free, and from nothing whatever is free', () => {
    expect(isWorthLeasing(queueOf({ inHand: 76 }, { total: 76, share: 100 }))).toBe(false);
    expect(isWorthLeasing(queueOf({ inHand: 75 }, { total: 75, share: 100 }))).toBe(true);
    expect(isWorthLeasing(queueOf({ inHand: 0, capacity: 1 }))).toBe(true);
    expect(isWorthLeasing(queueOf({ inHand: 0, capacity: 0 }))).toBe(false);
  });

  it('is joined by a whole chunk within its share and the worker’s total, while its rail has less than it may have', () => {
    const fits = (more: Partial<TenantQueue>, total: number, count: number) =>
      hasCapacityFor(queueOf(more, { total, share: 200 }), count);
    expect(fits({ inHand: 50, made: 49 }, 99, 101)).toBe(true);
    expect(fits({ inHand: 50, made: 49 }, 99, 102)).toBe(false);
    expect(fits({ inHand: 50, made: 50 }, 100, 1)).toBe(false);
    expect(fits({}, 4_000, 96)).toBe(true);
    expect(fits({}, 4_000, 97)).toBe(false);
  });

  it('is joined by a single as it is made while less than half is taken, of its own and of the worker’s', () => {
    expect(hasCapacityForOne(queueOf({ inHand: 49 }, { total: 2_047, share: 100 }))).toBe(true);
    expect(hasCapacityForOne(queueOf({ inHand: 50 }, { total: 50, share: 100 }))).toBe(false);
    expect(hasCapacityForOne(queueOf({ inHand: 0 }, { total: 2_048, share: 100 }))).toBe(false);
  });

  it('is a part of what the worker may have that many merchants of its mode share, and no other mode takes of it', () => {
    const queues = createQueues();
    const tenants = Array.from({ length: 8 }, (_, at) => ({ merchantId: `merchant ${at}`, mode: 'LIVE' as const }));
    const sandbox = { merchantId: 'merchant 0', mode: 'SANDBOX' as const };
    const busy = queues.of(tenants[0]!);
    busy.made = 1;
    // It has nothing due, and something in hand.
    queues.shareOut([...tenants.slice(1), sandbox]);
    expect([busy.budget.share, queues.of(sandbox).budget.share]).toEqual([512, 4_096]);
    queues.drop(busy);
    Object.assign(busy, { made: 0, leasing: true });
    queues.drop(busy);
    expect(queues.of(tenants[0]!)).toBe(busy);
    busy.leasing = false;
    queues.drop(busy);
    expect(queues.of(tenants[0]!)).not.toBe(busy);
    queues.shareOut(Array.from({ length: 5_000 }, (_, at) => ({ merchantId: `many ${at}`, mode: 'LIVE' as const })));
    expect(queues.of(tenants[0]!).budget.share).toBe(8);
  });
});
