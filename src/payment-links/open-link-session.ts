import { hash } from 'node:crypto';
import { lockedCheck } from '../ledger/index.ts';
import { listMerchantServices, type MerchantRow, requireMerchant } from '../merchants/index.ts';
import { formatMoney } from '../money/index.ts';
import {
  findSessionByReference,
  linkName,
  openSession,
  type ReadSession,
  readSettings,
  type SessionChannel,
  type SessionDeps,
  sessionsTooMany,
} from '../payment-sessions/index.ts';
import { invalidField } from '../platform/errors.ts';
import { firstIdOf } from '../platform/ids.ts';
import type { Tenant } from '../platform/tenant.ts';
import { linkClosed, linkNotFound } from './errors.ts';
import { type LinkStatus, linkStatus } from './link-state.ts';
import { countLinkSessions, findClosedLinks, findSlug, type LinkRow } from './queries.ts';
import { paidSessions, requireLink } from './read-links.ts';
import { slugOf } from './slug.ts';

const MINUTE_MS = 60_000;
const SESSION_MINUTES = 30;

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
  const [row, paidOf, merchant, services] = await Promise.all([
    requireLink(deps, tenant, found.link_id),
    paidSessions(deps, tenant, [found.link_id]),
    requireMerchant(deps.database, tenant.merchantId),
    listMerchantServices(deps.database, tenant.merchantId),
  ]);
  const has = (service: string) => services.some(({ key }) => key === service);
  const status = mayCollect(merchant, tenant) && has('COLLECTION') ? statusOf(deps, row, paidOf) : 'UNAVAILABLE';
  return { tenant, row, merchant, status, mayTakeCards: has('CARD') };
}

const statusOf = ({ clock }: SessionDeps, row: LinkRow, paidOf: (linkId: string) => number) =>
  linkStatus(row, paidOf(row.id), clock.now());

/** As for whoever comes with a key of the merchant. */
function mayCollect({ status, review_status }: MerchantRow, { mode }: Tenant): boolean {
  if (status === 'ACTIVE' && review_status === 'ACCEPTED') return true;
  return status !== 'SUSPENDED' && mode === 'SANDBOX';
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
}

/**
 * Opens a payment session under a link, for whoever has its address. A link that is switched off or used up by then opens
 * none: that is decided at the commit, under the lock that every payment takes. Sessions that are open when the last
 * payment comes can be paid all the same: nobody's money is refused.
 * @returns the session; the one that is there for the same attempt with the same content
 * @throws AppError `PAYMENT_LINK_CLOSED`, `PAYMENT_SESSIONS_TOO_MANY`, `VALIDATION_FAILED`, and what `openSession` throws
 */
export async function openLinkSession(deps: SessionDeps, asked: OpenLinkSession): Promise<ReadSession> {
  const { link, name, email } = asked;
  const { tenant, row, merchant } = link;
  const amountMinor = amountOf(row, asked.amountMinor);
  const reference = referenceOf(row, asked, amountMinor);
  const earlier = await findSessionByReference(deps.database, tenant, reference);
  if (earlier !== undefined) return earlier;
  if (link.status !== 'ACTIVE') throw linkClosed(link.status);
  await requireNotTooMany(deps, link);
  return openSession(deps, {
    tenant,
    openedBy: 'LINK',
    origin: undefined,
    amountMinor,
    amountRule: row.amount_rule,
    reference,
    idempotencyKey: null,
    customer: { name: name ?? merchant.business_name, email: email ?? merchant.email, phoneNumber: null },
    link: { id: row.id, checks: [stillOpen(row)] },
    description: row.title,
    metadata: row.metadata,
    channels: row.channels.split(' ') as SessionChannel[],
    mayTakeCards: link.mayTakeCards,
    expiresInMinutes: SESSION_MINUTES,
    returnUrl: row.return_url,
    cancelUrl: null,
    walletId: row.wallet_id,
  });
}

function amountOf(row: LinkRow, named: bigint | undefined): bigint {
  const { amount_minor: fixed, min_amount_minor: min, max_amount_minor: max, currency } = row;
  if (fixed !== null) return fixed;
  if (named === undefined || min === null || max === null) throw invalidField('amount', 'is required.');
  if (named < min || named > max) {
    throw invalidField('amount', `must be from ${formatMoney(min, currency)} to ${formatMoney(max, currency)}.`);
  }
  return named;
}

/** The same form sent again finds the session that it opened; another content is another attempt. */
function referenceOf(row: LinkRow, { attempt, name, email }: OpenLinkSession, amountMinor: bigint): string {
  const content = JSON.stringify([row.id, attempt, String(amountMinor), name, email]);
  return `MNS${hash('sha256', content, 'hex').slice(0, 32)}`;
}

/** As many a minute as by public keys: both come from browsers. */
async function requireNotTooMany(deps: SessionDeps, { tenant, row }: PayersLink): Promise<void> {
  const since = firstIdOf(new Date(deps.clock.now().getTime() - MINUTE_MS));
  const [{ sessionsPerMinute }, [lately]] = await Promise.all([
    readSettings(deps, tenant),
    deps.database.query(countLinkSessions, [tenant.merchantId, tenant.mode, row.id, since]),
  ]);
  if ((lately?.sessions ?? 0) >= sessionsPerMinute) throw sessionsTooMany();
}

function stillOpen({ merchant_id, mode, id }: LinkRow) {
  return lockedCheck({
    question: findClosedLinks,
    rows: [{ merchant_id, mode, link_id: id }],
    about: [linkName(id)],
    refusal: ([closed]) => closed && linkClosed(closed.status === 'ACTIVE' ? 'USED_UP' : 'INACTIVE'),
  });
}
