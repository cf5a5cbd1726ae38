import type { Queries } from '../platform/db/database.ts';
import { findLiveMerchant } from './queries.ts';

/** Who approves the merchants that a first start makes to play with. */
export const DEMO_ACTOR = 'demo';

/** Whether anybody approved a merchant: its money is real from then on, also while it is suspended. */
export async function hasLiveMerchant(queries: Queries): Promise<boolean> {
  const [row] = await queries.query(findLiveMerchant, [DEMO_ACTOR]);
  return row?.found === true;
}
