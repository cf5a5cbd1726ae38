import type { Clock } from '../platform/clock.ts';
import { unavailable } from '../platform/errors.ts';
import type { Tenant } from '../platform/tenant.ts';
import { cleanedText } from '../platform/text.ts';
import { createDisputeCaller, type DisputeCaller } from './call-disputes.ts';
import { type CallPool, call, type NoResult, type RailLimits } from './call-pool.ts';
import { createRefundCaller, type RefundCaller } from './call-refunds.ts';
import { createSettlementCaller, type SettlementCaller } from './call-settlements.ts';
import type { ProviderWebhookRequest } from './port.ts';
import type {
  CloseAccountAnswer,
  CloseAccountRequest,
  CreditAnswer,
  CreditHint,
  CreditKey,
  CreditListRequest,
  CreditPage,
  OpenAccountAnswer,
  OpenAccountRequest,
  OpenedOneTime,
  OpenOneTimeAnswer,
  OpenOneTimeRequest,
  OpenPageAnswer,
  OpenPageRequest,
  WalletCapabilities,
  WalletProvider,
} from './wallet-provider.ts';

/** A wallet provider that never throws where it is asked about money: a call without an answer is `unknown`. */
export interface WalletCaller {
  readonly capabilities: WalletCapabilities;
  /** Absent where the provider cannot be asked what it settled. */
  readonly settlements?: SettlementCaller;
  openAccount(request: OpenAccountRequest, signal?: AbortSignal): Promise<OpenAccountAnswer>;
  closeAccount(request: CloseAccountRequest, signal?: AbortSignal): Promise<CloseAccountAnswer>;
  openOneTimeAccount(request: OpenOneTimeRequest, signal?: AbortSignal): Promise<OpenOneTimeAnswer>;
  /** Undefined where it has to be asked for. */
  oneTimeAccountOf(request: OpenOneTimeRequest): OpenedOneTime | undefined;
  openPage(request: OpenPageRequest, signal?: AbortSignal): Promise<OpenPageAnswer>;
  queryCredit(key: CreditKey, signal?: AbortSignal): Promise<CreditAnswer>;
  /** @throws AppError `SERVICE_UNAVAILABLE` when the provider does not answer with a page. */
  listCredits(request: CreditListRequest, signal?: AbortSignal): Promise<CreditPage>;
  readCreditWebhook(request: ProviderWebhookRequest): Promise<CreditHint[]>;
  /** Undefined where the provider has no interface for disputes. */
  readonly disputes: DisputeCaller | undefined;
  /** Absent where payments do not go back by the provider. */
  readonly refunds?: RefundCaller;
}

/** Puts the circuit, time limits and bounds of a provider account around its second role. */
export function createWalletCaller(
  provider: WalletProvider,
  { pool, limits, clock }: { pool: (tenant?: Tenant) => CallPool; limits: RailLimits; clock: Clock },
): WalletCaller {
  const unanswered = ({ code, reason, message }: NoResult) => ({ code, reason, message, at: clock.now() });
  const unable = () => ({
    outcome: 'refused' as const,
    code: null,
    reason: 'PROVIDER_UNABLE',
    message: 'The provider does not offer this',
    at: clock.now(),
  });
  const aside = (signal: AbortSignal | undefined) => {
    const { otherSlots: slots, breaker } = pool();
    return { slots, breaker, timeoutMs: limits.accountTimeoutMs, signal };
  };
  return {
    capabilities: provider.capabilities,
    ...(provider.settlements && {
      settlements: createSettlementCaller(provider.settlements, (work) => call(aside(undefined), work)),
    }),
    async openAccount(request, signal) {
      const called = await call(aside(signal), (inner) => provider.openAccount(request, inner));
      return 'answer' in called ? cleaned(called.answer) : { outcome: 'unknown', ...unanswered(called.noResult) };
    },
    async closeAccount(request, signal) {
      const called = await call(aside(signal), (inner) => provider.closeAccount(request, inner));
      return 'answer' in called ? called.answer : { outcome: 'unknown', ...unanswered(called.noResult) };
    },
    async openOneTimeAccount(request, signal) {
      const { openOneTimeAccount: open } = provider;
      if (open === undefined) return unable();
      const called = await call(aside(signal), (inner) => open(request, inner));
      return 'answer' in called ? cleaned(called.answer) : { outcome: 'unknown', ...unanswered(called.noResult) };
    },
    oneTimeAccountOf(request) {
      const answer = provider.oneTimeAccountOf?.(request);
      return answer && cleaned(answer);
    },
    async openPage(request, signal) {
      const { openPage: open } = provider;
      if (open === undefined) return unable();
      const called = await call(aside(signal), (inner) => open(request, inner));
      return 'answer' in called ? called.answer : { outcome: 'unknown', ...unanswered(called.noResult) };
    },
    async queryCredit(key, signal) {
      const how = { ...pool(), timeoutMs: limits.queryTimeoutMs, signal };
      const called = await call(how, (inner) => provider.queryCredit(key, inner));
      return 'answer' in called ? called.answer : { outcome: 'unknown', ...unanswered(called.noResult) };
    },
    async listCredits(request, signal) {
      const called = await call(aside(signal), (inner) => provider.listCredits(request, inner));
      if ('answer' in called) return called.answer;
      throw unavailable('The provider did not list its credits. Please try again shortly.', called.noResult.cause);
    },
    readCreditWebhook: (request) => provider.readCreditWebhook(request),
    disputes: provider.disputes && createDisputeCaller(provider.disputes, { pool, limits, clock }),
    ...(provider.refunds && { refunds: createRefundCaller(provider.refunds, { pool, limits, clock }) }),
  };
}

/** A provider's names are shown to people: nothing in them may make them read as another. */
function cleaned<Answer extends OpenAccountAnswer | OpenOneTimeAnswer>(answer: Answer): Answer {
  if (answer.outcome !== 'opened') return answer;
  const accounts = answer.accounts.map((account) => ({
    ...account,
    bankName: cleanedText(account.bankName),
    accountName: cleanedText(account.accountName),
  }));
  return { ...answer, accounts };
}
