import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { requireTenantOfSecret } from '../payment-sessions/index.ts';
import { failure } from '../platform/answer.ts';
import { AppError } from '../platform/errors.ts';
import { contentTypeUnsupported } from '../platform/http/json-body.ts';
import type { Tenant } from '../platform/tenant.ts';
import type { Assets } from './assets.ts';
import type { CheckoutDeps } from './deps.ts';
import { problemPage, unknownPage } from './page.ts';
import { type Embedding, NOT_EMBEDDED, sendPage } from './page-headers.ts';
import type { Checkout } from './read-checkout.ts';
import { keptSecretOf } from './session-cookie.ts';

const MAX_FORM_BYTES = 4 * 1024;
/** A NUL cannot be kept, and half a character is no text. */
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
    // What is no refusal of ours is the server's to log and to answer.
    if (!(error instanceof AppError) || wantsJson(request)) throw error;
    const { status } = failure(error, request.id);
    if (error.retryAfterSeconds !== undefined) reply.header('retry-after', String(error.retryAfterSeconds));
    const page = error.kind === 'not_found' ? notFound(assets) : problemPage(assets, error.message, []);
    return sendPage(reply.code(status), page, NOT_EMBEDDED);
  });
}

/** A field of a form, without spaces around it; empty where there is none. */
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
