import type { Clock } from '../platform/clock.ts';
import type { Queries } from '../platform/db/database.ts';
import { NIL_ID, newId } from '../platform/ids.ts';
import type { Secrets } from '../platform/secrets.ts';
import type { Mode } from '../platform/tenant.ts';
import { createRailCaller, type Rail, type RailBalance } from '../rails/index.ts';
import { checkOrder, type RailOrder, requireSelectable } from './choose-rails.ts';
import {
  railAccountChanged,
  railAccountNotFound,
  railCredentialsMode,
  railNameInvalid,
  railNameTaken,
} from './errors.ts';
import { checkCredentials, sealCredentials } from './providers.ts';
import {
  findRailAccount,
  insertRailAccount,
  listDefaultRails,
  listRailAccountRows,
  updateDefaultRails,
  updateRailActive,
  updateRailCredentials,
} from './queries.ts';
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

/** @throws AppError `SERVICE_UNAVAILABLE` where the provider does not report it */
function reportBalance(rail: Rail, mode: Mode): Promise<RailBalance> {
  // An account at a provider belongs to no merchant; whose payout asks makes no difference to its balance.
  return createRailCaller(rail).balance({ merchantId: NIL_ID, mode });
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

export interface NewRail {
  name: string;
  provider: string;
  mode: Mode;
  /** JSON; kept sealed only. */
  credentials: string;
  /** The provider's own unless given: https, or http on this machine. */
  baseUrl?: string | undefined;
  /** A merchant may choose it; the operator always may. */
  openToMerchants: boolean;
  /** Gives an account that is there other credentials. */
  replace: boolean;
  /** Asks the provider for the balance first, so that a wrong key is found now and not by a payout. */
  check: boolean;
}

const NAME = /^[a-z][a-z0-9-]{1,39}$/;

/**
 * Notes an account of the operator at a provider, switched on. Processes that run know it within 5 s.
 * @returns the balance, where it was asked for
 * @throws AppError `RAIL_NAME_INVALID`, `RAIL_NAME_TAKEN`, `RAIL_PROVIDER_UNKNOWN`, `RAIL_CREDENTIALS_INVALID`,
 *   `RAIL_CREDENTIALS_MODE`, `RAIL_BASE_URL_INVALID`, `RAIL_ACCOUNT_CHANGED`, `RAIL_NOT_FOUND`, and
 *   `SERVICE_UNAVAILABLE` where the provider does not report the balance
 */
export async function addRail(
  deps: { database: Queries; secrets: Secrets; clock: Clock },
  input: NewRail,
): Promise<RailBalance | undefined> {
  const { name, provider, mode } = input;
  if (!NAME.test(name) || name === SANDBOX) throw railNameInvalid();
  const checked = checkCredentials(provider, input.credentials);
  if (checked.mode !== mode) throw railCredentialsMode(checked.mode, mode);
  const rail = checked.createRail({ name, baseUrl: input.baseUrl, clock: deps.clock });
  const balance = input.check ? await reportBalance(rail, mode) : undefined;

  const base_url = input.baseUrl ?? null;
  const sealed = sealCredentials(deps.secrets, { name, provider, mode, base_url }, input.credentials);
  const values = [name, provider, mode, base_url, sealed, input.openToMerchants, deps.clock.now()];
  const [written] = input.replace
    ? await deps.database.query(updateRailCredentials, values)
    : await deps.database.query(insertRailAccount, [...values, newId()]);
  if (written === undefined) await refuse(deps.database, input);
  return balance;
}

async function refuse(database: Queries, { name, replace }: NewRail): Promise<never> {
  if (!replace) throw railNameTaken(name);
  const [there] = await database.query(findRailAccount, [name]);
  throw there === undefined ? railAccountNotFound(name) : railAccountChanged(name);
}

interface ChangeRailDeps {
  database: Queries;
  clock: Clock;
}

/**
 * Switches an account off or on. Off, it gets no new payouts; those that it has are asked about as before.
 * @throws AppError `RAIL_NOT_FOUND`
 */
export async function setRailActive(deps: ChangeRailDeps, name: string, active: boolean): Promise<void> {
  const [changed] = await deps.database.query(updateRailActive, [name, active, deps.clock.now()]);
  if (changed === undefined) throw railAccountNotFound(name);
}

/**
 * The rails of merchants that chose none. The sandbox rail is named `sandbox`.
 * @throws AppError `RAIL_NOT_SELECTABLE`, `VALIDATION_FAILED`
 */
export async function setDefaultRails(
  deps: ChangeRailDeps,
  { mode, first, second }: RailOrder & { mode: Mode; first: string },
): Promise<void> {
  const order = checkOrder({ first, second });
  await requireSelectable(deps.database, mode, order, 'OPERATOR');
  await deps.database.query(updateDefaultRails, [mode, order.first, order.second, deps.clock.now()]);
}
