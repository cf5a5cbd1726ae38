import type { Cleared, MovementParts } from '../../approvals/index.ts';
import { ownersNoticeWrites } from '../../mail/index.ts';
import { write } from '../../platform/db/statement.ts';
import { newId } from '../../platform/ids.ts';
import type { Tenant } from '../../platform/tenant.ts';
import { type LimitChangeDeps, limitNotice } from './limit-notice.ts';
import type { PayoutLimit } from './payout-limit.ts';
import { insertPayoutLimits } from './queries.ts';
import { partView } from './views.ts';

export type OwnLimit = Pick<PayoutLimit, 'perPayoutMinor' | 'perDayMinor'>;

/** One change of a merchant's own limits waits at a time. */
export const LIMIT_WAIT = { scope: 'APPROVAL_WAITS', value: 'LIMIT' } as const;

/** As an approval keeps them: kobo as text, because JSON numbers are not made for them; null is no limit. */
export interface LimitText {
  perPayout: string | null;
  perDay: string | null;
}

export function limitText({ perPayoutMinor, perDayMinor }: OwnLimit): LimitText {
  const text = (minor: bigint | null) => (minor === null ? null : String(minor));
  return { perPayout: text(perPayoutMinor), perDay: text(perDayMinor) };
}

/** A dated row from now on, for a movement that nothing stands before; the owners are told by mail. */
export async function ownLimitParts(
  deps: LimitChangeDeps,
  { merchantId, mode }: Tenant,
  id: string,
  limit: OwnLimit,
  _cleared: Cleared,
  { at, source, by }: { at: Date; source: string; by: string },
): Promise<MovementParts> {
  const notice = limitNotice({ mode, by, at, from: at, limit });
  const mails = await ownersNoticeWrites({ ...deps, queries: deps.database }, merchantId, notice);
  return {
    writes: [
      write(insertPayoutLimits, {
        id,
        owner: 'MERCHANT',
        merchant_id: merchantId,
        mode,
        per_payout_minor: limit.perPayoutMinor,
        per_day_minor: limit.perDayMinor,
        duplicate_window_seconds: 0,
        effective_from: at.toISOString(),
        effective_to: null,
        source,
      }),
      ...mails,
    ],
    events: [
      {
        id: newId(),
        type: 'limit.changed',
        subjectId: id,
        data: JSON.stringify({ own: partView(limit) }),
      },
    ],
  };
}
