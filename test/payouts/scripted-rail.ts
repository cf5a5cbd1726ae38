import { setTimeout as delay } from 'node:timers/promises';
import type { PayoutRecord } from '../../src/payouts/index.ts';
import {
  createRailCaller,
  NOTHING_REPORTED,
  type ProviderWebhook,
  type Rail,
  type RailAnswer,
  type RailCaller,
  type RailLimits,
  type ReportedFacts,
  type SendRequest,
  type SentTransfer,
} from '../../src/rails/index.ts';
import { stillClock } from '../support/clock.ts';

type Said = Pick<RailAnswer, 'outcome' | 'reason'>;

export const PAID: Said = { outcome: 'succeeded', reason: null };
export const NO_FUNDS: Said = { outcome: 'failed', reason: 'RAIL_FUNDS_INSUFFICIENT' };
export const DECLINED: Said = { outcome: 'failed', reason: 'DO_NOT_HONOUR' };
export const UNKNOWN: Said = { outcome: 'unknown', reason: 'RAIL_PENDING' };
export const NOT_FOUND: Said = { outcome: 'not_found', reason: 'RAIL_RECORD_NOT_FOUND' };

export interface ScriptedRail {
  caller: RailCaller;
  rail: Rail;
  /** What it answers from now on; an error is a connection that breaks. */
  send: Said | Error;
  query: Said | Error;
  /** What it says of a transfer in place of what was sent. */
  reports: Partial<ReportedFacts>;
  /** In order of arrival. */
  sends: SendRequest[];
  queries: string[];
  inFlight: number;
  mostInFlight: number;
  delayMs: number;
  circuit: 'closed' | 'open';
  providerWebhook(
    payout: Pick<PayoutRecord, 'rail_reference' | 'amount_minor' | 'currency'>,
    said: Said,
  ): ProviderWebhook;
}

export function answerOf(said: Said, reported: Partial<ReportedFacts> = {}): RailAnswer {
  const about = { ...NOTHING_REPORTED, ...reported };
  return { ...said, code: 'X', message: 'scripted', sessionId: '9'.repeat(30), at: new Date(), reported: about };
}

/** What an honest rail reports of a transfer. */
export function reportOf({
  railReference,
  amountMinor,
  currency,
  accountNumber,
  bankCode,
}: SentTransfer): ReportedFacts {
  return { railReference, amountMinor, currency, accountNumber, bankCode };
}

/**
 * A rail that does as it is told and remembers what it was asked. It does not echo tenants. Its clock does not move, as those of the
 * payouts do not: by a clock that does, a slow machine would find their leases at an end.
 */
export function scriptedRail(name: string, limits: Partial<RailLimits> = {}, facts: Partial<Rail> = {}): ScriptedRail {
  const say = async (said: Said | Error, asked: SentTransfer): Promise<RailAnswer> => {
    scripted.inFlight += 1;
    scripted.mostInFlight = Math.max(scripted.mostInFlight, scripted.inFlight);
    try {
      if (scripted.delayMs > 0) await delay(scripted.delayMs);
      if (said instanceof Error) throw said;
      return answerOf(said, { ...reportOf(asked), ...scripted.reports });
    } finally {
      scripted.inFlight -= 1;
    }
  };
  const rail: Rail = {
    name,
    send(request) {
      scripted.sends.push(request);
      return say(scripted.send, request);
    },
    query(request) {
      scripted.queries.push(request.railReference);
      return say(scripted.query, request);
    },
    nameEnquiry: async () => ({
      outcome: 'found',
      accountName: 'ADA OBI',
      code: '00',
      reason: null,
      message: 'found',
      at: new Date(),
      reported: NOTHING_REPORTED,
    }),
    verifyWebhook: async () => [],
    balance: async () => ({ currency: 'NGN', availableMinor: 0n }),
    ...facts,
  };
  const caller = createRailCaller(rail, { limits: { breakerCalls: 10_000, ...limits }, clock: stillClock() });
  const scripted: ScriptedRail = {
    rail,
    caller: { ...caller, circuit: () => scripted.circuit },
    send: PAID,
    query: NOT_FOUND,
    reports: {},
    sends: [],
    queries: [],
    inFlight: 0,
    mostInFlight: 0,
    delayMs: 0,
    circuit: 'closed',
    providerWebhook: (payout, said) => ({
      providerWebhookId: 'n',
      railReference: payout.rail_reference,
      tenant: null,
      answer: answerOf(said, {
        railReference: payout.rail_reference,
        amountMinor: payout.amount_minor,
        currency: payout.currency,
      }),
    }),
  };
  return scripted;
}
