import { hash } from 'node:crypto';
import { requireCustomer } from '../customers/index.ts';
import { type CollectionCharges, NO_CHARGES } from '../fees/index.ts';
import type { CommitResult, IdempotencyKey } from '../ledger/index.ts';
import { DEFAULT_CURRENCY } from '../money/index.ts';
import { MINUTE_MS } from '../platform/clock.ts';
import { invalidField, lineOfFailure } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import type { Tenant } from '../platform/tenant.ts';
import type { PaymentChannel } from '../rails/index.ts';
import { requireWalletId } from '../wallets/index.ts';
import { askLeased, knownAccountOf, LEASE_MS } from './ask-provider.ts';
import type { ReadSession } from './change-session.ts';
import { type ChosenProvider, chooseProvider, type SessionChannel } from './choose-provider.ts';
import type { SessionDeps } from './deps.ts';
import { keepSession, type OpeningGuard, requireWithinLimits } from './keep-session.ts';
import type { AmountRule, FeeBearer, OpenedBy, SessionRow } from './queries.ts';
import { requireSession } from './read-sessions.ts';
import { requireAddress } from './settings.ts';

export interface OpenSession {
  tenant: Tenant;
  openedBy: OpenedBy;
  /** Of the browser that asks; undefined where none does. */
  origin: string | undefined;
  /** Kobo, more than zero. */
  amountMinor: bigint;
  amountRule: AmountRule;
  /** Undefined: one is made, the same for the same idempotency key. */
  reference: string | undefined;
  idempotencyKey: string | null;
  /** Undefined: that of `customerId`. */
  customer: Payer | undefined;
  /** One of the merchant's own. */
  customerId?: string | undefined;
  /** The payment link under which a payer opens it. */
  link?: OpeningLink;
  description: string | null;
  /** JSON text. */
  metadata: string | null;
  channels: readonly SessionChannel[];
  mayTakeCards: boolean;
  expiresInMinutes: number;
  returnUrl: string | null;
  cancelUrl: string | null;
  /** Undefined: the main wallet. */
  walletId: string | undefined;
  feeBearer: FeeBearer;
}

interface OpeningLink {
  id: string;
  /** What has to hold at the commit. */
  guard: OpeningGuard;
  /** Runs the commit, or refuses it where too many wait. */
  whileFewWait<Result>(commit: () => Promise<Result>): Promise<Result>;
}

interface Payer {
  name: string;
  email: string;
  phoneNumber: string | null;
}

/** So long a request waits for the provider: then a worker goes on, and the answer has no account yet. */
const AT_ONCE_MS = 3_000;

/**
 * Opens a payment session. It is kept before the provider is asked, so that nothing that the provider opens is without an
 * owner; the provider is asked at once, and by a worker where it takes longer. Where nobody has to be asked, it is kept as
 * it is when it is open.
 * @returns the session; the one that is there for a repeated reference with the same content
 * @throws AppError `PAYMENT_SESSION_REFERENCE_TAKEN`, `WALLET_NOT_FOUND`, `CUSTOMER_NOT_FOUND`, `COLLECTION_NOT_OFFERED`,
 *   `CHANNEL_NOT_OFFERED`, `AMOUNT_RULE_NOT_OFFERED`, `COLLECTION_FEE_NOT_COVERED`, `VALIDATION_FAILED`; by a public key what
 *   `requireWithinLimits` throws
 */
export async function openSession(deps: SessionDeps, asked: OpenSession): Promise<ReadSession> {
  return (await openFor(deps, asked, undefined)) as ReadSession;
}

/**
 * The same for a request. Where its session is kept by one movement, so is its answer.
 * @returns that answer, or the first one under its key; otherwise the session, and the answer is the caller's to keep
 */
