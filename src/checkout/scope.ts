import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { cookieOf } from '../access/index.ts';
import { requireTenantOfSecret } from '../payment-sessions/index.ts';
import { failure } from '../platform/answer.ts';
import { AppError } from '../platform/errors.ts';
import { contentTypeUnsupported } from '../platform/http/json-body.ts';
import type { Tenant } from '../platform/tenant.ts';
import { sandboxOnly } from '../sandbox/index.ts';
import type { Assets } from './assets.ts';
import { problemPage, unknownPage } from './page.ts';
import type { Checkout, CheckoutDeps } from './read-checkout.ts';

/** `__Secure-` keeps a plain connection from setting one. `__Host-` would not allow the path of one session alone. */
const NAME = '__Secure-manilla_checkout';
/** How long the cookie is kept: a payer who comes back the next day still sees the result of the payment. */
const SECONDS = 7 * 24 * 60 * 60;
/** The client secret that a browser keeps for this page, if it has one. */
function keptSecretOf(request: Pick<FastifyRequest, 'headers'>): string | undefined {
  return cookieOf(request, NAME);
}

/**
 * Leaves the secret with the browser, out of the reach of scripts and for the pages of this session alone. Within a frame
 * of a shop it belongs to that shop's pages: browsers keep no other there.
 */
export function keepSecret(
  request: Pick<FastifyRequest, 'headers'>,
  reply: FastifyReply,
  { sessionId, clientSecret }: { sessionId: string; clientSecret: string },
): void {
  const framed = ['iframe', 'frame'].includes(String(request.headers['sec-fetch-dest']));
  const site = framed ? 'SameSite=None; Partitioned' : 'SameSite=Lax';
  const path = `/checkout/${encodeURIComponent(sessionId)}`;
  reply.header('set-cookie', `${NAME}=${clientSecret}; Path=${path}; HttpOnly; Secure; ${site}; Max-Age=${SECONDS}`);
}

/** The pages load scripts and styles of this service and send requests to it: nothing inline, nothing from elsewhere. */
const RULES = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
];

/** The pages that may show this one in a frame, and the one of them that opened it. */
interface Embedding {
  shops: readonly string[];
  /** The origin of the shop's page. That page keeps its reference to the window, and gets the messages of this one. */
  shop: string | undefined;
}

export const NOT_EMBEDDED: Embedding = { shops: [], shop: undefined };

/** Sends a page. It is not cached, and only pages that its merchant allowed may frame it. */
export function sendPage(reply: FastifyReply, page: string, { shops, shop }: Embedding): FastifyReply {
  const ancestors = shops.length === 0 ? "'none'" : shops.join(' ');
  // This header is older than the policy and takes no list. Browsers that know both keep to the policy.
  if (shops.length > 0) reply.removeHeader('x-frame-options');
  return reply
    .headers({
      'content-security-policy': [...RULES, `frame-ancestors ${ancestors}`].join('; '),
      'referrer-policy': 'same-origin',
      'cross-origin-opener-policy': shop === undefined ? 'same-origin' : 'unsafe-none',
      'x-robots-tag': 'noindex',
      'cache-control': 'no-store',
    })
    .type('text/html; charset=utf-8')
    .send(page);
}

const MAX_FORM_BYTES = 4 * 1024;
/** Text that cannot be kept: PostgreSQL takes no NUL, and half a character is no text. */
const UNKEEPABLE = /\0|\p{Cs}/u;
const FORM_EXPECTED = 'The body must be a form, sent with Content-Type: application/x-www-form-urlencoded.';

export interface SessionRoute {
  Params: { sessionId: string };
  Querystring: { s?: string; in?: string; checked?: string; paid?: string };
}

export type SessionRequest = FastifyRequest<SessionRoute>;

/**
 * The routes of this scope take forms of a browser, and answer a refusal as a page.
 * @param notFound the page for what is not there
 */
export function acceptPages(app: FastifyInstance, assets: Assets, notFound = unknownPage): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: MAX_FORM_BYTES },
    (_request, body, done) => done(null, new URLSearchParams(String(body))),
  );
  app.addContentTypeParser('*', (_request, _payload, done) => done(contentTypeUnsupported(FORM_EXPECTED)));
  app.setErrorHandler((error, request, reply) => {
    // An error that is no refusal of ours is logged and answered by the server.
    if (!(error instanceof AppError) || wantsJson(request)) throw error;
    const { status } = failure(error, request.id);
    if (error.retryAfterSeconds !== undefined) reply.header('retry-after', String(error.retryAfterSeconds));
    const page = error.kind === 'not_found' ? notFound(assets) : problemPage(assets, error.message, []);
    return sendPage(reply.code(status), page, NOT_EMBEDDED);
  });
}

/** A field of a form, without spaces around it. Empty where there is none. */
export function fieldOf({ body }: { body: unknown }, name: string): string {
  const text = body instanceof URLSearchParams ? (body.get(name) ?? '').trim() : '';
  return UNKEEPABLE.test(text) ? '' : text;
}

export const wantsJson = ({ headers }: Pick<FastifyRequest, 'headers'>): boolean =>
  headers.accept?.includes('application/json') === true;

/**
 * Whose session it is, by the secret that the browser keeps or another that is given. Who has a good one is counted by its
 * session: payers of one mobile network share an address.
 * @throws AppError `PAYMENT_SESSION_NOT_FOUND`, `RATE_LIMITED`
 */
export function requireOwner(deps: CheckoutDeps, request: SessionRequest, given = keptSecretOf(request)): Tenant {
  const { sessionId } = request.params;
  try {
    const tenant = requireTenantOfSecret(deps, { sessionId, clientSecret: given ?? '' });
    deps.limits.countKey(request, `checkout/${sessionId}`);
    return tenant;
  } catch (error) {
    throw deps.limits.countRefusal(request, error);
  }
}

/** The same for what only a sandbox has. @throws AppError `PAYMENT_SESSION_NOT_FOUND`, `RATE_LIMITED`, `SANDBOX_ONLY` */
export function requireSandboxOwner(deps: CheckoutDeps, request: SessionRequest): Tenant {
  const tenant = requireOwner(deps, request);
  if (tenant.mode !== 'SANDBOX') throw sandboxOnly();
  return tenant;
}

/** Addresses of a session's pages, with parameters. The page that opened the first of them is a parameter of each. */
export function addressesOf({
  params,
  query,
}: SessionRequest): (part: string, parameters?: Readonly<Record<string, string>>) => string {
  const opener = typeof query.in === 'string' ? { in: query.in } : {};
  return (part, parameters) => {
    const path = `/checkout/${encodeURIComponent(params.sessionId)}${part}`;
    const search = new URLSearchParams({ ...opener, ...parameters });
    return search.size === 0 ? path : `${path}?${search.toString()}`;
  };
}

/** The page of a shop that opened this one, where its merchant named it. */
export function embeddingOf({ shops }: Checkout, { query }: SessionRequest): Embedding {
  return { shops, shop: shops.find((origin) => origin === query.in) };
}

/** Redirects a browser to a GET, whatever the method of its request. */
export function seeOther(reply: FastifyReply, address: string): FastifyReply {
  return reply.headers({ 'referrer-policy': 'same-origin', 'cache-control': 'no-store' }).redirect(address, 303);
}
