import { hash } from 'node:crypto';
import { lockedCheck } from '../ledger/index.ts';
import { isApproved, listMerchantServices, type MerchantRow, requireMerchant } from '../merchants/index.ts';
import { formatMoney } from '../money/index.ts';
import {
  DEFAULT_MINUTES,
  findSessionIdByReference,
  linkSubject,
  mayTakeCards,
  type OpeningGuard,
  openSession,
  type ReadSession,
  readSettings,
  requireSession,
  type SessionChannel,
  type SessionDeps,
  sessionsTooMany,
} from '../payment-sessions/index.ts';
import { type Clock, MINUTE_MS } from '../platform/clock.ts';
import { columnArrays, rowsFor } from '../platform/db/statement.ts';
import { invalidField } from '../platform/errors.ts';
import { firstIdOf } from '../platform/ids.ts';
import { createOpenWork } from '../platform/owner-queue.ts';
import type { Tenant } from '../platform/tenant.ts';
import { createWindowCounter } from '../platform/window-counter.ts';
import { linkClosed, linkNotFound } from './errors.ts';
import { slugOf } from './link.ts';
import { countLinkSessions, findClosedLinks, findSlug, type LinkRow, type LinkStatus, linkStatus } from './queries.ts';
import { paidSessions, requireLink } from './views.ts';

/** Some 2 MB. */
const MAX_CALLERS = 20_000;
/** One network opens at most one in so many of the sessions that a link opens in a minute. */
const NETWORKS_AT_LEAST = 10;
/** Commits of one link that wait for the ledger at once: each waits for the one before it. */
const MOST_WAITING = 16;

/**
 * Keeps a holder of the link's address from using up what the link opens, and from filling the queue of the ledger, in
 * which other merchants wait too. In memory and by process; what the link opens in total is counted at the commit.
 */
interface OpeningLimits {
  /** Before a session is opened from a network. @throws AppError 429 `PAYMENT_SESSIONS_TOO_MANY` */
  countNetwork(linkId: string, network: string, sessionsPerMinute: number): void;
  /** Around the commit that opens one. @throws AppError 429 `PAYMENT_SESSIONS_TOO_MANY`, without a commit */
  whileFewWait<Result>(linkId: string, commit: () => Promise<Result>): Promise<Result>;
}

export function createOpeningLimits(clock: Clock): OpeningLimits {
  const networks = createWindowCounter({ clock, windowMs: MINUTE_MS, maxCallers: MAX_CALLERS });
  const waiting = createOpenWork();
  return {
    countNetwork(linkId, network, sessionsPerMinute) {
      const most = Math.max(1, Math.floor(sessionsPerMinute / NETWORKS_AT_LEAST));
      if (networks.count(`${linkId}/${network}`).count > most) throw sessionsTooMany();
    },
    async whileFewWait(linkId, commit) {
      if (waiting.of(linkId) >= MOST_WAITING) throw sessionsTooMany();
      const end = waiting.begin(linkId);
      try {
        return await commit();
      } finally {
        end();
      }
    },
  };
}

/** What a payer's page is made of. */
export interface PayersLink {
  tenant: Tenant;
  row: LinkRow;
  merchant: Pick<MerchantRow, 'business_name' | 'email' | 'logo'>;
  /** `UNAVAILABLE`: its merchant may take no money at the moment. */
  status: LinkStatus | 'UNAVAILABLE';
  /** The merchant has the service CARD. */
  mayTakeCards: boolean;
}

/** A link by the last part of its address. @throws AppError `PAYMENT_LINK_NOT_FOUND` */
export async function readPayersLink(deps: SessionDeps, typed: string): Promise<PayersLink> {
  const slug = slugOf(typed);
  const [found] = slug === undefined ? [] : await deps.database.query(findSlug, [slug]);
  if (found === undefined) throw linkNotFound();
  const tenant: Tenant = { merchantId: found.merchant_id, mode: found.mode };
  const [row, merchant, services] = await Promise.all([
    requireLink(deps, tenant, found.link_id),
    requireMerchant(deps.database, tenant.merchantId),
    listMerchantServices(deps.database, tenant.merchantId),
  ]);
  const has = (service: string) => services.some(({ key }) => key === service);
  const status = mayCollect(merchant, tenant) && has('COLLECTION') ? await statusOf(deps, tenant, row) : 'UNAVAILABLE';
  return { tenant, row, merchant, status, mayTakeCards: mayTakeCards(tenant, { has }) };
}

/** Anybody asks: nothing is counted where any number may be paid, and otherwise no further than decides it. */
async function statusOf(deps: SessionDeps, tenant: Tenant, row: LinkRow): Promise<LinkStatus> {
  const { id, max_payments: most } = row;
  const paid = most === null ? 0 : (await paidSessions(deps, tenant, [id], most))(id);
  return linkStatus(row, paid, deps.clock.now());
}

/** The same rules as for a caller with a key of the merchant. */
function mayCollect(merchant: MerchantRow, { mode }: Tenant): boolean {
  return isApproved(merchant) || (merchant.status !== 'SUSPENDED' && mode === 'SANDBOX');
}

