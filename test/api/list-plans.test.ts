import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { approvalList } from '../../src/approvals/queries.ts';
import { auditList } from '../../src/audit/queries.ts';
import { itemList } from '../../src/batches/item-queries.ts';
import { batchList } from '../../src/batches/queries.ts';
import { foundCreditList } from '../../src/collections/directory-queries.ts';
import { inboundList } from '../../src/collections/queries.ts';
import { caseList } from '../../src/compliance/case-queries.ts';
import { listEventsAfter } from '../../src/ledger/event-queries.ts';
import { statementList } from '../../src/ledger/statement-queries.ts';
import { registerList } from '../../src/merchants/register-queries.ts';
import { sessionList } from '../../src/payment-sessions/queries.ts';
import { foundPayoutList } from '../../src/payout-directory/queries.ts';
import { scheduleList } from '../../src/payouts/queries.ts';
import { payoutDetails } from '../../src/payouts/views.ts';
import type { Database } from '../../src/platform/db/database.ts';
import { newId } from '../../src/platform/ids.ts';
import type { List } from '../../src/platform/lists/list.ts';
import { pageOfList, rowsBeyond, totalOfList } from '../../src/platform/lists/queries.ts';
import type { Tenant } from '../../src/platform/tenant.ts';
import { lineList } from '../../src/reconciliation/desk-queries.ts';
import { requestList } from '../../src/request-log/queries.ts';
import { type TransactionFilter, transactionList } from '../../src/transactions/list-queries.ts';
import { accountList } from '../../src/virtual-accounts/queries.ts';
import { childList } from '../../src/wallets/queries.ts';
import { deliveryList } from '../../src/webhooks/delivery-queries.ts';
import { openTestDatabase } from '../support/database.ts';
import { planOf } from '../support/plans.ts';

let database: Database;
let drop: () => Promise<void>;

beforeAll(async () => {
  ({ database, drop } = await openTestDatabase());
});
afterAll(() => drop());

const merchantId = newId();
const tenant: Tenant = { merchantId, mode: 'SANDBOX' };
const id = newId();
const range = { accountId: id, afterSequence: 10n, upToSequence: 1_000_000n };
const now = new Date();

const transactionsOf = (...[filter, more]: [TransactionFilter, { since?: Date }?]) =>
  transactionList(tenant, filter, payoutDetails, more);

