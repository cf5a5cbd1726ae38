/** Books with something wrong in them, and the checks that have to find it, among others. */
export interface WrongBooks {
  what: string;
  sql: string[];
  broken: string[];
}

/**
 * The same rows, looked for on every shard: Citus changes no table with a copy on each server by what it finds on one.
 * @param found a select in which a merchant is named
 */
export const onAnyShard = (found: string): string => found.replaceAll("merchant_id = '", "merchant_id::text = '");