interface OpenLinkSession {
  link: PayersLink;
  /** Of the page that was sent: the same form twice opens one session. */
  attempt: string;
  /** Kobo; undefined where the link says the amount. */
  amountMinor: bigint | undefined;
  /** Null: the payer was not asked, or left it out. */
  name: string | null;
  email: string | null;
  /** Of the payer, as `networkOf` names it. */
  network: string;
  limits: OpeningLimits;
}

/**
 * Opens a payment session under a link, for anybody who has its address. A link that is switched off or used up by then
 * opens none: that is decided at the commit, under the lock that every payment takes. What can be refused before takes
 * no turn in the ledger. Sessions that are open when the last payment comes can still be paid: no payer is refused
 * then.
 * @returns the session; the one that is there for the same attempt with the same content
 * @throws AppError `PAYMENT_LINK_CLOSED`, `PAYMENT_SESSIONS_TOO_MANY`, `VALIDATION_FAILED`, and what `openSession` throws
 */
export async function openLinkSession(deps: SessionDeps, asked: OpenLinkSession): Promise<ReadSession> {
  const { link, name, email, limits } = asked;
  const { tenant, row, merchant } = link;
  const amountMinor = amountOf(row, asked.amountMinor);
  const reference = referenceOf(row, asked, amountMinor);
  const known = await findSessionIdByReference(deps.database, tenant, { reference, openedBy: 'LINK' });
  if (known !== undefined) return requireSession(deps, tenant, known);
  if (link.status !== 'ACTIVE') throw linkClosed(link.status);
  const { sessionsPerMinute } = await readSettings(deps, tenant);
  limits.countNetwork(row.id, asked.network, sessionsPerMinute);
  await requireNotTooMany(deps, row, sessionsPerMinute);
  const guard = guardOf(deps, row, sessionsPerMinute);
  return openSession(deps, {
    tenant,
    openedBy: 'LINK',
    origin: undefined,
    amountMinor,
    amountRule: row.amount_rule,
    reference,
    idempotencyKey: null,
    customer: { name: name ?? merchant.business_name, email: email ?? merchant.email, phoneNumber: null },
    link: { id: row.id, guard, whileFewWait: (commit) => limits.whileFewWait(row.id, commit) },
    description: row.title,
    metadata: row.metadata,
    channels: row.channels.split(' ') as SessionChannel[],
    mayTakeCards: link.mayTakeCards,
    expiresInMinutes: DEFAULT_MINUTES,
    returnUrl: row.return_url,
    cancelUrl: null,
    walletId: row.wallet_id,
    feeBearer: 'MERCHANT',
  });
}

function amountOf(row: LinkRow, named: bigint | undefined): bigint {
  const { amount_minor: fixed, min_amount_minor: min, max_amount_minor: max, currency } = row;
  if (fixed !== null) return fixed;
  if (named === undefined || min === null || max === null) throw invalidField('amount', 'is required');
  if (named < min || named > max) {
    throw invalidField('amount', `must be from ${formatMoney(min, currency)} to ${formatMoney(max, currency)}`);
  }
  return named;
}

/** The same form sent again finds the session that it opened; another content is another attempt. */
function referenceOf(row: LinkRow, { attempt, name, email }: OpenLinkSession, amountMinor: bigint): string {
  const content = JSON.stringify([row.id, attempt, String(amountMinor), name, email]);
  return `MNS${hash('sha256', content, 'hex').slice(0, 32)}`;
}

/** A link opens no more in a minute than public keys may: both come from browsers. */
const tooMany = ([lately]: readonly { sessions: number }[], sessionsPerMinute: number) =>
  (lately?.sessions ?? 0) >= sessionsPerMinute ? sessionsTooMany() : undefined;

const latelyOf = ({ clock }: SessionDeps, { merchant_id, mode, id: link_id }: LinkRow) => ({
  merchant_id,
  mode,
  link_id,
  since_id: firstIdOf(new Date(clock.now().getTime() - MINUTE_MS)),
});

/**
 * Checks what the commit will check, without its lock: a request that is refused here takes no turn in the ledger, and
 * delays nobody.
 * @throws AppError `PAYMENT_SESSIONS_TOO_MANY`
 */
async function requireNotTooMany(deps: SessionDeps, row: LinkRow, sessionsPerMinute: number): Promise<void> {
  const values = columnArrays(...rowsFor(countLinkSessions, [latelyOf(deps, row)]));
  const refusal = tooMany(
    await deps.database.query<{ sessions: number }>(countLinkSessions, values),
    sessionsPerMinute,
  );
  if (refusal !== undefined) throw refusal;
}

/** What the opening is held to at the commit: the link takes payments, and opened no more sessions. Each is counted. */
function guardOf(deps: SessionDeps, row: LinkRow, sessionsPerMinute: number): OpeningGuard {
  const about = [linkSubject(row.id)];
  const takesPayments = lockedCheck({
    question: findClosedLinks,
    rows: [{ merchant_id: row.merchant_id, mode: row.mode, link_id: row.id }],
    about,
    refusal: ([closed]) => closed && linkClosed(closed.status === 'ACTIVE' ? 'USED_UP' : 'INACTIVE'),
  });
  const notTooMany = lockedCheck({
    question: countLinkSessions,
    rows: [latelyOf(deps, row)],
    about,
    refusal: (found) => tooMany(found, sessionsPerMinute),
  });
  return { checks: [takesPayments, notTooMany], changes: about };
}
