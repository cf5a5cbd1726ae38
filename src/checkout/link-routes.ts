import type { FastifyInstance, FastifyRequest } from 'fastify';
import { requireOwnPage } from '../access/index.ts';
import { formatMoney, parseTypedAmount, typedAmount } from '../money/index.ts';
import {
  createOpeningLimits,
  openLinkSession,
  type PayerField,
  type PayersLink,
  readPayersLink,
  slugOf,
} from '../payment-links/index.ts';
import { checkoutPathOf } from '../payment-sessions/index.ts';
import { AppError, invalidField } from '../platform/errors.ts';
import { networkOf } from '../platform/http/allowed-hosts.ts';
import { EMAIL_PATTERN, MAX_EMAIL_LENGTH } from '../platform/http/schemas.ts';
import { isUuid, newId } from '../platform/ids.ts';
import { isVisible, oneForm } from '../platform/text.ts';
import type { Assets } from './assets.ts';
import { type Html, html, stateLine } from './html.ts';
import { documentOf, merchantHeader, testBanner } from './page.ts';
import { type CheckoutDeps, ownPicture } from './read-checkout.ts';
import { fieldOf, NOT_EMBEDDED, seeOther, sendPage } from './scope.ts';

/** The form as the payer filled it in. */
interface LinkForm {
  /** Names the page that was sent, so that the same form twice opens one session. */
  attempt: string;
  amount: string;
  name: string;
  email: string;
}

export interface LinkPage {
  link: PayersLink;
  logo: string | undefined;
  form: LinkForm;
  /** Why the form was refused. */
  mistake?: string;
}

/** The page of a payment link: it says what is paid for, and asks for the details that the link needs. */
function linkPage(assets: Assets, page: LinkPage): string {
  const { row, merchant, tenant, status } = page.link;
  return documentOf(assets, {
    title: `${row.title} · ${merchant.business_name}`,
    header: html`${merchantHeader(merchant.business_name, page.logo)}${tenant.mode === 'SANDBOX' ? testBanner(null) : null}`,
    content: html`<h1 tabindex="-1">${row.title}</h1>
${linesOf(row.description)}
${status === 'ACTIVE' ? formHtml(page) : closed(page.link)}`,
  });
}

function linesOf(text: string | null): Html[] {
  const lines = (text ?? '').split('\n').filter((line) => line.trim() !== '');
  return lines.map((line) => html`<p class="about">${line}</p>`);
}

const REASONS: Readonly<Record<Exclude<PayersLink['status'], 'ACTIVE'>, string>> = {
  INACTIVE: 'This payment link is switched off.',
  EXPIRED: 'This payment link has expired.',
  USED_UP: 'This payment link has already been paid.',
  UNAVAILABLE: 'This business cannot take payments at the moment.',
};

function closed({ status, merchant }: PayersLink): Html {
  if (status === 'ACTIVE') throw new Error('an active link is not closed');
  return html`${stateLine('stop', REASONS[status])}
<p>Nothing can be paid on this page. If you have sent money already, it is not lost. Please ask ${merchant.business_name}.</p>`;
}

function formHtml({ link: { row, merchant }, form, mistake }: LinkPage): Html {
  return html`${mistake !== undefined && html`<p class="result" role="alert">${mistake}</p>`}
<form method="post" action="/pay/${row.slug}">
<input type="hidden" name="attempt" value="${form.attempt}">
${amountOf(row, form)}
${fieldHtml(row.payer_name, { id: 'name', type: 'text', label: 'Your name', autocomplete: 'name', max: 100 }, form.name)}
${fieldHtml(row.payer_email, { id: 'email', type: 'email', label: 'Your e-mail address', autocomplete: 'email', max: 254 }, form.email)}
<button class="main">Continue to payment</button>
</form>
<p class="small">You pay ${merchant.business_name}${row.channels === 'BANK_TRANSFER' && ' by bank transfer'} on the next page.</p>`;
}

