import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { CommitResult, IdempotencyKey, Ledger } from '../ledger/index.ts';
import type { ServiceKey } from '../merchants/index.ts';
import type { Answer } from '../platform/answer.ts';
import { AppError } from '../platform/errors.ts';
import { sendAnswer } from '../platform/http/server.ts';
import type { Authenticator } from './authenticate.ts';
import { requireApproved, requireScope, requireService } from './authorize.ts';
import { idempotencyKeyMalformed } from './errors.ts';
import { inputHash } from './input-hash.ts';
import type { PinGuard } from './pin.ts';
import type { Principal } from './principal.ts';
import type { Scope } from './scopes.ts';

/** What a route asks of its caller, in `config.access`. A route without it does not start: nothing is open by mistake. */
export interface Access {
  /** Null: any key or token, and the command decides what it gets. */
  scope: Scope | null;
  /** The merchant must have this service enabled. */
  service?: ServiceKey;
  /** The body carries the merchant's PIN, and it is checked before the command runs. */
  pin?: true;
  /** Open to a merchant that is not approved yet. */
  beforeApproval?: true;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access;
  }
  interface FastifyRequest {
    principal: Principal;
    idempotency: IdempotencyKey | undefined;
  }
}

export interface ApiRouteDeps {
  authenticator: Authenticator;
  pinGuard: PinGuard;
  ledger: Ledger;
}

/** Puts authentication, approval, service, scope, idempotency key and PIN before every route of this scope of the app. */
export function guardRoutes(app: FastifyInstance, deps: ApiRouteDeps): void {
  app.decorateRequest('principal', null as unknown as Principal);
  app.decorateRequest('idempotency', undefined);
  app.addHook('onRoute', (route) => {
    if (route.config?.access === undefined)
      throw new Error(`${String(route.method)} ${route.url} says nothing of access`);
  });
  // Callback hooks: a remembered key costs no turn of the event loop.
  app.addHook('onRequest', (request, _reply, done) => {
    try {
      const principal = deps.authenticator.authenticate(request.headers.authorization, request.ip);
      if (principal instanceof Promise) principal.then((found) => admit(request, found, done), done);
      else admit(request, principal, done);
    } catch (error) {
      done(error as Error);
    }
  });
  app.addHook('preHandler', (request, _reply, done) => {
    try {
      request.idempotency = idempotencyOf(request);
      const checking = request.routeOptions.config.access?.pin === true ? checkPin(deps.pinGuard, request) : undefined;
      if (checking === undefined) done();
      else checking.then(() => done(), done);
    } catch (error) {
      done(error as Error);
    }
  });
}

function admit(request: FastifyRequest, principal: Principal, done: (error?: Error) => void): void {
  const access = request.routeOptions.config.access as Access;
  try {
    if (access.scope !== null) requireScope(principal, access.scope);
    if (access.beforeApproval !== true) requireApproved(principal);
    if (access.service !== undefined) requireService(principal, access.service);
  } catch (error) {
    done(error as Error);
    return;
  }
  request.principal = principal;
  done();
}

function checkPin(guard: PinGuard, request: FastifyRequest): Promise<void> | undefined {
  const { pin } = request.body as { pin: string };
  return guard.verifyPin(request.principal, pin) ?? undefined;
}

const KEY = /^[\x21-\x7e]{1,255}$/;

function idempotencyOf(request: FastifyRequest): IdempotencyKey | undefined {
  const key = request.headers['idempotency-key'];
  if (key === undefined || request.method === 'GET') return undefined;
  if (typeof key !== 'string' || !KEY.test(key)) throw idempotencyKeyMalformed();
  return { key, inputHash: inputHash(request.method, request.url, request.body) };
}

/** Refusals that say something of the request's business; a caller's standing is never replayed. */
const REPLAY_INSTEAD_OF: ReadonlySet<string> = new Set(['not_found', 'conflict', 'refused']);

/**
 * Runs a command and sends its answer. A request whose idempotency key already has an answer gets that answer, also
 * where the command would refuse it by now because the first request changed the state.
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
  if (idempotency === undefined) return sendAnswer(reply, await question());
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
  if (!REPLAY_INSTEAD_OF.has(error.kind) || error.code === 'IDEMPOTENCY_KEY_REUSED') return undefined;
  return ledger.findAnswer(request.principal.tenant, request.idempotency);
}
