import type { Clock } from '../platform/clock.ts';
import type { Queries } from '../platform/db/database.ts';
import type { Secrets } from '../platform/secrets.ts';
import type { Mode } from '../platform/tenant.ts';
import { opens } from './open-rail.ts';
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
  /** Whether its credentials open with the secrets at hand. */
  opens: boolean;
}

/** The operator's accounts by name, without their credentials. */
export async function listRailAccounts(deps: {
  database: Queries;
  secrets: Secrets;
  clock: Clock;
}): Promise<RailAccountSummary[]> {
  const { database } = deps;
  const [rows, defaults] = await Promise.all([database.query(listRailAccountRows), database.query(listDefaultRails)]);
  return rows.map((row) => {
    const { name, provider, mode, base_url: baseUrl, active, open_to_merchants: openToMerchants } = row;
    const byDefault = defaults.find((each) => each.mode === mode);
    const standing = byDefault?.first_rail === name ? 'FIRST' : byDefault?.second_rail === name ? 'SECOND' : null;
    return { name, provider, mode, baseUrl, active, openToMerchants, standing, opens: opens(deps, row) };
  });
}
