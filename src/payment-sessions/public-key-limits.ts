import { lockedCheck, type Movement } from '../ledger/index.ts';
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
  /** The `Origin` header; undefined where there is none, and then it is no browser. */
  origin: string | undefined;
  /** Kobo. */
  amountMinor: bigint;
  /** Where the payer is to be sent. */
  addresses: readonly URL[];
}

/** Of the movement that keeps a session opened by a browser: one after the other is counted, also of many at once. */
export type OpeningGuard = Required<Pick<Movement, 'checks' | 'changes'>>;

/** What such a movement changes, and its check is about. */
const PUBLIC_SESSIONS = 'PUBLIC_PAYMENT_SESSIONS';

/**
 * Holds a session by a public key to what the merchant set: whoever reads a page has its key.
 * @returns what its movement is held to at the commit, where `PAYMENT_SESSIONS_TOO_MANY` may refuse it
 * @throws AppError `PUBLIC_PAYMENT_SESSIONS_OFF`, `ORIGIN_NOT_ALLOWED`, `RETURN_HOST_NOT_ALLOWED`,
 *   `PAYMENT_SESSION_AMOUNT_TOO_LARGE`
 */
export async function requireWithinLimits(
  deps: { database: Database; clock: Clock },
  tenant: Tenant,
  { origin, amountMinor, addresses }: PublicRequest,
): Promise<OpeningGuard> {
  const settings = await readSettings(deps, tenant);
  const { maxAmountMinor } = settings;
  if (!settings.publicKeys || maxAmountMinor === null) throw publicSessionsOff();
  if (origin === undefined || !settings.allowedOrigins.includes(origin)) throw originNotAllowed();
  if (addresses.some(({ host }) => !settings.allowedReturnHosts.includes(host))) throw returnHostNotAllowed();
  if (amountMinor > maxAmountMinor) throw sessionAmountTooLarge(maxAmountMinor, DEFAULT_CURRENCY);
  const { merchantId: merchant_id, mode } = tenant;
  const since = new Date(deps.clock.now().getTime() - MINUTE_MS);
  const check = lockedCheck({
    question: countPublicSessions,
    rows: [{ merchant_id, mode, since }],
    about: [PUBLIC_SESSIONS],
    refusal: (found) => ((found[0]?.sessions ?? 0) >= settings.sessionsPerMinute ? sessionsTooMany() : undefined),
  });
  return { checks: [check], changes: [PUBLIC_SESSIONS] };
}
