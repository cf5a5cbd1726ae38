import {
  BrokenCircuitError,
  type BulkheadPolicy,
  BulkheadRejectedError,
  bulkhead,
  type CircuitBreakerPolicy,
  CircuitState,
  CountBreaker,
  circuitBreaker,
  ExponentialBackoff,
  handleWhen,
  TaskCancelledError,
  TimeoutStrategy,
  timeout,
} from 'cockatiel';
import { DEFAULT_CURRENCY } from '../money/index.ts';
import { createLruMap } from '../platform/cache.ts';
import { type Clock, systemClock } from '../platform/clock.ts';
import { type AppError, unavailable } from '../platform/errors.ts';
import type { Tenant } from '../platform/tenant.ts';
import { cleanedText } from '../platform/text.ts';
import {
  type NameEnquiryAnswer,
  type NameEnquiryRequest,
  NotSentError,
  type ProviderWebhook,
  type ProviderWebhookRequest,
  type QueryRequest,
  type Rail,
  type RailAnswer,
  type RailBalance,
  type SendAnswer,
  type SendRequest,
} from './port.ts';
import { differencesOf, NOTHING_REPORTED } from './reported.ts';

export interface RailLimits {
  sendTimeoutMs: number;
  queryTimeoutMs: number;
  nameEnquiryTimeoutMs: number;
  balanceTimeoutMs: number;
  /**
   * Calls in flight at once: so many that move money or ask about it, and as many others, so that name enquiries which
   * hang hold up no payout. The rest wait, and beyond `waiting` they are turned away unsent.
   */
  concurrency: number;
  waiting: number;
  /** The breaker opens when this share of the last `breakerCalls` calls did not answer. */
  breakerShare: number;
  breakerCalls: number;
  /** Until the first trial call after it opened; doubles up to 30 s while trials fail. */
  breakerPauseMs: number;
}

/** A transfer on NIP is instant within 60 s; half of that is when we stop listening and start asking. */
const DEFAULT_RAIL_LIMITS: RailLimits = {
  sendTimeoutMs: 30_000,
  queryTimeoutMs: 15_000,
  nameEnquiryTimeoutMs: 10_000,
  balanceTimeoutMs: 10_000,
  concurrency: 64,
  waiting: 2_000,
  breakerShare: 0.5,
  breakerCalls: 40,
  breakerPauseMs: 1_000,
};

const BREAKER_PAUSE_MAX_MS = 30_000;
/** Tenants whose limits are remembered at once, where a rail keeps them apart. */
const POOLS_MAX = 1_000;

/** A rail that never throws on a question of money: silence, errors and refusals to call are `unknown` answers. */
export interface RailCaller {
  readonly name: string;
  /** Why its account does not open: then nothing can be asked of it, and each answer says so. */
  readonly fault?: AppError;
  /** As `Rail` has them. */
  readonly isolatesTenants?: boolean;
  readonly echoesTenant?: boolean;
  readonly notFoundAfterMs?: number;
  /** Sends and queries that it takes at once. */
  readonly concurrency?: number;
  nameEnquiry(request: NameEnquiryRequest, signal?: AbortSignal): Promise<NameEnquiryAnswer>;
  /** @param beginBy a call that has not begun by then does not begin any more: `sent` is false, `RAIL_BUSY`. */
  send(request: SendRequest, signal?: AbortSignal, beginBy?: Date): Promise<SendAnswer>;
  query(request: QueryRequest, signal?: AbortSignal): Promise<RailAnswer>;
  verifyWebhook(request: ProviderWebhookRequest): Promise<ProviderWebhook[]>;
  /** @throws AppError `SERVICE_UNAVAILABLE` when the rail does not say. */
  balance(tenant: Tenant, signal?: AbortSignal): Promise<RailBalance>;
  /** The worst breaker of this rail in this process, for metrics and the operator. */
  circuit(): 'closed' | 'half_open' | 'open';
}

interface CallPool {
  /** For sends and queries. */
  slots: BulkheadPolicy;
  /** For name enquiries and balances. */
  otherSlots: BulkheadPolicy;
  breaker: CircuitBreakerPolicy;
}

/**
 * Why a call brought no answer. `left` is false only when the rail's code was never entered, or its adapter says that
 * nothing went out.
 */
interface Silence {
  reason: string;
  code: string | null;
  message: string;
  left: boolean;
  cause: unknown;
}

type Called<T> = { answer: T } | { silence: Silence };

/** We hung up, the rail did nothing wrong: the breaker does not count it. */
class CallAbandonedError extends Error {}
class CallTimedOutError extends Error {}
class BegunTooLateError extends Error {}

