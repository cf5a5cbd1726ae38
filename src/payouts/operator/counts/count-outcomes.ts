import type { Database, Queries } from '../../../platform/db/database.ts';
import { planReport } from '../queries.ts';
import { countOutcomes, countPayoutsForOperator, countUndecidedPayouts } from './queries.ts';

/** How many payouts are before the operator, and how many proposals wait for this person's yes or no. */
export async function countOutcomesToDecide(
  queries: Queries,
  personId: string,
): Promise<{ beforeOperator: number; proposals: number }> {
  const [row] = await queries.query(countOutcomes, [personId]);
  return { beforeOperator: row?.before_operator ?? 0, proposals: row?.proposals ?? 0 };
}

/** How long the queue of `readOutcomeQueue` is. */
export async function countUndecided(database: Database, { all }: { all: boolean }): Promise<number> {
  const [row] = all
    ? await database.transaction(async (tx) => {
        await tx.query(planReport);
        return tx.query(countUndecidedPayouts);
      })
    : await database.query(countPayoutsForOperator);
  return row?.total ?? 0;
}
