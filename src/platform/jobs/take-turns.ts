import { sqlState } from '../db/database.ts';
import { isDatabaseAway } from '../errors.ts';
import { type Mode, type Tenant, tenantKey } from '../tenant.ts';
import type { FailedAbout, JobFailures } from './job-monitor.ts';

/** What failed the last time is taken beside the rest, one at a time: however long it takes, nothing waits for it. */
const RETRY_SLOTS = { LIVE: 1, SANDBOX: 1 };

interface Turn {
  /** Whether others wait for a slot like that of this turn. */
  othersWait(): boolean;
}

interface TenantTurnsOptions<Item> {
  failures: JobFailures;
  /** Turns at once, by mode: sandbox never takes those of live. */
  slots: Readonly<Record<Mode, number>>;
  /** The same for what failed the last time; one unless given. */
  retrySlots?: Readonly<Record<Mode, number>>;
  tenantOf(item: Item): Tenant;
  /** The key of what fails in a turn: the tenant, or a row of it, so that its other rows go on. */
  keyOf(item: Item): string;
  /** Whether it failed the last time in a way that `failures` does not know of. */
  hasFailed?(item: Item): boolean;
  /** One turn. Where it rejects, the item has failed and is left alone for a while. */
  take(item: Item, turn: Turn): Promise<void>;
  aboutOf(item: Item): FailedAbout;
  /** What else happens to an item that failed, such as that other processes leave it alone too. */
  putOff?(item: Item, delayMs: number): Promise<unknown>;
}

interface TenantTurns<Item> {
  /**
   * Replaces the waiting items by these, and begins as many of them as there is capacity for. Tenants take turns, the
   * one with the longest wait first, each one item at a time and its items in their order. What failed before has a
   * queue of its own, and what is backing off is skipped.
   */
  offer(items: readonly Item[]): void;
  /** Resolves when nothing is under way and nothing waits. */
  settle(): Promise<void>;
  /** Begins nothing more. */
  close(): void;
}

/**
 * Shares a job between tenants, so that none of them can take another's turn, also when it fails. Unlike
 * `createOwnerQueue`, it keeps nothing that is due, which is looked up again each time; the modes are separate, and
 * failures back off.
 */
export function createTenantTurns<Item>(options: TenantTurnsOptions<Item>): TenantTurns<Item> {
  const byMode = { LIVE: createModeTurns(options, 'LIVE'), SANDBOX: createModeTurns(options, 'SANDBOX') };
  const both = Object.values(byMode);
  return {
    offer(items) {
      const offered = Map.groupBy(items, (item) => options.tenantOf(item).mode);
      byMode.LIVE.offer(offered.get('LIVE') ?? []);
      byMode.SANDBOX.offer(offered.get('SANDBOX') ?? []);
    },
    async settle() {
      await Promise.all(both.map((turns) => turns.settle()));
    },
    close() {
      for (const turns of both) turns.close();
    },
  };
}

interface Line<Item> {
  slots: number;
  /** In reverse order: the next one is last. */
  waiting: Item[];
  busy: number;
}

function createModeTurns<Item>(options: TenantTurnsOptions<Item>, mode: Mode): TenantTurns<Item> {
  const { failures, tenantOf, keyOf } = options;
  const first: Line<Item> = { slots: options.slots[mode], waiting: [], busy: 0 };
  const retries: Line<Item> = { slots: (options.retrySlots ?? RETRY_SLOTS)[mode], waiting: [], busy: 0 };
  /** By tenant. */
  const underWay = new Map<string, Promise<void>>();
  /** When each tenant had its last turn, counted in turns. */
  const lastTurns = new Map<string, number>();
  let turns = 0;
  let closed = false;

  const tenantKeyOf = (item: Item) => tenantKey(tenantOf(item));

  function begin(): void {
    for (const line of [first, retries]) {
      while (!closed && line.busy < line.slots) {
        const at = line.waiting.findLastIndex((item) => !underWay.has(tenantKeyOf(item)));
        if (at === -1) break;
        const [item] = line.waiting.splice(at, 1) as [Item];
        take(line, item);
      }
    }
  }

  function take(line: Line<Item>, item: Item): void {
    const tenant = tenantKeyOf(item);
    turns += 1;
    lastTurns.set(tenant, turns);
    line.busy += 1;
    const turn = takeTurn(item, { othersWait: () => line.waiting.length > 0 }).finally(() => {
      line.busy -= 1;
      underWay.delete(tenant);
      begin();
    });
    underWay.set(tenant, turn);
  }

  /** Never rejects. */
  async function takeTurn(item: Item, turn: Turn): Promise<void> {
    try {
      await options.take(item, turn);
      failures.succeeded(keyOf(item));
    } catch (error) {
      const delayMs = failures.failed(keyOf(item), error, options.aboutOf(item));
      await options.putOff?.(item, delayMs).catch(() => undefined);
    }
  }

  /**
   * The first item of each tenant, then the second of each, and so on, each time the tenant with the longest wait
   * first. In reverse, so that they are taken from the end.
   */
  function inTurn(items: readonly Item[]): Item[] {
    const places = new Map<Item, { place: number; lastTurn: number }>();
    for (const [tenant, some] of Map.groupBy(items, tenantKeyOf)) {
      const lastTurn = lastTurns.get(tenant) ?? 0;
      for (const [place, item] of some.entries()) places.set(item, { place, lastTurn });
    }
    const ordered = [...places].sort(([, a], [, b]) => a.place - b.place || a.lastTurn - b.lastTurn);
    return ordered.map(([item]) => item).reverse();
  }

  /** Drops tenants that have no items any more: they begin anew. */
  function forgetTurns(items: readonly Item[]): void {
    const there = new Set(items.map(tenantKeyOf));
    for (const tenant of lastTurns.keys()) if (!there.has(tenant) && !underWay.has(tenant)) lastTurns.delete(tenant);
  }

  return {
    offer(items) {
      forgetTurns(items);
      const due = items.filter((item) => !failures.isBackingOff(keyOf(item)));
      const hasFailed = (item: Item) => failures.hasFailed(keyOf(item)) || options.hasFailed?.(item) === true;
      const byFailed = Map.groupBy(inTurn(due), hasFailed);
      first.waiting = byFailed.get(false) ?? [];
      retries.waiting = byFailed.get(true) ?? [];
      begin();
    },
    async settle() {
      while (underWay.size > 0) await Promise.all(underWay.values());
    },
    close() {
      closed = true;
      first.waiting = [];
      retries.waiting = [];
    },
  };
}

