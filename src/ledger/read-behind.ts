import type { Queries } from '../platform/db/database.ts';
import { arrayOf } from '../platform/db/statement.ts';
import type { Mode } from '../platform/tenant.ts';
import { findOldestBehind, listLargestReceivables, sumReceivablesByProvider } from './behind-queries.ts';

/** The time of the first event after any of these positions, by mode; no row where there is none. */
export function readOldestBehind(
  queries: Queries,
  positions: readonly { merchant_id: string; mode: Mode; cursor_sequence: bigint }[],
): Promise<{ mode: Mode | null; since: Date | null }[]> {
  return queries.query(findOldestBehind, [
    arrayOf(
      'uuid',
      positions.map(({ merchant_id }) => merchant_id),
    ),
    arrayOf(
      'text',
      positions.map(({ mode }) => mode),
    ),
    arrayOf(
      'bigint',
      positions.map(({ cursor_sequence }) => cursor_sequence),
    ),
  ]);
}

/**
 * What providers owe, in minor units: by provider account over all merchants, and the merchants for whom it is most.
 */
export async function readReceivableSums(queries: Queries, largest: number) {
  const [providers, merchants] = await Promise.all([
    queries.query(sumReceivablesByProvider, []),
    queries.query(listLargestReceivables, [largest]),
  ]);
  return { providers, merchants };
}
