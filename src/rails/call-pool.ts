import {
  BrokenCircuitError,
  type BulkheadPolicy,
  BulkheadRejectedError,
  bulkhead,
  type CircuitBreakerPolicy,
  CountBreaker,
  circuitBreaker,
  ExponentialBackoff,
  handleWhen,
  TaskCancelledError,
} from 'cockatiel';
import type { Clock } from '../platform/clock.ts';
import { NotSentError, UnusableAnswerError } from './port.ts';

export interface RailLimits {
  sendTimeoutMs: number;
  queryTimeoutMs: number;
  nameEnquiryTimeoutMs: number;
  balanceTimeoutMs: number;
  /** To open or close an account, and for a page of a list of credits. */
  accountTimeoutMs: number;
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

/** A transfer on NIP is instant within 60 s; after half of that we stop waiting for the answer and begin to query. */
export const DEFAULT_RAIL_LIMITS: RailLimits = {
  sendTimeoutMs: 30_000,
  queryTimeoutMs: 15_000,
  nameEnquiryTimeoutMs: 10_000,
  balanceTimeoutMs: 10_000,
  accountTimeoutMs: 20_000,
  concurrency: 64,
  waiting: 2_000,
  breakerShare: 0.5,
  breakerCalls: 40,
  breakerPauseMs: 1_000,
};

const BREAKER_PAUSE_MAX_MS = 30_000;
/** Work that waits for a slot. */
export type Slots = Pick<BulkheadPolicy, 'execute'>;

export interface CallPool {
  /** For what moves money, and questions about it. */
  slots: BulkheadPolicy;
  /** For everything else. */
  otherSlots: BulkheadPolicy;
  breaker: CircuitBreakerPolicy;
}

/**
 * Why a call has no result. `left` is false only when the rail's code was never entered, or its adapter is certain that
 * nothing went out.
 */
export interface NoResult {
  reason: string;
  code: string | null;
  message: string;
  left: boolean;
  cause: unknown;
}

export type Called<T> = { answer: T } | { noResult: NoResult };

/** The caller aborted, the rail did nothing wrong: the breaker does not count it. */
class CallAbandonedError extends Error {}
class CallTimedOutError extends Error {}
class BegunTooLateError extends Error {}

/** Whether the rail did not answer: not where the caller aborted or began too late, nor where the answer was of no use. */
function isUnanswered(error: unknown): boolean {
  if (error instanceof NotSentError) return !error.answered;
  return !(
    error instanceof UnusableAnswerError ||
    error instanceof CallAbandonedError ||
    error instanceof BegunTooLateError
  );
}

/** A trial call that fails is no change: the circuit stays open. */
export type CircuitChange = { circuit: 'open'; reason: string } | { circuit: 'closed'; openForMs: number };

interface PoolDeps {
  clock: Clock;
  onCircuit?: ((change: CircuitChange) => void) | undefined;
}

export function openPool(limits: RailLimits, { clock, onCircuit }: PoolDeps): CallPool {
  const pool = makePool(limits);
  if (onCircuit === undefined) return pool;
  let openedAtMs: number | undefined;
  pool.breaker.onBreak((why) => {
    if (openedAtMs !== undefined) return;
    openedAtMs = clock.elapsedMs();
    const error = 'error' in why ? why.error : undefined;
    onCircuit({ circuit: 'open', reason: noResultOf(error, true, limits.sendTimeoutMs).reason });
  });
  pool.breaker.onReset(() => {
    if (openedAtMs === undefined) return;
    onCircuit({ circuit: 'closed', openForMs: Math.round(clock.elapsedMs() - openedAtMs) });
    openedAtMs = undefined;
  });
  return pool;
}

function makePool(limits: RailLimits): CallPool {
  return {
    slots: bulkhead(limits.concurrency, limits.waiting),
    otherSlots: bulkhead(limits.concurrency, limits.waiting),
    breaker: circuitBreaker(handleWhen(isUnanswered), {
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

/** What one tenant may have of slots that all share, and how many of it may wait. */
export const openShare = ({ concurrency, waiting }: RailLimits): Slots =>
  bulkhead(Math.ceil(concurrency / 2), Math.ceil(waiting / 2));

interface CallTerms {
  slots: Slots;
  breaker: CircuitBreakerPolicy;
  timeoutMs: number;
  signal: AbortSignal | undefined;
  /** Asked once there is a slot. */
  tooLate?: () => boolean;
  /** Looked at once there is a slot, which may be long after the call was made: where it says no, nothing leaves. */
  mayBegin?: (() => Promise<boolean>) | undefined;
}

/**
 * One call: first a slot, then the breaker, then the clock starts. The timeout does not rely on the rail honouring its
 * signal. Policies are nested by hand because the breaker drops the caller's signal on its half-open path.
 */
export async function call<T>(how: CallTerms, work: (signal: AbortSignal) => Promise<T>): Promise<Called<T>> {
  const { timeoutMs, signal: outer } = how;
  let left = false;
  const timed = async (): Promise<T> => {
    if (outer?.aborted === true) throw new CallAbandonedError('we stopped waiting');
    if (how.tooLate?.() === true) throw new BegunTooLateError('too late to begin');
    left = true;
    return within(timeoutMs, outer, work);
  };
  const inTurn = async (): Promise<T> => {
    if (how.mayBegin !== undefined) await requireMayBegin(how.mayBegin);
    return how.breaker.execute(timed, outer);
  };
  try {
    return { answer: await how.slots.execute(inTurn, outer) };
  } catch (error) {
    return { noResult: noResultOf(error, left, timeoutMs) };
  }
}

/** Where nobody can say, it does not begin either: that is no fault of the rail. */
async function requireMayBegin(mayBegin: () => Promise<boolean>): Promise<void> {
  let may: boolean;
  try {
    may = await mayBegin();
  } catch (error) {
    throw new CallAbandonedError('whether the call may begin could not be found out', { cause: error });
  }
  if (!may) throw new CallAbandonedError('the call may not begin');
}

/** What a call left behind at its provider ends with it. One for all: each of its own would note where it was made. */
const CALL_ENDED = new Error('the call has ended');

/** The work for so long at most, whether it honours its signal or not. */
function within<T>(
  timeoutMs: number,
  outer: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const inner = new AbortController();
  return new Promise<T>((resolve, reject) => {
    const cutShort = (cause?: unknown) =>
      outer?.aborted === true
        ? new CallAbandonedError('we stopped waiting', { cause })
        : new CallTimedOutError(`no answer within ${timeoutMs} ms`, { cause });
    const stop = () => {
      inner.abort();
      reject(cutShort());
    };
    const timer = setTimeout(stop, timeoutMs);
    outer?.addEventListener('abort', stop, { once: true });
    const end = () => {
      clearTimeout(timer);
      outer?.removeEventListener('abort', stop);
      if (!inner.signal.aborted) inner.abort(CALL_ENDED);
    };
    const begin = async () => work(inner.signal);
    begin()
      .then(resolve, (error: unknown) => reject(inner.signal.aborted ? cutShort(error) : error))
      .finally(end);
  });
}

function noResultOf(error: unknown, left: boolean, timeoutMs: number): NoResult {
  const noResult = (reason: string, message: string): NoResult => ({ reason, code: null, message, left, cause: error });
  if (error instanceof NotSentError) {
    return { reason: error.reason, code: error.code, message: error.message, left: false, cause: error };
  }
  if (error instanceof UnusableAnswerError) {
    return { reason: error.reason, code: error.code, message: error.message, left, cause: error };
  }
  if (error instanceof BrokenCircuitError) {
    return noResult('RAIL_CIRCUIT_OPEN', 'The rail is not being called because it did not answer recently');
  }
  if (error instanceof BegunTooLateError)
    return noResult('RAIL_BUSY', 'The call could not begin in time: too many calls to the rail are under way');
  if (error instanceof BulkheadRejectedError) return noResult('RAIL_BUSY', 'Too many calls to the rail are waiting');
  // Before the call left, only the caller's own signal cancels it.
  if (error instanceof CallAbandonedError || (error instanceof TaskCancelledError && !left)) {
    return noResult('RAIL_CALL_ABANDONED', 'We stopped waiting for the rail');
  }
  if (error instanceof TaskCancelledError || error instanceof CallTimedOutError) {
    return noResult('RAIL_TIMEOUT', `The rail did not answer within ${timeoutMs} ms`);
  }
  return noResult('RAIL_UNREACHABLE', 'The rail could not be reached or its answer could not be read');
}
