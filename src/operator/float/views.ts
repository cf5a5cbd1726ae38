import { toNumber } from '../../money/index.ts';
import type { FloatCheckRow } from '../../reconciliation/index.ts';

type Verdict = 'AGREES' | 'EXPLAINED_BY_HELD' | 'RAILS_HAVE_LESS' | 'RAILS_HAVE_MORE';

export function floatCheckView(row: FloatCheckRow) {
  return {
    checkId: row.id,
    rails: row.rails.split(', '),
    mode: row.mode,
    merchantId: row.merchant_id,
    railBalance: toNumber(row.rail_minor),
    float: toNumber(row.float_minor),
    unsettled: toNumber(row.unsettled_minor),
    expected: toNumber(row.float_minor - row.unsettled_minor),
    held: toNumber(row.held_minor),
    difference: toNumber(row.difference_minor),
    verdict: verdictOf(row),
    checkedBy: row.checked_by,
    checkedAt: new Date(row.checked_at).toISOString(),
  };
}

/** What is held may have left already, and no more than that. */
function verdictOf({ difference_minor, held_minor }: FloatCheckRow): Verdict {
  if (difference_minor === 0n) return 'AGREES';
  if (difference_minor > 0n) return 'RAILS_HAVE_MORE';
  return difference_minor >= -held_minor ? 'EXPLAINED_BY_HELD' : 'RAILS_HAVE_LESS';
}
