import type { Clock } from '../platform/clock.ts';
import { unavailable } from '../platform/errors.ts';
import { cleanedText } from '../platform/text.ts';
import { type CallPool, call, type NoResult, type RailLimits } from './call-pool.ts';
import type {
  ContestRequest,
  DisputeAnswer,
  DisputeCapabilities,
  DisputeHint,
  DisputeListRequest,
  DisputePage,
  DisputeProvider,
  RespondAnswer,
  RespondRequest,
} from './disputes.ts';
import type { ProviderWebhookRequest } from './provider-webhook.ts';

/** The same, which never throws where it is asked about money: a call without an answer is `unknown`. */
export interface DisputeCaller {
  readonly capabilities: DisputeCapabilities;
  queryDispute(hint: DisputeHint, signal?: AbortSignal): Promise<DisputeAnswer>;
  /** @throws AppError `SERVICE_UNAVAILABLE` when the provider does not answer with a page. */
  listDisputes(request: DisputeListRequest, signal?: AbortSignal): Promise<DisputePage>;
  acceptDispute(request: RespondRequest, signal?: AbortSignal): Promise<RespondAnswer>;
  contestDispute(request: ContestRequest, signal?: AbortSignal): Promise<RespondAnswer>;
  readDisputeWebhook(request: ProviderWebhookRequest): Promise<DisputeHint[]>;
}

/** Puts the circuit, time limits and bounds of a provider account around its disputes. */
export function createDisputeCaller(
  provider: DisputeProvider,
  { pool, limits, clock }: { pool: () => CallPool; limits: RailLimits; clock: Clock },
): DisputeCaller {
  const unanswered = ({ code, reason, message }: NoResult) => ({ code, reason, message, at: clock.now() });
  const aside = (timeoutMs: number, signal: AbortSignal | undefined) => {
    const { otherSlots: slots, breaker } = pool();
    return { slots, breaker, timeoutMs, signal };
  };
  return {
    capabilities: provider.capabilities,
    async queryDispute(hint, signal) {
      const called = await call(aside(limits.queryTimeoutMs, signal), (inner) => provider.queryDispute(hint, inner));
      return 'answer' in called ? cleaned(called.answer) : { outcome: 'unknown', ...unanswered(called.noResult) };
    },
    async listDisputes(request, signal) {
      const called = await call(aside(limits.accountTimeoutMs, signal), (inner) =>
        provider.listDisputes(request, inner),
      );
      if ('answer' in called) return called.answer;
      throw unavailable('The provider did not list its disputes. Please try again shortly.', called.noResult.cause);
    },
    async acceptDispute(request, signal) {
      const called = await call(aside(limits.sendTimeoutMs, signal), (inner) => provider.acceptDispute(request, inner));
      return 'answer' in called ? called.answer : { outcome: 'unknown', ...unanswered(called.noResult) };
    },
    async contestDispute(request, signal) {
      const called = await call(aside(limits.sendTimeoutMs, signal), (inner) =>
        provider.contestDispute(request, inner),
      );
      return 'answer' in called ? called.answer : { outcome: 'unknown', ...unanswered(called.noResult) };
    },
    readDisputeWebhook: (request) => provider.readDisputeWebhook(request),
  };
}

/** What a payer says is shown to people: nothing in it may make it read as something else. */
function cleaned(answer: DisputeAnswer): DisputeAnswer {
  if (answer.outcome === 'found') {
    return { ...answer, dispute: { ...answer.dispute, message: shown(answer.dispute.message) } };
  }
  if (answer.outcome !== 'unknown' || answer.unlisted === undefined) return answer;
  const { unlisted } = answer;
  return {
    ...answer,
    unlisted: { ...unlisted, message: shown(unlisted.message), said: shown(unlisted.said) ?? 'nothing' },
  };
}

const MAX_SHOWN = 500;
function shown(said: string | null): string | null {
  const clean = said === null ? '' : cleanedText(said).trim();
  return clean === '' ? null : [...clean].slice(0, MAX_SHOWN).join('');
}