function amountOf(row: PayersLink['row'], form: LinkForm): Html {
  const { amount_minor: fixed, min_amount_minor: min, max_amount_minor: max, currency } = row;
  if (fixed !== null) return html`<p>Amount: <strong>${formatMoney(fixed, currency)}</strong></p>`;
  const bounds = `From ${formatMoney(min ?? 0n, currency)} to ${formatMoney(max ?? 0n, currency)}`;
  return html`<label for="amount">Amount in naira</label>
<input id="amount" name="amount" inputmode="decimal" autocomplete="off" required aria-describedby="bounds" value="${form.amount}">
<p class="small" id="bounds">${bounds}.</p>`;
}

interface Field {
  id: string;
  type: string;
  label: string;
  autocomplete: string;
  max: number;
}

function fieldHtml(asked: PayerField, { id, type, label, autocomplete, max }: Field, typed: string): Html | null {
  if (asked === 'NOT_ASKED') return null;
  const isRequired = asked === 'REQUIRED';
  return html`<label for="${id}">${label}${!isRequired && ' (optional)'}</label>
<input id="${id}" name="${id}" type="${type}" autocomplete="${autocomplete}" maxlength="${max}"${isRequired && html` required`} value="${typed}">`;
}

interface LinkRoute {
  Params: { slug?: string };
}

type LinkRequest = FastifyRequest<LinkRoute>;

const HIDDEN = { schema: { hide: true } };
const MAX_NAME = 100;
const EMAIL = new RegExp(EMAIL_PATTERN);
/** The link exists and takes no more payments. */
const CLOSED = 410;
const MISTAKEN = 422;
const TOO_MANY = 429;
const BUSY = 'Too many people are paying here at the moment. Please try again in a minute.';

/** The page of a payment link. Its address is all that a payer needs, and all that a payer learns is in the page. */
export function linkRoutes(app: FastifyInstance, deps: CheckoutDeps, assets: Assets): void {
  const limits = createOpeningLimits(deps.clock);
  // Without its name, the address of a link was cut off: that is for people, too.
  app.get<LinkRoute>('/pay/:slug?', HIDDEN, async (request, reply) => {
    const link = await readCounted(deps, request);
    const form = { attempt: newId(), amount: '', name: '', email: '' };
    const page = linkPage(assets, { link, logo: logoOf(deps, link), form });
    return sendPage(link.status === 'ACTIVE' ? reply : reply.code(CLOSED), page, NOT_EMBEDDED);
  });
  app.post<LinkRoute>('/pay/:slug', HIDDEN, async (request, reply) => {
    requireOwnPage(request, deps.publicUrl);
    const link = await readCounted(deps, request);
    const form = formOf(request);
    let sessionId: string;
    try {
      const payer = { attempt: form.attempt, network: networkOf(request.ip), ...saidIn(form, link) };
      sessionId = (await openLinkSession(deps, { link, limits, ...payer })).row.id;
    } catch (error) {
      const { page, status } = await explained(deps, link, error);
      if (error instanceof AppError && error.retryAfterSeconds !== undefined) {
        reply.header('retry-after', String(error.retryAfterSeconds));
      }
      return sendPage(reply.code(status), linkPage(assets, { logo: logoOf(deps, link), form, ...page }), NOT_EMBEDDED);
    }
    return seeOther(reply, checkoutPathOf(deps.secrets, { tenant: link.tenant, sessionId }));
  });
}

/**
 * Requests for a link are counted by the link and the network before anything is read, so that no network takes the pages
 * of another; what a network may open is `openLinkSession`'s to count. Guesses are counted as strangers are, too.
 * @throws AppError `PAYMENT_LINK_NOT_FOUND`, `RATE_LIMITED`
 */
async function readCounted(deps: CheckoutDeps, request: LinkRequest): Promise<PayersLink> {
  const { slug: typed = '' } = request.params;
  const slug = slugOf(typed);
  if (slug !== undefined) deps.limits.countKey(request, `pay/${slug}/${networkOf(request.ip)}`);
  try {
    return await readPayersLink(deps, typed);
  } catch (error) {
    throw deps.limits.countRefusal(request, error);
  }
}

