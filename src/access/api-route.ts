import { hash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { auditRequests } from '../audit/index.ts';
import type { CommitResult, IdempotencyKey, Ledger } from '../ledger/index.ts';
import type { Answer } from '../platform/answer.ts';
import { AppError, invalidField } from '../platform/errors.ts';
import { sendAnswer } from '../platform/http/server.ts';
import { requireNothingUnread } from '../platform/http/validation.ts';
import type { Mode } from '../platform/tenant.ts';
import type { Authenticator } from './authenticate.ts';
import {
  requireApproved,
  requireOwn,
  requirePerson,
  requireScope,
  requireService,
  requireStepUp,
} from './authorize.ts';
import { idempotencyKeyMalformed, sessionMissing } from './errors.ts';
import { acceptSession, type SessionRouteDeps } from './operator-route.ts';
import type { PinGuard } from './pin.ts';
import type { Principal } from './principal.ts';
import { type Access, auditedRequest } from './route-access.ts';
import { principalOfMember, type SignedIn, sessionSecretOf } from './session.ts';
import { principalOfSupportView, supportViewTokenOf } from './support-view.ts';

/** Fields with so few digits that a hash of them, beside the rest of a request, would give them away. */
const LEFT_OUT: ReadonlySet<string> = new Set(['pin', 'bvn', 'nin']);

/**
 * The hash of what a request asks, in 43 characters: the same for the same operation and fields in any order. The PIN
 * is left out: it proves who asks, not what. So are a BVN and a NIN: they identify nobody beyond the person in the
 * request.
 */
function inputHash(method: string, url: string, body: unknown): string {
  return hash('sha256', `${method} ${addressOf(url)}\n${canonical(body, true)}`, 'base64url');
}

/** Without a slash or a question mark at its end, which say nothing: the router finds the same operation. */
function addressOf(url: string): string {
  const end = url.indexOf('?');
  const path = end === -1 ? url : url.slice(0, end);
  const query = end === -1 || end === url.length - 1 ? '' : url.slice(end);
  return `${path.endsWith('/') ? path.slice(0, -1) : path}${query}`;
}

/** Recursive: the server accepts no body that nests too deeply for it. */
function canonical(value: unknown, top: boolean): string {
  // An integer that no double can hold.
  if (typeof value === 'bigint') return value.toString(16);
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map((item) => canonical(item, false)).join(',')}]`;
  let text = '{';
  for (const key of sortedKeys(value)) {
    if (top && LEFT_OUT.has(key)) continue;
    text += `${JSON.stringify(key)}:${canonical((value as Record<string, unknown>)[key], false)},`;
  }
  return `${text}}`;
}

/** Below this many keys, inserting each in its place takes less than starting `sort`. */
const FEW_KEYS = 16;

function sortedKeys(value: object): string[] {
  const keys = Object.keys(value);
  if (keys.length > FEW_KEYS) return keys.sort();
  for (let at = 1; at < keys.length; at += 1) {
    const key = keys[at] as string;
    let place = at;
    while (place > 0 && (keys[place - 1] as string) > key) {
      keys[place] = keys[place - 1] as string;
      place -= 1;
    }
    keys[place] = key;
  }
  return keys;
}

export interface ApiRouteDeps extends SessionRouteDeps {
  authenticator: Authenticator;
  pinGuard: PinGuard;
  ledger: Ledger;
}

/**
 * Adds authentication, approval, service, scope, permission, idempotency key and PIN to every route of this scope of
 * the app. Programs send an `Authorization` header; people the cookie of their session, the mode in `X-Mode` and,
 * except for reads, the token of their page in `X-CSRF-Token`.
 */
export function guardRoutes(app: FastifyInstance, deps: ApiRouteDeps): void {
  app.decorateRequest('principal', null as unknown as Principal);
  app.decorateRequest('idempotency', undefined);
  app.decorateRequest('signedIn', null);
  app.addHook('onRoute', (route) => {
    const access = route.config?.access;
    if (access === undefined || !('scope' in access))
      throw new Error(`${String(route.method)} ${route.url} says nothing of access`);
  });
  // Callback hooks: a cached key costs no turn of the event loop.
  app.addHook('onRequest', (request, _reply, done) => {
    const refuse = (error: unknown) => done(deps.limits.countRefusal(request, error) as Error);
    try {
      const principal = identify(request, deps);
      if (principal instanceof Promise) principal.then((found) => admit(request, deps, found, done), refuse);
      else admit(request, deps, principal, done);
    } catch (error) {
      refuse(error);
    }
  });
  // Before the PIN is checked: a wrong one is recorded too.
  auditRequests(app, { ...deps, auditOf: auditedRequest });
  app.addHook('preHandler', (request, _reply, done) => {
    try {
      requireNothingUnread(request);
      request.idempotency = idempotencyOf(request);
      const { pin } = request.route.config.access as Access;
      const checking = pin === true ? checkPin(deps.pinGuard, request) : undefined;
      if (checking === undefined) done();
      else checking.then(() => done(), done);
    } catch (error) {
      done(error as Error);
    }
  });
}

function identify(request: FastifyRequest, deps: ApiRouteDeps): Principal | Promise<Principal> {
  const { authorization } = request.headers;
  const secret = authorization === undefined ? sessionSecretOf(request) : undefined;
  if (secret !== undefined) {
    if (!deps.sessions.knows(secret)) deps.limits.requireCapacity(request);
    const session = deps.sessions.authenticate(secret);
    if (session instanceof Promise) return session.then((found) => principalOf(request, deps, found));
    return principalOf(request, deps, session);
  }
  const isPages = asksForPerson(request.route.config.access as Access) || request.headers['x-mode'] !== undefined;
  if (authorization === undefined && isPages) throw sessionMissing();
  if (authorization !== undefined && !deps.authenticator.knows(authorization)) deps.limits.requireCapacity(request);
  return deps.authenticator.authenticate(authorization, request.ip);
}

/** A merchant's person, or one of the operator's staff in a support view. */
function principalOf(request: FastifyRequest, deps: ApiRouteDeps, session: SignedIn): Principal | Promise<Principal> {
  const accepted = acceptSession(request, deps, session);
  const mode = modeOf(request);
  const token = supportViewTokenOf(request);
  if (token === undefined) return principalOfMember(accepted, mode);
  return deps.supportViews.require(token, accepted).then((view) => principalOfSupportView(accepted, view, mode));
}

function modeOf(request: FastifyRequest): Mode {
  const mode = request.headers['x-mode'] ?? 'SANDBOX';
  if (mode !== 'SANDBOX' && mode !== 'LIVE') throw invalidField('X-Mode', 'must be SANDBOX or LIVE');
  return mode;
}

function admit(request: FastifyRequest, deps: ApiRouteDeps, principal: Principal, done: (error?: Error) => void): void {
  // Set before a refusal: the logs name the principal of the request.
  request.principal = principal;
  try {
    deps.limits.countKey(request, principal.keyId);
    requireAccess(principal, request.route.config.access as Access, deps);
  } catch (error) {
    done(error as Error);
    return;
  }
  done();
}

function asksForPerson({ person, permission, stepUp }: Access): boolean {
  return person === true || permission !== undefined || stepUp === true;
}

function requireAccess(principal: Principal, access: Access, { clock }: ApiRouteDeps): void {
  const { scope, orScope, permission, stepUp, service, own } = access;
  if (own === true) requireOwn(principal);
  const member = asksForPerson(access) ? requirePerson(principal, permission) : null;
  const hasOther = orScope !== undefined && principal.scopes.has(orScope);
  if (scope !== null && !hasOther) requireScope(principal, scope);
  if (access.beforeApproval !== true) requireApproved(principal);
  if (service !== undefined) requireService(principal.services, service);
  if (stepUp === true) requireStepUp(member?.stepUpUntil ?? null, clock.now());
}

function checkPin(guard: PinGuard, request: FastifyRequest): Promise<void> | undefined {
  const { pin } = request.body as { pin: string };
  return guard.verifyPin(request.principal, pin) ?? undefined;
}

const KEY = /^[\x21-\x7e]{1,255}$/;

function idempotencyOf(request: FastifyRequest): IdempotencyKey | undefined {
  if (request.method === 'GET') return undefined;
  const key = request.headers['idempotency-key'];
  if (key === undefined) return { key: null, inputHash: '', requestId: request.id };
  if (typeof key !== 'string' || !KEY.test(key)) throw idempotencyKeyMalformed();
  return { key, inputHash: inputHash(request.method, request.url, request.body), requestId: request.id };
}

/**
 * Kinds of refusals that depend on the request's business; a refusal by permissions is never replayed. A time that had
 * to be ahead is `invalid` once it has passed.
 */
const REPLAY_INSTEAD_OF: ReadonlySet<string> = new Set(['invalid', 'not_found', 'conflict', 'refused']);

/** Refusals by the key itself: a second look-up would give the same. */
const SAID_BY_THE_KEY: ReadonlySet<string> = new Set(['IDEMPOTENCY_KEY_REUSED', 'IDEMPOTENCY_KEY_ARCHIVED']);

/**
 * Runs a command and sends its answer. A request whose idempotency key already has an answer gets that answer, also
 * where the command would refuse it now because the first request changed the state.
 */
export async function answerCommand(
  ledger: Ledger,
  request: FastifyRequest,
  reply: FastifyReply,
  command: () => Promise<CommitResult>,
): Promise<FastifyReply> {
  let result: CommitResult;
  try {
    result = await command();
  } catch (error) {
    const earlier = await earlierAnswer(ledger, request, error);
    if (earlier === undefined) throw error;
    result = earlier;
  }
  if (result.replayed) reply.header('idempotency-replayed', 'true');
  return sendAnswer(reply, result.answer);
}

/**
 * Runs an operation that changes nothing in the books, such as a quote, and keeps its answer under the idempotency key
 * where one was sent.
 */
export async function answerQuestion(
  ledger: Ledger,
  request: FastifyRequest,
  reply: FastifyReply,
  question: () => Promise<Answer>,
): Promise<FastifyReply> {
  const { idempotency, principal } = request;
  if (idempotency === undefined || idempotency.key === null) return sendAnswer(reply, await question());
  const earlier = await ledger.findAnswer(principal.tenant, idempotency);
  return answerCommand(ledger, request, reply, async () => {
    if (earlier !== undefined) return earlier;
    return ledger.remember(principal.tenant, idempotency, await question());
  });
}

async function earlierAnswer(
  ledger: Ledger,
  request: FastifyRequest,
  error: unknown,
): Promise<CommitResult | undefined> {
  if (request.idempotency === undefined || !(error instanceof AppError) || error.kept) return undefined;
  if (!REPLAY_INSTEAD_OF.has(error.kind) || SAID_BY_THE_KEY.has(error.code)) return undefined;
  return ledger.findAnswer(request.principal.tenant, request.idempotency);
}
