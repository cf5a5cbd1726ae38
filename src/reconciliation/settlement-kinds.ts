/** What a line of a rail's file says became of one transfer. `UNCLEAR` is everything that is no end. */
export type LineKind = 'PAID' | 'REVERSED' | 'FAILED' | 'UNCLEAR';

/** What came of comparing a line with our books. */
export type LineResult =
  | 'MATCHED'
  | 'MISSING_HERE'
  | 'MISSING_THERE'
  | 'AMOUNT_DIFFERS'
  | 'CURRENCY_DIFFERS'
  | 'ACCOUNT_DIFFERS'
  | 'DATE_DIFFERS'
  | 'STATUS_DIFFERS'
  | 'LATE_REVERSAL'
  | 'DUPLICATE_LINE'
  | 'UNREADABLE';

export const LINE_RESULTS: readonly LineResult[] = [
  'MATCHED',
  'MISSING_HERE',
  'MISSING_THERE',
  'AMOUNT_DIFFERS',
  'CURRENCY_DIFFERS',
  'ACCOUNT_DIFFERS',
  'DATE_DIFFERS',
  'STATUS_DIFFERS',
  'LATE_REVERSAL',
  'DUPLICATE_LINE',
  'UNREADABLE',
];

/** `APPLIED`: the rail's word became ours. `ACCEPTED`: looked into and noted. `FOUND_LATER`: a later file had it. */
export type Resolution = 'APPLIED' | 'ACCEPTED' | 'FOUND_LATER';
