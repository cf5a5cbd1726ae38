import { randomBytes } from 'node:crypto';
import type { CommitResult, IdempotencyKey, Ledger } from '../ledger/index.ts';
import { DEFAULT_CURRENCY, parseAmount } from '../money/index.ts';
import { chooseProvider, linkSubject, requireAddress, type SessionDeps } from '../payment-sessions/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import { write } from '../platform/db/statement.ts';
import { AppError, invalidField } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import { jsonOf } from '../platform/json-text.ts';
import type { Tenant } from '../platform/tenant.ts';
import { requireWalletId } from '../wallets/index.ts';
import { linkChanged } from './errors.ts';
import { insertPaymentLinkSlugs, insertPaymentLinks, type LinkRow, paymentLinkStates } from './queries.ts';
import type { CreateLinkInput } from './schemas.ts';
import { linkView, paidSessions, requireLink } from './views.ts';

/** Crockford's alphabet in lower case: no letter that reads like a digit or another one. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
/** 80 bits: nobody finds one by trying. */
const LENGTH = 16;
const SLUG = new RegExp(`^[${ALPHABET}]{${LENGTH}}$`);

/** The last part of a link's address. */
function newSlug(): string {
  return Array.from(randomBytes(LENGTH), (byte) => ALPHABET[byte % ALPHABET.length]).join('');
}

/** A slug as somebody typed it, in either case; undefined for what can be none. */
export function slugOf(text: string): string | undefined {
  const slug = text.toLowerCase().replaceAll('o', '0').replaceAll(/[il]/g, '1');
  return SLUG.test(slug) ? slug : undefined;
}

interface CreateLink {
  tenant: Tenant;
  fields: Omit<CreateLinkInput, 'metadata'>;
  /** JSON text. */
  metadata: string | null;
  /** The merchant has the service CARD. */
  mayTakeCards: boolean;
  baseUrl: string;
  idempotency: IdempotencyKey | undefined;
}

const MAX_AHEAD_MS = 10 * 366 * 24 * 60 * 60 * 1000;

/**
 * Makes a payment link. What it asks for never changes: a payer who has its address pays for what was said there.
 * @throws AppError `WALLET_NOT_FOUND`, `COLLECTION_NOT_OFFERED`, `CHANNEL_NOT_OFFERED`, `AMOUNT_RULE_NOT_OFFERED`,
 *   `VALIDATION_FAILED`
 */
export async function createLink(deps: SessionDeps, asked: CreateLink): Promise<CommitResult> {
  const { tenant, fields } = asked;
  const at = deps.clock.now();
  const amounts = amountsOf(fields);
  const { returnUrl = null, amountRule = 'EXACT', channels = ['BANK_TRANSFER'] } = fields;
  if (returnUrl !== null) requireAddress(returnUrl, 'returnUrl', tenant.mode);
  const expires_at = endOf(fields, at);
  const { mode } = tenant;
  const wallet_id = await requireWalletId(deps.wallets, tenant, fields.walletId);
  await chooseProvider(deps, { mode, channels, amountRule, mayTakeCards: asked.mayTakeCards, returnUrl });
  const row: LinkRow = {
    merchant_id: tenant.merchantId,
    mode,
    id: newId(),
    slug: newSlug(),
    status: 'ACTIVE',
    reason: null,
    title: fields.title,
    description: fields.description ?? null,
    ...amounts,
    currency: DEFAULT_CURRENCY,
    amount_rule: amountRule,
    channels: channels.join(' '),
    payer_name: fields.payerName ?? 'REQUIRED',
    payer_email: fields.payerEmail ?? 'REQUIRED',
    max_payments: fields.maxPayments ?? null,
    wallet_id,
    return_url: returnUrl,
    metadata: asked.metadata,
    expires_at,
    created_at: at,
    updated_at: at,
  };
  const { merchant_id, id: link_id, slug } = row;
  const data = jsonOf(linkView(row, { paid: 0, now: at, baseUrl: asked.baseUrl }));
  return deps.ledger.commit({
    tenant,
    id: link_id,
    occurredAt: at.toISOString(),
    idempotency: asked.idempotency,
    writes: [write(insertPaymentLinks, row), write(insertPaymentLinkSlugs, { slug, merchant_id, mode, link_id })],
    events: [{ id: newId(), type: 'payment_link.created', subjectId: link_id, data }],
    answer: { message: 'Payment link created' },
  });
}

function endOf({ expiresAt }: CreateLink['fields'], at: Date): Date | null {
  if (expiresAt === undefined) return null;
  const end = new Date(expiresAt);
  const aheadMs = end.getTime() - at.getTime();
  if (aheadMs <= 0) throw invalidField('expiresAt', 'must be in the future');
  if (aheadMs > MAX_AHEAD_MS) throw invalidField('expiresAt', 'must be at most ten years ahead');
  return end;
}

type Amounts = Pick<LinkRow, 'amount_minor' | 'min_amount_minor' | 'max_amount_minor'>;

/** Either one amount for everybody, or bounds for what a payer names. */
function amountsOf({ amount, minAmount, maxAmount }: CreateLink['fields']): Amounts {
  if (amount !== undefined) {
    if (minAmount !== undefined) throw invalidField('minAmount', 'must be left out where there is an amount');
    if (maxAmount !== undefined) throw invalidField('maxAmount', 'must be left out where there is an amount');
    return { amount_minor: parseAmount(amount), min_amount_minor: null, max_amount_minor: null };
  }
  if (minAmount === undefined && maxAmount === undefined) {
    throw invalidField('amount', 'is required, or minAmount and maxAmount for an amount that the payer names');
  }
  const min_amount_minor = parseAmount(minAmount, 'minAmount');
  const max_amount_minor = parseAmount(maxAmount, 'maxAmount');
  if (max_amount_minor < min_amount_minor) throw invalidField('maxAmount', 'must not be less than minAmount');
  return { amount_minor: null, min_amount_minor, max_amount_minor };
}

interface SwitchDeps {
  database: Database;
  ledger: Ledger;
  clock: Clock;
}

interface SwitchLink {
  tenant: Tenant;
  linkId: string;
  to: 'ACTIVE' | 'INACTIVE';
  baseUrl: string;
}

/**
 * Switches a link off, or on again. One that is so already stays so. Sessions that payers have opened by then can be paid
 * all the same.
 * @throws AppError `PAYMENT_LINK_NOT_FOUND`, `PAYMENT_LINK_CHANGED`
 */
export async function switchLink(deps: SwitchDeps, { tenant, linkId, to, baseUrl }: SwitchLink): Promise<void> {
  const row = await requireLink(deps, tenant, linkId);
  if (row.status === to) return;
  const at = deps.clock.now();
  const paid = (await paidSessions(deps, tenant, [linkId]))(linkId);
  const after = { ...row, status: to, updated_at: at };
  const type = to === 'ACTIVE' ? 'payment_link.activated' : 'payment_link.deactivated';
  const data = jsonOf(linkView(after, { paid, now: at, baseUrl }));
  try {
    await deps.ledger.commit({
      tenant,
      id: linkId,
      occurredAt: at.toISOString(),
      changes: [linkSubject(linkId)],
      transitions: [
        { machine: paymentLinkStates, id: linkId, from: [row.status], to, reason: null, refusal: linkChanged },
      ],
      events: [{ id: newId(), type, subjectId: linkId, data }],
      answer: { message: 'Success' },
    });
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== linkChanged().code) throw error;
    if ((await requireLink(deps, tenant, linkId)).status !== to) throw error;
  }
}
