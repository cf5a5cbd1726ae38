import { unavailable } from '../platform/errors.ts';
import { cleanedText } from '../platform/text.ts';
import type { Called } from './call-pool.ts';
import type { ProviderWebhookRequest } from './provider-webhook.ts';
import type {
  ReportedSettlement,
  SettlementLine,
  SettlementLinePage,
  SettlementLinesRequest,
  SettlementListRequest,
  SettlementPage,
  SettlementSource,
} from './settlements.ts';

/** The same role within the circuit, time limits and bounds of its account. */
export interface SettlementCaller {
  /** Whether the provider lists its settlements. */
  readonly lists: boolean;
  /** @throws AppError `SERVICE_UNAVAILABLE` when the provider does not answer with a page */
  listSettlements(request: SettlementListRequest): Promise<SettlementPage>;
  /** @throws AppError `SERVICE_UNAVAILABLE` */
  readLines(request: SettlementLinesRequest): Promise<SettlementLinePage>;
  /** Undefined where the account is settled as a whole. @throws AppError `SERVICE_UNAVAILABLE` */
  scopeOf(reference: string): Promise<{ merchantId: string; before: Date } | undefined>;
  readNotice(request: ProviderWebhookRequest): Promise<ReportedSettlement[]>;
}

export function createSettlementCaller(
  source: SettlementSource,
  ask: <Answer>(work: (signal: AbortSignal) => Promise<Answer>) => Promise<Called<Answer>>,
): SettlementCaller {
  async function answerOf<Answer>(work: (signal: AbortSignal) => Promise<Answer>): Promise<Answer> {
    const called = await ask(work);
    if ('answer' in called) return called.answer;
    throw unavailable('The provider did not list its settlements. Please try again shortly.', called.noResult.cause);
  }
  return {
    lists: source.listSettlements !== undefined,
    async listSettlements(request) {
      const { listSettlements: list } = source;
      if (list === undefined) return { settlements: [], unreadable: [], next: null };
      const page = await answerOf((signal) => list(request, signal));
      return { ...page, settlements: page.settlements.map(cleanedSettlement) };
    },
    async readLines(request) {
      const page = await answerOf((signal) => source.readLines(request, signal));
      return { ...page, lines: page.lines.map(cleanedLine) };
    },
    async scopeOf(reference) {
      const { scopeOf } = source;
      return scopeOf && answerOf((signal) => scopeOf(reference, signal));
    },
    readNotice: async (request) => ((await source.readNotice?.(request)) ?? []).map(cleanedSettlement),
  };
}

/** What a provider writes is shown to people, and stands in files. */
const cleanedSettlement = (one: ReportedSettlement): ReportedSettlement => ({
  ...one,
  reference: cleanedText(one.reference),
});

const cleanedLine = (line: SettlementLine): SettlementLine => ({
  ...line,
  providerTransactionId: line.providerTransactionId && cleanedText(line.providerTransactionId),
  reference: line.reference && cleanedText(line.reference),
});
