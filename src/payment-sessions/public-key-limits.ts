import { DEFAULT_CURRENCY } from '../money/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import type { Tenant } from '../platform/tenant.ts';
import {
  originNotAllowed,
  publicSessionsOff,
  returnHostNotAllowed,
  sessionAmountTooLarge,
  sessionsTooMany,
} from './errors.ts';
import { readSettings } from './settings.ts';
import { countPublicSessions } from './settings-queries.ts';

const MINUTE_MS = 60_000;

interface PublicRequest {
  /** As the browser says it; undefined where it says none, and then it is no browser. */
  origin: string | undefined;
  /** Kobo. */
  amountMinor: bigint;
  /** Where the payer is to be sent. */
  addresses: readonly URL[];
}

/**
 * Holds a session by a public key to what the merchant set: whoever reads a page has its key.
 * @throws AppError `PUBLIC_PAYMENT_SESSIONS_OFF`, `ORIGIN_NOT_ALLOWED`, `RETURN_HOST_NOT_ALLOWED`, `PAYMENT_SESSION_AMOUNT_TOO_LARGE`,
 *   `PAYMENT_SESSIONS_TOO_MANY`
 */
export async function requireWithinLimits(
  deps: { database: Database; clock: Clock },
  tenant: Tenant,
  { origin, amountMinor, addresses }: PublicRequest,
): Promise<void> {
  const settings = await readSettings(deps, tenant);
  const { maxAmountMinor } = settings;
  if (!settings.publicKeys || maxAmountMinor === null) throw publicSessionsOff();
  if (origin === undefined || !settings.allowedOrigins.includes(origin)) throw originNotAllowed();
  if (addresses.some(({ host }) => !settings.allowedReturnHosts.includes(host))) throw returnHostNotAllowed();
  if (amountMinor > maxAmountMinor) throw sessionAmountTooLarge(maxAmountMinor, DEFAULT_CURRENCY);
  const since = new Date(deps.clock.now().getTime() - MINUTE_MS);
  const [lately] = await deps.database.query(countPublicSessions, [tenant.merchantId, tenant.mode, since]);
  if ((lately?.sessions ?? 0) >= settings.sessionsPerMinute) throw sessionsTooMany();
}
