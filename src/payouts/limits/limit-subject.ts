import { isDeepStrictEqual } from 'node:util';
import { type ApprovalRow, type ApprovalSubject, approvalDigestMismatch } from '../../approvals/index.ts';
import type { LimitChangeDeps } from './limit-notice.ts';
import { LIMIT_WAIT, type LimitText, limitText, ownLimitParts } from './own-limit.ts';
import { forgetLimits, readBothLimits } from './read-limits.ts';

interface LimitPayload extends LimitText {
  /** The limits that it was shown to replace. */
  instead?: LimitText;
}

/** A change of the merchant's own limits that waits for approval. */
export function limitSubject(deps: LimitChangeDeps): ApprovalSubject {
  return {
    async approved(approval, cleared, at) {
      const { perPayout, perDay, instead } = JSON.parse(approval.payload) as LimitPayload;
      const limit = { perPayoutMinor: minorOrNull(perPayout), perDayMinor: minorOrNull(perDay) };
      const tenant = { merchantId: approval.merchant_id, mode: approval.mode };
      // They can change beside it only while approvals are off.
      const { own } = await readBothLimits({ queries: deps.database, clock: deps.clock }, tenant);
      if (instead !== undefined && !isDeepStrictEqual(limitText(own), instead)) throw approvalDigestMismatch();
      const source = `Asked for by ${approval.made_by_name}, approval ${approval.id}`;
      const made = { at, source, by: approval.made_by_name };
      const parts = await ownLimitParts(deps, tenant, approval.subject_id, limit, cleared, made);
      return { ...parts, unmarks: noLongerWaits(approval) };
    },
    ended: async (approval) => ({ unmarks: noLongerWaits(approval) }),
    committed: async () => forgetLimits(deps.database),
  };
}

const minorOrNull = (text: string | null) => (text === null ? null : BigInt(text));
const noLongerWaits = ({ id }: ApprovalRow) => [{ ...LIMIT_WAIT, subjectId: id }];
