import { checkApprovals } from '../approvals/index.ts';
import { checkAuditLog } from '../audit/index.ts';
import type { Queries } from '../platform/db/database.ts';
import type { Secrets } from '../platform/secrets.ts';
import { accountChecks } from './accounts-queries.ts';
import { approvalEventChecks } from './approval-events-queries.ts';
import { approvalChecks } from './approvals-queries.ts';
import { attemptChecks } from './attempts-queries.ts';
import { batchChangeChecks } from './batch-changes-queries.ts';
import { batchChecks, batchGroupChecks, duplicateChecks } from './batches-queries.ts';
import { bookChecks } from './books-queries.ts';
import { chargeChecks, collectionFeeChecks } from './charges-queries.ts';
import { collectionChecks } from './collections-queries.ts';
import { complianceChecks } from './compliance-queries.ts';
import { creditChecks } from './credits-queries.ts';
import { dailyCloseChecks } from './daily-close-queries.ts';
import { deductionChecks } from './deductions-queries.ts';
import { dailyTotalChecks, payoutDirectoryChecks, searchChecks } from './derived-queries.ts';
import { disputeEventChecks } from './dispute-events-queries.ts';
import { disputeProposalChecks } from './dispute-proposals-queries.ts';
import { disputeRecordChecks } from './dispute-records-queries.ts';
import { disputeChecks } from './disputes-queries.ts';
import { eventChecks } from './events-queries.ts';
import { guardChecks } from './guards-queries.ts';
import { historyChecks } from './history-queries.ts';
import { manualCreditChecks } from './manual-credits-queries.ts';
import { merchantSettlementChecks } from './merchant-settlements-queries.ts';
import { outcomeChecks } from './outcomes-queries.ts';
import { paymentLinkChecks } from './payment-links-queries.ts';
import { paymentSessionChecks } from './payment-sessions-queries.ts';
import { alteredChecks, payoutChecks } from './payouts-queries.ts';
import { providerSettlementChecks } from './provider-settlements-queries.ts';
import type { Check } from './queries.ts';
import { answerChecks, auditChecks, recordChecks, webhookChecks } from './records-queries.ts';
import { refundRuleChecks } from './refund-rules-queries.ts';
import { refundChecks } from './refunds-queries.ts';
import { reserveChecks } from './reserves-queries.ts';
import { sandboxChecks, workChecks } from './sandbox-queries.ts';
import { settlementChecks } from './settlements-queries.ts';
import { statementTotalChecks } from './statement-totals-queries.ts';
import { suspenseChecks } from './suspense-queries.ts';
import { virtualAccountChecks } from './virtual-accounts-queries.ts';

