import type { Clock } from '../platform/clock.ts';
import type { Queries } from '../platform/db/database.ts';
import type { Secrets } from '../platform/secrets.ts';
import type { Mode } from '../platform/tenant.ts';
import { createRailCaller, type Rail, type RailBalance } from '../rails/index.ts';
import { railAccountNotFound } from './errors.ts';
import { findRailAccount, listDefaultRails, listRailAccountRows } from './queries.ts';
import { openRail, opens } from './rail-directory.ts';

export interface RailAccountSummary {
  name: string;
  provider: string;
  mode: Mode;
  /** Null: the provider's own address. */
  baseUrl: string | null;
  active: boolean;
  openToMerchants: boolean;
  /** Its place in the default of its mode. */
  priority: 'FIRST' | 'SECOND' | null;
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
    const priority = byDefault?.first_rail === name ? 'FIRST' : byDefault?.second_rail === name ? 'SECOND' : null;
    return { name, provider, mode, baseUrl, active, openToMerchants, priority, opens: opens(deps, row) };
  });
}

/** An account at a provider belongs to no merchant; whose payout asks makes no difference to its balance. */
const NO_MERCHANT = '00000000-0000-0000-0000-000000000000';

/** @throws AppError `SERVICE_UNAVAILABLE` where the provider does not report it */
export function reportBalance(rail: Rail, mode: Mode): Promise<RailBalance> {
  return createRailCaller(rail).balance({ merchantId: NO_MERCHANT, mode });
}

/**
 * What the provider says is in an account, asked now, also of one that is switched off.
 * @throws AppError `RAIL_NOT_FOUND`, `RAIL_CREDENTIALS_UNREADABLE`, `RAIL_ACCOUNT_UNUSABLE`, `SERVICE_UNAVAILABLE`
 */
export async function readRailBalance(
  { database, secrets, clock }: { database: Queries; secrets: Secrets; clock: Clock },
  name: string,
): Promise<RailBalance> {
  const [row] = await database.query(findRailAccount, [name]);
  if (row === undefined) throw railAccountNotFound(name);
  return reportBalance(openRail({ secrets, clock }, row), row.mode);
}
