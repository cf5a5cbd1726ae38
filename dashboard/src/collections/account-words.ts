import type { RecordOf } from '../api/types.ts';
import type { StatusTone } from '../components/status-words.ts';

export type Account = RecordOf<'/collection/account'>;

/** What an account number is, in a merchant's words. */
export const ACCOUNT_WORDS = {
  REQUESTED: 'Being opened',
  OPEN: 'Open',
  FAILED: 'Refused',
  CLOSED: 'Closed',
} as const satisfies Record<Account['status'], string>;

export const ACCOUNT_TONES = {
  REQUESTED: 'info',
  OPEN: 'good',
  FAILED: 'bad',
  CLOSED: 'quiet',
} as const satisfies Record<Account['status'], StatusTone>;
