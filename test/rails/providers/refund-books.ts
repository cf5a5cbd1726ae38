/** What a provider does with the next refund that it is asked for. */
export type RefundPlay =
  | 'processed'
  | 'pending-then-processed'
  | 'pending-then-failed'
  | 'needs-details'
  | 'refused'
  | 'timeout-executed'
  | 'timeout-not-executed'
  | 'unlisted-status'
  | 'other-amount'
  | 'refused-unlisted';

/** A refund in the books of a stand-in. */
export interface StandInRefund {
  id: string;
  reference: string;
  transactionId: string;
  amountMinor: bigint;
  play: RefundPlay;
  queries: number;
  /** Of the payer, once it was given. */
  account: string | undefined;
}

export type RefundState = 'processed' | 'pending' | 'failed' | 'needs_details' | 'unlisted';

export interface RefundBooks {
  rows: StandInRefund[];
  next: RefundPlay;
  add(row: Pick<StandInRefund, 'reference' | 'transactionId' | 'amountMinor'>, play: RefundPlay): StandInRefund;
  /** What is left of a payment. */
  leftOf(transactionId: string): bigint;
  /** The play of a request, and plain success afterwards. */
  taken(): RefundPlay;
}

const UNKNOWN_PAYMENT_MINOR = 1_000_000n;

/** @param amountOf what a payment was of; one that nobody made was of 10,000.00 naira */
export function createRefundBooks(amountOf: (transactionId: string) => bigint | undefined): RefundBooks {
  const books: RefundBooks = {
    rows: [],
    next: 'processed',
    add(row, play) {
      const made = { ...row, id: String(900 + books.rows.length), play, queries: 0, account: undefined };
      books.rows.push(made);
      return made;
    },
    leftOf(transactionId) {
      const ofIt = books.rows.filter((row) => row.transactionId === transactionId);
      return (
        (amountOf(transactionId) ?? UNKNOWN_PAYMENT_MINOR) -
        ofIt.reduce((sum, { amountMinor }) => sum + amountMinor, 0n)
      );
    },
    taken() {
      const play = books.next;
      books.next = 'processed';
      return play;
    },
  };
  return books;
}

/** What it is now; the second query finds what comes later. */
export function stateOf({ play, queries, account }: StandInRefund): RefundState {
  if (play === 'needs-details') return account === undefined ? 'needs_details' : 'processed';
  if (play === 'unlisted-status') return 'unlisted';
  if (play === 'pending-then-processed') return queries < 2 ? 'pending' : 'processed';
  if (play === 'pending-then-failed') return queries < 2 ? 'pending' : 'failed';
  return 'processed';
}

/** As it says it, which may be wrong. */
export const saidMinor = ({ play, amountMinor }: StandInRefund): bigint =>
  play === 'other-amount' ? amountMinor + 1n : amountMinor;
