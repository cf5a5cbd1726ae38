import type { Clock } from '../platform/clock.ts';
import type { Queries } from '../platform/db/database.ts';
import type { Secrets } from '../platform/secrets.ts';
import type { Mode } from '../platform/tenant.ts';
import { createRailCaller, type Rail, type RailBalance } from '../rails/index.ts';
import { railAccountNotFound, railNotActive, railNotSelectable, walletProviderUnable } from './errors.ts';
import { findRailAccount, listDefaultRails, listRailAccountRows, type RailAccountRow } from './queries.ts';
import { openRail, opens, SANDBOX } from './rail-directory.ts';

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

/**
 * An account at which wallets can have account numbers.
 * @throws AppError `RAIL_NOT_FOUND`, `RAIL_NOT_ACTIVE`, `WALLET_PROVIDER_UNABLE`, `RAIL_CREDENTIALS_UNREADABLE`,
 *   `RAIL_ACCOUNT_UNUSABLE`
 */
export async function requireWalletProvider(
  { database, secrets, clock }: { database: Queries; secrets: Secrets; clock: Clock },
  mode: Mode,
  name: string,
): Promise<void> {
  const [row] = await database.query(findRailAccount, [name]);
  if (row?.mode !== mode) throw railAccountNotFound(name);
  if (!row.active) throw railNotActive(name);
  if (openRail({ secrets, clock }, row).wallets === undefined) throw walletProviderUnable(name);
}

/** Who chooses: a merchant sees only what the operator opened to merchants. */
export type Chooser = 'MERCHANT' | 'OPERATOR';

export interface SelectableRail {
  name: string;
  provider: string;
}

/** What may be chosen in a mode, the sandbox rail first. Accounts that are switched off may not. */
export function selectableRails(rows: readonly RailAccountRow[], mode: Mode, by: Chooser): SelectableRail[] {
  const open = rows.filter((row) => row.mode === mode && row.active && (by === 'OPERATOR' || row.open_to_merchants));
  const named = open.map(({ name, provider }) => ({ name, provider }));
  return mode === 'SANDBOX' ? [{ name: SANDBOX, provider: SANDBOX }, ...named] : named;
}

/** @throws AppError `RAIL_NOT_SELECTABLE` */
export async function requireSelectable(
  queries: Queries,
  mode: Mode,
  { first, second }: { first: string | null; second: string | null },
  by: Chooser,
): Promise<RailAccountRow[]> {
  const rows = await queries.query(listRailAccountRows);
  const names = new Set(selectableRails(rows, mode, by).map(({ name }) => name));
  for (const name of [first, second]) {
    if (name !== null && !names.has(name)) throw railNotSelectable(name);
  }
  return rows;
}
