import { approvalList } from '../../src/approvals/queries.ts';
import { auditList } from '../../src/audit/queries.ts';
import { rejectedItems, resultItems } from '../../src/batch-files/queries.ts';
import { itemList } from '../../src/batches/item-queries.ts';
import { batchList } from '../../src/batches/queries.ts';
import { beneficiaryList } from '../../src/beneficiaries/queries.ts';
import { foundCreditList } from '../../src/collections/directory-queries.ts';
import { freezeList } from '../../src/compliance/freeze-queries.ts';
import { largeList } from '../../src/compliance/large-queries.ts';
import { waitingDisputeProposals } from '../../src/dispute-proposals/queries.ts';
import { reportedList } from '../../src/disputes/directory-queries.ts';
import { statementList } from '../../src/ledger/statement-queries.ts';
import { manualCreditList } from '../../src/manual-credits/queries.ts';
import { stateList } from '../../src/merchant-settlements/list-queries.ts';
import { registerList } from '../../src/merchants/register-queries.ts';
import { outcomeList } from '../../src/outcomes/queries.ts';
import { foundPayoutList } from '../../src/payout-directory/queries.ts';
import { scheduleList } from '../../src/payouts/queries.ts';
import { payoutDetails } from '../../src/payouts/views.ts';
import { type Asked, statement } from '../../src/platform/db/statement.ts';
import type { List } from '../../src/platform/lists/list.ts';
import { type Counted, pageOfList, rowsBeyond, totalOfList } from '../../src/platform/lists/queries.ts';
import { providerLineList } from '../../src/provider-settlements/list-queries.ts';
import { lineList } from '../../src/reconciliation/desk-queries.ts';
import { operatorRefundList } from '../../src/refund-outcomes/queries.ts';
import { requestList } from '../../src/request-log/queries.ts';
import { keptList } from '../../src/reserves/queries.ts';
import { reserveList } from '../../src/reserves/read-reserves.ts';
import { receivableList, suspenseList } from '../../src/suspense/queue-queries.ts';
import { findDetailed, transactionList } from '../../src/transactions/list-queries.ts';
import { notOpenList } from '../../src/virtual-accounts/queries.ts';
import { deliveryList, failingList } from '../../src/webhooks/delivery-queries.ts';

/** Statements that are composed for what is asked, once each as they are composed for the least. */
const ID = '00000000-0000-0000-0000-000000000000';
const tenant = { merchantId: ID, mode: 'SANDBOX' } as const;
const range = { accountId: ID, afterSequence: 0n, upToSequence: 1n } as never;
const batch = { merchant_id: ID, mode: 'SANDBOX', id: ID } as const;

type RowOf<Made> = Made extends List<infer Row> | ((...args: never[]) => List<infer Row>) ? Row : never;

type Texts = [text: string, whereDistributed: string | undefined];
const textsOf = <Row>({ statement: { text, whereDistributed } }: Asked<Row>): Texts => [text, whereDistributed];
const rowsOf = <Row>(list: List<Row>): Texts =>
  textsOf(rowsBeyond(list, { direction: 'after', key: undefined, limit: 1 }));
const pageOf = <Row>(list: List<Row>): Texts => textsOf(pageOfList(list, { offset: 0, limit: 1, countUpTo: 1 }));