/** What the statements prove, by subject. The report has the checks in this order; each check has its own sentence. */
const SUBJECTS: readonly (readonly [subject: string, checks: readonly Check[]])[] = [
  ['The books: transfers, balances and holds agree', bookChecks],
  ['Daily totals are those of their transfers', dailyTotalChecks],
  ['Totals within a statement are those of their transfers', statementTotalChecks],
  ['The payout directory is what the payouts are', payoutDirectoryChecks],
  ['Accounts, wallets and account numbers belong to their owners', accountChecks],
  ['Payouts hold and return what they cost', payoutChecks],
  ['Transactions and idempotency keys are of what moved', recordChecks],
  ['Events of transfers and payouts say what happened, without gaps', eventChecks],
  ['Every state was reached by the steps in its history', historyChecks],
  ['Open work is due to a worker, or before the operator', workChecks],
  ['Payouts end by a response of their rail, or by two people', outcomeChecks],
  ['Manual credits were approved by two people', manualCreditChecks],
  ['Calls to rails, and the evidence of them, are unaltered', attemptChecks],
  ['Answers of rails are about what was sent', answerChecks],
  ['Unique keys, limit usages and reservations are those of their movements', guardChecks],
  ['Dedupe keys keep a payment from being made twice', duplicateChecks],
  ['What needed an approval had it first, by the rules of that time', approvalChecks],
  ['What was approved, dispatched or proposed is unaltered', alteredChecks],
  ['Events of approvals, their rules and beneficiaries say what happened', approvalEventChecks],
  ['Batches, their chunks and their items agree', batchChecks],
  ['Events of batches say what happened, and items are those that were seen', batchChangeChecks],
  ['Group actions, retry lists and repeat lists are of their batches', batchGroupChecks],
  ['Charges on payouts follow the fee rules', chargeChecks],
  ['Charges on payments in follow the fee rules', collectionFeeChecks],
  ['Payouts are settled by lines of their rail’s files', settlementChecks],
  ['Virtual accounts and their numbers lead to their wallets', virtualAccountChecks],
  ['Payments in are confirmed and posted once', collectionChecks],
  ['Events of payments in say what happened, and no reported credit is forgotten', creditChecks],
  ['Money leaves suspense as two people decided', suspenseChecks],
  ['Freezes let nothing through, and cases are kept', complianceChecks],
  ['Refunds move what they say, and never exceed their payment', refundChecks],
  ['Refund rules are unaltered and were followed', refundRuleChecks],
  ['Payments in are settled once by their provider', providerSettlementChecks],
  ['Disputes move what they say', disputeChecks],
  ['Events of disputes say what happened', disputeEventChecks],
  ['Disputes by hand were decided by two people', disputeProposalChecks],
  ['Notes and files of disputes are unaltered', disputeRecordChecks],
  ['Reserves follow their rules and come back once', reserveChecks],
  ['Deductions of providers are posted once', deductionChecks],
  ['Settlements to banks pay what wallets collected', merchantSettlementChecks],
  ['Signed days are what the ledger says', dailyCloseChecks],
  ['Payment sessions received their payments', paymentSessionChecks],
  ['Payment links opened only what they allow', paymentLinkChecks],
  ['The sandbox rail has the same payouts', sandboxChecks],
  ['Webhook deliveries are of their events', webhookChecks],
  ['The search index is of what it finds', searchChecks],
  ['Entries of the audit log are sealed', auditChecks],
];

/** All checks that are statements. */
export const CHECKS: readonly Check[] = SUBJECTS.flatMap(([, checks]) => checks);

/** A check that no statement can make: it takes a computation, or a key that is not in the database. */
export interface ComputedCheck extends Pick<Check, 'name' | 'sentence'> {
  faults(queries: Queries): AsyncIterable<{ merchantId: string; mode?: string; detail: string }>;
}

export const approvalsAreWhatWasShown: ComputedCheck = {
  name: 'approvals-are-what-was-shown',
  sentence: 'Every approval is what its digest says was shown: its text, its amounts, its effect and its maker.',
  faults: checkApprovals,
};

export const auditLogIsWhole = (secrets: Pick<Secrets, 'hmacs' | 'hmacUnder'>): ComputedCheck => ({
  name: 'audit-log-is-whole',
  sentence: 'The audit log is whole: every entry is what was sealed, and none was taken out.',
  faults: (queries) => checkAuditLog(queries, secrets),
});

/** Checks of files: `readArchive` makes them. The first is of the disk, and the second of what was written down of it. */
export const archiveFilesAreThere: Pick<Check, 'name' | 'sentence'> = {
  name: 'archive-files-are-there',
  sentence: 'Every file of archived events is there, byte for byte as it was written.',
};

export const archivesAreWhole: Pick<Check, 'name' | 'sentence'> = {
  name: 'archives-are-whole',
  sentence:
    'Every file of archived events is of its own tenant, behind the one before it; what it has is gone from the tables as far as is written down, and every key in it leads to what it made.',
};

/** How many checks `verifyAll` makes: the statements and the four others. */
export const CHECKS_IN_ALL = CHECKS.length + 4;