/** The list, the index that it is read by, and a position in it. */
const LISTS: [string, List<never>, string, unknown[]][] = [
  ['transactions', transactionsOf({}), 'transactions_by_time', [now, id]],
  ['transactions of a period', transactionsOf({ from: now, to: now }), 'transactions_by_time', [now, id]],
  ['failed transactions', transactionsOf({ statuses: ['FAILED'] }), 'transactions_by_status', [now, id]],
  ['payouts', transactionsOf({ category: 'PAYOUT' }), 'transactions_by_category', [now, id]],
  [
    'payouts to an account',
    transactionsOf({ category: 'PAYOUT', accountNumber: '0123456785' }, { since: now }),
    'transactions_by_account',
    [now, id],
  ],
  [
    'payouts to a beneficiary',
    transactionsOf({ category: 'PAYOUT', accountNumber: '0123456785', bankCode: '058' }),
    'transactions_by_account',
    [now, id],
  ],
  [
    'failed and returned transactions',
    transactionsOf({ statuses: ['FAILED', 'REVERSED'] }),
    'transactions_by_status',
    [now, id],
  ],
  ['failed payouts', transactionsOf({ category: 'PAYOUT', statuses: ['FAILED'] }), 'transactions_by_status', [now, id]],
  [
    'failed payouts by a rail to somebody',
    transactionsOf({
      category: 'PAYOUT',
      statuses: ['FAILED', 'QUEUED'],
      rail: 'x',
      counterparty: 'x',
      amountToMinor: 1n,
    }),
    'transactions_by_status',
    [now, id],
  ],
  [
    'successful payouts of a period by amount',
    transactionsOf({ category: 'PAYOUT', statuses: ['SUCCESS'], amountFromMinor: 1n }, { since: now }),
    'transactions_by_category',
    [now, id],
  ],
  [
    'transactions of a period with somebody',
    transactionsOf({ counterparty: 'x' }, { since: now }),
    'transactions_by_time',
    [now, id],
  ],
  ['payments in', inboundList(tenant, {}), 'inbound_payments_pk', [id]],
  ['payments in of a period', inboundList(tenant, { from: now, to: now }), 'inbound_payments_pk', [id]],
  [
    'payments in by amount and channel',
    inboundList(tenant, { amountFromMinor: 1n, channel: 'PAGE', payer: 'x' }, now),
    'inbound_payments_pk',
    [id],
  ],
  ['payments in that are held', inboundList(tenant, { statuses: ['SUSPENSE'] }), 'inbound_payments_in_suspense', [id]],
  [
    'payments in that are held or went back',
    inboundList(tenant, { statuses: ['SUSPENSE', 'RETURNED'] }),
    'inbound_payments_in_suspense',
    [id],
  ],
  ['payments in of a wallet', inboundList(tenant, { walletId: id, from: now }), 'inbound_payments_of_wallet', [id]],
  ['payment sessions', sessionList(tenant, {}), 'payment_sessions_pk', [id]],
  ['payment sessions of a link', sessionList(tenant, { linkId: id }), 'payment_sessions_of_link', [id]],
  ['payment sessions of a customer', sessionList(tenant, { customerId: id }), 'payment_sessions_of_customer', [id]],
  ['payment sessions of an opener', sessionList(tenant, { openedBy: 'LINK' }), 'payment_sessions_by_opener', [id]],
  ['payments in of a customer', inboundList(tenant, { customerId: id }), 'inbound_payments_of_customer', [id]],
  ['account numbers', accountList(tenant, {}), 'virtual_accounts_by_time', [now, id]],
  ['account numbers of a wallet', accountList(tenant, { walletId: id }), 'virtual_accounts_by_wallet', [now, id]],
  ['account numbers in a state', accountList(tenant, { status: 'OPEN' }), 'virtual_accounts_by_status', [now, id]],
  ['account numbers of a customer', accountList(tenant, { customerId: id }), 'virtual_accounts_of_customer', [now, id]],
  ['transactions of a batch', transactionsOf({ batchId: id }), 'transactions_batch', [id]],
  ['failed transactions of a batch', transactionsOf({ batchId: id, statuses: ['FAILED'] }), 'transactions_batch', [id]],
  ['items of a bulk payout by its key', transactionsOf({ madeInBatch: id }), 'transactions_batch', [id]],
  [
    'a statement',
    statementList(tenant, range, { of: [], since: undefined, counted: undefined }),
    'transfers_debit_sequence',
    ['500'],
  ],
  [
    'a statement',
    statementList(tenant, range, { of: [], since: undefined, counted: undefined }),
    'transfers_credit_sequence',
    ['500'],
  ],
  ['items of a batch', itemList({ merchant_id: merchantId, mode: 'SANDBOX', id }), 'batch_items_batch', [5]],
  [
    'invalid items',
    itemList({ merchant_id: merchantId, mode: 'SANDBOX', id }, { isValid: false }),
    'batch_items_batch',
    [5],
  ],
  ['deliveries', deliveryList(tenant, {}), 'webhook_deliveries_sequence', ['5']],
  ['failed deliveries', deliveryList(tenant, { status: 'FAILED' }), 'webhook_deliveries_by_status', ['5']],
  ['deliveries of a type', deliveryList(tenant, { type: 'payout.succeeded' }), 'webhook_deliveries_by_type', ['5']],
  ['the audit log of a merchant', auditList({ merchantId, hidden: ['admin freeze'] }), 'audit_entries_pk', [id]],
  ['actions of a merchant', auditList({ merchantId, once: true, hidden: ['admin freeze'] }), 'audit_entries_pk', [id]],
  [
    'actions of a person',
    auditList({ merchantId, personId: id, hidden: ['admin freeze'] }),
    'audit_entries_by_actor',
    [id],
  ],
  ['the audit log of all', auditList({}), 'audit_entries_of_all', [id]],
  ['requests', requestList(tenant, {}), 'request_log_pk', [id]],
  ['refused requests', requestList(tenant, { status: [400, 500] }), 'request_log_refused', [id]],
  ['requests with a key', requestList(tenant, { keyId: id }), 'request_log_by_key', [id]],
  [
    'requests of an operation with a code',
    requestList(tenant, { method: 'POST', route: '/x', code: 'X' }),
    'request_log_by_operation',
    [id],
  ],
  ['approvals', approvalList(tenant, {}), 'approvals_pk', [id]],
  ['approvals that wait', approvalList(tenant, { status: 'PENDING' }), 'approvals_by_status', [id]],
  ['approvals of a maker', approvalList(tenant, { madeBy: id }), 'approvals_by_maker', [id]],
  ['scheduled payouts', scheduleList(tenant, { status: undefined }), 'payouts_scheduled', [id]],
  ['bulk payouts', batchList(tenant, undefined), 'batches_pk', [id]],
  ['stores', childList('stores', tenant), 'stores_pk', [id]],
  ['subaccounts', childList('subaccounts', tenant), 'subaccounts_pk', [id]],
  ['merchants', registerList({}), 'merchants_pk', [id]],
  ['payouts of all', foundPayoutList({}, undefined), 'payout_directory_newest', [id]],
  ['payouts of all in a mode', foundPayoutList({ mode: 'LIVE', rail: 'x' }, now), 'payout_directory_newest', [id]],
  ['payouts of all that were paid', foundPayoutList({ status: 'SUCCESS' }, now), 'payout_directory_newest', [id]],
  ['payouts of all that failed', foundPayoutList({ status: 'FAILED' }, undefined), 'payout_directory_by_status', [id]],
  ['payouts of one of all', foundPayoutList({ merchantId, status: 'FAILED' }, now), 'payout_directory_pk', [id]],
  [
    'payouts of all to an account',
    foundPayoutList({ accountNumber: '0123456785', merchantId, amountMinor: 1n }, now),
    'payout_directory_by_account',
    [id],
  ],
  ['payouts of all by session', foundPayoutList({ sessionId: '1' }, undefined), 'payout_directory_by_session', [id]],
  ['payments in of all', foundCreditList({}, undefined), 'credit_directory_newest', [id]],
  ['payments in of all that are held', foundCreditList({ status: 'SUSPENSE' }, now), 'credit_directory_newest', [id]],
  [
    'payments in of one of all',
    foundCreditList({ merchantId, mode: 'LIVE' }, now),
    'credit_directory_by_merchant',
    [id],
  ],
  [
    'payments in of all to an account',
    foundCreditList({ accountNumber: '0123456785' }, undefined),
    'credit_directory_by_account',
    [id],
  ],
  ['compliance cases', caseList({}), 'compliance_cases_newest', [id]],
  ['open compliance cases', caseList({ status: 'OPEN' }), 'compliance_cases_open_newest', [id]],
  ['compliance cases of a merchant', caseList({ merchantId, mode: 'LIVE' }), 'compliance_cases_pk', [id]],
  ['lines of a settlement file', lineList(id, {}), 'settlement_lines_in_order', [5, id]],
] as [string, List<never>, string, unknown[]][];

