import type { FastifyInstance, FastifyRequest } from 'fastify';
import { requireOwnPage } from '../access/index.ts';
import { parseAmountText } from '../money/index.ts';
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
import type { CheckoutDeps } from './deps.ts';
import { type LinkForm, linkPage } from './link-page.ts';
import { NOT_EMBEDDED, sendPage } from './page-headers.ts';
import { ownPicture } from './read-checkout.ts';
import { fieldOf, seeOther } from './scope.ts';

interface LinkRoute {
  Params: { slug: string };
}

type LinkRequest = FastifyRequest<LinkRoute>;

const HIDDEN = { schema: { hide: true } };
const MAX_NAME = 100;
const EMAIL = new RegExp(EMAIL_PATTERN);
/** The link is there and takes nothing any more. */
const CLOSED = 410;
const MISTAKEN = 422;
const TOO_MANY = 429;
const BUSY = 'Too many people are paying here at the moment. Please try again in a minute.';

/** The page of a payment link. Its address is all that a payer needs, and all that a payer learns is in the page. */
export function linkRoutes(app: FastifyInstance, deps: CheckoutDeps, assets: Assets): void {
  const limits = createOpeningLimits(deps.clock);
  app.get<LinkRoute>('/pay/:slug', HIDDEN, async (request, reply) => {
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
  const slug = slugOf(request.params.slug);
  if (slug !== undefined) deps.limits.countKey(request, `pay/${slug}/${networkOf(request.ip)}`);
  try {
    return await readPayersLink(deps, request.params.slug);
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
    // It was open when the page was read, and was closed by the time of the commit.
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
  return isTheirs ? errors.map(({ field, message }) => `${LABELS[field]} ${message}`).join(' ') : undefined;
}

const logoOf = ({ publicUrl }: CheckoutDeps, { merchant }: PayersLink) => ownPicture(merchant.logo, publicUrl);

function formOf(request: LinkRequest): LinkForm {
  const attempt = fieldOf(request, 'attempt');
  return {
    attempt: isUuid(attempt) ? attempt : newId(),
    amount: fieldOf(request, 'amount').replaceAll(/[\s,₦]/g, ''),
    name: oneForm(fieldOf(request, 'name')),
    email: fieldOf(request, 'email'),
  };
}

/** What the form says, held to what the link asks for. @throws AppError `VALIDATION_FAILED` */
function saidIn({ amount, name, email }: LinkForm, { row }: PayersLink) {
  return {
    amountMinor: row.amount_minor === null ? parseAmountText(amount) : undefined,
    name: textOf(row.payer_name, name, {
      field: 'name',
      isRight: (text) => text.length <= MAX_NAME && isVisible(text),
    }),
    email: textOf(row.payer_email, email, {
      field: 'email',
      isRight: (text) => text.length <= MAX_EMAIL_LENGTH && EMAIL.test(text),
    }),
  };
}

interface Wanted {
  field: string;
  isRight(text: string): boolean;
}

function textOf(asked: PayerField, typed: string, { field, isRight }: Wanted): string | null {
  if (asked === 'NOT_ASKED') return null;
  if (typed === '' && asked === 'OPTIONAL') return null;
  if (typed === '') throw invalidField(field, 'is required.');
  if (!isRight(typed)) throw invalidField(field, field === 'email' ? 'must be an e-mail address.' : 'cannot be read.');
  return typed;
}
