import type { RecordOf } from '../api/types.ts';

export type Freeze = RecordOf<'/operator/freeze'>;
export type ComplianceCase = RecordOf<'/operator/compliance-case'>;

/** What is frozen, as a person names it. */
export const FREEZE_SUBJECTS: Record<Freeze['subject'], string> = {
  ACCOUNT: 'Account',
  PAYER: 'Payer',
  REFERENCE: 'Reference',
  MERCHANT: 'Merchant',
};

export const FREEZE_STATES: Record<Freeze['state'], { tone: 'good' | 'info' | 'quiet' | 'warn'; word: string }> = {
  AHEAD: { tone: 'info', word: 'Begins later' },
  IN_FORCE: { tone: 'warn', word: 'In force' },
  LIFTED: { tone: 'quiet', word: 'Lifted' },
  ENDED: { tone: 'quiet', word: 'Ended' },
};

export function frozenName(freeze: Freeze): string {
  const { subject, accountNumber, bankName, payerName, reference, businessName, merchantId } = freeze;
  if (subject === 'ACCOUNT') return `${accountNumber} at ${bankName}`;
  if (subject === 'PAYER') return accountNumber === null ? (payerName ?? '') : `${payerName}, ${accountNumber}`;
  return subject === 'REFERENCE' ? (reference ?? '') : (businessName ?? merchantId ?? '');
}

export const CASE_REASONS: Record<ComplianceCase['reason'], string> = {
  FROZEN: 'A freeze holds it',
  SCREENING_HIT: 'A name or account is on a list',
  SCREENING_UNAVAILABLE: 'It could not be screened',
  TIER_LIMIT: 'Above the limit of the merchant’s tier',
};

export const CASE_STATES: Record<ComplianceCase['status'], { tone: 'good' | 'bad' | 'quiet' | 'warn'; word: string }> =
  {
    OPEN: { tone: 'warn', word: 'Held' },
    RELEASED: { tone: 'good', word: 'Released' },
    REFUSED: { tone: 'bad', word: 'Refused' },
    LAPSED: { tone: 'quiet', word: 'Over' },
  };
