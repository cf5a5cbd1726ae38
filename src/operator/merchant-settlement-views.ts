import { type SettlementRule, type SettlementStateRow, wordsOfPause } from '../merchant-settlements/index.ts';
import { toNumber, toNumberOrNull } from '../money/index.ts';

/** Where a merchant's settlements are. */
export function stateView(row: SettlementStateRow) {
  return {
    merchantId: row.merchant_id,
    businessName: row.business_name,
    mode: row.mode,
    schedule: row.schedule,
    nextAt: row.paused_reason === null ? (row.due_at?.toISOString() ?? null) : null,
    pausedReason: row.paused_reason,
    pausedWords: row.paused_reason === null ? null : wordsOfPause(row.paused_reason),
    pausedSince: row.paused_since?.toISOString() ?? null,
    lastResult: row.result,
    failed: row.failed,
    processing: row.processing,
    last:
      row.last_id === null
        ? null
        : {
            settlementId: row.last_id,
            number: row.last_number ?? 0,
            status: row.last_status ?? '',
            reason: row.last_reason,
            amount: toNumberOrNull(row.last_amount_minor),
            createdAt: row.last_created_at?.toISOString() ?? null,
          },
  };
}

/** @param names of merchants, by id */
export function termsView(rule: SettlementRule, names: ReadonlyMap<string, string>) {
  return {
    ruleId: rule.id,
    merchantId: rule.merchantId,
    businessName: rule.merchantId === null ? null : (names.get(rule.merchantId) ?? null),
    mode: rule.mode,
    enabled: rule.isEnabled,
    minimum: toNumber(rule.minimumMinor),
    windowSeconds: rule.windowSeconds,
    coolingOffSeconds: rule.coolingOffSeconds,
    effectiveFrom: rule.effectiveFrom.toISOString(),
    source: rule.source,
  };
}
