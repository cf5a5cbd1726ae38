import type { Statement } from '../platform/db/statement.ts';
import { findAlteredChunks, findAlteredProposals, findAlteredSubjects } from './altered/queries.ts';
import { findForeignAnswers } from './answers/queries.ts';
import {
  findOtherRules,
  findStrayApprovals,
  findUnapprovedChanges,
  findUnapprovedPayouts,
  findUnaskedPayouts,
  findWrongApprovals,
} from './approvals/queries.ts';
import { findUnsealedEntries } from './audit/queries.ts';
import {
  findMiscountedItems,
  findMiscountedPayouts,
  findStrayItems,
  findWrongChunks,
  findWrongItemPayouts,
  findWrongTotals,
} from './batches/queries.ts';
import {
  findAccountsUnlikeTransfers,
  findBrokenSteps,
  findOrphanTransfers,
  findOverdrawnCustomers,
  findStrayTransfers,
  findUnequalBooks,
  findWrongResolutions,
} from './books/queries.ts';
import { findUnmeantRepeats, findWrongDedupeKeys, findWrongHolders } from './duplicates/queries.ts';
import {
  findLonelyDecisions,
  findOtherReferences,
  findSecondSends,
  findUnsaidEnds,
  findWrongAllowances,
} from './outcomes/queries.ts';
import {
  findChunksNotHeld,
  findDebitsWithoutSuccess,
  findHoldsLeftOver,
  findPayoutsNotHeld,
  findReversalsNotReturned,
  findSuccessesNotDebitedOnce,
} from './payouts/queries.ts';
import type { ViolationRow } from './queries.ts';
import {
  findEventGaps,
  findStatusesUnlikeHistory,
  findUntoldTransactions,
  findWrongKeys,
  findWrongWalletTransfers,
} from './records/queries.ts';
import { findWrongSettlements, findWrongSettlementTransfers } from './settlements/queries.ts';
import { findRunawayEndpoints, findWrongDeliveries } from './webhooks/queries.ts';

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
    sentence: 'Every transfer belongs to a transaction, a chunk of a batch or a settlement of its merchant and mode.',
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
    name: 'chunks-are-held-until-opened',
    sentence: 'A dispatched chunk of a batch holds amount and charges until it is opened, and nothing after.',
    find: findChunksNotHeld,
  },
  {
    name: 'holds-belong-to-open-payouts',
    sentence: 'Every hold was made for one payout or one chunk, and none outlives its payout.',
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
  {
    name: 'payouts-have-one-reference',
    sentence: 'Every payout has the one rail reference that follows from its id.',
    find: findOtherReferences,
  },
  {
    name: 'second-rails-follow-a-refusal',
    sentence: 'No payout was sent by a second rail after the first may have paid it.',
    find: findSecondSends,
  },
  {
    name: 'payouts-end-by-a-word',
    sentence: 'Every payout ended by a word of the rail that had it, or of the operator, and the word is kept.',
    find: findUnsaidEnds,
  },
  {
    name: 'answers-are-about-what-was-sent',
    sentence: 'Every answer that was believed reported the reference, amount, currency and account that were sent.',
    find: findForeignAnswers,
  },
  {
    name: 'outcomes-are-decided-by-two',
    sentence: 'Every outcome that the operator decided was confirmed by another person than proposed it.',
    find: findLonelyDecisions,
  },
  {
    name: 'proposals-are-what-was-proposed',
    sentence: 'Every outcome that the operator proposed is what was proposed then.',
    find: findAlteredProposals,
  },
  {
    name: 'day-limits-count-what-is-paid',
    sentence: 'What is counted against each day’s limit is what was accepted that day and has not failed.',
    find: findWrongAllowances,
  },
  {
    name: 'dedupe-keys-are-of-payouts',
    sentence: 'Every dedupe key is of a payout that has not failed, and every payout on its way has its own.',
    find: findWrongDedupeKeys,
  },
  {
    name: 'nothing-is-paid-twice-unless-meant',
    sentence: 'No amount was paid to one account twice within the window unless the second was meant.',
    find: findUnmeantRepeats,
  },
  {
    name: 'batches-hold-keys-until-opened',
    sentence: 'Every batch that waits for approval or has chunks to open counts its items as taken, and no other.',
    find: findWrongHolders,
  },
  {
    name: 'nothing-leaves-before-its-approval',
    sentence: 'Every payout and batch that needed an approval went only after it was given, for itself and its amount.',
    find: findUnapprovedPayouts,
  },
  {
    name: 'what-was-approved-is-what-is-there',
    sentence:
      'Every payout, schedule and beneficiary that an approval was asked for is, column by column, what was asked.',
    find: findAlteredSubjects,
  },
  {
    name: 'rules-of-approval-were-followed',
    sentence: 'Every payout and batch that went without an approval needed none by the rules in force at that time.',
    find: findUnaskedPayouts,
  },
  {
    name: 'approvals-are-given-by-others',
    sentence: 'Every approval was given by as many different people as it needs, none of whom made it.',
    find: findWrongApprovals,
  },
  {
    name: 'what-waits-has-its-approval',
    sentence: 'Everything that waits for approval has one that is open, and every open one has what waits for it.',
    find: findStrayApprovals,
  },
  {
    name: 'rules-of-approval-are-in-force',
    sentence: 'The rules of approval that commits are held against are the last that were made.',
    find: findOtherRules,
  },
  {
    name: 'changes-of-rules-were-approved',
    sentence:
      'Every change of the rules of approval, of a merchant’s own limits and of its beneficiaries was approved where the rules asked for it.',
    find: findUnapprovedChanges,
  },
  {
    name: 'items-belong-to-batches',
    sentence: 'Every item belongs to a batch or to a file that is being read.',
    find: findStrayItems,
  },
  {
    name: 'batches-count-their-items',
    sentence: 'The counters of every batch are those of its items.',
    find: findMiscountedItems,
  },
  {
    name: 'batches-count-their-payouts',
    sentence: 'The counters of every dispatched batch are those of its payouts, and a completed one has none open.',
    find: findMiscountedPayouts,
  },
  {
    name: 'batch-totals-are-those-of-their-payouts',
    sentence: 'What a batch says it cost is the sum of its chunks, and of its payouts once all are opened.',
    find: findWrongTotals,
  },
  {
    name: 'chunks-come-to-their-items',
    sentence: 'Every chunk comes to the number and the sum of its items.',
    find: findWrongChunks,
  },
  {
    name: 'chunks-are-what-was-dispatched',
    sentence: 'Every chunk that waits to be opened has the items with which it was dispatched.',
    find: findAlteredChunks,
  },
  {
    name: 'items-become-payouts-once-opened',
    sentence:
      'Every item of an opened chunk is a payout of its amount, no other is, and no payout of a batch is anything else.',
    find: findWrongItemPayouts,
  },
  {
    name: 'settlements-are-of-paid-payouts',
    sentence: 'Every settled payout moved its amount, and a return was settled only after its payment.',
    find: findWrongSettlements,
  },
  {
    name: 'settlement-transfers-come-to-their-payouts',
    sentence: 'Every settlement transfer comes to the payouts that it settled, in the right direction.',
    find: findWrongSettlementTransfers,
  },
  {
    name: 'deliveries-are-of-their-events',
    sentence: 'Every webhook delivery is of one event and has its id.',
    find: findWrongDeliveries,
  },
  {
    name: 'endpoints-are-told-what-happened',
    sentence: 'No webhook endpoint is ahead of the books or behind its deliveries.',
    find: findRunawayEndpoints,
  },
  {
    name: 'audit-entries-are-sealed',
    sentence: 'Every entry of the audit log that is older than ten minutes is sealed, and none is gone.',
    find: findUnsealedEntries,
  },
];
