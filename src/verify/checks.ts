import type { Statement } from '../platform/db/statement.ts';
import {
  findAccountsUnlikeTransfers,
  findBrokenSteps,
  findDebitsWithoutSuccess,
  findEventGaps,
  findHoldsLeftOver,
  findOrphanTransfers,
  findOverdrawnCustomers,
  findPayoutsNotHeld,
  findReversalsNotReturned,
  findStatusesUnlikeHistory,
  findStrayTransfers,
  findSuccessesNotDebitedOnce,
  findUnequalBooks,
  findUntoldTransactions,
  findWrongKeys,
  findWrongResolutions,
  findWrongWalletTransfers,
  type ViolationRow,
} from './queries.ts';

export interface Check {
  /** Stable, for scripts and tests. */
  name: string;
  /** What holds when nothing is found. */
  sentence: string;
  find: Statement<ViolationRow>;
}

/** What must be true of the books at every moment, also between any two movements under load. */
export const CHECKS: readonly Check[] = [
  {
    name: 'debits-equal-credits',
    sentence: 'Debits equal credits in every merchant’s books, by mode and currency, posted and pending.',
    find: findUnequalBooks,
  },
  {
    name: 'accounts-equal-transfers',
    sentence: 'Every account’s sums and sequence are those of its transfers.',
    find: findAccountsUnlikeTransfers,
  },
  {
    name: 'transfers-follow-each-other',
    sentence: 'The transfers of every account follow each other from 1 without a gap, each with the running balance.',
    find: findBrokenSteps,
  },
  {
    name: 'no-customer-overdrawn',
    sentence: 'No customer’s account is overdrawn, holds counted.',
    find: findOverdrawnCustomers,
  },
  {
    name: 'transfers-stay-within-their-tenant',
    sentence: 'Every transfer moves one currency between two accounts of one merchant in one mode.',
    find: findStrayTransfers,
  },
  {
    name: 'transfers-belong-to-transactions',
    sentence: 'Every transfer belongs to a transaction of its merchant and mode.',
    find: findOrphanTransfers,
  },
  {
    name: 'holds-end-once-as-they-were-held',
    sentence: 'Every hold that ended was posted or voided once, as it was held.',
    find: findWrongResolutions,
  },
  {
    name: 'open-payouts-are-held',
    sentence: 'For every payout on its way, its amount and charges are held.',
    find: findPayoutsNotHeld,
  },
  {
    name: 'holds-belong-to-open-payouts',
    sentence: 'Every hold was made for one payout, and none outlives it.',
    find: findHoldsLeftOver,
  },
  {
    name: 'successful-payouts-debited-once',
    sentence: 'Every successful payout was debited once, and each of its charges once.',
    find: findSuccessesNotDebitedOnce,
  },
  {
    name: 'other-payouts-moved-nothing',
    sentence: 'A payout that failed, was cancelled or is still open has moved nothing.',
    find: findDebitsWithoutSuccess,
  },
  {
    name: 'reversed-payouts-returned-once',
    sentence: 'Every reversed payout was debited once and came back once, to the account that paid.',
    find: findReversalsNotReturned,
  },
  {
    name: 'wallet-transfers-moved-once',
    sentence: 'Every successful transfer between wallets moved its amount once, and no other moved anything.',
    find: findWrongWalletTransfers,
  },
  {
    name: 'idempotency-keys-tell-the-truth',
    sentence: 'Every idempotency key that names an effect has it alone, and a refusal has none.',
    find: findWrongKeys,
  },
  {
    name: 'events-without-gaps',
    sentence: 'The events of every tenant are numbered from 1 without a gap.',
    find: findEventGaps,
  },
  {
    name: 'transactions-are-told',
    sentence: 'Every transaction was told in an event.',
    find: findUntoldTransactions,
  },
  {
    name: 'status-is-where-history-ends',
    sentence: 'Every transaction has the status where its history ends.',
    find: findStatusesUnlikeHistory,
  },
];
