import type { ApprovalRow, ApprovalSubject } from '../../approvals/index.ts';
import type { Database } from '../../platform/db/database.ts';
import { LIMIT_WAIT, ownLimitParts } from './own-limit.ts';
import { forgetLimits } from './read-limits.ts';

interface LimitPayload {
  /** Kobo as text; null is no limit. */
  perPayout: string | null;
  perDay: string | null;
}

/** A change of the merchant's own limits that waits for approval. */
export function limitSubject({ database }: { database: Database }): ApprovalSubject {
  return {
    async approved(approval, cleared, at) {
      const { perPayout, perDay } = JSON.parse(approval.payload) as LimitPayload;
      const limit = { perPayoutMinor: minorOrNull(perPayout), perDayMinor: minorOrNull(perDay) };
      const tenant = { merchantId: approval.merchant_id, mode: approval.mode };
      const source = `Asked for by ${approval.made_by_name}, approval ${approval.id}`;
      const parts = ownLimitParts(tenant, approval.subject_id, limit, cleared, { at, source });
      return { ...parts, unmarks: noLongerWaits(approval) };
    },
    ended: async (approval) => ({ unmarks: noLongerWaits(approval) }),
    committed: async () => forgetLimits(database),
  };
}

const minorOrNull = (text: string | null) => (text === null ? null : BigInt(text));
const noLongerWaits = ({ id }: ApprovalRow) => [{ ...LIMIT_WAIT, subjectId: id }];
