import type { Queries } from '../../../platform/db/database.ts';
import { countOutcomes } from './queries.ts';

/** How many payouts are before the operator, and how many proposals wait for this person's yes or no. */
export async function countOutcomesToDecide(
  queries: Queries,
  personId: string,
): Promise<{ beforeOperator: number; proposals: number }> {
  const [row] = await queries.query(countOutcomes, [personId]);
  return { beforeOperator: row?.before_operator ?? 0, proposals: row?.proposals ?? 0 };
}
