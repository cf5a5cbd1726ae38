import { createTenantTurns, type TenantTurnsOptions } from '../queues/tenant-turns.ts';

/** Turns at once of one scheduled job: each takes a database connection. */
const SLOTS = { LIVE: 2, SANDBOX: 2 };

type Options<Item> = Pick<TenantTurnsOptions<Item>, 'failures' | 'tenantOf' | 'keyOf' | 'aboutOf'> & {
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