/**
 * Puts timeout, bounded concurrency and a circuit breaker around a rail. One caller per rail and process; where the
 * rail isolates tenants each has limits of its own.
 */
export function createRailCaller(
  rail: Rail,
  options: { limits?: Partial<RailLimits>; clock?: Clock } = {},
): RailCaller {
  const limits = { ...DEFAULT_RAIL_LIMITS, ...options.limits };
  const clock = options.clock ?? systemClock;
  const pools = createLruMap<CallPool>(POOLS_MAX);

  function poolOf(tenant: Tenant): CallPool {
    const key = rail.isolatesTenants === true ? `${tenant.merchantId}/${tenant.mode}` : '';
    const known = pools.get(key);
    if (known !== undefined) return known;
    const pool = openPool(limits);
    pools.set(key, pool);
    return pool;
  }

  const silent = (silence: Silence) => ({
    code: silence.code,
    reason: silence.reason,
    message: silence.message,
    at: clock.now(),
    reported: NOTHING_REPORTED,
  });

  return {
    name: rail.name,
    concurrency: limits.concurrency,
    ...pickFacts(rail),
    async nameEnquiry(request, signal) {
      const work = (inner: AbortSignal) => rail.nameEnquiry(request, inner);
      const { otherSlots: slots, breaker } = poolOf(request.tenant);
      const called = await call({ slots, breaker, timeoutMs: limits.nameEnquiryTimeoutMs, signal }, work);
      if ('silence' in called) return { outcome: 'unknown', accountName: null, ...silent(called.silence) };
      const answer = ofThatAccount(request, called.answer);
      const { accountName } = answer;
      // A provider's name of an account is what people go by: nothing in it may make it read as another.
      return { ...answer, accountName: accountName === null ? null : cleanedText(accountName) };
    },
    async send(request, signal, beginBy) {
      const work = async (inner: AbortSignal) => trusted(await rail.send(request, inner), 'send');
      const tooLate = () => beginBy !== undefined && clock.now() > beginBy;
      const how = { ...poolOf(request.tenant), timeoutMs: limits.sendTimeoutMs, signal, tooLate };
      const called = await call(how, work);
      if ('answer' in called) return { ...called.answer, sent: true };
      return { outcome: 'unknown', sessionId: null, ...silent(called.silence), sent: called.silence.left };
    },
    async query(request, signal) {
      const work = async (inner: AbortSignal) => trusted(await rail.query(request, inner), 'query');
      const called = await call({ ...poolOf(request.tenant), timeoutMs: limits.queryTimeoutMs, signal }, work);
      if ('answer' in called) return called.answer;
      return { outcome: 'unknown', sessionId: null, ...silent(called.silence) };
    },
    verifyWebhook: (request) => rail.verifyWebhook(request),
    async balance(tenant, signal) {
      const work = (inner: AbortSignal) => rail.balance(tenant, inner);
      const { otherSlots: slots, breaker } = poolOf(tenant);
      const called = await call({ slots, breaker, timeoutMs: limits.balanceTimeoutMs, signal }, work);
      if ('silence' in called) {
        throw unavailable('The rail did not report its balance. Please try again shortly.', called.silence.cause);
      }
      if (called.answer.currency === DEFAULT_CURRENCY) return called.answer;
      throw unavailable(`The rail reported a balance in ${called.answer.currency}, not in ${DEFAULT_CURRENCY}.`);
    },
    circuit() {
      const states = [...pools.values()].map((pool) => pool.breaker.state);
      if (states.some((state) => state === CircuitState.Open || state === CircuitState.Isolated)) return 'open';
      return states.includes(CircuitState.HalfOpen) ? 'half_open' : 'closed';
    },
  };
}

/** Only what the rail says: a fact that is absent stays absent. */
function pickFacts({ isolatesTenants, echoesTenant, notFoundAfterMs }: Rail) {
  return {
    ...(isolatesTenants === undefined ? {} : { isolatesTenants }),
    ...(echoesTenant === undefined ? {} : { echoesTenant }),
    ...(notFoundAfterMs === undefined ? {} : { notFoundAfterMs }),
  };
}

/** Whether the rail was silent: not where we hung up or came too late, nor where it answered and refused an early step. */
function isSilence(error: unknown): boolean {
  if (error instanceof NotSentError) return !error.answered;
  return !(error instanceof CallAbandonedError || error instanceof BegunTooLateError);
}

