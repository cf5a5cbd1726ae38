import type { Clock } from '../platform/clock.ts';
import type { Queries } from '../platform/db/database.ts';
import type { Secrets } from '../platform/secrets.ts';
import type { Mode } from '../platform/tenant.ts';
import { createRailCaller, type Rail, type RailBalance } from '../rails/index.ts';
import { railAccountNotFound } from './errors.ts';
import { openRail } from './open-rail.ts';
import { findRailAccount } from './queries.ts';

/** An account at a provider belongs to no merchant; whose payout asks makes no difference to its balance. */
const NO_MERCHANT = '00000000-0000-0000-0000-000000000000';

/** @throws AppError `SERVICE_UNAVAILABLE` where the provider does not tell */
export function tellBalance(rail: Rail, mode: Mode): Promise<RailBalance> {
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
  return tellBalance(openRail({ secrets, clock }, row), row.mode);
}
