import type { Data } from '../api/types.ts';

export type Approval = Data<'get', '/approval/{approvalId}'>;
export type ApprovalKind = Approval['kind'];

export const KIND_WORDS: Record<ApprovalKind, string> = {
  PAYOUT: 'Payout',
  SCHEDULE: 'Scheduled payout',
  BATCH: 'Bulk payout',
  LIMIT: 'Limit change',
  BENEFICIARY: 'Beneficiary',
  RULES: 'Approval rules',
  REFUND: 'Refund',
};

export const KIND_OPTIONS = Object.entries(KIND_WORDS).map(([value, label]) => ({ value, label }));

export function isKind(kind: string | undefined): kind is ApprovalKind {
  return kind !== undefined && kind in KIND_WORDS;
}

/** What approving does, in the words of the button's dialog. */
export function effectOf({ kind, needed, given }: Approval): string {
  const missing = needed - given - 1;
  if (missing > 0) {
    return `Your approval is counted. ${missing === 1 ? 'One more person has' : `${missing} more people have`} to approve it before anything happens.`;
  }
  switch (kind) {
    case 'PAYOUT':
      return 'The payout is sent to the bank at once.';
    case 'SCHEDULE':
      return 'The payout is sent at its time.';
    case 'BATCH':
      return 'The money of all rows is held at once, and the banks are paid.';
    case 'LIMIT':
      return 'The new limits are in force within a minute.';
    case 'BENEFICIARY':
      return 'Everybody here can pay this account from the list of beneficiaries.';
    case 'REFUND':
      return 'The provider is asked to send the money back to the payer at once.';
    case 'RULES':
      return 'The new rules are in force at once.';
    default:
      return 'It takes effect at once.';
  }
}

/** Why an approval that is over is over. */
export function endOf({ status, decisions }: Approval): string {
  switch (status) {
    case 'APPROVED':
      return 'It was approved and has taken effect.';
    case 'REJECTED': {
      const note = decisions.find(({ decision }) => decision === 'REJECT')?.note;
      return note === null || note === undefined ? 'It was rejected.' : `It was rejected: ${note}`;
    }
    case 'WITHDRAWN':
      return 'The person who created it withdrew it.';
    case 'EXPIRED':
      return 'Nobody decided in time. Nothing was done; the person who created it can submit it again.';
    case 'VOID':
      return 'What it was for was changed or cancelled, so this approval is no longer valid. A new one starts when it is sent again.';
    default:
      return '';
  }
}
