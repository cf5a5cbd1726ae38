import { CircuitState } from 'cockatiel';
import { DEFAULT_CURRENCY } from '../money/index.ts';
import { createLruMap } from '../platform/cache.ts';
import { type Clock, systemClock } from '../platform/clock.ts';
import { type AppError, unavailable } from '../platform/errors.ts';
import { type Tenant, tenantKey } from '../platform/tenant.ts';
import { cleanedText } from '../platform/text.ts';
import {
  type CallPool,
  call,
  DEFAULT_RAIL_LIMITS,
  type NoResult,
  openPool,
  openShare,
  type RailLimits,
  type Slots,
} from './call-pool.ts';
import { createWalletCaller, type WalletCaller } from './call-wallets.ts';
import type { OnCircuit } from './circuit-log.ts';
import type {
  NameEnquiryAnswer,
  NameEnquiryRequest,
  ProviderWebhook,
  ProviderWebhookRequest,
  QueryRequest,
  Rail,
  RailAnswer,
  RailBalance,
  SendAnswer,
  SendRequest,
} from './port.ts';
import { differencesOf, NOTHING_REPORTED } from './reported.ts';

/** Tenants whose limits are remembered at once, where a rail keeps them apart. */
const POOLS_MAX = 1_000;

/** A rail that never throws on a question of money: a call without an answer, errors and refusals to call are `unknown` answers. */
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
  /**
   * @param beginBy a call that has not begun by then does not begin any more: `sent` is false, `RAIL_BUSY`.
   * @param mayBegin looked at when it is the call's turn, which may be as late as that; where it says no, `sent` is false.
   */
  send(
    request: SendRequest,
    signal?: AbortSignal,
    beginBy?: Date,
    mayBegin?: () => Promise<boolean>,
  ): Promise<SendAnswer>;
  query(request: QueryRequest, signal?: AbortSignal): Promise<RailAnswer>;
  verifyWebhook(request: ProviderWebhookRequest): Promise<ProviderWebhook[]>;
  /** @throws AppError `SERVICE_UNAVAILABLE` when the rail does not say. */
  balance(tenant: Tenant, signal?: AbortSignal): Promise<RailBalance>;
  /**
   * The worst breaker of this rail in this process, for metrics and the operator. Of the calls of one tenant where it is given: a
   * rail that isolates tenants has a breaker for each.
   */
  circuit(tenant?: Tenant): 'closed' | 'half_open' | 'open';
  /** The account's second role, with the same circuit and bounds; absent where wallets have no account numbers there. */
  readonly wallets?: WalletCaller;
}

/**
 * Puts timeout, bounded concurrency and a circuit breaker around a rail. One caller per rail and process; where the
 * rail isolates tenants each has limits of its own.
 */
