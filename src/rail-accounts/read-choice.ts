import type { Queries } from '../platform/db/database.ts';
import type { Tenant } from '../platform/tenant.ts';
import { findTenantRails, listDefaultRails, listRailAccountRows } from './queries.ts';
import { type RailChoiceView, railChoiceView } from './views.ts';

/** What a tenant's next payouts go by, read now. */
export async function readRailChoice(
  { database }: { database: Queries },
  { merchantId, mode }: Tenant,
): Promise<RailChoiceView> {
  const [rows, defaults, [own]] = await Promise.all([
    database.query(listRailAccountRows),
    database.query(listDefaultRails),
    database.query(findTenantRails, [merchantId, mode]),
  ]);
  return railChoiceView(mode, { own, defaults, rows });
}
