import type { Clock } from '../platform/clock.ts';
import type { Queries } from '../platform/db/database.ts';
import type { Secrets } from '../platform/secrets.ts';
import type { Mode } from '../platform/tenant.ts';
import { railAccountNotFound, railNotActive, railNotSelectable, walletProviderUnable } from './errors.ts';
import { findRailAccount, listRailAccountRows, type RailAccountRow } from './queries.ts';
import { openRail, SANDBOX } from './rail-directory.ts';

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