export async function openFor(
  deps: SessionDeps,
  asked: OpenSession,
  idempotency: IdempotencyKey | undefined,
): Promise<ReadSession | CommitResult> {
  const { tenant } = asked;
  const guard = asked.link?.guard ?? (await guardOf(deps, asked, addressesOf(asked)));
  const customer = await payerOf(deps, asked);
  const walletId = await requireWalletId(deps.wallets, tenant, asked.walletId);
  const { mode } = tenant;
  const { channels, amountRule, mayTakeCards, returnUrl } = asked;
  const provider = await chooseProvider(deps, { mode, channels, amountRule, mayTakeCards, returnUrl });
  const at = deps.clock.now();
  const onTop = await onTopOf(deps, asked, { provider, at });
  const row = sessionRow(asked, { provider, walletId, customer, onTop, at });
  const account = knownAccountOf(row, provider.wallets, at);
  const keepIt = () => keepSession(deps, row, { guard, account, idempotency });
  const kept = await (asked.link?.whileFewWait(keepIt) ?? keepIt());
  if (kept !== undefined) return kept;
  return (await askAtOnce(deps, row)) ?? requireSession(deps, tenant, row.id);
}

/** What a session by a public key is held to at its commit; undefined for other sessions. */
async function guardOf(
  deps: SessionDeps,
  { tenant, openedBy, origin, amountMinor, walletId, customerId, feeBearer }: OpenSession,
  addresses: readonly URL[],
): Promise<OpeningGuard | undefined> {
  if (openedBy !== 'PUBLIC_KEY') return undefined;
  const guard = await requireWithinLimits(deps, tenant, { origin, amountMinor, addresses });
  if (walletId !== undefined) throw invalidField('walletId', 'cannot be chosen by a public key');
  if (customerId !== undefined) throw invalidField('customerId', 'cannot be chosen by a public key');
  if (feeBearer !== 'MERCHANT') throw invalidField('feeBearer', 'cannot be chosen by a public key');
  return guard;
}

function addressesOf({ tenant, returnUrl, cancelUrl }: OpenSession): URL[] {
  return [
    ...(returnUrl === null ? [] : [requireAddress(returnUrl, 'returnUrl', tenant.mode)]),
    ...(cancelUrl === null ? [] : [requireAddress(cancelUrl, 'cancelUrl', tenant.mode)]),
  ];
}

async function payerOf({ database }: SessionDeps, { tenant, customer, customerId }: OpenSession): Promise<Payer> {
  if (customerId === undefined) {
    if (customer === undefined) throw invalidField('customer', 'is required without a customerId');
    return customer;
  }
  const known = await requireCustomer(database, tenant, customerId);
  return customer ?? { name: known.name, email: known.email, phoneNumber: known.phone_number };
}

/** What the customer is asked for beyond the amount, as quoted now: what is charged follows from what arrives. */
async function onTopOf(
  { fees }: SessionDeps,
  { feeBearer, amountMinor }: OpenSession,
  { provider, at }: { provider: ChosenProvider; at: Date },
): Promise<CollectionCharges> {
  if (feeBearer === 'MERCHANT') return NO_CHARGES;
  return fees.quoteOnTop({ amountMinor, currency: DEFAULT_CURRENCY, channel: quotedChannelOf(provider), at });
}

/**
 * The channel by whose fee rules a session is quoted. An account number takes transfers. A page that takes cards is
 * quoted as a card, which costs most; another page by its first channel.
 */
function quotedChannelOf({ opens, pageChannels }: ChosenProvider): PaymentChannel {
  if (opens === 'ACCOUNT') return 'BANK_TRANSFER';
  return QUOTED_BEFORE.find((channel) => pageChannels.includes(channel)) ?? 'BANK_TRANSFER';
}

const QUOTED_BEFORE = ['CARD', 'BANK_TRANSFER', 'USSD'] as const satisfies readonly PaymentChannel[];