function openPool(limits: RailLimits): CallPool {
  return {
    slots: bulkhead(limits.concurrency, limits.waiting),
    otherSlots: bulkhead(limits.concurrency, limits.waiting),
    breaker: circuitBreaker(handleWhen(isSilence), {
      breaker: new CountBreaker({
        threshold: limits.breakerShare,
        size: limits.breakerCalls,
        minimumNumberOfCalls: Math.ceil(limits.breakerCalls / 2),
      }),
      halfOpenAfter: new ExponentialBackoff({
        initialDelay: limits.breakerPauseMs,
        maxDelay: Math.max(limits.breakerPauseMs, BREAKER_PAUSE_MAX_MS),
      }),
    }),
  };
}

interface CallTerms {
  slots: BulkheadPolicy;
  breaker: CircuitBreakerPolicy;
  timeoutMs: number;
  signal: AbortSignal | undefined;
  /** Asked once there is a slot. */
  tooLate?: () => boolean;
}

/**
 * One call: first a slot, then the breaker, then the clock starts. The timeout does not rely on the rail honouring its
 * signal. Policies are nested by hand because the breaker drops the caller's signal on its half-open path.
 */
async function call<T>(how: CallTerms, work: (signal: AbortSignal) => Promise<T>): Promise<Called<T>> {
  const { timeoutMs, signal: outer } = how;
  const limit = timeout(timeoutMs, { strategy: TimeoutStrategy.Aggressive, abortOnReturn: true });
  const hungUp = () => outer?.aborted === true;
  let left = false;
  const timed = async (): Promise<T> => {
    if (hungUp()) throw new CallAbandonedError();
    if (how.tooLate?.() === true) throw new BegunTooLateError();
    try {
      return await limit.execute(({ signal }) => {
        left = true;
        return work(signal).catch((error: unknown) => {
          throw signal.aborted ? new CallTimedOutError(undefined, { cause: error }) : error;
        });
      }, outer);
    } catch (error) {
      if (hungUp()) throw new CallAbandonedError(undefined, { cause: error });
      throw error;
    }
  };
  try {
    return { answer: await how.slots.execute(() => how.breaker.execute(timed, outer), outer) };
  } catch (error) {
    return { silence: silenceOf(error, left, timeoutMs) };
  }
}

function silenceOf(error: unknown, left: boolean, timeoutMs: number): Silence {
  const silence = (reason: string, message: string): Silence => ({ reason, code: null, message, left, cause: error });
  if (error instanceof NotSentError) {
    return { reason: error.reason, code: error.code, message: error.message, left: false, cause: error };
  }
  if (error instanceof BrokenCircuitError) {
    return silence('RAIL_CIRCUIT_OPEN', 'The rail is not being called because it did not answer recently');
  }
  if (error instanceof BegunTooLateError) return silence('RAIL_BUSY', 'The rail had no room for the call in time');
  if (error instanceof BulkheadRejectedError) return silence('RAIL_BUSY', 'Too many calls to the rail are waiting');
  // Before the call left, only our own hanging up cancels it.
  if (error instanceof CallAbandonedError || (error instanceof TaskCancelledError && !left)) {
    return silence('RAIL_CALL_ABANDONED', 'We stopped waiting for the rail');
  }
  if (error instanceof TaskCancelledError || error instanceof CallTimedOutError) {
    return silence('RAIL_TIMEOUT', `The rail did not answer within ${timeoutMs} ms`);
  }
  return silence('RAIL_UNREACHABLE', 'The rail could not be reached or its answer could not be read');
}

/** The name of another account's owner is nobody's here. */
function ofThatAccount({ accountNumber }: NameEnquiryRequest, answer: NameEnquiryAnswer): NameEnquiryAnswer {
  if (differencesOf({ ...NOTHING_REPORTED, accountNumber }, answer.reported).length === 0) return answer;
  const message = 'The rail answered about another account than the one that it was asked about';
  return { ...answer, outcome: 'unknown', accountName: null, reason: 'RAIL_ANSWER_MISMATCH', message };
}

const OUTCOMES: Record<'send' | 'query', ReadonlySet<string>> = {
  send: new Set(['succeeded', 'failed', 'unknown', 'reversed']),
  query: new Set(['succeeded', 'failed', 'unknown', 'reversed', 'not_found']),
};

/** An outcome that has no meaning at this stage is unknown, however an adapter came to it. */
function trusted(answer: RailAnswer, stage: 'send' | 'query'): RailAnswer {
  if (OUTCOMES[stage].has(answer.outcome)) return answer;
  return { ...answer, outcome: 'unknown', reason: answer.reason ?? 'RAIL_ANSWER_UNEXPECTED' };
}
