import { createLruMap } from '../platform/cache.ts';
import type { Database } from '../platform/db/database.ts';
import { nameMerchantsFor, type Statement } from '../platform/db/statement.ts';
import { createGroupReader } from '../platform/group-reader.ts';

/** Merchants whose shard is remembered; for others the database is asked again. */
const REMEMBERED = 100_000;

/** A function of Citus, which other servers do not know, so the checks of statements leave it out. */
const findShards: Statement<{ merchant_id: string; shard: string; server: string }> = {
  name: 'find-shards',
  text: `select w.id as merchant_id, w.shard_id::text as shard, p.groupid::text as server
           from (
             select id, get_shard_id_for_distribution_column('books', id) as shard_id from unnest($1::uuid[]) as wanted (id)
           ) w
           join pg_dist_placement p on p.shardid = w.shard_id`,
};

/** The place of a merchant's books in a distributed database. */
export interface Shard {
  name: string;
  /**
   * The server that has the shard. After the shard was moved it is still the former server: it is no more than a name.
   */
  server: string;
}

/** Finds the shard of a merchant's books; undefined where the database is not distributed. */
export type ShardOf = (merchantId: string) => Shard | undefined | Promise<Shard | undefined>;

/**
 * Asks the database once for each merchant. Where a shard was split since then, a group spans both its halves: it
 * fails, and is committed merchant by merchant.
 */
export function createShardFinder(database: Database): ShardOf {
  let isDistributed: boolean | undefined;
  const known = createLruMap<Shard | Promise<Shard | undefined>>(REMEMBERED);
  const find = createGroupReader(async (merchantIds: string[]) => {
    isDistributed ??= await database.isDistributed();
    if (!isDistributed) return merchantIds.map(() => undefined);
    nameMerchantsFor({ isDistributed });
    const rows = await database.query(findShards, [merchantIds]);
    const shards = new Map(rows.map(({ merchant_id, shard, server }) => [merchant_id, { name: shard, server }]));
    return merchantIds.map((id) => shards.get(id));
  });
  return (merchantId) => {
    if (isDistributed === false) return undefined;
    const before = known.get(merchantId);
    if (before !== undefined) return before;
    const finding = find(merchantId);
    // Movements of this merchant that come meanwhile wait behind it, so that they keep their order.
    known.set(merchantId, finding);
    finding.then(
      (shard) => (shard === undefined ? known.delete(merchantId) : known.set(merchantId, shard)),
      () => known.delete(merchantId),
    );
    return finding;
  };
}

/**
 * Splits a question about many merchants by shard, so that each shard is asked about its own; otherwise every shard
 * would be asked about all. One part where the database is not distributed; merchants whose shard is unknown are one
 * part too.
 */
export async function byShard<T>(
  shardOf: ShardOf,
  all: readonly T[],
  merchantOf: (one: T) => string,
): Promise<(readonly T[])[]> {
  const shards = await Promise.all(all.map(async (one) => shardOf(merchantOf(one))));
  const parts = Map.groupBy(all.keys(), (at) => shards[at]?.name);
  return Array.from(parts.values(), (places) => places.map((at) => all[at] as T));
}