/** What makes two requests ask for the same, but for the reference and the moment. */
function contentHash(asked: OpenSession, walletId: string): string {
  const { amountMinor, amountRule, customer, description, metadata, channels, openedBy } = asked;
  const { name, email, phoneNumber } = customer ?? {};
  const { expiresInMinutes, returnUrl, cancelUrl, customerId, link } = asked;
  const content = [
    [String(amountMinor), amountRule, walletId, [...channels].sort().join(' ')],
    [name, email, phoneNumber, description, metadata, returnUrl, cancelUrl],
    [expiresInMinutes, openedBy === 'PUBLIC_KEY'],
    ...(asked.feeBearer === 'CUSTOMER' ? [[asked.feeBearer]] : []),
    // Left out where there is neither a customer nor a link, so that sessions from before those existed keep their
    // hash.
    ...(customerId === undefined && link === undefined ? [] : [[customerId ?? null, link?.id ?? null]]),
  ];
  return hash('sha256', JSON.stringify(content), 'base64url');
}

/** A request without a reference that comes again with its idempotency key finds the session that it made. */
function ownReference({ tenant, idempotencyKey }: OpenSession, id: string): string {
  if (idempotencyKey === null) return `MNS${id.replaceAll('-', '')}`;
  return `MNS${hash('sha256', `${tenant.merchantId}/${tenant.mode}/${idempotencyKey}`, 'hex').slice(0, 32)}`;
}

interface SessionTerms {
  provider: ChosenProvider;
  walletId: string;
  customer: Payer;
  onTop: CollectionCharges;
  at: Date;
}

function sessionRow(asked: OpenSession, { provider, walletId, customer, onTop, at }: SessionTerms): SessionRow {
  const { tenant } = asked;
  const id = newId();
  return {
    merchant_id: tenant.merchantId,
    mode: tenant.mode,
    id,
    reference: asked.reference ?? ownReference(asked, id),
    content_hash: contentHash(asked, walletId),
    status: 'OPENING',
    reason: null,
    message: null,
    version: 1,
    amount_minor: asked.amountMinor,
    payable_minor: asked.amountMinor + onTop.feeMinor + onTop.vatMinor,
    received_minor: 0n,
    currency: DEFAULT_CURRENCY,
    amount_rule: asked.amountRule,
    fee_bearer: asked.feeBearer,
    fee_minor: onTop.feeMinor,
    vat_minor: onTop.vatMinor,
    wallet_id: walletId,
    rail: provider.rail,
    opens: provider.opens,
    channels: asked.channels.join(' '),
    page_channels: provider.pageChannels.join(' '),
    customer_name: customer.name,
    customer_email: customer.email,
    customer_phone: customer.phoneNumber,
    description: asked.description,
    metadata: asked.metadata,
    return_url: asked.returnUrl,
    cancel_url: asked.cancelUrl,
    opened_by: asked.openedBy,
    origin: asked.origin ?? null,
    provider_reference: null,
    ussd_code: null,
    page_url: null,
    attempts: 0,
    // The request that opens the session asks the provider first. No worker does before this time.
    due_at: new Date(at.getTime() + LEASE_MS),
    checked_at: null,
    opened_at: null,
    paid_at: null,
    expires_at: new Date(at.getTime() + asked.expiresInMinutes * MINUTE_MS),
    created_at: at,
    updated_at: at,
    link_id: asked.link?.id ?? null,
    customer_id: asked.customerId ?? null,
  };
}

/** It is kept: whatever goes wrong now, a worker asks again once the lease is over. */
async function askAtOnce(deps: SessionDeps, row: SessionRow): Promise<ReadSession | undefined> {
  // Not AbortSignal.timeout: it keeps its listeners for the whole time, however soon the provider answers.
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), AT_ONCE_MS);
  try {
    return await askLeased(deps, row, limit.signal);
  } catch (error) {
    const { merchant_id: merchantId, mode, id: sessionId, rail } = row;
    const about = { merchantId, mode, sessionId, rail };
    deps.logger.error(...lineOfFailure(error, 'a payment session was not opened at once', about));
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}
