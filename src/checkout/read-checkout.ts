import { requireMerchant } from '../merchants/index.ts';
import {
  etagOf,
  type PublicSessionView,
  publicSessionView,
  readSettings,
  requireSession,
  type SessionDeps,
  type SessionStatus,
} from '../payment-sessions/index.ts';
import type { RequestLimits } from '../platform/http/request-limits.ts';
import { PLAIN_ORIGIN } from '../platform/http/written-address.ts';
import type { Tenant } from '../platform/tenant.ts';

/** The data of a payer's page. */
export interface Checkout {
  session: PublicSessionView;
  /** The status that the payer sees: a session whose time is over is `EXPIRED` before a worker ends it. */
  status: SessionStatus;
  /** The address of a picture that the page may show; undefined where there is none. */
  logo: string | undefined;
  /** Origins of the pages that may embed it. */
  shops: readonly string[];
  now: Date;
  /** The same value for the same content. */
  etag: string;
}

/** @throws AppError `PAYMENT_SESSION_NOT_FOUND` */
export async function readCheckout(deps: CheckoutDeps, tenant: Tenant, sessionId: string): Promise<Checkout> {
  const { database, clock, publicUrl } = deps;
  const [{ row, accounts }, settings, merchant] = await Promise.all([
    requireSession(deps, tenant, sessionId),
    readSettings({ database }, tenant),
    requireMerchant(database, tenant.merchantId),
  ]);
  const session = publicSessionView(row, accounts, merchant.business_name);
  const now = clock.now();
  const isOver = session.payable && now >= row.expires_at;
  return {
    session,
    status: isOver ? 'EXPIRED' : session.status,
    logo: ownPicture(merchant.logo, publicUrl),
    shops: settings.allowedOrigins.filter((origin) => PLAIN_ORIGIN.test(origin)),
    now,
    etag: etagOf(row, isOver ? 'over' : undefined),
  };
}

/** Only pictures of this service: the server of any other picture would learn who pays, and when. */
export function ownPicture(logo: string | null, publicUrl: string | undefined): string | undefined {
  const url = logo === null ? null : URL.parse(logo);
  if (url === null || publicUrl === undefined) return undefined;
  return url.origin === new URL(publicUrl).origin ? url.href : undefined;
}

export interface CheckoutDeps extends SessionDeps {
  limits: RequestLimits;
  /** The address under which people reach the service, where one is set. */
  publicUrl: string | undefined;
}