export function createRailCaller(
  rail: Rail,
  options: { limits?: Partial<RailLimits>; clock?: Clock; onCircuit?: OnCircuit } = {},
): RailCaller {
  const limits = { ...DEFAULT_RAIL_LIMITS, ...options.limits };
  const clock = options.clock ?? systemClock;
  const pools = createLruMap<CallPool>(POOLS_MAX);
  /** Of the slots for name enquiries, by tenant. */
  const shares = createLruMap<Slots>(POOLS_MAX);
  const { onCircuit } = options;

  /** Whose credit a provider is asked about is not known before it answers: those calls share a pool. */
  function poolOf(tenant?: Tenant): CallPool {
    const owner = rail.isolatesTenants === true ? tenant : undefined;
    const key = owner === undefined ? '' : tenantKey(owner);
    const known = pools.get(key);
    if (known !== undefined) return known;
    const pool = openPool(limits, {
      clock,
      onCircuit: onCircuit && ((change) => onCircuit(change, owner?.merchantId)),
    });
    pools.set(key, pool);
    return pool;
  }

  /** Half of a pool of all tenants: who asks for many names waits for its own, and nobody else waits for them. */
  function enquirySlots({ otherSlots }: CallPool, tenant: Tenant): Slots {
    if (rail.isolatesTenants === true) return otherSlots;
    const key = tenantKey(tenant);
    const share = shares.get(key) ?? openShare(limits);
    shares.set(key, share);
    return { execute: (work, signal) => share.execute(() => otherSlots.execute(work, signal), signal) };
  }

  const unanswered = ({ code, reason, message }: NoResult) => ({
    code,
    reason,
    message,
    at: clock.now(),
    reported: NOTHING_REPORTED,
  });

  return {
    name: rail.name,
    concurrency: limits.concurrency,
    ...pickFacts(rail),
    ...(rail.wallets && { wallets: createWalletCaller(rail.wallets, { pool: poolOf, limits, clock }) }),
    async nameEnquiry(request, signal) {
      const work = (inner: AbortSignal) => rail.nameEnquiry(request, inner);
      const pool = poolOf(request.tenant);
      const how = { slots: enquirySlots(pool, request.tenant), breaker: pool.breaker, signal };
      const called = await call({ ...how, timeoutMs: limits.nameEnquiryTimeoutMs }, work);
      if ('noResult' in called) return { outcome: 'unknown', accountName: null, ...unanswered(called.noResult) };
      const answer = ofThatAccount(request, called.answer);
      const { accountName } = answer;
      // A provider's name of an account is what people go by: nothing in it may make it read as another.
      return { ...answer, accountName: accountName === null ? null : cleanedText(accountName) };
    },
    async send(request, signal, beginBy, mayBegin) {
      const work = async (inner: AbortSignal) => trusted(await rail.send(request, inner), 'send');
      const tooLate = () => beginBy !== undefined && clock.now() > beginBy;
      const how = { ...poolOf(request.tenant), timeoutMs: limits.sendTimeoutMs, signal, tooLate, mayBegin };
      const called = await call(how, work);
      if ('answer' in called) return { ...called.answer, sent: true };
      const { noResult } = called;
      return { outcome: 'unknown', sessionId: null, ...unanswered(sendNoResult(noResult)), sent: noResult.left };
    },
    async query(request, signal) {
      const work = async (inner: AbortSignal) => trusted(await rail.query(request, inner), 'query');
      const called = await call({ ...poolOf(request.tenant), timeoutMs: limits.queryTimeoutMs, signal }, work);
      if ('answer' in called) return called.answer;
      return { outcome: 'unknown', sessionId: null, ...unanswered(called.noResult) };
    },
    verifyWebhook: (request) => rail.verifyWebhook(request),
    async balance(tenant, signal) {
      const work = (inner: AbortSignal) => rail.balance(tenant, inner);
      const { otherSlots: slots, breaker } = poolOf(tenant);
      const called = await call({ slots, breaker, timeoutMs: limits.balanceTimeoutMs, signal }, work);
      if ('noResult' in called) {
        throw unavailable('The rail did not report its balance. Please try again shortly.', called.noResult.cause);
      }
      if (called.answer.currency === DEFAULT_CURRENCY) return called.answer;
      throw unavailable(`The rail reported a balance in ${called.answer.currency}, not in ${DEFAULT_CURRENCY}.`);
    },
    circuit(tenant) {
      const asked = tenant === undefined ? [...pools.values()] : [poolOf(tenant)];
      const states = asked.map((pool) => pool.breaker.state);
      if (states.some((state) => state === CircuitState.Open || state === CircuitState.Isolated)) return 'open';
      return states.includes(CircuitState.HalfOpen) ? 'half_open' : 'closed';
    },
  };
}

/**
 * The evidence of a send says by its reason and its code whether anything may have left, and the proof of the books goes by
 * them. So where nothing has, it has no reason of a call that broke, and the code of a step before stands in the words.
 */
function sendNoResult(noResult: NoResult): NoResult {
  const { left, reason, code, message } = noResult;
  if (left) return noResult;
  return {
    ...noResult,
    reason: reason === 'RAIL_UNREACHABLE' ? 'RAIL_NOT_ASKED' : reason,
    code: null,
    message: code === null ? message : `${message} (${code})`,
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

/** Our word for a rail whose account does not open: the operator has to put it right. */
export const RAIL_UNAVAILABLE = 'RAIL_UNAVAILABLE';

/**
 * Stands in for a rail whose account cannot be opened, so that nobody who looks for it fails: it asks nobody, says so of
 * each question, and never says anything of a payout. Nothing is ever sent by it.
 *
 * @param fault why it does not open; what can only fail throws it.
 */
export function createUnopenedRail(name: string, fault: AppError, clock: Clock): RailCaller {
  const notAsked = () => ({
    outcome: 'unknown' as const,
    code: null,
    reason: RAIL_UNAVAILABLE,
    message: 'The account at the rail cannot be used; nothing was asked',
    at: clock.now(),
    reported: NOTHING_REPORTED,
  });
  return {
    name,
    fault,
    nameEnquiry: async () => ({ ...notAsked(), accountName: null }),
    send: async () => ({ ...notAsked(), sessionId: null, sent: false }),
    query: async () => ({ ...notAsked(), sessionId: null }),
    verifyWebhook: () => Promise.reject(fault),
    balance: () => Promise.reject(fault),
    circuit: () => 'open',
  };
}
