import type { RecordOf } from '../api/types.ts';
import type { StatusTone } from '../components/status-words.ts';

export type Settlement = RecordOf<'/operator/settlement'>;
export type Line = RecordOf<'/operator/settlement/{importId}/line'>;
export type LineResult = Line['result'];

interface Words {
  word: string;
  tone: StatusTone;
  about: string;
}

/** What came of comparing a line, and what somebody does about it. */
export const RESULTS: Record<LineResult, Words> = {
  MATCHED: { word: 'Agrees', tone: 'good', about: 'The file and the books say the same.' },
  MISSING_HERE: { word: 'Not in our books', tone: 'bad', about: 'The rail names a transfer that we never sent.' },
  MISSING_THERE: { word: 'Not in the file', tone: 'bad', about: 'We count it as paid; the file of its day lacks it.' },
  AMOUNT_DIFFERS: { word: 'Other amount', tone: 'bad', about: 'The rail moved another amount than we ordered.' },
  CURRENCY_DIFFERS: { word: 'Other currency', tone: 'bad', about: 'The rail moved another currency than we ordered.' },
  ACCOUNT_DIFFERS: { word: 'Other account', tone: 'bad', about: 'The rail paid another account than we ordered.' },
  DATE_DIFFERS: { word: 'Other day', tone: 'warn', about: 'It agrees but for its day.' },
  STATUS_DIFFERS: {
    word: 'Other outcome',
    tone: 'bad',
    about: 'The file says something else became of it than we do.',
  },
  LATE_REVERSAL: { word: 'Came back later', tone: 'warn', about: 'It was paid, and the bank returned it since.' },
  DUPLICATE_LINE: { word: 'Twice in the file', tone: 'warn', about: 'The same transfer stands in it more than once.' },
  UNREADABLE: {
    word: 'Cannot be read',
    tone: 'warn',
    about: 'The line lacks something or holds an invalid amount or time.',
  },
};

export const RESOLUTIONS: Record<NonNullable<Line['resolution']>['how'], string> = {
  APPLIED: 'Applied',
  ACCEPTED: 'Accepted',
  FOUND_LATER: 'Found in a later file',
};

export const STEPS: Record<Settlement['status'], { word: string; tone: StatusTone }> = {
  LOADING: { word: 'Being read', tone: 'info' },
  MATCHING: { word: 'Being compared', tone: 'info' },
  SETTLING: { word: 'Being settled', tone: 'info' },
  DONE: { word: 'Done', tone: 'good' },
};