/** Classes of errors with which the database serves nobody: no connection, read-only, not migrated, disk full. */
const SHARED = /^(08|25|42|53|58)/;

/**
 * Runs `work` with all items at once. Where that fails, with each half by itself, until the item at fault is alone and
 * goes to `failed`: the others are done. `work` must be repeatable, as one transaction is.
 * @throws errors that are no item's fault, such as AppError `SERVICE_UNAVAILABLE` where the database is away.
 */
export async function inHalves<Item>(
  items: readonly Item[],
  work: (some: readonly Item[]) => Promise<unknown>,
  failed: (item: Item, error: unknown) => unknown,
): Promise<void> {
  if (items.length === 0) return;
  try {
    await work(items);
    return;
  } catch (error) {
    if (isDatabaseAway(error) || SHARED.test(sqlState(error) ?? '')) throw error;
    if (items.length === 1) {
      await failed(items[0] as Item, error);
      return;
    }
  }
  const middle = Math.ceil(items.length / 2);
  await inHalves(items.slice(0, middle), work, failed);
  await inHalves(items.slice(middle), work, failed);
}

/** Turns at once of one scheduled job: each takes a database connection. */
const SLOTS = { LIVE: 2, SANDBOX: 2 };
/** For work behind the books, which nobody waits for: the processor is for payments. */
export const ONE_AT_A_TIME = { LIVE: 1, SANDBOX: 1 };

type Shared<Item> = Pick<TenantTurnsOptions<Item>, 'failures' | 'tenantOf' | 'keyOf' | 'hasFailed' | 'aboutOf'>;

interface Options<Item> extends Shared<Item> {
  slots?: Readonly<Record<Mode, number>>;
  /** One turn. Where it rejects, the item has failed and is left alone for a while. @returns how much was done. */
  take(item: Item): Promise<number>;
  /** Whether the time of the run is over, asked after each turn: then no other begins. */
  isOver?(): boolean;
  /** Nor does one once the worker stops: a stop waits for the turns under way, not for all that is due. */
  stopped?: AbortSignal | undefined;
}

/**
 * One run of a scheduled job over what is due of many tenants, who take turns. Each failure is for itself, and the job
 * goes on. The caller that lists what is due leaves out what `failures` names, so that those do not fill the list.
 * @returns how much was done.
 */
export async function takeTurns<Item>(items: readonly Item[], options: Options<Item>): Promise<number> {
  const { take, isOver, stopped, slots = SLOTS, ...shared } = options;
  let done = 0;
  const turns = createTenantTurns<Item>({
    ...shared,
    slots,
    async take(item) {
      try {
        // In two steps: others add to it meanwhile.
        const some = await take(item);
        done += some;
      } finally {
        if (isOver?.() === true || stopped?.aborted === true) turns.close();
      }
    },
  });
  if (stopped?.aborted !== true) turns.offer(items);
  await turns.settle();
  return done;
}

/**
 * The merchants that back off in a mode, for a job whose keys are tenants: for the statement that lists what is due.
 */
export function merchantsBackingOff(failures: JobFailures, mode: Mode): string[] {
  const end = tenantKey({ merchantId: '', mode });
  return failures.backingOffKeys().flatMap((key) => (key.endsWith(end) ? [key.slice(0, -end.length)] : []));
}
