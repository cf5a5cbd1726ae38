import type { FastifyInstance, FastifyPluginAsync, FastifyReply } from 'fastify';
import { requireOwnPage } from '../access/index.ts';
import { checkSession, isConclusive, sessionNotFound } from '../payment-sessions/index.ts';
import { success } from '../platform/answer.ts';
import { AppError } from '../platform/errors.ts';
import { isUnchanged } from '../platform/http/polling.ts';
import { sendAnswer } from '../platform/http/server.ts';
import type { Tenant } from '../platform/tenant.ts';
import { type Assets, assetRoutes, loadAssets } from './assets.ts';
import { linkRoutes } from './link-routes.ts';
import { checkoutPage } from './page.ts';
import { type Checkout, type CheckoutDeps, readCheckout } from './read-checkout.ts';
import { type SandboxBankDeps, sandboxBankRoutes } from './sandbox-bank-routes.ts';
import { sandboxPageRoutes } from './sandbox-page-routes.ts';
import {
  acceptPages,
  addressesOf,
  embeddingOf,
  fieldOf,
  keepSecret,
  requireOwner,
  type SessionRequest,
  type SessionRoute,
  seeOther,
  sendPage,
  wantsJson,
} from './scope.ts';
import { CHECKED, type Checked, contentOf, headlineOf } from './states.ts';

const HIDDEN = { schema: { hide: true } };

/**
 * The page on which a payer pays, the sandbox's bank and payment page, and what shops load. No key guards it: the client secret of its
 * session does, which a browser shows once and then keeps as a cookie of this session's pages. They are for people, so
 * they are not in the API document.
 */
export function checkoutRoutes(deps: SandboxBankDeps): FastifyPluginAsync {
  return async (app) => {
    const assets = await loadAssets();
    await app.register(assetRoutes(assets));
    await app.register(async (pages) => {
      acceptPages(pages, assets);
      pageRoutes(pages, deps, assets);
      sandboxBankRoutes(pages, deps, assets);
      sandboxPageRoutes(pages, deps, assets);
      linkRoutes(pages, deps, assets);
    });
  };
}

function pageRoutes(app: FastifyInstance, deps: CheckoutDeps, assets: Assets): void {
  // The address of a session that was cut off: people see it, too.
  app.get('/checkout', HIDDEN, async (request) => {
    throw deps.limits.countRefusal(request, sessionNotFound());
  });
  app.get<SessionRoute>('/checkout/:sessionId', HIDDEN, async (request, reply) => {
    const { s: given, checked } = request.query;
    if (typeof given === 'string') return keepSecretOf(deps, request, reply, given);
    const checkout = await readCheckout(deps, requireOwner(deps, request), request.params.sessionId);
    const embedding = embeddingOf(checkout, request);
    const { shop } = embedding;
    const page = checkoutPage(assets, checkout, { address: addressesOf(request), checked: checkedOf(checked), shop });
    return sendPage(reply, page, embedding);
  });
  // For a link with the secret in its fragment, which browsers do not send. The page's script posts it here.
  app.post<SessionRoute>('/checkout/:sessionId/enter', HIDDEN, async (request, reply) => {
    requireOwnPage(request, deps.publicUrl);
    return keepSecretOf(deps, request, reply, fieldOf(request, 's'));
  });
  app.get<SessionRoute>('/checkout/:sessionId/state', HIDDEN, async (request, reply) => {
    const checkout = await readCheckout(deps, requireOwner(deps, request), request.params.sessionId);
    const { etag, status } = checkout;
    if (isUnchanged(request, reply, { etag, conclusive: isConclusive(status) })) return reply.code(304).send();
    return sendState(request, reply, checkout);
  });
  app.post<SessionRoute>('/checkout/:sessionId/check', HIDDEN, async (request, reply) => {
    requireOwnPage(request, deps.publicUrl);
    const tenant = requireOwner(deps, request);
    const checked = await askProvider(deps, tenant, request.params.sessionId);
    if (!wantsJson(request)) return seeOther(reply, addressesOf(request)('', { checked }));
    return sendState(request, reply, await readCheckout(deps, tenant, request.params.sessionId), checked);
  });
}

/** Moves the secret from the address into a cookie. */
function keepSecretOf(
  deps: CheckoutDeps,
  request: SessionRequest,
  reply: FastifyReply,
  clientSecret: string,
): FastifyReply {
  requireOwner(deps, request, clientSecret);
  keepSecret(request, reply, { sessionId: request.params.sessionId, clientSecret });
  return seeOther(reply, addressesOf(request)(''));
}

/**
 * Asks the provider. A check that comes too soon, or a provider that does not answer, is a result here and no error,
 * because a payer sees it.
 */
async function askProvider(deps: CheckoutDeps, tenant: Tenant, sessionId: string): Promise<Checked> {
  try {
    return (await checkSession(deps, tenant, sessionId)).found ? 'received' : 'not_yet';
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.kind === 'rate_limited') return 'lately';
    if (error.kind === 'unavailable') return 'unavailable';
    throw error;
  }
}

function checkedOf(text: unknown): Checked | undefined {
  return typeof text === 'string' && Object.hasOwn(CHECKED, text) ? (text as Checked) : undefined;
}

/** Sends the part of the page that shows the session as it is now. */
function sendState(request: SessionRequest, reply: FastifyReply, checkout: Checkout, checked?: Checked): FastifyReply {
  const { session, status, etag } = checkout;
  const isOpen = !isConclusive(status);
  const headline = headlineOf(status, session);
  const data = {
    status,
    conclusive: !isOpen,
    etag,
    title: `${headline} · ${session.merchantName}`,
    announcement: checked !== undefined && isOpen ? CHECKED[checked] : headline,
    content: contentOf(checkout, { address: addressesOf(request), checked }).toString(),
  };
  return sendAnswer(reply.header('etag', etag), success('Success', data));
}
