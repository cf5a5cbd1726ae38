import { accountNumberOf } from '../format/accounts.ts';
import { parseMoney } from '../format/money.ts';
import { PURPOSES, type Purpose } from '../format/purposes.ts';
import { lagosInstant } from '../format/time.ts';

/** What stands in the form, as it was typed. */
export interface PayoutDraft {
  bankCode: string;
  accountNumber: string;
  amount: string;
  purpose: string;
  narration: string;
  reference: string;
  when: 'NOW' | 'LATER';
  /** As a `datetime-local` field has it, in Lagos. */
  later: string;
}

export const NEW_PAYOUT: PayoutDraft = {
  bankCode: '',
  accountNumber: '',
  amount: '',
  purpose: 'GENERAL',
  narration: '',
  reference: '',
  when: 'NOW',
  later: '',
};

/** What the interface takes of it. The rules of the form have looked at it before. */
export function toBody({ bankCode, accountNumber, amount, purpose, narration, reference }: PayoutDraft) {
  return {
    bankCode,
    accountNumber: accountNumberOf(accountNumber),
    amount: parseMoney(amount) ?? 0,
    purpose: purpose as Purpose,
    narration: narration.trim(),
    ...(reference.trim() === '' ? {} : { reference: reference.trim() }),
  };
}

/** All that is asked for, without the PIN. */
export const requestOf = (draft: PayoutDraft) => ({
  ...toBody(draft),
  ...(draft.when === 'LATER' && { scheduledFor: lagosInstant(draft.later) }),
});

export const PURPOSE_OPTIONS = Object.entries(PURPOSES).map(([value, label]) => ({ value, label }));