statement<RowOf<typeof approvalList>>('sample-approvals', ...rowsOf(approvalList(tenant, {})));
statement<RowOf<typeof auditList>>('sample-audit', ...rowsOf(auditList({})));
statement<RowOf<typeof beneficiaryList>>('sample-beneficiaries', ...rowsOf(beneficiaryList(tenant, undefined)));
statement<RowOf<typeof resultItems>>('sample-results', ...rowsOf(resultItems(batch as never)));
statement<RowOf<typeof rejectedItems>>('sample-rejected', ...rowsOf(rejectedItems(batch as never)));
statement<RowOf<typeof itemList>>('sample-items', ...rowsOf(itemList(batch)));
statement<RowOf<typeof batchList>>('sample-batches', ...rowsOf(batchList(tenant, undefined)));
statement<RowOf<typeof outcomeList>>('sample-outcomes', ...rowsOf(outcomeList('ALL')));
statement<RowOf<typeof outcomeList>>('sample-proposed-outcomes', ...rowsOf(outcomeList('PROPOSED')));
statement<RowOf<typeof outcomeList>>('sample-outcomes-of-operator', ...rowsOf(outcomeList('OPERATOR')));
statement<RowOf<typeof reserveList>>('sample-reserves', ...rowsOf(reserveList(tenant, {})));
statement<RowOf<typeof keptList>>('sample-kept', ...rowsOf(keptList()));
statement<RowOf<typeof operatorRefundList>>('sample-refunds-of-all', ...rowsOf(operatorRefundList({}, new Date())));
statement<RowOf<typeof operatorRefundList>>(
  'sample-refunds-proposed',
  ...rowsOf(operatorRefundList({ isProposed: true }, new Date())),
);
statement<RowOf<typeof operatorRefundList>>(
  'sample-refunds-to-decide',
  ...rowsOf(operatorRefundList({ needsDecision: true }, new Date())),
);
statement<RowOf<typeof scheduleList>>('sample-schedules', ...rowsOf(scheduleList(tenant, { status: undefined })));
statement<RowOf<typeof freezeList>>('sample-freezes', ...rowsOf(freezeList({ at: new Date() })));
statement<RowOf<typeof lineList>>('sample-lines', ...rowsOf(lineList(ID, {})));
statement<RowOf<typeof registerList>>('sample-register', ...rowsOf(registerList({})));
statement<RowOf<typeof foundPayoutList>>('sample-payouts-of-all', ...rowsOf(foundPayoutList({}, undefined)));
statement<RowOf<typeof foundCreditList>>('sample-payments-in-of-all', ...rowsOf(foundCreditList({}, undefined)));
statement<RowOf<typeof requestList>>('sample-requests', ...rowsOf(requestList(tenant, {})));
statement<RowOf<typeof transactionList>>('sample-transactions', ...rowsOf(transactionList(tenant, {}, payoutDetails)));
statement<RowOf<typeof statementList>>(
  'sample-statement',
  ...rowsOf(statementList(tenant, range, { of: [], counted: 1 })),
);
statement<RowOf<typeof deliveryList>>('sample-deliveries', ...rowsOf(deliveryList(tenant, {})));
statement<RowOf<typeof failingList>>('sample-failing', ...rowsOf(failingList));
statement<Counted<RowOf<typeof batchList>>>('sample-page', ...pageOf(batchList(tenant, undefined)));
statement<{ total_records: number }>('sample-total', ...textsOf(totalOfList(batchList(tenant, undefined), 1)));
statement<Counted<RowOf<typeof itemList>>>('sample-page-of-items', ...pageOf(itemList(batch)));
statement<Counted<RowOf<typeof operatorRefundList>>>(
  'sample-page-of-refunds-of-all',
  ...pageOf(operatorRefundList({}, new Date())),
);
statement<Counted<RowOf<typeof foundPayoutList>>>(
  'sample-page-of-payouts-of-all',
  ...pageOf(foundPayoutList({}, undefined)),
);
statement<Counted<RowOf<typeof foundCreditList>>>(
  'sample-page-of-payments-in-of-all',
  ...pageOf(foundCreditList({}, undefined)),
);
const period = { mode: 'LIVE', from: new Date(), to: new Date(), lowestMinor: 1n } as const;
statement<RowOf<typeof largeList>>('sample-large', ...rowsOf(largeList(period)));
statement<RowOf<typeof reportedList>>('sample-reported-disputes', ...rowsOf(reportedList('LIVE')));
statement<RowOf<typeof waitingDisputeProposals>>('sample-dispute-proposals', ...rowsOf(waitingDisputeProposals()));
statement<RowOf<typeof manualCreditList>>('sample-manual-credits', ...rowsOf(manualCreditList({ state: 'DECIDED' })));
for (const state of ['ALL', 'FAILED'] as const) {
  const list = stateList({ mode: 'LIVE', state });
  statement<RowOf<typeof stateList>>(`sample-settlement-states-${state}`, ...rowsOf(list));
  statement<Counted<RowOf<typeof stateList>>>(`sample-page-of-settlement-states-${state}`, ...pageOf(list));
}
statement<RowOf<typeof providerLineList>>('sample-provider-lines', ...rowsOf(providerLineList(ID, {})));
statement<RowOf<typeof suspenseList>>('sample-suspense', ...rowsOf(suspenseList({})));
statement<Counted<RowOf<typeof suspenseList>>>('sample-page-of-suspense', ...pageOf(suspenseList({})));
statement<RowOf<typeof receivableList>>('sample-receivables', ...rowsOf(receivableList(new Date())));
statement<RowOf<typeof notOpenList>>('sample-accounts-not-open', ...rowsOf(notOpenList({}, new Date())));
findDetailed(payoutDetails);
