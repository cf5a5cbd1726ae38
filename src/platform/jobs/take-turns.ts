import { sqlState } from '../db/database.ts';
import { isUnavailable } from '../errors.ts';
import { createTenantTurns, type TenantTurnsOptions } from '../queues/tenant-turns.ts';

/** Classes of what the database does for nobody now: no connection, read-only, not migrated, no room, disk. */
const SHARED = /^(08|25|42|53|58)/;

/**
 * Does `work` with all items at once. Where that fails, with each half by itself, until what is at fault is alone and
 * handed to `failed`: the others are done. `work` must be repeatable, as one transaction is.
 * @throws what is no item's fault, such as AppError `SERVICE_UNAVAILABLE` where the database is away.
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
    if (isUnavailable(error) || SHARED.test(sqlState(error) ?? '')) throw error;
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

type Options<Item> = Pick<TenantTurnsOptions<Item>, 'failures' | 'tenantOf' | 'keyOf' | 'hasFailed' | 'aboutOf'> & {
  /** One turn. Where it rejects, the item has failed and is left alone for a while. @returns how much was done. */
  take(item: Item): Promise<number>;
};

/**
 * One run of a scheduled job over what is due of many tenants, who take turns: what fails fails alone, and its job goes
 * on. Whoever lists what is due leaves out what `failures` names, so that those do not fill the list.
 * @returns how much was done.
 */
export async function takeTurns<Item>(items: readonly Item[], { take, ...options }: Options<Item>): Promise<number> {
  let done = 0;
  const turns = createTenantTurns<Item>({
    ...options,
    slots: SLOTS,
    async take(item) {
      // Not in one step: others add to it meanwhile.
      const some = await take(item);
      done += some;
    },
  });
  turns.offer(items);
  await turns.settle();
  return done;
}
