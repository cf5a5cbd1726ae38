import { CopyButton } from '../components/copy-button.tsx';

/** A reference in a table: its beginning, whole on hover, in the search of the page and for copying. */
export function Reference({ reference }: { reference: string }) {
  return (
    <span className="flex items-center gap-1">
      <span className="max-w-32 truncate font-mono text-xs xl:max-w-48" title={reference}>
        {reference}
      </span>
      <CopyButton text={reference} what={`reference ${reference}`} />
    </span>
  );
}

/** What an entry of a statement was, in a merchant's words. */
const WORDS: Record<string, string> = {
  STORE_DEBIT: 'Moved from a store',
  SUBACCOUNT_CREDIT: 'Moved to a subaccount',
  SUBACCOUNT_DEBIT: 'Moved from a subaccount',
  SANDBOX_FUNDING: 'Test money',
  COLLECTION: 'Money received',
  COLLECTION_FEE: 'Fee on money received',
  COLLECTION_VAT: 'VAT on the fee',
  RESERVE: 'Kept in reserve',
  RESERVE_RELEASE: 'Back from the reserve',
  MANUAL_CREDIT: 'Added by the operator',
  PAYOUT: 'Payout',
  PAYOUT_FEE: 'Payout fee',
  PAYOUT_VAT: 'VAT on the fee',
  PAYOUT_STAMP_DUTY: 'Stamp duty',
  PAYOUT_REVERSAL: 'Payout returned',
  PAYOUT_SETTLEMENT: 'Payout settled',
};

/** `PAYOUT_FEE` as `Payout fee`. */
export function entryWord(code: string): string {
  return WORDS[code] ?? code.charAt(0) + code.slice(1).toLowerCase().replaceAll('_', ' ');
}