describe('a list by cursor begins at its place in an index and reads in its order, also where nothing was ever counted', () => {
  it.each(LISTS)('%s', async (_name, list, index, key) => {
    for (const direction of ['after', 'before'] as const) {
      const plan = await planOf(database, rowsBeyond(list, { direction, key, limit: 51 }));
      expect(plan).toContain(` using ${index} on `);
      const [, condition = ''] = plan.split(` using ${index} on `)[1]?.split('Index Cond:') ?? [];
      const position = `$${list.values.length + 1}`;
      expect(condition.split('\n')[0], plan).toContain(position);
      // Nothing sorted, nothing read as a whole, and what is joined found by its key.
      expect(plan).not.toMatch(/^\s*(->\s+)?(Incremental )?Sort$|Seq Scan|Join Filter/m);
    }
  });

  it('events', async () => {
    const plan = await planOf(database, { statement: listEventsAfter, values: [merchantId, 'SANDBOX', 5, 105, 100] });
    expect(plan).toContain('using events_pk on');
    expect(plan).not.toContain('Sort');
  });
});

/** Filters of transactions, and the indexes that count them without their rows. */
const COUNTED: [string, TransactionFilter, string[]][] = [
  ['all', {}, ['transactions_by_time']],
  ['of a period', { from: now, to: now }, ['transactions_by_time']],
  ['that failed', { statuses: ['FAILED'] }, ['transactions_by_status']],
  ['payouts', { category: 'PAYOUT' }, ['transactions_by_category']],
  ['payouts that were paid', { category: 'PAYOUT', statuses: ['SUCCESS'] }, ['transactions_by_category']],
  ['payouts that failed', { category: 'PAYOUT', statuses: ['FAILED'] }, ['transactions_by_status']],
  ['that succeeded', { statuses: ['SUCCESS'] }, ['transactions_by_time', 'transactions_by_status']],
  ['of stores', { category: 'STORE_TO_MERCHANT' }, ['transactions_by_time', 'transactions_by_category']],
];

describe('a list of transactions is counted without reading its rows, and its pages skip none', () => {
  it.each(COUNTED)('%s', async (_what, filter, indexes) => {
    const counted = await planOf(database, totalOfList(transactionsOf(filter), 100_001));
    const read = (index: string | undefined) => new RegExp(`Index Only Scan( Backward)? using ${index} on`);
    for (const index of indexes) expect(counted).toMatch(read(index));
    // What nearly all are is counted by its rows only where a third are others.
    const [fallback = 0, scans = 0] = [indexes.length - 1, counted.match(/Index Scan/g)?.length ?? 0];
    expect(scans, counted).toBe(fallback);
    const page = pageOfList(transactionsOf(filter), { offset: 250_000, limit: 51, countUpTo: 100_001 });
    if (indexes.length === 1) expect(await planOf(database, page)).toMatch(read(indexes[0]));
  });
});
