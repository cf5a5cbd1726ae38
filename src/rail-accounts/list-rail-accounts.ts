import type { Queries } from '../platform/db/database.ts';
import type { Mode } from '../platform/tenant.ts';
import { listDefaultRails, listRailAccountRows } from './queries.ts';

export interface RailAccountSummary {
  name: string;
  provider: string;
  mode: Mode;
  /** Null: the provider's own address. */
  baseUrl: string | null;
  active: boolean;
  openToMerchants: boolean;
  /** Its place in the default of its mode. */
  standing: 'FIRST' | 'SECOND' | null;
}

/** The operator's accounts by name, without their credentials. */
export async function listRailAccounts({ database }: { database: Queries }): Promise<RailAccountSummary[]> {
  const [rows, defaults] = await Promise.all([database.query(listRailAccountRows), database.query(listDefaultRails)]);
  return rows.map(({ name, provider, mode, base_url, active, open_to_merchants }) => {
    const byDefault = defaults.find((each) => each.mode === mode);
    const standing = byDefault?.first_rail === name ? 'FIRST' : byDefault?.second_rail === name ? 'SECOND' : null;
    return { name, provider, mode, baseUrl: base_url, active, openToMerchants: open_to_merchants, standing };
  });
}