interface Explained {
  status: number;
  page: { link: PayersLink; mistake?: string };
}

/**
 * What a payer is shown instead of a session: why there is none, or what to correct. What only the merchant or the operator
 * can correct is logged: the payer's page is no place for it, and no other answer names it.
 * @throws unknown what is no refusal
 */
async function explained(deps: CheckoutDeps, link: PayersLink, error: unknown): Promise<Explained> {
  if (!(error instanceof AppError)) throw error;
  if (error.code === 'PAYMENT_LINK_CLOSED') {
    // The link was open when the page was read, and was closed before the commit.
    const now = await readPayersLink(deps, link.row.slug);
    return { status: CLOSED, page: { link: now.status === 'ACTIVE' ? unavailable(now) : now } };
  }
  if (error.kind === 'rate_limited') return { status: TOO_MANY, page: { link, mistake: BUSY } };
  if (error.kind !== 'invalid' && error.kind !== 'refused') throw error;
  const mistake = mistakeOf(error);
  if (mistake !== undefined) return { status: MISTAKEN, page: { link, mistake } };
  const { merchant_id: merchantId, mode, id: linkId } = link.row;
  deps.logger.warn({ err: error, merchantId, mode, linkId }, 'a payment link could not open a session');
  return { status: CLOSED, page: { link: unavailable(link) } };
}

const unavailable = (link: PayersLink): PayersLink => ({ ...link, status: 'UNAVAILABLE' });

const LABELS: Readonly<Record<string, string>> = {
  amount: 'The amount',
  name: 'Your name',
  email: 'Your e-mail address',
};

/** Undefined where it is not about what the payer typed. */
function mistakeOf({ errors = [] }: AppError): string | undefined {
  const isTheirs = errors.length > 0 && errors.every(({ field }) => Object.hasOwn(LABELS, field));
  return isTheirs ? errors.map(({ field, message }) => `${LABELS[field]} ${message}.`).join(' ') : undefined;
}

const logoOf = ({ publicUrl }: CheckoutDeps, { merchant }: PayersLink) => ownPicture(merchant.logo, publicUrl);

function formOf(request: LinkRequest): LinkForm {
  const attempt = fieldOf(request, 'attempt');
  return {
    attempt: isUuid(attempt) ? attempt : newId(),
    amount: typedAmount(fieldOf(request, 'amount')),
    name: oneForm(fieldOf(request, 'name')),
    email: fieldOf(request, 'email'),
  };
}

/** What the form says, held to what the link asks for. @throws AppError `VALIDATION_FAILED` */
function saidIn({ amount, name, email }: LinkForm, { row }: PayersLink) {
  return {
    amountMinor: row.amount_minor === null ? parseTypedAmount(amount) : undefined,
    name: textOf(row.payer_name, name, {
      field: 'name',
      most: MAX_NAME,
      isRight: isVisible,
      otherwise: 'has characters that cannot be seen: please type it in again',
    }),
    email: textOf(row.payer_email, email, {
      field: 'email',
      most: MAX_EMAIL_LENGTH,
      isRight: (text) => EMAIL.test(text),
      otherwise: 'must be written like name@example.com',
    }),
  };
}

interface Wanted {
  field: string;
  /** Characters. */
  most: number;
  isRight(this: void, text: string): boolean;
  otherwise: string;
}

function textOf(asked: PayerField, typed: string, { field, most, isRight, otherwise }: Wanted): string | null {
  if (asked === 'NOT_ASKED') return null;
  if (typed === '' && asked === 'OPTIONAL') return null;
  if (typed === '') throw invalidField(field, 'is required');
  if (typed.length > most) throw invalidField(field, `must have at most ${most} characters`);
  if (!isRight(typed)) throw invalidField(field, otherwise);
  return typed;
}
