import type { PayoutLimitRow } from '../../limits/index.ts';
import { toNumber } from '../../money/index.ts';

const naira = (minor: bigint | null) => (minor === null ? null : toNumber(minor));

export function limitRowView(row: PayoutLimitRow, names: ReadonlyMap<string, string>, now: Date) {
  return {
    limitId: row.id,
    merchantId: row.merchantId,
    businessName: row.merchantId === null ? null : (names.get(row.merchantId) ?? null),
    mode: row.mode,
    perPayout: naira(row.perPayoutMinor),
    perDay: naira(row.perDayMinor),
    duplicateWindowSeconds: row.duplicateWindowSeconds,
    effectiveFrom: row.effectiveFrom.toISOString(),
    effectiveTo: row.effectiveTo?.toISOString() ?? null,
    source: row.source,
    state: stateOf(row, now),
  };
}

function stateOf({ effectiveFrom, effectiveTo }: PayoutLimitRow, now: Date): 'AHEAD' | 'IN_FORCE' | 'ENDED' {
  if (effectiveTo !== null && effectiveTo <= now) return 'ENDED';
  return effectiveFrom > now ? 'AHEAD' : 'IN_FORCE';
}
