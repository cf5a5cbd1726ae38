import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Clock } from '../clock.ts';
import { AppError, type ErrorKind } from '../errors.ts';
import type { Logger } from '../logger.ts';
import { createWindowCounter } from '../window-counter.ts';
import { networkOf } from './allowed-hosts.ts';

/** Requests are counted over this time, so that a client that sends many at once and then rests is not held up. */
const WINDOW_SECONDS = 10;
/** Callers counted at once; beyond it the least recently seen are dropped. Some 3 MB. */
const MAX_CALLERS = 20_000;
/** A page of the dashboard loads some thirty files, and a whole office may open it in one moment. */
const FILES_PER_REQUEST = 10;
/** Behind a proxy that is not configured everybody is one caller: the log says so, at most this often. */
const WARN_EVERY_MS = 60 * 60 * 1000;

/** What a caller may still request in the current window. */
interface Usage {
  limit: number;
  /** Below zero once there were too many. */
  remaining: number;
  resetSeconds: number;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** What the caller has left, once the request was counted. */
    usage: Usage | null;
  }
  interface FastifyContextConfig {
    /** A file of the dashboard or the documentation, open to everybody. */
    isFile?: true;
  }
}

/**
 * Limits callers that send too many requests: by key and, without a valid key, by network address. In memory and by
 * process: it protects the one thread from a loop; what protects money is in the database.
 */
export interface RequestLimits {
  /** Counts a request with a valid key, token or session. @throws AppError 429 `RATE_LIMITED` */
  countKey(request: FastifyRequest, keyId: string): void;
  /** Counts a request without a valid key. @throws AppError 429 `RATE_LIMITED` */
  countStranger(request: FastifyRequest): void;
  /**
   * The same for a request that was refused for its credentials.
   * @returns the error to throw: the refusal, or that there were too many.
   */
  countRefusal(request: FastifyRequest, refusal: unknown): unknown;
  /**
   * Checks before an unknown key is looked up.
   * @throws AppError 429 `RATE_LIMITED` where callers without keys at that address have none left.
   */
  requireCapacity(request: FastifyRequest): void;
  /** Counts a file of the dashboard or the documentation. @throws AppError 429 `RATE_LIMITED` */
  countFile(request: FastifyRequest): void;
}

interface RequestLimitOptions {
  /** Requests a second of one key, token or session; 0 is no limit. */
  perKey: number;
  /** Requests a second without a valid key from one network address; 0 is no limit. */
  perAddress: number;
  clock: Clock;
  logger: Logger;
}

export function createRequestLimits({ perKey, perAddress, clock, logger }: RequestLimitOptions): RequestLimits {
  const keys = createCounter(perKey, clock);
  const strangers = createCounter(perAddress, clock);
  const files = createCounter(perAddress * FILES_PER_REQUEST, clock);
  const warnOfProxy = proxyWarning(clock, logger);
  const refuseKey = `At most ${perKey} requests a second are taken from one key or session`;
  const refuseStranger = `At most ${perAddress} requests a second without a good key or session are taken from one network`;
  const refuseFile = `At most ${perAddress * FILES_PER_REQUEST} files a second are sent to one network`;
  function countStranger(request: FastifyRequest): void {
    if (strangers === undefined) return;
    warnOfProxy(request);
    admit(request, strangers.count(networkOf(request.ip)), refuseStranger);
  }
  return {
    countStranger,
    countRefusal(request, refusal) {
      if (!(refusal instanceof AppError) || NOT_COUNTED.has(refusal.kind)) return refusal;
      try {
        countStranger(request);
        return refusal;
      } catch (tooMany) {
        return tooMany;
      }
    },
    countKey(request, keyId) {
      if (keys !== undefined) admit(request, keys.count(keyId), refuseKey);
    },
    requireCapacity(request) {
      if (strangers !== undefined) admit(request, strangers.look(networkOf(request.ip)), refuseStranger);
    },
    countFile(request) {
      if (files !== undefined) admit(request, files.count(networkOf(request.ip)), refuseFile);
    },
  };
}

/** Refusals for reasons of ours, and requests that were counted already. */
const NOT_COUNTED: ReadonlySet<ErrorKind> = new Set(['unavailable', 'rate_limited']);

/** Adds to every answer what its caller has left, where the caller was counted. */
export function showUsage(app: FastifyInstance): void {
  app.decorateRequest('usage', null);
  app.addHook('onSend', ({ usage }, reply, _payload, done) => {
    if (usage !== null) {
      reply.header('ratelimit-limit', String(usage.limit));
      reply.header('ratelimit-remaining', String(Math.max(0, usage.remaining)));
      reply.header('ratelimit-reset', String(usage.resetSeconds));
    }
    done();
  });
}

function admit(request: FastifyRequest, usage: Usage, refusal: string): void {
  request.usage = usage;
  if (usage.remaining >= 0) return;
  throw new AppError('rate_limited', 'RATE_LIMITED', `${refusal}, counted over ${WINDOW_SECONDS} seconds.`, {
    retryAfterSeconds: usage.resetSeconds,
  });
}

interface Counter {
  count(caller: string): Usage;
  /** The usage as if one more request came, without counting it. */
  look(caller: string): Usage;
}

/** Undefined where there is no limit. */
function createCounter(perSecond: number, clock: Clock): Counter | undefined {
  if (perSecond === 0) return undefined;
  const limit = Math.ceil(perSecond * WINDOW_SECONDS);
  const windows = createWindowCounter({ clock, windowMs: WINDOW_SECONDS * 1000, maxCallers: MAX_CALLERS });
  const usage = ({ count, leftMs }: { count: number; leftMs: number }): Usage => ({
    limit,
    remaining: limit - count,
    resetSeconds: Math.max(1, Math.ceil(leftMs / 1000)),
  });
  return { count: (caller) => usage(windows.count(caller)), look: (caller) => usage(windows.look(caller)) };
}

function proxyWarning(clock: Clock, logger: Logger): (request: FastifyRequest) => void {
  let nextAt = 0;
  return ({ headers, ip, socket }) => {
    if (headers['x-forwarded-for'] === undefined || ip !== socket.remoteAddress) return;
    const now = clock.elapsedMs();
    if (now < nextAt) return;
    nextAt = now + WARN_EVERY_MS;
    logger.warn({ address: ip }, 'a proxy is not in TRUSTED_PROXIES: everybody behind it counts as one caller');
  };
}
