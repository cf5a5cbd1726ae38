import type { RecordOf } from '../api/types.ts';
import type { StatusTone } from '../components/status-words.ts';

export type ProviderSettlement = RecordOf<'/operator/provider-settlement'>;
export type ProviderLine = RecordOf<'/operator/provider-settlement/{settlementId}/line'>;
export type ProviderLineResult = ProviderLine['result'];

interface Words {
  word: string;
  tone: StatusTone;
  about: string;
}

/** What came of comparing a line, and what somebody does about it. */
export const RESULTS: Record<ProviderLineResult, Words> = {
  MATCHED: { word: 'Agrees', tone: 'good', about: 'The file and the books say the same.' },
  FEE_DIFFERS: {
    word: 'Other fee',
    tone: 'warn',
    about: 'The provider said another fee when it confirmed the payment. It is posted with the fee of the file.',
  },
  DEDUCTION_MATCHED: {
    word: 'Deduction agrees',
    tone: 'good',
    about: 'A refund or dispute of ours that the provider takes from the lump sum.',
  },
  MISSING_HERE: { word: 'Not in our books', tone: 'bad', about: 'The provider settled a payment that we do not know.' },
  MISSING_THERE: {
    word: 'Not in the file',
    tone: 'bad',
    about: 'It was confirmed before the cut-off, and nothing has settled it.',
  },
  AMOUNT_DIFFERS: { word: 'Other amount', tone: 'bad', about: 'Our payment, refund or dispute has another amount.' },
  NET_DIFFERS: { word: 'Does not add up', tone: 'bad', about: 'Its net is not its gross less its fee.' },
  CURRENCY_DIFFERS: { word: 'Other currency', tone: 'bad', about: 'Our payment is in naira.' },
  MODE_DIFFERS: { word: 'Other mode', tone: 'bad', about: 'It is of the other mode: sandbox or live.' },
  STATUS_DIFFERS: {
    word: 'Other state',
    tone: 'bad',
    about:
      'The payment went back to its payer; or its refund or dispute runs, or ended otherwise. What runs is compared again.',
  },
  ALREADY_SETTLED: { word: 'Settled before', tone: 'warn', about: 'Another settlement had this payment or deduction.' },
  DEDUCTION: {
    word: 'Unknown deduction',
    tone: 'bad',
    about: 'It takes from the lump sum, and no refund and no dispute of ours answers to it.',
  },
  DUPLICATE_LINE: { word: 'Twice in the file', tone: 'warn', about: 'The same payment stands in it more than once.' },
  UNREADABLE: { word: 'Cannot be read', tone: 'warn', about: 'The line lacks an id or holds an invalid amount.' },
};

export const RESOLUTIONS: Record<NonNullable<ProviderLine['resolution']>['how'], string> = {
  ACCEPTED: 'Accepted',
  FOUND_LATER: 'Found in another settlement',
};

export const STEPS: Record<ProviderSettlement['status'], { word: string; tone: StatusTone }> = {
  LOADING: { word: 'Being read', tone: 'info' },
  MATCHING: { word: 'Being compared', tone: 'info' },
  READY: { word: 'To be applied', tone: 'warn' },
  APPLYING: { word: 'Being applied', tone: 'info' },
  DONE: { word: 'Applied', tone: 'good' },
  DISCARDED: { word: 'Discarded', tone: 'quiet' },
};
