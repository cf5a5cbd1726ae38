import type { Clock } from '../platform/clock.ts';
import { AppError } from '../platform/errors.ts';
import type { Secrets } from '../platform/secrets.ts';
import type { Rail } from '../rails/index.ts';
import { openCredentials } from './credentials.ts';
import { railAccountUnusable } from './errors.ts';
import { checkCredentials } from './providers.ts';
import type { RailAccountRow } from './queries.ts';

interface OpenRailDeps {
  secrets: Secrets;
  clock: Clock;
}

/**
 * The adapter of an account, with its credentials. Asks nobody.
 * @throws AppError 503 `RAIL_CREDENTIALS_UNREADABLE`, `RAIL_ACCOUNT_UNUSABLE`; as `checkCredentials` where what was sealed
 *   is none of this version's
 */
export function openRail({ secrets, clock }: OpenRailDeps, row: RailAccountRow): Rail {
  try {
    const credentials = checkCredentials(row.provider, openCredentials(secrets, row));
    return credentials.createRail({ name: row.name, baseUrl: row.base_url ?? undefined, clock });
  } catch (error) {
    throw error instanceof AppError ? error : railAccountUnusable(row.name, error);
  }
}

/** Whether an account can be used where these secrets are. */
export function opens(deps: OpenRailDeps, row: RailAccountRow): boolean {
  try {
    openRail(deps, row);
    return true;
  } catch {
    return false;
  }
}
